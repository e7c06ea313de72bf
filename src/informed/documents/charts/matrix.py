"""The matrix of counts: predictions in rows, reality in columns, how far from chance as shade."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from informed._arrays import Array, ratio
from informed._numbers import count, rate
from informed.documents.charts.chart import Chart
from informed.documents.charts.marks import Axis, Cells, Mark, Texts, names
from informed.errors import TableError
from informed.evidence.shown import shown
from informed.evidence.table_text import number

MOST_CELLS = 40  # classes drawn cell by cell
CELL = ((3, 96, 64), (6, 78, 54), (12, 58, 42), (MOST_CELLS, 30, 22))
ROOMY = 42  # pixels of height from which on a cell holds two numbers

Normalize: TypeAlias = Literal["real", "predicted", "all"]
_AXES: dict[str, tuple[int, ...]] = {
    "real": (0,), "predicted": (1,), "all": (0, 1), "true": (0,), "pred": (1,),
}  # fmt: skip


def shares(counts: Array, normalize: str) -> Array:
    """Counts as shares of their real class, of their predicted class, or of all."""
    if normalize not in _AXES:
        raise TableError(
            f'`normalize` is {normalize!r}; it must be "real", "predicted", "all" or None.'
        )
    return ratio(counts, counts.sum(axis=_AXES[normalize], keepdims=True))


def matrix(
    counts: Array,
    expected: Array,
    shade: Array,
    *,
    predicted: Sequence[Any],
    real: Sequence[Any],
    normalize: str | None = None,
    title: str = "The table of predictions against reality",
) -> Chart | None:
    """Counts with what chance would give; None where there are too many classes to see.

    `shade` is between −1 (far fewer than by chance) and 1 (far more). With `normalize`, cells show
    shares; the margins are counts always.
    """
    rows, columns = counts.shape
    if max(rows, columns) > MOST_CELLS or not counts.sum():
        return None
    w, h = next((w, h) for most, w, h in CELL if max(rows, columns) <= most)
    roomy = h >= ROOMY
    y = _axis(predicted, counts.sum(axis=1), "predicted", 14 if roomy else 12)
    x = _axis(real, counts.sum(axis=0), "real", 14 if roomy else 12, wide=w, across=True)

    said, small = _written(counts, expected, normalize)
    i, j = _places(rows, columns)
    tips = [
        f"predicted {y.ticks[a].near}, really {x.ticks[b].near}: {number(float(counts[a, b]))} "
        f"cases, {expected[a, b]:.1f} by chance ({counts[a, b] - expected[a, b]:+.1f})"
        for a, b in np.ndindex(rows, columns)
    ]
    marks: list[Mark] = [
        *_shaded(i, j, shade.ravel(), tips, roomy),
        *_numbers(i, j, said, small, roomy),
        Texts(
            [columns - 0.5], [rows - 0.5], [number(float(counts.sum()))], "tot b", "start", 12, 14
        ),
    ]
    diagonal = float(np.trace(counts)) if rows == columns else 0.0
    return Chart(
        title,
        f"{count(diagonal)} of {count(float(counts.sum()))} cases lie on the diagonal. Blue cells "
        "hold more cases than guessing with the same margins would give, orange cells fewer.",
        x,
        y,
        tuple(marks),
        width=columns * w,
        height=rows * h,
        kind="heat",
    )


def small_matrix(counts: Array, shade: Array, title: str, size: float = 96.0) -> Chart:
    """A table as a small multiple: shades, and counts where they fit."""
    rows, columns = counts.shape
    cell = size / max(rows, columns)
    i, j = _places(rows, columns)
    marks: list[Mark] = [*_shaded(i, j, shade.ravel(), (), False, named=False)]
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


def _axis(
    labels: Sequence[Any],
    totals: Array,
    title: str,
    widest: int,
    *,
    wide: float = 0,
    across: bool = False,
) -> Axis:
    """Names at the near end of an axis, totals at its far end."""
    heads = [shown(x, widest) for x in labels]
    found = names(heads, [number(float(n)) for n in totals], title=title, down=not across)
    if not across:
        return found
    slanted = wide < 50 or max(map(len, heads)) * 7.5 > wide
    return Axis(
        found.start, found.end, title, found.ticks, words="lab", opposite=True, slanted=slanted
    )


def _written(counts: Array, expected: Array, normalize: str | None) -> tuple[list[str], list[str]]:
    """Numbers of the cells, and those of chance below them."""
    if normalize is None:
        return (
            [number(float(n)) for n in counts.ravel()],
            [f"{n:.1f}" for n in expected.ravel()],
        )
    each = (shares(held, normalize).ravel().tolist() for held in (counts, expected))
    said, small = ([rate(x, 2) for x in held] for held in each)
    return said, small


def _shaded(
    i: Array, j: Array, shade: Array, tips: Sequence[str], roomy: bool, *, named: bool = True
) -> list[Mark]:
    """Cells with more cases than by chance, and those with fewer."""
    words = ("more than chance", "fewer (small: by chance)" if roomy else "fewer")
    marks: list[Mark] = []
    for role, name, these in (("more", words[0], shade >= 0), ("less", words[1], shade < 0)):
        a, b = i[these], j[these]
        marks.append(
            Cells(
                b - 0.5, a - 0.5, b + 0.5, a + 0.5, role,
                depth=0.06 + 0.5 * np.abs(shade[these]),
                tips=[tip for tip, kept in zip(tips, these.tolist(), strict=False) if kept],
                name=name if named else "", gap=1.0 if named else 0.5, corner=3 if roomy else 0,
            )
        )  # fmt: skip
    return marks


def _numbers(
    i: Array, j: Array, said: Sequence[str], small: Sequence[str], roomy: bool
) -> list[Mark]:
    if not roomy:
        return [Texts(j, i, ["" if n == "0" else n for n in said], "tiny ink")]
    on = (i == j).tolist()
    parts: list[Mark] = [
        Texts(
            j[i == j] if bold else j[i != j], i[i == j] if bold else i[i != j],
            [n for n, kept in zip(said, on, strict=True) if kept == bold],
            "num b" if bold else "num", down=-4,
        )
        for bold in (True, False)
    ]  # fmt: skip
    return [*parts, Texts(j, i, small, "tiny ink soft", down=11)]
