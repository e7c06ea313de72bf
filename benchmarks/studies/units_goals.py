"""What units and weights were built to reach, goal by goal, by what the other studies measured.

Nothing is simulated here: a goal names the study, the part and the rows that it is about, and holds if every figure
keeps its bound but for two standard errors of 300 runs, as many as each was to be tried with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import area_coverage
import board_coverage
import fold_sizes
import numpy as np
import pair_coverage
import unit_coverage
from study import Part, Row, Study, bare, shown

from informed import Table, interval

ROOM = 300  # runs whose standard errors are the room
UNITS, AREAS = unit_coverage.STUDY, area_coverage.STUDY


@dataclass(frozen=True)
class Goal:
    """Columns of the chosen rows, each with its least or, of sizes, its most."""

    said: str
    study: Study
    part: str
    chosen: Callable[[Row], bool]
    least: tuple[tuple[str, float], ...] = ()
    most: tuple[tuple[str, float], ...] = ()

    def row(self) -> Row:
        """Wanted, found, and whether it holds."""
        rows = [row for row in self.study.rows(self.part) if self.chosen(row)]
        assert rows, self.said
        wanted, found, holds = [], [], True
        for name, bound, sign in ((*x, s) for several, s in ((self.least, 1), (self.most, -1)) for x in several):
            values = [row[name] for row in rows]
            worst = min(values) if sign > 0 else max(values)
            wanted.append(f"{name} {'≥' if sign > 0 else '≤'} {bare(bound)}")
            found.append(shown(worst))
            holds &= sign * (worst - bound) >= -_room(bound)
        return {"goal": self.said, "wanted": ", ".join(wanted), "found": ", ".join(found), "holds": _yes(holds)}


def _room(share: float) -> float:
    return float(2 * (share * (1 - share) / ROOM) ** 0.5)


def _yes(holds: bool) -> str:
    return "yes" if holds else "**no**"


def named(start: str) -> Callable[[Row], bool]:
    return lambda row: str(row["data"]).startswith(start)


BOTH = (("mean", 0.94), ("least", 0.92))
EPOCHS = {
    "40 items × 6, always": "epochs that always agree",
    "the same, nearly": "the same, nearly perfect",
    "40 × 6, correlation .8": "epochs correlated .8",
    "40 × 6, correlation .5": "epochs correlated .5",
    "40 × 8, correlation .2": "epochs correlated .2",
    "60 items, 1 to 8": "1 to 8 epochs at random",
    "60 items, hard": "hard items asked more often",
}
WEIGHTS = {
    "all predicted": "two-phase verification",
    "positives weigh 10": "positives weigh 10",
    "positives weigh 1.1": "weights by class",
    "weights 1 to 15": "weights unrelated to anything",
    "three strata": "strata of unequal weight",
    "40 documents": "weighted cases in documents",
}


def _documents(units: int, sizes: str) -> Callable[[Row], bool]:
    return lambda row: bool(row["units"] == units and row["sizes"] == sizes)


def _area(area: str, kind: str) -> Callable[[Row], bool]:
    return lambda row: bool(row["area"] == area and row["classes in a unit"] == kind)


def _stable(row: Row) -> bool:
    return bool(row["learner"] == "nearest centroid")


def goals() -> Iterator[Goal]:
    """All but the width of precision, in the order of the page."""
    for units in (20, 50, 200):
        for sizes in ("equal", "1/rank"):
            yield Goal(f"{units} documents, {sizes}", UNITS, "units", _documents(units, sizes), BOTH)
    yield Goal("10 documents", UNITS, "units", lambda row: row["units"] == 10, BOTH)
    yield Goal("random worlds, each measure", UNITS, "holdout", lambda row: True, (("mean", 0.94), ("least", 0.92)))
    for start, said in EPOCHS.items():
        yield Goal(said, UNITS, "epochs", named(start), BOTH)
    for start, said in WEIGHTS.items():
        yield Goal(said, UNITS, "weights", named(start), BOTH)
    yield Goal("differences on the same items", pair_coverage.STUDY, "differences", lambda row: True, BOTH)
    boards = board_coverage.STUDY
    yield Goal("leaderboard, all systems together", boards, "rare", lambda row: True, (("all systems", 0.94),))
    names = ("all systems", "all differences")
    yield Goal("leaderboard over units", boards, "units", lambda row: True, tuple((n, 0.94) for n in names))
    for said, chosen in (
        ("bias test, epochs of two classes", lambda row: "asked 6 times, 2" in row["data"]),
        ("bias test, epochs of four classes", lambda row: "asked 6 times, 4" in row["data"]),
        ("bias test, documents", lambda row: "documents" in row["data"] or "the same" in row["data"]),
    ):
        yield Goal(said, UNITS, "tests", chosen, most=(("bias 5 %", 0.05),))
    for said, chosen in (
        ("groups of their own documents", lambda row: "groups of" in row["data"] and "documents" in row["data"]),
        ("groups that share documents", lambda row: "share" in row["data"]),
        ("groups of single cases", lambda row: "single" in row["data"]),
    ):
        yield Goal(said, UNITS, "groups", chosen, most=(("size", 0.05),))
    yield Goal("10 × 10 folds, nearest centroid", fold_sizes.STUDY, "sizes", _stable, most=(("corrected t", 0.05),))
    yield Goal("area .8, items scored 6 times", AREAS, "units", _area(".8", "an item"), (("units", 0.94),))
    yield Goal("area .8, units of one class", AREAS, "units", _area(".8", "one"), (("units", 0.94),))


def precision_width() -> Row:
    """Under two-phase verification all predicted positives weigh one: precision is that of as many single cases."""
    counts, squares, rows = ([[48, 17], [20, 300]], [[48, 17], [200, 3000]], [[48, 17], [2, 30]])
    plain = Table.from_counts(counts, positive="+")
    weighted = replace(plain, squares=np.array(squares, float), cases=np.array(rows, float))
    alone = interval(Table.from_counts([[48, 17], [20, 30]], positive="+"), "precision")
    found = interval(weighted, "precision")
    ratio = float((found.high - found.low) / (alone.high - alone.low))
    said = "width of precision under two-phase verification, against its trials alone"
    return {"goal": said, "wanted": "1", "found": f"{ratio:.3f}", "holds": _yes(abs(ratio - 1) < 1e-6)}


def rows(_runs: int) -> Iterator[Row]:
    several: list[Any] = [*(goal.row() for goal in goals()), precision_width()]
    yield from ({"": number, **row} for number, row in enumerate(several, start=1))


STUDY = Study(
    "units_goals",
    {
        "goals": Part(
            "What was aimed at in simulated worlds: means and least values of eight measures, sizes of tests, with a "
            f"room of two standard errors of {ROOM} runs ({shown(_room(0.94))} of .94, {shown(_room(0.05))} of .05), "
            "though most rest on more. Figures are the worst of the rows that a goal is about, in the tables of "
            "[intervals](intervals.md#units-and-weights), [comparing](comparing.md), [leaderboards](leaderboards.md) "
            "and [areas](roc.md):",
            rows,
            "units.md",
            errors=(),
        )
    },
)

if __name__ == "__main__":
    STUDY.main()
