"""`agreement`: how much raters agree beyond chance, and how much each knows of the others.

The coefficients share one form, (observed − chance)/(1 − chance), and differ in what chance is.
Standard errors are Gwet's linearised ones, which treat items as the sample and raters as fixed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed._numbers import probability, rate, span
from informed.errors import InferenceError, LabelError, one_of
from informed.evidence.checks import positive_of
from informed.evidence.columns import column
from informed.evidence.counting import check_lengths
from informed.evidence.label_order import Stated
from informed.evidence.label_policy import LabelPolicy, Missing, encode
from informed.evidence.labels import Label, some, text
from informed.evidence.table import Table
from informed.inference.answers import Interval
from informed.inference.given import Rng, checked_level, generator
from informed.inference.influence import functional, influence
from informed.inference.intervals import interval
from informed.inference.resampling import DRAWS
from informed.measures import find
from informed.results import Note, Records, Result, along, picked, plain_dict
from informed.systems.rater_chance import COEFFICIENTS, Ratings, Way, metric

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
        if self.why:
            return f"{self.name} is undefined: {self.why}"
        limits = f"{rate(self.estimate)} {span(self.low, self.high)}"
        return f"{self.name} {limits}, {probability(self.pvalue)} ({self.method})"


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
        gap = Coefficient(f"{coefficient}, difference", a.estimate - b.estimate, level=self.level)
        return _with_error(gap, a.effects - b.effects, (-2.0, 2.0))

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


def agreement(
    ratings: Any,
    *,
    level: float = 0.95,
    disagreement: Any = "nominal",
    method: How = "linearised",
    labels: Sequence[Label] | None = None,
    missing: Missing = "error",
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

    Notes
    -----
    Cohen's and Scott's are for two raters and use the items that both rated. Brennan and
    Prediger's chance depends on the number of categories: name unused ones by `labels`.

    >>> found = agreement({"a": list("xxyyxy"), "b": list("xxyyyy")})
    >>> round(found["cohen"].estimate, 3), round(found["krippendorff"].estimate, 3)
    (0.667, 0.686)
    """
    checked_level(level)
    one_of("method", method, get_args(How), InferenceError)
    codes, raters, known, stated = _coded(ratings, LabelPolicy(labels, missing=missing, ratings=True))

    rated = (codes >= 0).sum(axis=1)
    used = codes[rated > 0]
    paired = codes[rated > 1]  # what Krippendorff calls pairable
    counts = np.bincount(paired[paired >= 0], minlength=len(known)).astype(np.float64)
    weight, called = metric(disagreement, known, counts, stated)

    held = Ratings(used, weight)
    whole, complete = np.ones(len(used), bool), (used >= 0).all(axis=1)
    both = Ratings(used[complete], weight)
    found: dict[str, Coefficient] = {}
    for name, way in COEFFICIENTS.items():
        if way.two_raters and len(raters) > 2:
            continue
        c = Coefficient("gwet_ac2" if name == "gwet_ac1" and called != "nominal" else name, level=level)
        at, r = (complete, both) if way.two_raters else (whole, held)
        found[c.name] = _measured(c, way, r, at, method, rng, n_draws)

    tables = replace(_pair_tables(held, raters, known), stated=stated)
    return Agreement(
        raters=raters,
        labels=known,
        items=len(used),
        level=level,
        disagreement=called,
        coefficients=found,
        informedness=interval(tables, "informedness", level=level),
        markedness=interval(tables, "markedness", level=level),
        against_rest=_rest(held, raters, level, "informedness"),
        markedness_against_rest=_rest(held, raters, level, "markedness"),
        tables=tables,
        places=np.flatnonzero(rated > 0),
        notes=tuple(_notes(codes, rated, raters)),
    )


# ---------------------------------------------------------------------- input


def _coded(
    ratings: Any, policy: LabelPolicy
) -> tuple[NDArray[np.int64], tuple[Hashable, ...], tuple[Hashable, ...], Stated | None]:
    """Places (items, raters), -1 for no rating; names; labels, and who stated their order."""
    given = _by_rater(ratings)
    named = {f"ratings[{rater!r}]": _unmeasured(x) for rater, x in given.items()}
    columns = {name: column(x, name) for name, x in named.items()}
    check_lengths({name: len(x) for name, x in columns.items()})
    held = encode([x.side() for x in columns.values()], policy, names=list(columns))

    codes = np.stack(held.places, axis=1)[~held.lost]
    if len(held.labels) < 2:
        raise LabelError(
            f"Every rating is {text(held.labels[0])}; with one label there is no chance to correct for."
            if held.labels
            else "There are no ratings."
        )
    if ((codes >= 0).sum(axis=1) < 2).all():
        raise LabelError("No item was rated by two raters; agreement takes an overlap.")
    return codes, tuple(given), held.labels, held.stated


def _by_rater(ratings: Any) -> dict[Hashable, Any]:
    """A mapping from each rater's name to their ratings, of two raters at least."""
    if hasattr(ratings, "columns") and not isinstance(ratings, Mapping):
        ratings = {name: ratings[name] for name in ratings.columns}
    if not isinstance(ratings, Mapping):
        array = np.asarray(ratings, dtype=object)
        if array.ndim != 2:
            raise LabelError(
                f"`ratings` has shape {array.shape}; (items, raters) is needed, or a mapping from "
                "each rater's name to their labels."
            )
        ratings = {rater: array[:, rater].tolist() for rater in range(array.shape[1])}
    if len(ratings) < 2:
        raise LabelError(f"`ratings` has {len(ratings)} rater(s); two at least are needed.")
    return dict(ratings)


def _unmeasured(x: Any) -> Any:
    """Numbers with fractions are ratings too; as an array they would be refused as scores."""
    kind = str(getattr(x, "dtype", getattr(x, "type", ""))).lower()
    return list(x) if kind.startswith(("float", "double", "decimal")) else x


def _notes(codes: NDArray[np.int64], rated: Any, raters: tuple[Hashable, ...]) -> Iterator[Note]:
    if (rated == 0).any():
        yield Note(f"{int((rated == 0).sum())} item(s) without any rating were left out.", code="left-out")
    if (rated == 1).any():
        said = f"{int((rated == 1).sum())} item(s) have one rating: they count for chance, not for agreement."
        yield Note(said, code="one-rating")
        if len(raters) == 2:
            yield Note("Cohen's and Scott's use the items that both rated.", code="both-rated")

    known = (codes >= 0).astype(np.int64)
    apart = np.argwhere(np.triu(known.T @ known == 0, 1))
    if len(apart):
        a, b = (raters[i] for i in apart[0])
        said = (
            f"{len(apart)} pair(s) of raters share no item (such as {text(a)} and {text(b)}): nothing is known of them "
            "against each other."
        )
        yield Note(said, code="nothing-shared")


# ---------------------------------------------------------------------- one coefficient


def _measured(
    c: Coefficient, way: Way, r: Ratings, at: NDArray[np.bool_], method: How, rng: Rng, n_draws: int
) -> Coefficient:
    """The coefficient of these ratings, which are those of some of the items."""
    n = len(r.codes)
    if not r.several.any():
        return replace(c, why="no item was rated by both")
    observed, chance = (float(x) for x in way.parts(r, np.ones(n)))
    if np.isclose(chance, 1.0):
        return replace(c, why="chance alone agrees always")

    own = way.effects(r)
    effects = np.zeros(len(at))
    effects[at] = own * (len(at) / n)
    estimate = way.estimate(r, np.ones(n))
    c = replace(c, estimate=estimate, observed=observed, chance=chance, method=method, effects=effects)
    bounds = (0.0, 1.0) if c.name == "percent" else (-1.0, 1.0)

    if method == "linearised":
        items = way.items(r)
        return _with_error(c, own[items] * items.mean(), bounds)
    if method == "jackknife":
        left_out = way.estimate(r, 1.0 - np.eye(n))
        return _with_error(c, (n - 1) * (left_out.mean() - left_out), bounds)

    drawn = generator(rng).multinomial(n, np.full(n, 1 / n), size=n_draws)
    values = way.estimate(r, drawn.astype(np.float64))
    values = values[np.isfinite(values)]
    low, high = np.quantile(values, [(1 - c.level) / 2, (1 + c.level) / 2]).tolist()
    share = (1 + min((values <= 0).sum(), (values >= 0).sum())) / (1 + len(values))
    error = float(values.std(ddof=1))
    return replace(c, low=low, high=high, standard_error=error, pvalue=float(min(1.0, 2 * share)))


def _with_error(c: Coefficient, effects: Array, bounds: tuple[float, float] = (-1.0, 1.0)) -> Coefficient:
    """Student's t around an estimate whose error is the mean of effects."""
    from scipy.special import stdtr, stdtrit

    n = len(effects)
    if n < 2:
        return Coefficient(c.name, c.estimate, level=c.level, why="one item has no spread")
    error = float(np.sqrt((effects**2).sum() / (n * (n - 1))))
    reach = float(stdtrit(n - 1, (1 + c.level) / 2)) * error
    t = c.estimate / error if error > 0 else (0.0 if c.estimate == 0 else np.inf)
    return replace(
        c,
        low=max(bounds[0], c.estimate - reach),
        high=min(bounds[1], c.estimate + reach),
        standard_error=error,
        pvalue=float(2 * stdtr(n - 1, -abs(t))),
        effects=effects if c.effects is None else c.effects,
    )


# ---------------------------------------------------------------------- raters one by one


def _pair_tables(r: Ratings, raters: tuple[Hashable, ...], known: tuple[Hashable, ...]) -> Table:
    """Every rater (as prediction) against every other (as reality): a stack of tables."""
    flat = r.each.reshape(len(r.codes), -1)
    counts = (flat.T @ flat).reshape(*r.each.shape[1:], *r.each.shape[1:])
    tables = Table.from_counts(counts.transpose(0, 2, 1, 3), names=[raters, raters])
    # Ratings may be numbers with fractions, which `from_counts` refuses as labels.
    return replace(tables, predicted_labels=known, real_labels=known, positive=positive_of(known, known, None))


def _rest(r: Ratings, raters: tuple[Hashable, ...], level: float, measure: str) -> dict[Hashable, Coefficient]:
    """Informedness (or markedness) of each rater about what a random other rater says of the item.

    An item counts once; its reality is spread over the labels that the others gave. Items are
    independent, their parts are not, so the standard error is over items.
    """
    m, found = find(measure), {}
    for a, rater in enumerate(raters):
        others = r.counts - r.each[:, a]
        shared = (r.codes[:, a] >= 0) & (others.sum(axis=1) > 0)
        if not shared.any():
            found[rater] = Coefficient(m.name, level=level, why="nobody else rated the same items")
            continue
        given = others[shared] / others[shared].sum(axis=1, keepdims=True)
        cells = r.each[shared, a].T @ given / shared.sum()  # (predicted, real)
        t = Table.from_counts(cells)
        estimate = float(m(t))
        if np.isnan(estimate):
            found[rater] = Coefficient(m.name, level=level, why="a single label was used")
            continue
        flat = cells.ravel()
        with np.errstate(divide="ignore", invalid="ignore"):
            u, _ = influence(flat, functional(m, t).gradient(flat, np.ones(())))
        u = np.where(flat > 0, u, 0.0).reshape(cells.shape)
        effects = (u[r.codes[shared, a]] * given).sum(axis=1)
        found[rater] = _with_error(Coefficient(m.name, estimate, chance=0.0, level=level), effects)
    return found
