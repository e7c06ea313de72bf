"""The matrix of counts: predictions in rows, reality in columns, how far from chance as shade."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from informed._arrays import Array, ratio
from informed._numbers import count, percent, rate
from informed.documents.charts.chart import Chart
from informed.documents.charts.marks import Axis, Cells, Mark, Texts, Tick
from informed.errors import TableError, one_of
from informed.evidence.labels import Label
from informed.evidence.shown import shown, shown_all, whole
from informed.evidence.table import Table
from informed.evidence.table_text import number
from informed.summary.counted import counted_of

MOST_CELLS = 40  # classes drawn cell by cell
CELL = ((3, 96, 64), (6, 78, 54), (12, 58, 42), (MOST_CELLS, 30, 22))
ROOMY = 42  # pixels of height from which on a cell holds two numbers
SHADES = ("more than chance", "fewer (small: by chance)")
FEW = ("more than chance", "fewer")

_AXES = {"real": (0,), "predicted": (1,), "all": (0, 1), "true": (0,), "pred": (1,)}


def shares(counts: Array, normalize: str) -> Array:
    """Counts as shares of their real class, of their predicted class, or of all."""
    one_of("normalize", normalize, _AXES, TableError)
    return ratio(counts, counts.sum(axis=_AXES[normalize], keepdims=True))


def away_from_chance(t: Table) -> Array:
    """How far each cell is from chance, the farthest one being ±1."""
    away = t.counts - t.expected
    return np.asarray(away / (float(np.abs(away).max()) or 1.0))


def matrix(
    t: Table,
    shade: Array | None = None,
    *,
    normalize: str | None = None,
    chance: bool = True,
    most: int | None = MOST_CELLS,
    ids: Mapping[tuple[int, int], Sequence[str]] | None = None,
) -> Chart | None:
    """Counts with what chance would give; None where there are too many classes to see.

    `shade` is between −1 (far fewer than by chance) and 1 (far more). With `normalize`, cells show
    shares; the margins are counts always. `chance` writes what chance would give into large cells. `ids` are of some
    cases of cells (row, column), which lead to `cell-row-column` where they are large.
    """
    rows, columns = len(t.predicted_labels), len(t.real_labels)
    larger = max(rows, columns)
    if (most is not None and larger > most) or not t.n:
        return None
    counts, expected = t.counts, t.expected
    shade = away_from_chance(t) if shade is None else shade
    w, h = next(((w, h) for size, w, h in CELL if larger <= size), (800 / larger, 800 / larger))
    roomy = h >= ROOMY
    y = _axis(t.predicted_labels, counts.sum(axis=1), "predicted", wide=h)
    x = _axis(t.real_labels, counts.sum(axis=0), "real", wide=w, across=True)

    i, j = _places(rows, columns)
    unit = counted_of(t).unit
    tips = _tips(counts, expected, x, y, unit, ids or {}) if larger <= MOST_CELLS else []
    links = [f"cell-{a}-{b}" if (a, b) in ids else "" for a, b in np.ndindex(rows, columns)] if ids and roomy else []
    marks = _shaded(i, j, shade.ravel(), tips, links, words=SHADES if roomy and chance else FEW)
    if larger <= MOST_CELLS:
        said, small = _written(counts, expected, normalize)
        marks += _numbers(i, j, said, small if chance else [], roomy)
    total = [number(float(counts.sum()))]
    marks.append(Texts([columns - 0.5], [rows - 0.5], total, "tot b", "start", 12, 14))
    return Chart(
        "The table of predictions against reality",
        f"{_on_diagonal(counts, unit)} on the diagonal. Blue cells "
        "hold more cases than guessing with the same margins would give, orange cells fewer.",
        x,
        y,
        tuple(marks),
        width=columns * w,
        height=rows * h,
        kind="heat",
    )


def _on_diagonal(counts: Array, unit: str) -> str:
    diagonal = float(np.trace(counts)) if counts.shape[0] == counts.shape[1] else 0.0
    if unit == "cases":
        return f"{count(diagonal)} of {count(float(counts.sum()))} cases lie"
    return f"{percent(diagonal / float(counts.sum()))} of the {unit} {'lies' if unit == 'weight' else 'lie'}"


def small_matrix(counts: Array, shade: Array, title: str, size: float = 96.0) -> Chart:
    """A table as a small multiple: shades, and counts where they fit."""
    rows, columns = counts.shape
    cell = size / max(rows, columns)
    i, j = _places(rows, columns)
    marks = _shaded(i, j, shade.ravel(), (), gap=0.5)
    if cell >= 24:
        marks.append(Texts(j, i, [number(float(n)) for n in counts.ravel()], "tiny ink"))
    return Chart(
        f"Table of {title}",
        "Predictions in rows, reality in columns, as in the large table.",
        Axis(-0.5, columns - 0.5),
        Axis(rows - 0.5, -0.5),
        tuple(marks),
        width=columns * cell,
        height=rows * cell,
        kind="mini",
        foot=title,
    )


def _places(rows: int, columns: int) -> tuple[Array, Array]:
    """The row and the column of each cell."""
    i, j = np.indices((rows, columns), dtype=np.float64)
    return i.ravel(), j.ravel()


def _tips(
    counts: Array, expected: Array, x: Axis, y: Axis, unit: str, ids: Mapping[tuple[int, int], Sequence[str]]
) -> list[str]:
    what = "of the weight" if unit == "weight" else unit
    named = {cell: f"; such as {', '.join(shown(name) for name in names)}" for cell, names in ids.items()}
    return [
        f"predicted {whole(y.ticks[a].near)}, really {whole(x.ticks[b].near)}: {number(float(counts[a, b]))} "
        f"{what}, {expected[a, b]:.1f} by chance ({counts[a, b] - expected[a, b]:+.1f}){named.get((a, b), '')}"
        for a, b in np.ndindex(*counts.shape)
    ]


def _axis(labels: Sequence[Label], totals: Array, title: str, *, wide: float, across: bool = False) -> Axis:
    """Names at the near end of an axis, totals at its far end; of very many, some."""
    some = range(0, len(labels), -(-len(labels) // MOST_CELLS))
    heads = shown_all(labels, 14 if wide >= ROOMY else 12)[:: some.step]
    ticks = tuple(Tick(i, head, number(float(totals[i])), role="") for i, head in zip(some, heads, strict=True))
    first, last = -0.5, len(labels) - 0.5
    if not across:
        return Axis(last, first, title, ticks, words="lab")
    slanted = wide < 50 or max(map(len, heads)) * 7.5 > wide
    return Axis(first, last, title, ticks, words="lab", opposite=True, slanted=slanted)


def _written(counts: Array, expected: Array, normalize: str | None) -> tuple[list[str], list[str]]:
    """Numbers of the cells, and those of chance below them."""
    if normalize is None:
        return [number(n) for n in counts.ravel().tolist()], [f"{n:.1f}" for n in expected.ravel().tolist()]
    said, small = ([rate(x, 2) for x in shares(held, normalize).ravel().tolist()] for held in (counts, expected))
    return said, small


def _shaded(
    i: Array,
    j: Array,
    shade: Array,
    tips: Sequence[str],
    links: Sequence[str] = (),
    words: tuple[str, str] = ("", ""),
    gap: float = 1.0,
) -> list[Mark]:
    """Cells with more cases than by chance, and those with fewer."""
    marks: list[Mark] = []
    for role, name, these in (("more", words[0], shade >= 0), ("less", words[1], shade < 0)):
        a, b = i[these], j[these]
        said, to = ([x for x, held in zip(given, these.tolist(), strict=False) if held] for given in (tips, links))
        depth = 0.06 + 0.5 * np.abs(shade[these])
        edges = (b - 0.5, a - 0.5, b + 0.5, a + 0.5)
        corner = 3.0 if words == SHADES else 0.0
        marks.append(Cells(*edges, role, depth, said, name, gap, corner, to))
    return marks


def _numbers(i: Array, j: Array, said: Sequence[str], small: Sequence[str], roomy: bool) -> list[Mark]:
    """What is written into the cells; the diagonal is bold where there is room."""
    if not roomy:
        return [Texts(j, i, ["" if float(n.strip("<>")) == 0 else n for n in said], "tiny ink")]
    marks: list[Mark] = []
    for role, these in (("num b", i == j), ("num", i != j)):
        words = [n for n, held in zip(said, these.tolist(), strict=True) if held]
        marks.append(Texts(j[these], i[these], words, role, down=-4 if small else 0))
    return [*marks, Texts(j, i, small, "tiny ink soft", down=11)] if small else marks
