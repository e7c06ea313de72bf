"""Moving a table: a cell, a point of the ROC plane, or a ratio, while something is kept.

Three ratios determine a table of two classes. With the prevalence p, the recall and the fallout,

    bias = p · recall + (1 − p) · fallout,    informedness = recall − fallout,

so that keeping one of them and moving another is a linear equation; each is written out below. For
more classes everything is said of one class against the rest, whose parts keep their proportions.
"""

from __future__ import annotations

import numpy as np

from informed._arrays import Array
from informed.errors import TableError
from informed.evidence.table import Table

KEEPS = ("nothing", "n", "real", "predicted", "informedness")


def set_cell(counts: Array, row: int, column: int, value: float, keep: str) -> Array:
    """The table with another count in one cell.

    >>> set_cell(np.array([[56.0, 20], [12, 12]]), 0, 0, 60, "real").tolist()
    [[60.0, 20.0], [8.0, 12.0]]
    """
    if keep == "informedness":
        return _cell_at_informedness(counts, row, column, value)
    made = counts.copy()
    totals = {"n": made.reshape(-1), "real": made[:, column], "predicted": made[row]}
    places = {"n": row * len(counts) + column, "real": row, "predicted": column}
    if keep in totals:
        _share_out(totals[keep], places[keep], value)
    else:
        made[row, column] = value
    return made


def _share_out(cells: Array, at: int, value: float) -> None:
    """Set one cell and let the others share the rest of the total as they did, in place."""
    total = cells.sum()
    value = min(value, total)
    others = total - cells[at]
    if others > 0:
        cells *= (total - value) / others
    elif len(cells) > 1:
        cells[:] = (total - value) / (len(cells) - 1)
    cells[at] = value


def _cell_at_informedness(counts: Array, row: int, column: int, value: float) -> Array:
    """The cell's column gets its new share, and the other column moves by as much."""
    if len(counts) != 2:
        raise TableError("Informedness is kept while cells are typed only with two classes.")
    made = counts.copy()
    made[row, column] = value
    totals = made.sum(axis=0)
    if not (totals > 0).all() or not (counts.sum(axis=0) > 0).all():
        raise TableError("Informedness is undefined: a class has no case.")
    recall, fallout = counts[0] / counts.sum(axis=0)
    shares = made[0] / totals
    other = 1 - column
    shares[other] = shares[column] + (fallout - recall if column == 0 else recall - fallout)
    if not -1e-12 <= shares[other] <= 1 + 1e-12:
        raise TableError("No table with that count has the same informedness.")
    shares = np.clip(shares, 0, 1)
    return np.array([shares * totals, (1 - shares) * totals])


def drag(counts: Array, focus: int, recall: float, fallout: float, keep: str) -> Array:
    """The table whose class `focus` has this recall and fallout, or the nearest that keeps `keep`.

    >>> drag(np.array([[50.0, 50], [50, 50]]), 0, 0.8, 0.3, "real").tolist()
    [[80.0, 30.0], [20.0, 70.0]]
    """
    real = counts.sum(axis=0)
    rest = np.arange(len(counts)) != focus
    positives, negatives = real[focus], real[rest].sum()
    if not (positives > 0 and negatives > 0):
        raise TableError("One class has no case, so that there is no point to drag.")
    recall, fallout = min(max(recall, 0.0), 1.0), min(max(fallout, 0.0), 1.0)
    if keep == "informedness":
        before = counts[focus, focus] / positives - counts[focus, rest].sum() / negatives
        recall, fallout = on_line(recall, fallout, before)
    if keep == "predicted":
        share = counts[focus].sum() / counts.sum()
        prevalence = prevalence_at(recall, fallout, share)
        scale = np.where(rest, (1 - prevalence) / negatives, prevalence / positives) * counts.sum()
        counts = counts * scale
        real = counts.sum(axis=0)
    made = counts.copy()
    _share_out(made[:, focus], focus, recall * real[focus])
    for j, alarms in zip(np.flatnonzero(rest), _alarms(counts[focus, rest], real[rest], fallout), strict=True):
        _share_out(made[:, j], focus, alarms)
    if keep in ("nothing", "n", "real") and len(counts) == 2 and not (counts % 1).any():
        said = np.rint(made[0])  # the nearest whole counts with the same real totals
        return np.array([said, real - said])
    return made


def _alarms(alarms: Array, room: Array, fallout: float) -> Array:
    """False alarms of each other class: as they were in proportion, none above what there is.

    What was never mistaken is now mistaken in proportion to its size; right answers likewise.
    """
    before = alarms.sum() / room.sum()
    if fallout <= before and before > 0:
        return np.asarray(alarms * fallout / before)
    left = room - alarms
    return np.asarray(room - left * ((1 - fallout) / (1 - before) if before < 1 else 1 - fallout))


def on_line(recall: float, fallout: float, informedness: float) -> tuple[float, float]:
    """The point of the plane nearest to this one that has this informedness.

    >>> on_line(0.875, 0.375, 0.25)
    (0.75, 0.5)
    """
    middle = (recall + fallout) / 2
    half = informedness / 2
    middle = min(max(middle, abs(half)), 1 - abs(half))
    return middle + half, middle - half


def prevalence_at(recall: float, fallout: float, bias: float) -> float:
    """The prevalence at which a system with this recall and fallout has this bias."""
    if recall == fallout or not 0 < (bias - fallout) / (recall - fallout) < 1:
        raise TableError(
            f"At recall {recall:.2f} and fallout {fallout:.2f} no prevalence keeps the predicted "
            f"totals: their share, {bias:.2f}, must lie between the two."
        )
    return (bias - fallout) / (recall - fallout)


def set_ratio(counts: Array, focus: int, name: str, value: float, keep: str) -> Array:
    """The table with another prevalence, bias or informedness of the class `focus`.

    Another prevalence keeps every recall (the same system in another population), or, where the
    predicted totals are kept, informedness. Another bias keeps prevalence and informedness, another
    informedness prevalence and bias: three ratios that determine a table of two classes.

    >>> t = np.array([[80.0, 10], [20, 90]])
    >>> set_ratio(t, 0, "prevalence", 0.25, "nothing").tolist()
    [[40.0, 15.0], [10.0, 135.0]]
    """
    t = Table.from_counts(counts)
    if name == "prevalence" and not (keep == "predicted" and t.k == 2):
        shares = t.prevalence.copy()
        rest = np.arange(t.k) != focus
        if not shares[rest].sum() > 0:
            raise TableError("No case is of another class, so that the prevalence is always 1.")
        shares[rest] *= (1 - value) / shares[rest].sum()
        shares[focus] = value
        return t.at_prevalence(shares).counts

    # three ratios determine a table of two classes: change one, keep the others
    if t.k != 2:
        raise TableError(f"The {name} of one class can be set in tables of two classes only.")
    prevalence, bias = float(t.prevalence[focus]), float(t.bias[focus])
    said = counts[focus] / counts.sum(axis=0)  # as `focus`, by real class
    informedness = float(said[focus] - said[1 - focus])
    held = {"prevalence": prevalence, "bias": bias, "informedness": informedness, name: value}

    fallout = held["bias"] - held["prevalence"] * held["informedness"]
    recall = fallout + held["informedness"]
    if not (-1e-9 <= fallout <= 1 + 1e-9 and -1e-9 <= recall <= 1 + 1e-9):
        said = ", ".join(f"{key} {x:.2f}" for key, x in held.items())
        raise TableError(f"No table has {said}.")

    said = np.clip([recall, fallout], 0, 1)
    weight = np.array([held["prevalence"], 1 - held["prevalence"]])
    cells = np.array([weight * said, weight * (1 - said)]) * float(t.n)
    return cells if focus == 0 else cells[::-1, ::-1]
