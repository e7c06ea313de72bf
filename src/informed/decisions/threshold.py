"""Choosing a threshold by a named method, and what the choice is worth on new cases.

A threshold chosen as the best on some cases looks better on them than it will be. Cases are drawn
again from the counts at each score, the method chooses again, and the cases that were not drawn
judge its choice: they had no part in it (Efron's out-of-bag estimate). Where costs choose, a tenth of
the cases is left out and judges instead: a resample has fewer different cases, and far fewer of those
that are rare and expensive. No model is fitted again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, astuple, dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from informed._arrays import Array, ratio
from informed._numbers import of_many, percent, rate
from informed.decisions.costs import isocost_slope
from informed.decisions.curve import Curve
from informed.decisions.roc import roc
from informed.decisions.threshold_cost import ThresholdCost, threshold_cost
from informed.errors import InferenceError, MeasureError
from informed.evidence.calls import explained
from informed.evidence.labels import Label, text
from informed.evidence.table import Table
from informed.inference.given import checked_draws, checked_level, generator
from informed.inference.possible_tables import tables
from informed.measures import find
from informed.measures.shown import CHOSEN
from informed.results import Note, Records, Result, finite, picked, plain_dict, warning

BINS = 2000  # scores are pooled into at most so many before they are drawn again
LEFT = 0.1  # of the cases is left out to judge a choice by cost
WORK = 1 << 22  # numbers drawn at once

Drawn = tuple[Array, Callable[[NDArray[np.bool_]], Array]]  # what was drawn, and what was not by some of the draws
Drawing = Callable[[int], Drawn]
ALIASES = {"youden": "informedness", "bias=prevalence": "bias", "predicted-rate": "rate"}
FIXED = ("recall", "precision", "rate")
UNJUDGED = (warning("A class has too few cases to leave some out: what new cases give is not known.", "unjudged"),)


@dataclass(frozen=True)
class Worth:
    """A measure at the chosen threshold: as it looks, and as it may be expected to be."""

    apparent: float
    optimism: float  # apparent − corrected
    corrected: float  # informedness of choices on resamples, judged by the cases not drawn, and what goes with it here


@dataclass(frozen=True, repr=False)
class Choice(Result):
    """A threshold, how sure it is, and what it is worth."""

    page = "decisions"

    method: str
    threshold: float
    low: float  # interval of the threshold
    high: float
    level: float
    table: Table  # on the cases at hand
    measures: Mapping[str, Worth]
    c: float | None  # slope of the isocost lines, for the methods that have one
    n_draws: int
    seed: int | None
    notes: tuple[Note, ...] = ()
    expected: Table | None = None  # what new cases are expected to give; None where that is not known
    cost: ThresholdCost | None = None  # where a cost or a prevalence chose

    def __getitem__(self, measure: str) -> Worth:
        return self.measures[find(measure).name]

    @property
    def words(self) -> str:
        """What it says to do."""
        positive = text(self.table.positive)
        if self.threshold == np.inf and not float(self.table.pp):
            return f"call nothing {positive}"
        if self.threshold == -np.inf:
            return f"call everything {positive}"
        return f"call {positive} where score ≥ {self.threshold + 0.0:.6g}"

    def records(self) -> Records:
        """A row for each measure: how it looks here, and what to expect of new cases."""
        own = (self.method, self.threshold, self.low, self.high)
        return Records.of(
            "method:words threshold:amount low:amount high:amount measure:words apparent optimism corrected",
            [(*own, name, *astuple(worth)) for name, worth in self.measures.items()],
        )

    def to_dict(self) -> dict[str, Any]:
        """The choice, its table, and the measures by name."""
        held = picked(self, "method threshold low high level c labels=table.labels counts=table.counts")
        if self.cost is not None:
            held["cost"] = self.cost
        held["measures"] = {name: asdict(worth) for name, worth in self.measures.items()}
        return plain_dict({**held, "notes": self.notes})

    def metrics(self) -> dict[str, float]:
        """The threshold with its limits, the expected cost with its own, and each measure as new cases will have it
        and as it looks (`_apparent`)."""
        held = {"threshold": self.threshold, "threshold_low": self.low, "threshold_high": self.high}
        for name, worth in self.measures.items():
            held |= {name: worth.corrected, f"{name}_apparent": worth.apparent}
        if self.cost is not None:
            held |= self.cost.metrics()
        return finite(held)

    def sentence(self) -> str:
        """The threshold, how sure it is and what it is worth."""
        b = self["informedness"]
        said = (
            f"By {self.method}, {self.words} ({self.low + 0.0:.6g} to {self.high + 0.0:.6g} at {percent(self.level)})"
        )
        if self.cost is not None:
            cost = self.cost.sentence()
            return f"{said}: {cost[:1].lower()}{cost[1:]}"
        return f"{said}: informedness {rate(b.corrected)} to be expected on new cases ({rate(b.apparent)} on these)."


@explained
def threshold(
    curve: Curve | None = None,
    method: str | None = None,
    *,
    real: Any = None,
    score: Any = None,
    positive: Label | None = None,
    value: float | None = None,
    cost: Any = None,
    prevalence: ArrayLike | None = None,
    level: float = 0.95,
    n_draws: int = 999,
    rng: np.random.Generator | int | None = None,
) -> Choice:
    """Choose a threshold by a method, with its interval and what it gives on new cases.

    Parameters
    ----------
    curve
        What `roc` gives; or give it the labels and scores by name, `real` and `score`, and the `positive` label.
    method
        By default "cost" where a `cost` or a `prevalence` is given, else "informedness".
        "informedness" (Youden): greatest recall − fallout. "closest": nearest to the perfect
        corner of the ROC plane. "bias": as many called positive as are. "cost": least cost, see
        `cost` and `prevalence` and `Curve.best`. "recall", "precision", "rate": `value` is the
        least recall (then with the least fallout), the least precision (then with the greatest
        recall), or the largest share that may be called positive. Or the name of any measure of
        the catalogue: its greatest value.
    n_draws, rng
        Resamples of the cases, and their generator or seed.

    Notes
    -----
    The interval holds the middle `level` of the resamples' choices. Where a curve has more than
    2000 scores, neighbours are pooled before they are drawn again. The corrected informedness is that of
    all cases not drawn, over all resamples, or as it looks where that is less; a resample has fewer different
    cases, so that it is rather a little too low; docs/roc.md has what was measured. What it is less than it looks is
    parted between recall and fallout as the gains of resamples are, and the other measures follow. Cases of a unit
    are drawn together.
    """
    checked_level(level)
    curve = _curve(curve, real, score, positive)
    curve.refuse_one_class("threshold to choose")
    checked_draws(n_draws, 20)
    method = method_of(method, cost, prevalence)
    _check_value(method, value)
    _check_cost(method, cost, prevalence)

    c = isocost_slope(cost, prevalence, curve.prevalence) if method == "cost" else None
    choose = partial(_chosen, curve=curve, method=method, value=value, c=c)
    at = int(choose(curve.tp, curve.fp))
    table = curve.at_positions(at)
    again = _redrawn(curve, choose, n_draws, generator(rng))
    low, high = np.quantile(again.thresholds, ((1 - level) / 2, (1 + level) / 2), method="inverted_cdf")
    slope = 1.0 if c is None else c
    judged = again if slope == 1 else _redrawn(curve, choose, n_draws, generator(rng), left_out=True)
    expected = None if np.isnan(judged.rates).any() else _expected(table, judged.rates, again.gained, slope)

    told = (cost, prevalence) != (None, None)
    costs: dict[str, Any] = {"cost": "1:1" if cost is None else cost, "prevalence": prevalence, "level": level}
    own = () if method in ("closest", "bias", "cost", *FIXED) else (find(method).name,)
    worth = {}
    for name in (*own, *CHOSEN):
        apparent, corrected = (np.nan if x is None else float(find(name)(x)) for x in (table, expected))
        worth[name] = Worth(apparent, apparent - corrected, corrected)
    return Choice(
        method=method,
        threshold=float(curve.thresholds[at]),
        low=float(low),
        high=float(high),
        level=level,
        table=table,
        measures=worth,
        c=c,
        n_draws=n_draws,
        seed=rng if isinstance(rng, int) else None,
        expected=expected,
        cost=threshold_cost(curve, table, expected, **costs) if told else None,
        notes=(*curve.notes, *(UNJUDGED if expected is None else ()), *_notes(curve, method, at, value)),
    )


def method_of(method: str | None, cost: Any, prevalence: Any) -> str:
    """The method by its name; without one, a cost or a prevalence asks for the least cost.

    >>> method_of(None, "5:1", None), method_of(None, None, None), method_of("youden", None, None)
    ('cost', 'informedness', 'informedness')
    """
    if method is None:
        return "informedness" if cost is None and prevalence is None else "cost"
    return ALIASES.get(method, method)


def _check_cost(method: str, cost: Any, prevalence: Any) -> None:
    if method == "cost":
        return
    for name, given in (("cost", cost), ("prevalence", prevalence)):
        if given is not None:
            raise InferenceError(
                f"The method {method!r} takes no `{name}`: a threshold of least cost is chosen by `method='cost'`, "
                "which is the default where a cost or a prevalence is given."
            )


def _curve(curve: Any, real: Any, score: Any, positive: Any) -> Curve:
    """The curve, or that of labels and scores given by name."""
    if curve is None and real is not None and score is not None:
        return roc(real=real, score=score, positive=positive)
    if not isinstance(curve, Curve):
        seen = "Nothing was given" if curve is None else f"A {type(curve).__name__} is no Curve"
        raise InferenceError(f"{seen}; give `informed.roc(…)`, or name the labels: threshold(real=…, score=…).")
    if real is not None or score is not None:
        raise InferenceError("`threshold` was given a curve and labels; give one of them.")
    if positive is not None:
        raise InferenceError("`positive` is for labels; a curve has its positive label already.")
    return curve


def _check_value(method: str, value: float | None) -> None:
    if method in FIXED:
        if value is None or not 0 <= value <= 1:
            raise InferenceError(f"The method {method!r} needs a `value` between 0 and 1.")
    elif value is not None:
        raise InferenceError(f"The method {method!r} takes no `value`; {', '.join(FIXED)} do.")


def _notes(curve: Curve, method: str, at: int, value: float | None) -> Iterator[Note]:
    if at == 0:  # the threshold is +inf
        yield warning("The method calls nothing positive.", "none-called")
    if method == "precision" and not ratio(curve.tp[at], curve.tp[at] + curve.fp[at]) >= float(value or 0):
        yield warning(f"No threshold reaches a precision of {value:g}.", "not-reached")
    if len(curve.thresholds) - 1 > BINS:
        yield Note(f"{len(curve.thresholds) - 1:,} scores were pooled to draw them again.", code="pooled")


# ---------------------------------------------------------------------- methods


def _chosen(tp: Array, fp: Array, curve: Curve, method: str, value: float | None, c: float | None) -> NDArray[np.intp]:
    """Position along the last axis that the method chooses; of equals, the highest threshold."""
    p, n = tp[..., -1:], fp[..., -1:]
    recall, fallout = ratio(tp, p), ratio(fp, n)
    called = tp + fp
    if method == "informedness":
        merit = recall - fallout
    elif method == "cost":
        merit = recall - float(c or 1) * fallout
    elif method == "closest":
        merit = -((1 - recall) ** 2 + fallout**2)
    elif method == "bias":
        merit = -np.abs(called - p)
    elif method == "recall":  # fallout only grows along the curve, so the first is the best
        merit = (recall >= float(value or 0) - 1e-12).astype(np.float64)
    elif method == "rate":
        merit = np.where(called <= float(value or 0) * (p + n) * (1 + 1e-12), called, -1.0)
    elif method == "precision":
        enough = ratio(tp, called) >= float(value or 0) - 1e-12
        merit = np.where(enough, recall, -1.0)
    else:
        merit = _measured(method, tp, fp, curve)
    return np.asarray(np.where(np.isnan(merit), -np.inf, merit).argmax(axis=-1))


def _measured(name: str, tp: Array, fp: Array, curve: Curve) -> Array:
    m = find(name)
    if not m.reads(curve.at_positions(0)):
        raise MeasureError(f"{m} cannot be read off two classes, so it chooses no threshold.")
    values = np.asarray(m(tables(np.array([[tp, fp], [tp[..., -1:] - tp, fp[..., -1:] - fp]]))))
    low, high = m.facts.bounds
    return -values if m.facts.best == low != high else values


# ---------------------------------------------------------------------- resampling


@dataclass(frozen=True)
class _Redrawn:
    """What became of choices on resamples, all of them together."""

    thresholds: Array
    rates: Array  # recall and fallout of the cases that were not drawn
    gained: Array  # by recall and by less fallout, on what was drawn over all cases


def _expected(table: Table, judged: Array, gains: Array, c: float) -> Table:
    """The table to expect of new cases at this threshold: recall − c·fallout is that of the cases that had no part in
    the choice, and what it is less than it looks is taken from recall and added to fallout in the shares in which
    resamples gained.

    The tables of the cases not drawn are those of other thresholds, which may lie far from this one: where these know
    more, nothing is taken.
    """
    sizes = np.array([table.rp, table.rn], dtype=np.float64)  # the positives first
    recall, fallout = np.array([table.tp, table.fp]) / sizes
    slopes = np.array([1.0, c])
    aim = min(recall - c * fallout, float(judged @ (1.0, -c)))
    lost, gained = recall - c * fallout - aim, np.maximum(gains, 0.0) * slopes
    share = gained[0] / gained.sum() if gained.sum() > 0 else 0.5
    less = max(recall - share * lost, 0.0)  # what one has no room for is left to the other
    called = np.array([less, np.clip((less - aim) / c, 0.0, 1.0)])
    called[0] = np.clip(aim + c * called[1], 0.0, 1.0)
    return Table.from_counts([called * sizes, (1 - called) * sizes])


def _redrawn(curve: Curve, choose: Any, n_draws: int, rng: np.random.Generator, left_out: bool = False) -> _Redrawn:
    """Choices of the method on resamples, of cases or of whole units; or where a tenth of them is left out."""
    at = _pooled(curve)
    thresholds, half = curve.thresholds[at], len(at) - 1
    alone = curve.units is None or curve.units.single
    draw, size = (_drawing_cases if alone else _drawing_units)(curve, at, rng, left_out)
    chosen, judged, gained = [], np.zeros((2, 2)), []
    block = max(1, WORK // size)

    for start in range(0, n_draws, block):
        drawn, left = draw(min(block, n_draws - start))
        tp, fp = (np.pad(np.cumsum(own, axis=1), ((0, 0), (1, 0))) for own in (drawn[:, :half], drawn[:, half:]))
        both = (tp[:, -1] > 0) & (fp[:, -1] > 0)
        if not both.any():
            continue
        found = choose(tp[both], fp[both])
        chosen.append(thresholds[found])
        rows, places = np.arange(len(found)), at[found]
        gained.append(tp[both][rows, found] / tp[both][:, -1] - curve.recall[places])
        gained.append(curve.fallout[places] - fp[both][rows, found] / fp[both][:, -1])
        _judge(judged, left(both), found, half)
    if not chosen:
        few = "cases" if curve.units is None else of_many(curve.units.name)
        raise InferenceError(f"No resample has both classes: there are too few {few}.")
    means = np.array([np.concatenate(gained[i::2]).mean() for i in (0, 1)])
    return _Redrawn(np.concatenate(chosen), np.asarray(ratio(judged[0], judged.sum(axis=0))), means)


def _drawing_cases(curve: Curve, at: NDArray[np.intp], rng: np.random.Generator, left_out: bool) -> tuple[Drawing, int]:
    """Draws of cases between thresholds, positives first, and what is expected not to be drawn."""
    total = max(1, round(sum(curve.sizes)))  # of equally weighted cases
    cells = np.concatenate([np.diff(curve.tp[at]), np.diff(curve.fp[at])])
    share = cells / cells.sum()

    def draw(size: int) -> Drawn:
        drawn = rng.multinomial(total, share, size=size).astype(np.float64)
        return drawn, lambda which: _not_drawn(share * total, drawn[which])

    def leave(size: int) -> Drawn:
        held = share * total  # where cases are weighted these are no whole numbers
        whole = np.floor(held + rng.random((size, len(held)))).astype(np.int64) if curve.squares else held.round()
        left = np.minimum(rng.binomial(np.asarray(whole, np.int64), LEFT, (size, len(held))), held)
        return held - left, lambda which: left[which]

    return leave if left_out else draw, len(cells)


def _drawing_units(curve: Curve, at: NDArray[np.intp], rng: np.random.Generator, left_out: bool) -> tuple[Drawing, int]:
    """Draws of whole units, and the units that were not drawn."""
    from scipy.sparse import csr_array

    units, half = curve.units, len(at) - 1
    assert units is not None
    n = units.n
    cell = np.searchsorted(at, units.step, "right") - 1 + half * ~units.own
    held = csr_array((units.weight, (cell, units.unit)), shape=(2 * half, n))

    def draw(size: int) -> Drawn:
        one = np.full(n, 1 / n)
        times = rng.random((n, size)) >= LEFT if left_out else rng.multinomial(n, one, size=size).T
        return (held @ times).T, lambda which: (held @ (times[:, which] == 0).astype(np.float64)).T

    return draw, max(2 * half, n)


def _judge(judged: Array, left: Array, found: NDArray[np.intp], half: int) -> None:
    """Add what choices make of the cases that were left, positives first."""
    called = (np.arange(half) < found[:, None]).astype(np.float64)
    for column, own in enumerate((left[:, :half], left[:, half:])):
        hit = float((own * called).sum())
        judged[:, column] += hit, float(own.sum()) - hit


def _not_drawn(held: Array, drawn: Array) -> Array:
    """How many of the cases that a score holds are expected not to be among those drawn of it."""
    missed = np.where(held > 1, 1 - ratio(1.0, held), 0.0)
    return np.asarray(held * missed**drawn)  # 0**0 is 1: nothing drawn, nothing taken


def _pooled(curve: Curve) -> NDArray[np.intp]:
    """Positions of at most `BINS` thresholds with about as many cases between them."""
    size = len(curve.thresholds)
    if size - 1 <= BINS:
        return np.arange(size)
    called = curve.tp + curve.fp
    return np.unique(np.searchsorted(called, np.linspace(0, called[-1], BINS + 1)))
