"""What a publication implies: every table of whole counts that agrees with its rounded figures.

For given positives and true positives, most measures are (a + b·fp)/(c + d·fp) in the false
positives, so that a rounded figure leaves an interval of them. Intervals are intersected first;
what is left is enumerated and checked with the measures themselves. The search is exhaustive:
where it finds nothing, that is a proof.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, ratio
from informed.errors import TableError
from informed.evidence import checks as build
from informed.evidence.frames import frame
from informed.evidence.table import Table
from informed.evidence.table_text import InNotebooks
from informed.measures import Measure, find
from informed.measures.chance import informedness

__all__ = ["Recovered", "recover"]

Rounding = Literal["nearest", "down"]
KEPT = 100_000  # tables that a result holds; all are counted
WORK = 60_000_000  # tables that are looked at
BLOCK = 1 << 20
EDGE = 1e-9  # a figure at the very edge of its rounding interval agrees
LARGEST = 10_000
CELLS = ("tp", "fp", "fn", "tn", "positives", "negatives", "called")

# (a, b, c, d) of (a + b·fp)/(c + d·fp), of n, positives p and true positives h
Linear = Callable[[Any, Any, Any], tuple[Any, Any, Any, Any]]
LINEAR: dict[str, Linear] = {
    "recall": lambda n, p, h: (h, 0, p, 0),
    "miss_rate": lambda n, p, h: (p - h, 0, p, 0),
    "prevalence": lambda n, p, h: (p, 0, n, 0),
    "inverse_prevalence": lambda n, p, h: (n - p, 0, n, 0),
    "skew": lambda n, p, h: (n - p, 0, p, 0),
    "fallout": lambda n, p, h: (0, 1, n - p, 0),
    "inverse_recall": lambda n, p, h: (n - p, -1, n - p, 0),
    "precision": lambda n, p, h: (h, 0, h, 1),
    "false_positive_accuracy": lambda n, p, h: (0, 1, h, 1),
    "inverse_precision": lambda n, p, h: (n - p, -1, n - h, -1),
    "bias": lambda n, p, h: (h, 1, n, 0),
    "inverse_bias": lambda n, p, h: (n - h, -1, n, 0),
    "accuracy": lambda n, p, h: (h + n - p, -1, n, 0),
    "error_rate": lambda n, p, h: (p - h, 1, n, 0),
    "f1": lambda n, p, h: (2 * h, 0, h + p, 1),
    "jaccard": lambda n, p, h: (h, 0, p, 1),
    "informedness": lambda n, p, h: (h * (n - p), -p, p * (n - p), 0),
    "balanced_accuracy": lambda n, p, h: ((h + p) * (n - p), -p, 2 * p * (n - p), 0),
    "auc_single": lambda n, p, h: ((h + p) * (n - p), -p, 2 * p * (n - p), 0),
    "lr": lambda n, p, h: (h * (n - p), 0, 0, p),
    "cohen_kappa": lambda n, p, h: (
        2 * h * (n - p),
        -2 * p,
        h * (n - p) + p * (n - h),
        n - 2 * p,
    ),
}

# Predicted positives at which a measure that falls with them has a value, of n, p, h
Root = Callable[[Any, Any, Any, float], Any]


def _correlation_root(n: Any, p: Any, h: Any, value: float) -> Any:
    """(h·n − p·x)² = value²·p·(n − p)·x·(n − x), on the side where the sign is right."""
    spread = value**2 * p * (n - p)
    a, b, c = p**2 + spread, 2 * h * n * p + spread * n, (h * n) ** 2
    root = np.sqrt(np.maximum(b**2 - 4 * a * c, 0.0))
    return ratio(2 * c, b + root) if value >= 0 else ratio(b + root, 2 * a)


def _markedness_root(n: Any, p: Any, h: Any, value: float) -> Any:
    """value·x·(n − x) = h·n − p·x."""
    b = value * n + p
    return ratio(2 * h * n, b + np.sqrt(np.maximum(b**2 - 4 * value * h * n, 0.0)))


FALLING: dict[str, Root] = {"matthews": _correlation_root, "markedness": _markedness_root}


@dataclass(frozen=True)
class Figure:
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


@dataclass(frozen=True)
class Recovered(InNotebooks):
    """The tables that agree with the published figures."""

    n: int
    figures: tuple[Figure, ...]
    known: dict[str, int]
    count: int
    tables: Table  # a stack of them: all, or the first `KEPT`
    low: float  # informedness that they allow
    high: float
    without: dict[str, int | None]  # where none fits: how many would, without each figure

    def to_frame(self) -> Any:
        """A row for each table that fits: its four counts and its informedness."""
        t = self.tables
        parts = {"tp": t.tp, "fp": t.fp, "fn": t.fn, "tn": t.tn, "informedness": informedness(t)}
        return frame({name: np.atleast_1d(x).tolist() for name, x in parts.items()})

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

    def text(self) -> str:
        """How many tables agree, what they imply, and which figure to doubt if none does."""
        given = ", ".join([f"n = {self.n:,}", *(f"{k} = {v}" for k, v in self.known.items())])
        given = ", ".join([given, *map(str, self.figures)])
        if self.count:
            many = "1 table agrees" if self.count == 1 else f"{self.count:,} tables agree"
            lines = [f"{many} with {given}.", f"Informedness {self.low:.4f} to {self.high:.4f}."]
            if self.count <= 5:
                lines += [str(c.astype(int).tolist()) for c in self.tables.counts]
            return "\n".join(lines)
        lines = [f"No table of whole counts agrees with {given}; all were searched."]
        for name, count in self.without.items():
            fit = "many" if count is None else f"{count:,}" if count else "none"
            lines.append(f"Without {name}: {fit} would.")
        return "\n".join(lines)


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


def _figure(name: str, printed: Any, rounding: str) -> Figure:
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
    return Figure(measure, said, low, high)


# ---------------------------------------------------------------------- the search


def _searched(
    n: int, figures: tuple[Figure, ...], known: dict[str, int]
) -> tuple[int, Table, float, float]:
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


def _stack(cells: Array) -> Table:
    labels = build.UNLABELLED
    return Table(build.frozen(cells), labels, labels, positive=labels[0], axes=(None,))


def _pairs(
    n: int, figures: tuple[Figure, ...], known: dict[str, int]
) -> Iterator[tuple[Array, Array]]:
    """Real positives and true positives that are not excluded at once, in blocks."""
    p = np.arange(n + 1.0)
    if "positives" in known:
        p = p[p == known["positives"]]
    if "negatives" in known:
        p = p[n - p == known["negatives"]]
    least, most = np.zeros_like(p), p.copy()
    for figure in figures:
        name = figure.measure.name
        if name == "prevalence":
            fits = (p >= (figure.low - EDGE) * n) & (p <= (figure.high + EDGE) * n)
            p, least, most = p[fits], least[fits], most[fits]
        elif name == "recall":
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
    n: int, p: Array, h: Array, figures: tuple[Figure, ...], known: dict[str, int]
) -> tuple[Array, Array, NDArray[np.int64], NDArray[np.int64]]:
    """The pairs that the linear figures leave, with the first and the number of false
    positives that they leave."""
    first, last = np.zeros_like(p), n - p
    for name, value in (("fp", 0 * p), ("tn", n - p), ("called", -h)):
        if name in known:
            exactly = value - known[name] if name == "tn" else value + known[name]
            first, last = np.maximum(first, exactly), np.minimum(last, exactly)
    for figure in figures:
        form, root = LINEAR.get(figure.measure.name), FALLING.get(figure.measure.name)
        if root is not None:
            most, least = (root(n, p, h, x) - h for x in (figure.low, figure.high))
            near = 1e-6 * n  # what is left is checked again
            first = np.maximum(first, np.nan_to_num(np.ceil(least - near), nan=-1.0))
            last = np.minimum(last, np.nan_to_num(np.floor(most + near), nan=np.inf))
            left = last >= first
            p, h, first, last = p[left], h[left], first[left], last[left]
        if form is None or figure.measure.bound:
            continue
        for bound, sign in ((figure.low - EDGE, 1), (figure.high + EDGE, -1)):
            # sign·(a + b·x − bound·(c + d·x)) ≥ 0, the denominator being positive
            a, b, c, d = form(n, p, h)
            fixed, slope = sign * (a - bound * c), sign * (b - bound * d) * np.ones_like(p)
            turn = np.where(slope == 0, 0.0, -fixed / np.where(slope == 0, 1.0, slope))
            slack = EDGE * (1 + np.abs(turn))
            first = np.where(slope > 0, np.maximum(first, np.ceil(turn - slack)), first)
            last = np.where(slope < 0, np.minimum(last, np.floor(turn + slack)), last)
            left = (last >= first) & ((slope != 0) | (fixed >= -slack))
            p, h, first, last = p[left], h[left], first[left], last[left]
    left = last >= first
    begin, end = first[left].astype(np.int64), last[left].astype(np.int64)
    return p[left], h[left], begin, end - begin + 1


def _expanded(
    n: int, p: Array, h: Array, first: NDArray[np.int64], sizes: NDArray[np.int64]
) -> Iterator[Array]:
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
        yield np.array([[hits, x], [real - hits, n - real - x]], dtype=np.float64)
        start = stop
