"""What a publication implies: every table of whole counts that agrees with its rounded figures.

For given positives and true positives, most measures are a quotient of polynomials in the false
positives (their `fraction`), so that a rounded figure leaves an interval of them. Intervals are
intersected first; what is left is enumerated and checked with the measures themselves. The search
is exhaustive: where it finds nothing, that is a proof.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, ratio
from informed._numbers import plural, rate
from informed.errors import TableError
from informed.evidence import checks as build
from informed.evidence.table import Table
from informed.measures import Measure, find
from informed.measures.chance import informedness
from informed.measures.rates import recall
from informed.measures.shown import RECOVERED
from informed.results import Kind, Records, Result, plain_dict

__all__ = ["Recovered", "recover"]

Polynomial = tuple[Array, Array, Array]  # its coefficients, the constant first
Form = tuple[Polynomial, Polynomial]  # numerator and denominator
Rounding = Literal["nearest", "down"]
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
        if not self.count:
            return np.nan, np.nan
        values = np.asarray(find(measure)(self.tables))
        if np.isnan(values).all():
            return np.nan, np.nan
        return float(np.nanmin(values)), float(np.nanmax(values))

    def ranges(self, *also: str) -> Records:
        """What measures may be: least and greatest over all tables that agree.

        Where more agree than are held, only informedness is known over all.
        """
        if len(self.tables.counts) < self.count:
            held = {"informedness": (self.low, self.high)}
        else:
            names = dict.fromkeys(find(x).name for x in (*RECOVERED, *also))
            held = {name: self.range(name) for name in names}
        return Records.of(
            {"measure": "words", "low": "number", "high": "number"},
            [(name, low, high) for name, (low, high) in held.items()],
        )

    @property
    def given(self) -> str:
        """What was printed."""
        parts = [f"n = {self.n}", *(f"{k} = {v}" for k, v in self.known.items())]
        return ", ".join([*parts, *map(str, self.figures)])

    def records(self) -> Records:
        """A row for each table that fits: its four counts and its informedness."""
        t = self.tables
        cells: dict[str, tuple[Kind, Any]] = {
            name: ("count", np.atleast_1d(getattr(t, name))) for name in ("tp", "fp", "fn", "tn")
        }
        return Records.beside({**cells, "informedness": ("number", np.atleast_1d(informedness(t)))})

    def to_dict(self) -> dict[str, Any]:
        """What was given, what it allows, and the first thousand tables."""
        held = {
            "n": self.n,
            "known": self.known,
            "figures": {f.measure.name: f.printed for f in self.figures},
            "count": self.count,
            "informedness": {"low": self.low, "high": self.high},
            "ranges": by_measure(self.ranges()) if self.count else {},
            "tables": self.tables.counts[:WRITTEN],
            "without": self.without,
        }
        return plain_dict(held)

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


def by_measure(ranges: Records) -> dict[str, dict[str, float]]:
    """Ranges by the name of their measure."""
    return {row["measure"]: {"low": row["low"], "high": row["high"]} for row in ranges}


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
    if rounding not in ("nearest", "down"):
        raise TableError(f'`rounding` is {rounding!r}; it must be "nearest" or "down".')
    given = tuple(_figure(name, printed, rounding) for name, printed in figures.items())
    if not given and len(known) < 3:
        raise TableError("Too little is given: besides `n`, at least one figure as printed.")
    count, tables, low, high = _searched(n, given, known)
    without: dict[str, int | None] = {}
    if not count:
        for i, figure in enumerate(given):
            rest = given[:i] + given[i + 1 :]
            try:
                without[str(figure)] = _searched(n, rest, known)[0]
            except TableError:
                without[str(figure)] = None
    return Recovered(n, given, known, count, tables, low, high, without)


# ---------------------------------------------------------------------- what was printed


def _whole(name: str, x: Any) -> int:
    try:
        value = int(x)
    except (TypeError, ValueError):
        value = -1
    if value < 0 or value != float(x):
        raise TableError(f"`{name}` is {x!r}; it must be a whole number, not negative.")
    return value


def _cases(n: Any, known: dict[str, int]) -> int:
    both = known.get("positives"), known.get("negatives")
    total = None if None in both else sum(x for x in both if x is not None)
    if n is None and total is None:
        raise TableError("The number of cases is needed: `n`, or `positives` and `negatives`.")
    found = total if n is None else _whole("n", n)
    if total is not None and found != total:
        raise TableError(f"`n` is {n}, but there are {total} positives and negatives.")
    assert found is not None
    if not 1 <= found <= LARGEST:
        raise TableError(f"`n` is {found}; it must be between 1 and {LARGEST:,}.")
    return found


def _figure(name: str, printed: Any, rounding: str) -> Printed:
    measure = find(name)
    said = str(printed).strip()
    match = re.fullmatch(r"([-+−]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?)\s*(%?)", said)
    try:
        value = Decimal((match[1] if match else said).replace("−", "-"))
        finite = value.is_finite()
    except InvalidOperation:
        finite = False
    if not match or not finite:
        raise TableError(f"`{name}` is {printed!r}; a number as printed is needed, as '0.82'.")
    unit = Decimal(1).scaleb(int(value.as_tuple().exponent))
    if rounding == "nearest":
        ends = (value - unit / 2, value + unit / 2)
    else:  # cut off towards zero
        ends = (value, value + unit) if value >= 0 else (value - unit, value)
    scale = 100 if match[2] else 1
    low, high = (float(x / scale) for x in ends)
    least, most = measure.facts.bounds
    if high < least - EDGE or low > most + EDGE:
        hint = f" Did you mean '{said} %'?" if low > 1 and high <= 100 and not match[2] else ""
        raise TableError(f"`{name}` is {said}, outside [{least:g}, {most:g}].{hint}")
    return Printed(measure, said, low, high)


# ---------------------------------------------------------------------- the search


def _searched(n: int, figures: tuple[Printed, ...], known: dict[str, int]) -> tuple[int, Table, float, float]:
    """How many agree, a stack of the first, and the range of their informedness."""
    count, seen, kept = 0, 0, 0
    low, high = np.inf, -np.inf
    tables: list[Array] = []
    for p, h in _pairs(n, figures, known):
        p, h, first, sizes = _false_positives(n, p, h, figures, known)
        seen += int(sizes.sum())
        if seen > WORK:
            raise TableError(
                f"Too little is given: more than {WORK:,} tables of {n:,} cases are left to look "
                "at. Give another figure, or figures with more digits."
            )
        for cells in _expanded(n, p, h, first, sizes):
            t = _stack(cells)
            fits = np.ones(cells.shape[-1], dtype=bool)
            for figure in figures:
                fits &= figure.agrees(t)
            cells = cells[..., fits]
            count += cells.shape[-1]
            if not cells.shape[-1]:
                continue
            worth = np.asarray(informedness(_stack(cells)))
            worth = worth[~np.isnan(worth)]
            if len(worth):
                low, high = min(low, float(worth.min())), max(high, float(worth.max()))
            if kept < KEPT:
                tables.append(cells[..., : KEPT - kept])
                kept += tables[-1].shape[-1]

    held = np.concatenate(tables, axis=-1) if tables else np.zeros((2, 2, 0))
    if low > high:
        low = high = np.nan
    return count, _stack(held), low, high


def _cells(n: int, p: Array, h: Array, x: Any) -> Array:
    """Cells with p real positives, h of them found, and x false positives."""
    return np.array([[h, x], [p - h, n - p - x]], dtype=np.float64)


def _stack(cells: Array) -> Table:
    labels = build.UNLABELLED
    return Table(build.frozen(cells), labels, labels, positive=labels[0], axes=(None,))


def _pairs(n: int, figures: tuple[Printed, ...], known: dict[str, int]) -> Iterator[tuple[Array, Array]]:
    """Real positives and true positives that are not excluded at once, in blocks."""
    p = np.arange(n + 1.0)
    if "positives" in known:
        p = p[p == known["positives"]]
    if "negatives" in known:
        p = p[n - p == known["negatives"]]
    least, most = np.zeros_like(p), p.copy()

    for figure in figures:
        if figure.measure.margins == "real":
            fits = figure.agrees(_stack(_cells(n, p, p, 0 * p)))
            p, least, most = p[fits], least[fits], most[fits]
        elif figure.measure.function is recall:
            least = np.maximum(least, np.ceil(p * (figure.low - EDGE)))
            most = np.minimum(most, np.floor(p * (figure.high + EDGE)))

    if "tp" in known:
        least, most = np.maximum(least, known["tp"]), np.minimum(most, known["tp"])
    if "fn" in known:
        least, most = np.maximum(least, p - known["fn"]), np.minimum(most, p - known["fn"])
    sizes = np.maximum(most - least + 1, 0).astype(np.int64)
    ends = np.cumsum(sizes)
    start = 0
    while start < len(p):
        before = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + BLOCK, "right")))
        own = sizes[start:stop]
        if own.sum():
            h = np.repeat(least[start:stop], own) + _within(own)
            yield np.repeat(p[start:stop], own), h.astype(np.float64)
        start = stop


def _within(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """0, 1, … within each group of these sizes.

    >>> _within(np.array([2, 0, 3])).tolist()
    [0, 1, 0, 1, 2]
    """
    return np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)


def _false_positives(
    n: int, p: Array, h: Array, figures: tuple[Printed, ...], known: dict[str, int]
) -> tuple[Array, Array, NDArray[np.int64], NDArray[np.int64]]:
    """The pairs that the linear figures leave, with the first and the number of false
    positives that they leave."""
    first, last = np.zeros_like(p), n - p
    for name, value in (("fp", 0 * p), ("tn", n - p), ("called", -h)):
        if name in known:
            exactly = value - known[name] if name == "tn" else value + known[name]
            first, last = np.maximum(first, exactly), np.minimum(last, exactly)

    degrees = [(_degree(figure.measure, n), figure) for figure in figures]
    for degree, figure in sorted(degrees, key=lambda pair: pair[0]):  # lines before parabolas
        form = _polynomials(figure.measure, n, p, h, degree) if degree else None
        if form is None:
            continue
        narrowed = _by_line if degree == 1 else _by_parabola
        first, last, fits = narrowed(figure, form, first, last)
        left = fits & (last >= first)
        p, h, first, last = p[left], h[left], first[left], last[left]

    left = last >= first
    begin, end = first[left].astype(np.int64), last[left].astype(np.int64)
    return p[left], h[left], begin, end - begin + 1


def _polynomials(m: Measure, n: int, p: Array, h: Array, degree: int) -> Form | None:
    """Numerator and denominator of a measure as polynomials in the false positives, through their
    values at 0, n and 2n."""
    at = [m.fraction(_stack(_cells(n, p, h, np.full(p.shape, x * n)))) for x in range(degree + 1)]
    parts = [x for x in at if x is not None]
    if not parts:
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


def _by_line(figure: Printed, form: Form, first: Array, last: Array) -> tuple[Array, Array, Any]:
    """Where sign·(a + b·x − bound·(c + d·x)) ≥ 0, the denominator being positive."""
    (a, b, _), (c, d, _) = form
    fits = np.ones(first.shape, dtype=bool)
    for bound, sign in ((figure.low - EDGE, 1), (figure.high + EDGE, -1)):
        fixed, slope = sign * (a - bound * c), sign * (b - bound * d)
        turn = np.where(slope == 0, 0.0, -fixed / np.where(slope == 0, 1.0, slope))
        slack = EDGE * (1 + np.abs(turn))
        first = np.where(slope > 0, np.maximum(first, np.ceil(turn - slack)), first)
        last = np.where(slope < 0, np.minimum(last, np.floor(turn + slack)), last)
        fits &= (slope != 0) | (fixed >= -slack)
    return first, last, fits


def _by_parabola(figure: Printed, form: Form, first: Array, last: Array) -> tuple[Array, Array, Any]:
    """Between the points where a measure that falls with false positives has its two ends."""
    squared = figure.measure.facts.squared

    def falling_root(value: float) -> Array:
        sign = -1 if squared and value < 0 else 1
        goal = value**2 if squared else value
        a, b, c = (sign * (x - goal * y) for x, y in zip(*form, strict=True))
        spread = np.sqrt(np.maximum(b**2 - 4 * a * c, 0.0))
        return np.where(b > 0, ratio(-b - spread, 2 * c), ratio(2 * a, spread - b))

    least, most = falling_root(figure.high) - NEAR, falling_root(figure.low) + NEAR
    first = np.maximum(first, np.nan_to_num(np.ceil(least), nan=-1.0))
    last = np.minimum(last, np.nan_to_num(np.floor(most), nan=np.inf))
    return first, last, np.ones(first.shape, dtype=bool)


def _expanded(n: int, p: Array, h: Array, first: NDArray[np.int64], sizes: NDArray[np.int64]) -> Iterator[Array]:
    """The tables themselves, cells first, in blocks."""
    ends = np.cumsum(sizes)
    start = 0
    while start < len(sizes):
        before = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + BLOCK, "right")))
        at = slice(start, stop)
        own = sizes[at]
        x = np.repeat(first[at], own) + _within(own)
        hits, real = np.repeat(h[at], own), np.repeat(p[at], own)
        yield _cells(n, real, hits, x)
        start = stop
