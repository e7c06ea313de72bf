"""`agreement`: how much raters agree beyond chance, and how much each knows of the others.

The coefficients share one form, (observed − chance)/(1 − chance), and differ in what chance is. Two raters have the
confidence interval and the test of their table; more raters have the same arc over the ways to rate an item
(`rater_arcs`) and a test that shuffles each rater's ratings (`rater_shuffles`). Items, or the clusters that they
belong to, are the sample, and raters are fixed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, Limits
from informed._numbers import probability, rate, span
from informed.errors import InferenceError, one_of
from informed.evidence.calls import explained
from informed.evidence.label_policy import LabelPolicy, Missing
from informed.evidence.labels import Label, some
from informed.evidence.likeness import Normalize
from informed.evidence.table import Table
from informed.inference.answers import Interval
from informed.inference.given import Rng, checked_draws, checked_level, generator, standard_normal
from informed.inference.hypothesis import normal_tail
from informed.inference.intervals import TINIEST
from informed.inference.inversion import distance
from informed.inference.resampling import DRAWS
from informed.inference.unit_spread import of_effects
from informed.results import Note, Records, Result, along, picked, plain_dict, warning
from informed.systems.rated import Rated, RatedGroups, are_numbers, rated, rating_notes, refuse_measurements
from informed.systems.rater_chance import COEFFICIENTS, OF_WEIGHTS, WEIGHTED, Ratings, metric
from informed.systems.rater_evidence import RaterEvidence
from informed.systems.rater_pairs import RaterPairs, Rest, against_rest
from informed.systems.rater_shuffles import Shuffled

How = Literal["arc", "linearised", "jackknife", "bootstrap"]
limits = attrgetter("estimate", "low", "high")
numbers = attrgetter("estimate", "low", "high", "standard_error", "pvalue")
AGREED = ("percent", "weighted_agreement")  # agreement as seen, which has no value that chance gives
OTHER_NAMES = {"fleiss": "scott", "conger": "cohen", "cohen": "weighted_kappa", "gwet_ac1": "gwet_ac2"}  # also found by
_DRAWN = 1 << 22  # numbers drawn at once
FARTHEST = 7.0  # standard errors, beyond which a p-value is not read from limits
MANY_VALUES = 20  # whole numbers as labels, above which they may be measurements


@dataclass(frozen=True, eq=False, repr=False)
class Coefficient(Result):
    """One coefficient of agreement with its confidence interval.

    `pvalue` tests that the raters rate independently of each other; it is NaN for agreement as seen.
    """

    name: str
    estimate: float = np.nan
    low: float = np.nan
    high: float = np.nan
    standard_error: float = np.nan
    pvalue: float = np.nan
    observed: float = np.nan  # agreement as seen
    chance: float = np.nan  # agreement that its idea of chance expects
    level: float = 0.95
    method: str = "arc"
    why: str = ""  # where it is undefined
    effects: Array | None = None  # what each item adds, (items,)
    title: str = ""
    evidence: tuple[RaterEvidence, str] | None = None  # what limits of other levels are found from

    def records(self) -> Records:
        """One row."""
        return _coefficients([self])

    def sentence(self) -> str:
        """The coefficient with its interval, or why it is undefined."""
        called = self.title or self.name
        if self.why:
            return f"{called} is undefined: {self.why}"
        limits = f"{rate(self.estimate)} {span(self.low, self.high)}"
        p = "" if np.isnan(self.pvalue) else f", {probability(self.pvalue)}"
        return f"{called} {limits}{p} ({self.method})"


def _coefficients(found: Iterable[Coefficient]) -> Records:
    columns = "coefficient:label estimate low high standard_error pvalue:p observed chance method:words why:words"
    return Records.of(columns, [(c.name, *numbers(c), c.observed, c.chance, c.method, c.why) for c in found])


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(Result):
    """Agreement of raters on items, by every name that it goes by.

    ``found["fleiss"]`` is one `Coefficient`. `informedness` and `markedness` hold, at ``[a, b]``,
    those of rater a as if rater b were right; NaN where the two share no items.
    """

    page = "raters"

    raters: tuple[Hashable, ...]
    labels: tuple[Hashable, ...]
    items: int
    level: float
    disagreement: str
    coefficients: dict[str, Coefficient]
    informedness: Interval
    markedness: Interval
    against_rest: dict[Hashable, Coefficient]  # informedness about what a random other rater says
    markedness_against_rest: dict[Hashable, Coefficient]
    pairs: RaterPairs  # every two raters as a table
    places: NDArray[np.int64]  # of the rated items among those that were given
    groups: RatedGroups  # what the rated items belong to
    pvalue: float = np.nan  # of the test that the raters rate independently of each other
    test: str = ""  # how it was found
    notes: tuple[Note, ...] = ()

    @property
    def tables(self) -> Table:
        """A stack of tables, (rater a, rater b): a as prediction, b as reality."""
        return self.pairs.tables

    def __getitem__(self, name: str) -> Coefficient:
        there = self._called(name)
        if there is None:
            raise InferenceError(f"There is no coefficient {name!r} here; there are {', '.join(self.coefficients)}.")
        return self.coefficients[there]

    def _called(self, name: str) -> str | None:
        """What a coefficient is called here: Fleiss' kappa of two raters is Scott's pi, Conger's is Cohen's."""
        while name not in self.coefficients and name in OTHER_NAMES:
            name = OTHER_NAMES[name]
        return name if name in self.coefficients else None

    def minus(self, other: Agreement, coefficient: str) -> Coefficient:
        """How much more these raters agree than others do on the same items.

        The limits of the difference are those of both estimates, put together for estimates that are correlated
        because the items are the same (Zou 2007), and the p-value is where they reach 0.
        """
        a, b = self[coefficient], other[coefficient]
        if a.effects is None or b.effects is None:
            lost = self if a.effects is None else other
            raise InferenceError(f"{coefficient} of {some(lost.raters)} is undefined: {lost[coefficient].why}.")
        if not np.array_equal(self.places, other.places):
            only = len(np.setxor1d(self.places, other.places))
            raise InferenceError(
                f"One side has {self.items} rated items and the other {other.items}, {only} on one "
                "side only; two agreements are compared on the same items, in the same order."
            )
        if not self.groups.same(other.groups):
            raise InferenceError("The two sides were told different units; they are compared with the same ones.")
        gap = Coefficient(f"{coefficient}, difference", a.estimate - b.estimate, level=self.level, method="arc")
        effects = a.effects - b.effects
        gap = _with_error(replace(gap, effects=effects), effects / len(effects), self.groups, (-2.0, 2.0))
        if gap.why:
            return gap
        between = partial(_gap_limits, a, b, _together(a.effects, b.effects, self.groups))
        low, high = map(float, between(standard_normal(self.level)))
        far = float(distance(between, 0.0, FARTHEST))
        return replace(gap, low=low, high=high, pvalue=float(normal_tail(np.asarray(far), "two-sided")))

    def records(self) -> Records:
        """One row a coefficient."""
        return _coefficients(self.coefficients.values())

    def raters_records(self) -> Records:
        """One row a rater: informedness and markedness about what a random other rater says."""
        marked = self.markedness_against_rest
        rows = [(rater, *limits(c), *limits(marked[rater])) for rater, c in self.against_rest.items()]
        return Records.of("rater:label informedness low high markedness markedness_low markedness_high", rows)

    def pairs_records(self) -> Records:
        """One row for a rater and another one, as if that were right."""
        held = along((("rater", self.raters), ("other", self.raters)))
        for name, x in (("informedness", self.informedness), ("markedness", self.markedness)):
            columns = (name, f"{name}_low", f"{name}_high")
            held |= {column: ("number", part) for column, part in zip(columns, limits(x), strict=True)}
        return Records.beside(held)

    def versus_records(self, other: Agreement) -> Records:
        """How much more these raters agree, by every coefficient that both have."""
        shared = {name: (c, other[name]) for name, c in self.coefficients.items() if other._called(name)}
        rows = [
            (name, a.estimate, b.estimate, *numbers(self.minus(other, name)))
            for name, (a, b) in shared.items()
            if not a.why and not b.why
        ]
        columns = "these the_others estimate:signed low:signed high:signed standard_error pvalue:p"
        return Records.of(f"coefficient:label {columns}", rows)

    def to_dict(self) -> dict[str, Any]:
        """Every coefficient by its name, each rater by theirs, and each about each other."""
        held = picked(self, "raters labels n=items level weights=disagreement")
        held["coefficients"] = self.records().by("coefficient")
        held |= picked(self, "pvalue test informedness=informedness.estimate markedness=markedness.estimate")
        return plain_dict({**held, "against_rest": self.raters_records().by("rater"), "notes": self.notes})


@explained
def agreement(
    ratings: Any,
    *,
    level: float = 0.95,
    disagreement: Any = "nominal",
    method: How = "arc",
    labels: Sequence[Label] | None = None,
    missing: Missing = "error",
    normalize: Normalize = None,
    unit: Any = None,
    item: Any = None,
    rng: Rng = None,
    n_draws: int = DRAWS,
) -> Agreement:
    """Estimate the agreement of two or more raters; ratings may be missing.

    Parameters
    ----------
    ratings
        A mapping from each rater's name to their labels, a data frame with a column for each, or
        an array (items x raters). Ratings with fractions are measurements, which need another
        `disagreement` than "nominal" and "ordinal", or `intraclass_correlation`.
    disagreement
        How bad a disagreement is: "nominal" (all alike), "ordinal" (Krippendorff's, by the
        number of ratings between, for labels whose order is known), "linear", "interval" (or
        "quadratic"), "ratio", or a matrix of agreement with ones on its diagonal.
    method
        Of the confidence intervals: "arc" (that of tables, which covers), "linearised" (Gwet's standard
        errors with Student's t, which cover badly near 1 and for rare labels), "jackknife", or
        "bootstrap" over items (percentiles).
    labels
        The categories and their order, where not all were used.
    missing
        What a missing rating (None, NaN) does: raise; "abstain" takes the item with the ratings
        that it has; "drop" leaves the item out.
    normalize
        What takes ratings as the same, such as "case,space", as for `Table.from_labels`.
    unit, item
        What each row of ratings belongs to (a document, a patient); or which rows are the same item,
        rated several times, whose ratings share its weight: values, or the name of a column beside the
        raters'. Standard errors are clustered by these.
    rng, n_draws
        Generator or seed, and number of shuffles of the test, and of resamples of "bootstrap".

    Notes
    -----
    Cohen's and Scott's are for two raters and use the items that both rated. Brennan and
    Prediger's chance depends on the number of categories: name unused ones by `labels`.

    One p-value tests that the raters rate independently of each other. It does not test that a coefficient is 0:
    Gwet's and Brennan and Prediger's coefficients are above 0 for raters who guess a frequent label.

    >>> found = agreement({"a": list("xxyyxy"), "b": list("xxyyyy")})
    >>> round(found["cohen"].estimate, 3), round(found["krippendorff"].estimate, 3)
    (0.667, 0.686)
    """
    checked_level(level)
    checked_draws(n_draws)
    one_of("method", method, get_args(How), InferenceError)
    given = rated(ratings, LabelPolicy(labels, missing=missing, ratings=True, normalize=normalize), unit, item)
    if isinstance(disagreement, str) and disagreement in ("nominal", "ordinal") and labels is None:
        refuse_measurements(given.labels, disagreement)
    codes, raters, known, stated = given.codes, given.raters, given.labels, given.stated

    several = (codes >= 0).sum(axis=1)
    used, groups = codes[several > 0], given.groups.where(several > 0)
    paired = codes[several > 1]  # what Krippendorff calls pairable
    counts = np.bincount(paired[paired >= 0], minlength=len(known)).astype(np.float64)
    weight, called = metric(disagreement, known, counts, stated)
    nominal = bool((weight == np.eye(len(known))).all())

    whole, complete = np.ones(len(used), bool), (used >= 0).all(axis=1)
    held, both = (Ratings(used[at], weight, groups.where(at).times) for at in (whole, complete))
    pairs = RaterPairs(held, given, groups)
    two = pairs.table(0, 1) if len(raters) == 2 else None
    evidence = RaterEvidence(held, groups, two if nominal else None)
    tested = evidence.test(rng, n_draws)
    how = _How(method, evidence, rng, n_draws)

    found: dict[str, Coefficient] = {}
    for name, way in COEFFICIENTS.items():
        alone = ("fleiss", "conger") if len(raters) == 2 and complete.all() else ()  # Scott's and Cohen's
        if name in alone or (way.two_raters and len(raters) > 2):
            continue
        c = Coefficient(name, level=level, title=way.title)
        if name == "percent" and not nominal:
            exact = replace(held, weight=np.eye(len(known)))
            as_seen = replace(how, evidence=RaterEvidence(exact, groups, two))
            found[name] = _measured(c, name, exact, _Items(whole, groups), as_seen)
        if not nominal:
            c = replace(c, name=OF_WEIGHTS.get(name, name), title=WEIGHTED.get(name, way.title))
        at, r = (complete, both) if way.two_raters else (whole, held)
        c = _measured(c, name, r, _Items(at, groups), how)
        found[c.name] = c if c.why or c.name in AGREED else replace(c, pvalue=tested.pvalue)

    rests = [against_rest(held, groups, raters, m, level) for m in ("informedness", "markedness")]
    told = [{rater: _about(found, level) for rater, found in rest.items()} for rest in rests]
    return Agreement(
        raters=raters,
        labels=known,
        items=len(used) if groups.item is None else len(np.unique(groups.item)),
        level=level,
        disagreement=called,
        coefficients=found,
        informedness=pairs.interval("informedness", level),
        markedness=pairs.interval("markedness", level),
        against_rest=told[0],
        markedness_against_rest=told[1],
        pairs=pairs,
        places=np.flatnonzero(several > 0),
        groups=groups,
        pvalue=tested.pvalue,
        test=tested.how,
        notes=tuple(_notes(given, called, tested)),
    )


def _notes(given: Rated, called: str, tested: Shuffled) -> Iterator[Note]:
    """What is to be known of the ratings, and what the p-value is of."""
    yield from rating_notes(given)
    said = f"The p-value tests that the raters rate independently of each other; it is from {tested.how}."
    yield Note(said, code="test")
    if called == "nominal" and len(given.labels) > MANY_VALUES and are_numbers(given.labels):
        said = (
            f"The ratings have {len(given.labels)} different numbers, which were taken for names of classes; for "
            'measurements take `intraclass_correlation`, or `disagreement="interval"`.'
        )
        yield warning(said, "many-values")


# ---------------------------------------------------------------------- one coefficient


@dataclass(frozen=True, eq=False)
class _Items:
    """Which of the rated items a coefficient uses, and what all of them belong to."""

    at: NDArray[np.bool_]
    groups: RatedGroups


@dataclass(frozen=True, eq=False)
class _How:
    """How limits are found."""

    method: How
    evidence: RaterEvidence
    rng: Rng
    n_draws: int


def _measured(c: Coefficient, name: str, r: Ratings, items: _Items, how: _How) -> Coefficient:
    """The coefficient of these ratings, which are those of some of the items."""
    way, w, at = COEFFICIENTS[name], r.times, items.at
    if not r.several.any():
        return replace(c, why="no item was rated by both")
    observed, chance = (float(x) for x in way.parts(r, w))
    if np.isclose(chance, 1.0):
        return replace(c, why="chance alone agrees always")

    own = way.effects(r) * w / w.sum()
    effects = np.zeros(len(at))
    effects[at] = own * len(at)
    estimate = way.estimate(r, w)
    c = replace(c, estimate=estimate, observed=observed, chance=chance, method=how.method, effects=effects)
    c = replace(c, evidence=(how.evidence, name))
    bounds = (min(0.0, float(r.weight.min())) if c.name in AGREED else -1.0, 1.0)

    groups = items.groups.where(at)
    used = way.items(r)
    straight = _with_error(c, own[used], groups.where(used), bounds)
    if how.method == "linearised" or straight.why:
        return straight
    if how.method == "arc":
        low, high, method = how.evidence.limits(name, c.level)
        high = 1.0 if observed == 1 else high  # nothing speaks against perfect agreement
        ends = max(bounds[0], min(low, estimate)), min(bounds[1], max(high, estimate))
        return replace(straight, low=ends[0], high=ends[1], method=method)

    units = way.read(r).by_unit(groups.unit, w)
    several = len(units.agreement)
    if how.method == "jackknife":
        left_out = np.concatenate([way.value(x, r.weight) for x in units.without_each()])
        added = (several - 1) / several * (left_out.mean() - left_out)
        return _with_error(c, added, groups.as_units, bounds)

    rng = generator(how.rng)
    at_once = max(1, _DRAWN // several)
    sizes = [min(at_once, how.n_draws - start) for start in range(0, how.n_draws, at_once)]
    even = np.full(several, 1 / several)
    drawn = (rng.multinomial(several, even, size=size).astype(np.float64) for size in sizes)
    values = np.concatenate([way.value(units.sums(times), r.weight) for times in drawn])
    values = values[np.isfinite(values)]
    low, high = np.quantile(values, [(1 - c.level) / 2, (1 + c.level) / 2]).tolist()
    return replace(c, low=low, high=high, standard_error=float(values.std(ddof=1)))


def _about(found: Rest, level: float) -> Coefficient:
    """What a rater knows of the others, with its interval."""
    c = Coefficient(found.measure, found.estimate, level=level, why=found.why)
    if found.added is None or found.groups is None:
        return c
    effects = found.added * len(found.added)
    c = _with_error(replace(c, chance=0.0, effects=effects, method="linearised"), found.added, found.groups)
    if c.why or found.limits is None:
        return c
    return replace(c, low=found.limits[0], high=found.limits[1], method="arc")


def _with_error(
    c: Coefficient, added: Array, groups: RatedGroups, bounds: tuple[float, float] = (-1.0, 1.0)
) -> Coefficient:
    """Student's t around an estimate whose error is the sum of what items add; between their units."""
    from scipy.special import stdtrit

    units = int(groups.unit.max()) + 1
    if units < 2:
        why = f"one {groups.name or 'item'} has no spread"
        return Coefficient(c.name, c.estimate, level=c.level, why=why, title=c.title)
    found = of_effects(added, np.zeros(len(added), np.int64), groups.unit, groups.times)
    known = found.variance > 0
    error, df = (float(np.sqrt(found.variance)), found.df) if known else (0.0, units - 1.0)
    reach = float(stdtrit(df, (1 + c.level) / 2)) * error
    low, high = max(bounds[0], c.estimate - reach), min(bounds[1], c.estimate + reach)
    return replace(c, low=low, high=high, standard_error=error)


# ---------------------------------------------------------------------- two agreements


def _together(a: Array, b: Array, groups: RatedGroups) -> float:
    """Correlation of two estimates, from what each item adds to them; between units."""
    one, other = (np.bincount(groups.unit, x) for x in (a, b))
    squares = float((one**2).sum() * (other**2).sum())
    return float(np.clip((one * other).sum() / np.sqrt(squares), -1, 1)) if squares > 0 else 0.0


def _gap_limits(a: Coefficient, b: Coefficient, correlation: float, z: Any) -> Limits:
    """Limits of a difference so many standard errors away, from those of both estimates and their correlation."""
    from scipy.special import ndtr

    assert a.effects is not None
    assert b.effects is not None
    level = float(1 - 2 * ndtr(-max(float(z), TINIEST)))
    gap, ends = a.estimate - b.estimate, []
    if np.array_equal(a.effects, b.effects) and a.effects.any():
        return np.asarray(gap), np.asarray(gap)  # the same ratings on both sides
    for c in (a, b):
        assert c.evidence is not None
        evidence, name = c.evidence
        low, high, _ = evidence.limits(name, level)
        ends.append((max(0.0, c.estimate - low), max(0.0, high - c.estimate)))
    (below, above), (least, most) = ends

    def reach(x: float, y: float) -> float:
        return float(np.sqrt(max(0.0, x * x + y * y - 2 * correlation * (x * y))))

    return np.asarray(gap - reach(below, most)), np.asarray(gap + reach(above, least))
