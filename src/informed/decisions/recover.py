"""What a publication implies: every table of whole counts that agrees with its rounded figures.

For given positives and true positives, most measures are a quotient of polynomials in the false
positives (their `fraction`), so that a rounded figure leaves an interval of them. Intervals are
intersected first; what is left is enumerated and checked with the measures themselves. The search
is exhaustive: where it finds nothing, that is a proof.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, ratio
from informed._numbers import plural, rate
from informed.errors import TableError, one_of
from informed.evidence.calls import explained
from informed.evidence.table import Table
from informed.inference.possible_tables import tables
from informed.measures import Measure, find
from informed.measures.chance import informedness
from informed.measures.rates import recall
from informed.measures.shown import RECOVERED
from informed.results import Records, Result, finite, plain_dict

__all__ = ["Recovered", "recover"]

Polynomial = tuple[Array, Array, Array]  # its coefficients, the constant first
Form = tuple[Polynomial, Polynomial]  # numerator and denominator
Rounding = Literal["nearest", "down"]
Sizes = NDArray[np.int64]
Counted = tuple[Array, list[Array]]  # numbers, and what stands beside each
WRITTEN = 1000  # tables in JSON
KEPT = 100_000  # tables that a result holds; all are counted
WORK = 60_000_000  # tables that are looked at
BLOCK = 1 << 20
EDGE = 1e-9  # a figure at the very edge of its rounding interval agrees
NEAR = 0.01  # of a case: how well a root is known; what is left is checked again
LARGEST = 10_000
CELLS = ("tp", "fp", "fn", "tn", "positives", "negatives", "called")


@dataclass(frozen=True)
class Printed:
    """A published figure: a measure, and the values that round to what was printed."""

    measure: Measure
    printed: str
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.measure} = {self.printed}"

    def agrees(self, t: Table) -> NDArray[np.bool_]:
        with np.errstate(invalid="ignore"):
            values = np.asarray(self.measure(t))
        return np.asarray((values >= self.low - EDGE) & (values <= self.high + EDGE))


Figures = tuple[Printed, ...]


@dataclass(frozen=True, repr=False)
class Recovered(Result):
    """The tables that agree with the published figures."""

    page = "recovered"

    n: int
    figures: tuple[Printed, ...]
    known: dict[str, int]
    count: int
    tables: Table  # a stack of them: all, or the first `KEPT`
    low: float  # informedness that they allow
    high: float
    without: dict[str, int | None]  # where none fits: how many would, without each figure

    @property
    def possible(self) -> bool:
        """Whether any table of whole counts agrees."""
        return self.count > 0

    def range(self, measure: str | Measure) -> tuple[float, float]:
        """Least and greatest value of any measure over the tables held."""
        values = np.asarray(find(measure)(self.tables))
        known = values[~np.isnan(values)]
        return (float(known.min()), float(known.max())) if len(known) else (np.nan, np.nan)

    def ranges(self, *also: str) -> Records:
        """What measures may be: least and greatest over all tables that agree.

        Where more agree than are held, only informedness is known over all.
        """
        if len(self.tables.counts) < self.count:
            held = {"informedness": (self.low, self.high)}
        else:
            names = dict.fromkeys(find(x).name for x in (*RECOVERED, *also))
            held = {name: self.range(name) for name in names}
        return Records.of("measure:words low high", [(name, low, high) for name, (low, high) in held.items()])

    @property
    def given(self) -> str:
        """What was printed."""
        parts = [f"n = {self.n}", *(f"{k} = {v}" for k, v in self.known.items())]
        return ", ".join([*parts, *map(str, self.figures)])

    def records(self) -> Records:
        """A row for each table that fits: its four counts and its informedness."""
        t = self.tables
        columns = (x.tolist() for x in (t.tp, t.fp, t.fn, t.tn, informedness(t)))
        return Records.of("tp:count fp:count fn:count tn:count informedness", zip(*columns, strict=True))

    def metrics(self) -> dict[str, float]:
        """How many tables agree, and between which values each measure lies in them."""
        held = {"tables": float(self.count)}
        for row in self.ranges():
            held |= {f"{row['measure']}_{name}": row[name] for name in ("low", "high")}
        return finite(held)

    def to_dict(self) -> dict[str, Any]:
        """What was given, what it allows, and the first thousand tables."""
        figures = {f.measure.name: f.printed for f in self.figures}
        found = {
            "count": self.count,
            "informedness": {"low": self.low, "high": self.high},
            "ranges": self.ranges().by("measure") if self.count else {},
            "tables": self.tables.counts[:WRITTEN],
        }
        return plain_dict({"n": self.n, "known": self.known, "figures": figures, **found, "without": self.without})

    def sentence(self) -> str:
        """How many tables agree, and what they imply."""
        if not self.count:
            return f"No table of whole counts agrees with {self.given}; all were searched."
        many = f"{plural(self.count, 'table')} agree"
        if self.count == 1:
            many = f"1 table, {self.tables.counts[0].astype(int).tolist()}, agrees"
        if np.isnan(self.low):
            worth = "informedness is undefined in all of them"
        elif rate(self.low) == rate(self.high):
            worth = f"informedness is {rate(self.low)}"
        else:
            worth = f"informedness lies between {rate(self.low)} and {rate(self.high)}"
        return f"{many} with {self.given}: {worth}."


@explained
def recover(*, n: int | None = None, rounding: Rounding = "nearest", **figures: Any) -> Recovered:
    """Every table of two classes that agrees with published figures, or the proof of none.

    Parameters
    ----------
    n
        Number of cases, up to 10 000; or give `positives` and `negatives`.
    rounding
        "nearest", ties either way; or "down" for figures that were cut off.
    **figures
        Measures by any of their names, as printed: "0.82" keeps its digits, also "82 %"; a float
        has those of its shortest form. Whole numbers known exactly: `tp`, `fp`, `fn`, `tn`,
        `positives`, `negatives` (real), `called` (predicted positive).

    >>> found = recover(n=100, recall="0.82", precision="0.74", accuracy="0.68")
    >>> found.count, found.tables.counts[0].tolist()
    (1, [[56.0, 20.0], [12.0, 12.0]])
    """
    known = {k: _whole(k, figures.pop(k)) for k in CELLS if k in figures}
    n = _cases(n, known)
    one_of("rounding", rounding, get_args(Rounding), TableError)
    given = tuple(_figure(name, printed, rounding) for name, printed in figures.items())
    if not given and len(known) < 3:
        raise TableError("Too little is given: besides `n`, at least one figure as printed.")
    found = _searched(n, given, known)
    without: dict[str, int | None] = {}
    for i, figure in enumerate(() if found[0] else given):
        without[str(figure)] = None
        with suppress(TableError):  # too many are left to look at
            without[str(figure)] = _searched(n, given[:i] + given[i + 1 :], known)[0]
    return Recovered(n, given, known, *found, without)


# ---------------------------------------------------------------------- what was printed


def _whole(name: str, x: Any) -> int:
    with suppress(TypeError, ValueError, OverflowError):
        if int(x) == float(x) >= 0:
            return int(x)
    raise TableError(f"`{name}` is {x!r}; it must be a whole number, not negative.")


def _cases(n: Any, known: dict[str, int]) -> int:
    total = known["positives"] + known["negatives"] if {"positives", "negatives"} <= known.keys() else None
    if n is None and total is None:
        raise TableError("The number of cases is needed: `n`, or `positives` and `negatives`.")
    found = _whole("n", total if n is None else n)
    if total not in (None, found):
        raise TableError(f"`n` is {n}, but there are {total} positives and negatives.")
    if not 1 <= found <= LARGEST:
        raise TableError(f"`n` is {found}; it must be between 1 and {LARGEST:,}.")
    return found


def _figure(name: str, printed: Any, rounding: str) -> Printed:
    measure = find(name)
    said = str(printed).strip()
    match = re.fullmatch(r"([-+−]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]{1,3})?)\s*(%?)", said)
    if not match:
        raise TableError(f"`{name}` is {printed!r}; a number as printed is needed, as '0.82'.")

    value = Decimal(match[1].replace("−", "-"))
    unit = Decimal(1).scaleb(int(value.as_tuple().exponent))
    if rounding == "nearest":
        ends = (value - unit / 2, value + unit / 2)
    else:  # cut off towards zero
        ends = (value, value + unit) if value >= 0 else (value - unit, value)
    low, high = (float(x / (100 if match[2] else 1)) for x in ends)

    least, most = measure.facts.bounds
    if high < least - EDGE or low > most + EDGE:
        hint = f" Did you mean '{said} %'?" if low > 1 and high <= 100 and not match[2] else ""
        raise TableError(f"`{name}` is {said}, outside [{least:g}, {most:g}].{hint}")
    return Printed(measure, said, low, high)


# ---------------------------------------------------------------------- the search


def _searched(n: int, figures: Figures, known: dict[str, int]) -> tuple[int, Table, float, float]:
    """How many agree, a stack of the first, and the range of their informedness."""
    count, seen, low, high = 0, 0, np.inf, -np.inf
    kept = [np.zeros((2, 2, 0))]
    degrees = {figure: _degree(figure.measure, n) for figure in figures}
    for h, (p,) in _pairs(n, figures, known):
        first, sizes, p, h = _false_positives(n, p, h, degrees, known)
        seen += int(sizes.sum())
        if seen > WORK:
            left = f"more than {WORK:,} tables of {n:,} cases are left to look at"
            raise TableError(f"Too little is given: {left}. Give another figure, or figures with more digits.")

        for x, (real, hits) in _counted_on(first, sizes, p, h):
            cells = _cells(n, real, hits, x)
            for figure in figures:
                cells = cells[..., figure.agrees(tables(cells))]
            worth = np.asarray(informedness(tables(cells)))
            low, high = np.fmin.reduce(worth, initial=low), np.fmax.reduce(worth, initial=high)
            kept.append(cells[..., : max(KEPT - count, 0)])
            count += cells.shape[-1]

    ends = (float(low), float(high)) if low <= high else (np.nan, np.nan)
    return count, tables(np.concatenate(kept, axis=-1)), *ends


def _cells(n: int, p: Array, h: Array, x: Any) -> Array:
    """Cells with p real positives, h of them found, and x false positives."""
    return np.array([[h, x], [p - h, n - p - x]], dtype=np.float64)


def _pairs(n: int, figures: Figures, known: dict[str, int]) -> Iterator[Counted]:
    """True positives that are not excluded at once, with the real positives beside them, in blocks."""
    fewest, greatest = _exactly(0, n, known, positives=(0, 1), negatives=(n, -1))
    p = np.arange(fewest, greatest + 1.0)
    for figure in figures:
        if figure.measure.margins == "real":
            p = p[figure.agrees(tables(_cells(n, p, p, 0 * p)))]

    least, most = _exactly(np.zeros_like(p), p, known, tp=(0, 1), fn=(p, -1))
    for figure in figures:
        if figure.measure.function is recall:
            least = np.maximum(least, np.ceil(p * (figure.low - EDGE)))
            most = np.minimum(most, np.floor(p * (figure.high + EDGE)))
    return _counted_on(least, np.maximum(most - least + 1, 0).astype(np.int64), p)


def _exactly(first: Any, last: Any, known: dict[str, int], **counts: tuple[Any, int]) -> tuple[Any, Any]:
    """The ends of a range, narrowed by the counts that are known: each by an offset and a sign."""
    for name, (offset, sign) in counts.items():
        if name in known:
            value = offset + sign * known[name]
            first, last = np.maximum(first, value), np.minimum(last, value)
    return first, last


def _counted_on(first: Array, sizes: Sizes, *beside: Array) -> Iterator[Counted]:
    """first, first + 1, …, as many as each size says, and what stands beside it as often; in blocks.

    >>> found = _counted_on(np.array([5.0, 1.0]), np.array([2, 1]), np.array([7.0, 8.0]))
    >>> [(x.tolist(), y.tolist()) for x, (y,) in found]
    [([5.0, 6.0, 1.0], [7.0, 7.0, 8.0])]
    """
    ends = np.cumsum(sizes)
    start = 0
    while start < len(sizes):
        stop = max(start + 1, int(np.searchsorted(ends, ends[start] - sizes[start] + BLOCK, "right")))
        at, own = slice(start, stop), sizes[start:stop]
        if own.sum():
            within = np.arange(own.sum()) - np.repeat(np.cumsum(own) - own, own)
            yield np.repeat(first[at], own) + within, [np.repeat(x[at], own) for x in beside]
        start = stop


def _false_positives(
    n: int, p: Array, h: Array, degrees: dict[Printed, int], known: dict[str, int]
) -> tuple[Array, Sizes, Array, Array]:
    """The first and the number of false positives that the figures leave, for the pairs that they leave."""
    first, last = _exactly(np.zeros_like(p), n - p, known, fp=(0, 1), tn=(n - p, -1), called=(-h, 1))
    left = last >= first
    for figure in sorted(degrees, key=degrees.__getitem__):  # lines before parabolas
        p, h, first, last = p[left], h[left], first[left], last[left]
        if form := _polynomials(figure.measure, n, p, h, degrees[figure]):
            narrowed = _by_line if degrees[figure] == 1 else _by_parabola
            first, last = narrowed(figure, form, first, last)
        left = last >= first
    first, last = first[left], last[left]
    return first, (last - first + 1).astype(np.int64), p[left], h[left]


def _polynomials(m: Measure, n: int, p: Array, h: Array, degree: int) -> Form | None:
    """Numerator and denominator of a measure as polynomials in the false positives, through their
    values at 0, n and 2n."""
    at = [m.fraction(tables(_cells(n, p, h, np.full(p.shape, x * n)))) for x in range(degree + 1)]
    parts = [x for x in at if x is not None]
    if not (degree and parts):
        return None

    def through(y0: Any, y1: Any, y2: Any = None) -> Polynomial:
        if y2 is None:
            return y0, (y1 - y0) / n, np.zeros(1)
        c2 = (y2 - 2 * y1 + y0) / (2.0 * n**2)
        return y0, (y1 - y0) / n - c2 * n, c2

    above, below = zip(*parts, strict=True)
    return through(*above), through(*below)


def _degree(m: Measure, n: int) -> int:
    """Of the polynomials in the false positives whose quotient the measure is; 0 if it is none."""
    if m.margins == "real":  # it was asked about the positives already
        return 0
    p, share = np.arange(n + 1.0), np.linspace(0, 1, n + 1)
    form = _polynomials(m, n, p, np.floor(share * p), 2)
    if form is None:
        return 0
    bends = [np.abs(c2) * n**2 > 1e-9 * np.abs(c0 + c1 * n) for c0, c1, c2 in form]
    return 2 if np.any(bends) else 1


def _by_line(figure: Printed, form: Form, first: Array, last: Array) -> tuple[Array, Array]:
    """Where sign·(a + b·x − bound·(c + d·x)) ≥ 0, the denominator being positive."""
    (a, b, _), (c, d, _) = form
    for bound, sign in ((figure.low - EDGE, 1), (figure.high + EDGE, -1)):
        fixed, slope = sign * (a - bound * c), sign * (b - bound * d)
        turn = np.where(slope == 0, 0.0, -fixed / np.where(slope == 0, 1.0, slope))
        slack = EDGE * (1 + np.abs(turn))
        first = np.where(slope > 0, np.maximum(first, np.ceil(turn - slack)), first)
        last = np.where(slope < 0, np.minimum(last, np.floor(turn + slack)), last)
        last = np.where((slope == 0) & (fixed < -slack), -1.0, last)  # nowhere
    return first, last


def _by_parabola(figure: Printed, form: Form, first: Array, last: Array) -> tuple[Array, Array]:
    """Between the points where a measure that falls with false positives has its two ends."""
    squared = figure.measure.facts.squared

    def falling_root(value: float) -> Array:
        sign = -1 if squared and value < 0 else 1
        goal = value**2 if squared else value
        a, b, c = (sign * (x - goal * y) for x, y in zip(*form, strict=True))
        spread = np.sqrt(np.maximum(b**2 - 4 * a * c, 0.0))
        return np.where(b > 0, ratio(-b - spread, 2 * c), ratio(2 * a, spread - b))

    least, most = falling_root(figure.high) - NEAR, falling_root(figure.low) + NEAR
    return np.fmax(first, np.ceil(least)), np.fmin(last, np.floor(most))
