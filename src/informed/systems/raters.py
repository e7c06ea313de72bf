"""`agreement`: how much raters agree beyond chance, and how much each knows of the others.

The coefficients share one form, (observed − chance)/(1 − chance), and differ in what chance is.
Standard errors are Gwet's linearised ones, which treat items (or the units that they belong to) as the sample
and raters as fixed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed._numbers import probability, rate, span
from informed.errors import InferenceError, one_of
from informed.evidence.calls import explained
from informed.evidence.label_policy import LabelPolicy, Missing
from informed.evidence.labels import Label, some
from informed.evidence.likeness import Normalize
from informed.evidence.table import Table
from informed.inference.answers import Interval
from informed.inference.given import Rng, checked_draws, checked_level, generator
from informed.inference.intervals import interval
from informed.inference.resampling import DRAWS
from informed.inference.unit_spread import of_effects
from informed.results import Note, Records, Result, along, picked, plain_dict
from informed.systems.rated import RatedGroups, rated, rating_notes
from informed.systems.rater_chance import COEFFICIENTS, TITLES, Ratings, Way, metric
from informed.systems.rater_pairs import Rest, against_rest, pair_tables

How = Literal["linearised", "jackknife", "bootstrap"]
limits = attrgetter("estimate", "low", "high")
numbers = attrgetter("estimate", "low", "high", "standard_error", "pvalue")


@dataclass(frozen=True, eq=False, repr=False)
class Coefficient(Result):
    """One coefficient of agreement with its interval; `pvalue` is of no agreement beyond chance."""

    name: str
    estimate: float = np.nan
    low: float = np.nan
    high: float = np.nan
    standard_error: float = np.nan
    pvalue: float = np.nan
    observed: float = np.nan  # agreement as seen
    chance: float = np.nan  # agreement that its idea of chance expects
    level: float = 0.95
    method: str = "linearised"
    why: str = ""  # where it is undefined
    effects: Array | None = None  # what each item adds, (items,)

    def records(self) -> Records:
        """One row."""
        return _coefficients([self])

    def sentence(self) -> str:
        """The coefficient with its interval, or why it is undefined."""
        called = TITLES.get(self.name, self.name)
        if self.why:
            return f"{called} is undefined: {self.why}"
        limits = f"{rate(self.estimate)} {span(self.low, self.high)}"
        return f"{called} {limits}, {probability(self.pvalue)} ({self.method})"


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
    tables: Table  # (rater a, rater b): a as prediction, b as reality
    places: NDArray[np.int64]  # of the rated items among those that were given
    groups: RatedGroups  # what the rated items belong to
    notes: tuple[Note, ...] = ()

    def __getitem__(self, name: str) -> Coefficient:
        if name not in self.coefficients:
            raise InferenceError(f"There is no coefficient {name!r} here; there are {', '.join(self.coefficients)}.")
        return self.coefficients[name]

    def minus(self, other: Agreement, coefficient: str) -> Coefficient:
        """How much more these raters agree than others do on the same items.

        The two estimates vary together, because the items are the same; their difference has the
        standard error of the differences of what each item adds (Gwet 2016).
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
        gap = Coefficient(f"{coefficient}, difference", a.estimate - b.estimate, level=self.level)
        effects = a.effects - b.effects
        return _with_error(replace(gap, effects=effects), effects / len(effects), self.groups, (-2.0, 2.0))

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
        shared = {name: (c, other[name]) for name, c in self.coefficients.items() if name in other.coefficients}
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
        held |= picked(self, "informedness=informedness.estimate markedness=markedness.estimate")
        return plain_dict({**held, "against_rest": self.raters_records().by("rater"), "notes": self.notes})


@explained
def agreement(
    ratings: Any,
    *,
    level: float = 0.95,
    disagreement: Any = "nominal",
    method: How = "linearised",
    labels: Sequence[Label] | None = None,
    missing: Missing = "error",
    normalize: Normalize = None,
    unit: Any = None,
    item: Any = None,
    rng: Rng = None,
    n_draws: int = DRAWS,
) -> Agreement:
    """Agreement of two or many raters; ratings may be missing.

    Parameters
    ----------
    ratings
        A mapping from each rater's name to their labels, a data frame with a column for each, or
        an array (items x raters).
    disagreement
        How bad a disagreement is: "nominal" (all alike), "ordinal" (Krippendorff's, by the
        number of ratings between, for labels whose order is known), "linear", "interval" (or
        "quadratic"), "ratio", or a matrix of agreement with ones on its diagonal.
    method
        Of the intervals: "linearised" (Gwet's, Student's t), "jackknife", or "bootstrap" over
        items (percentiles).
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
        raters'. Errors are measured between these.

    Notes
    -----
    Cohen's and Scott's are for two raters and use the items that both rated. Brennan and
    Prediger's chance depends on the number of categories: name unused ones by `labels`.

    >>> found = agreement({"a": list("xxyyxy"), "b": list("xxyyyy")})
    >>> round(found["cohen"].estimate, 3), round(found["krippendorff"].estimate, 3)
    (0.667, 0.686)
    """
    checked_level(level)
    checked_draws(n_draws)
    one_of("method", method, get_args(How), InferenceError)
    given = rated(ratings, LabelPolicy(labels, missing=missing, ratings=True, normalize=normalize), unit, item)
    codes, raters, known, stated = given.codes, given.raters, given.labels, given.stated

    several = (codes >= 0).sum(axis=1)
    used, groups = codes[several > 0], given.groups.where(several > 0)
    paired = codes[several > 1]  # what Krippendorff calls pairable
    counts = np.bincount(paired[paired >= 0], minlength=len(known)).astype(np.float64)
    weight, called = metric(disagreement, known, counts, stated)

    whole, complete = np.ones(len(used), bool), (used >= 0).all(axis=1)
    held, both = (Ratings(used[at], weight, groups.where(at).times) for at in (whole, complete))
    found: dict[str, Coefficient] = {}
    for name, way in COEFFICIENTS.items():
        if way.two_raters and len(raters) > 2:
            continue
        c = Coefficient("gwet_ac2" if name == "gwet_ac1" and called != "nominal" else name, level=level)
        at, r = (complete, both) if way.two_raters else (whole, held)
        found[c.name] = _measured(c, way, r, _Items(at, groups), method, rng, n_draws)

    tables = pair_tables(held, given, groups)
    rests = against_rest(held, groups, raters, "informedness"), against_rest(held, groups, raters, "markedness")
    told = [{rater: _about(found, level) for rater, found in rest.items()} for rest in rests]
    return Agreement(
        raters=raters,
        labels=known,
        items=len(used) if groups.item is None else len(np.unique(groups.item)),
        level=level,
        disagreement=called,
        coefficients=found,
        informedness=interval(tables, "informedness", level=level),
        markedness=interval(tables, "markedness", level=level),
        against_rest=told[0],
        markedness_against_rest=told[1],
        tables=tables,
        places=np.flatnonzero(several > 0),
        groups=groups,
        notes=tuple(rating_notes(given)),
    )


# ---------------------------------------------------------------------- one coefficient


@dataclass(frozen=True, eq=False)
class _Items:
    """Which of the rated items a coefficient uses, and what all of them belong to."""

    at: NDArray[np.bool_]
    groups: RatedGroups


def _measured(c: Coefficient, way: Way, r: Ratings, items: _Items, method: How, rng: Rng, n_draws: int) -> Coefficient:
    """The coefficient of these ratings, which are those of some of the items."""
    w, at = r.times, items.at
    if not r.several.any():
        return replace(c, why="no item was rated by both")
    observed, chance = (float(x) for x in way.parts(r, w))
    if np.isclose(chance, 1.0):
        return replace(c, why="chance alone agrees always")

    own = way.effects(r) * w / w.sum()
    effects = np.zeros(len(at))
    effects[at] = own * len(at)
    estimate = way.estimate(r, w)
    c = replace(c, estimate=estimate, observed=observed, chance=chance, method=method, effects=effects)
    bounds = (0.0, 1.0) if c.name == "percent" else (-1.0, 1.0)

    groups = items.groups.where(at)
    if method == "linearised":
        used = way.items(r)
        return _with_error(c, own[used], groups.where(used), bounds)
    units = int(groups.unit.max()) + 1
    if method == "jackknife":
        left_out = way.estimate(r, w * (groups.unit != np.arange(units)[:, None]))
        added = (units - 1) / units * (left_out.mean() - left_out)
        return _with_error(c, added, groups.as_units, bounds)

    drawn = generator(rng).multinomial(units, np.full(units, 1 / units), size=n_draws)
    values = way.estimate(r, drawn[:, groups.unit] * w)
    values = values[np.isfinite(values)]
    low, high = np.quantile(values, [(1 - c.level) / 2, (1 + c.level) / 2]).tolist()
    share = (1 + min((values <= 0).sum(), (values >= 0).sum())) / (1 + len(values))
    error = float(values.std(ddof=1))
    return replace(c, low=low, high=high, standard_error=error, pvalue=float(min(1.0, 2 * share)))


def _about(found: Rest, level: float) -> Coefficient:
    """What a rater knows of the others, with its interval."""
    c = Coefficient(found.measure, found.estimate, level=level, why=found.why)
    if found.added is None or found.groups is None:
        return c
    effects = found.added * len(found.added)
    return _with_error(replace(c, chance=0.0, effects=effects), found.added, found.groups)


def _with_error(
    c: Coefficient, added: Array, groups: RatedGroups, bounds: tuple[float, float] = (-1.0, 1.0)
) -> Coefficient:
    """Student's t around an estimate whose error is the sum of what items add; between their units."""
    from scipy.special import stdtr, stdtrit

    units = int(groups.unit.max()) + 1
    if units < 2:
        return Coefficient(c.name, c.estimate, level=c.level, why=f"one {groups.name or 'item'} has no spread")
    found = of_effects(added, np.zeros(len(added), np.int64), groups.unit, groups.times)
    known = found.variance > 0
    error, df = (float(np.sqrt(found.variance)), found.df) if known else (0.0, units - 1.0)
    reach = float(stdtrit(df, (1 + c.level) / 2)) * error
    t = c.estimate / error if known else (0.0 if c.estimate == 0 else np.inf)
    return replace(
        c,
        low=max(bounds[0], c.estimate - reach),
        high=min(bounds[1], c.estimate + reach),
        standard_error=error,
        pvalue=float(2 * stdtr(df, -abs(t))),
    )
