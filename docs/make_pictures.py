"""Draw the pictures of the guide and the how-to pages from the measures: docs/img/*.svg.

Run by `make docs`; a test checks that the committed pictures are what this script would draw. With `--lab` it
photographs the lab in a browser instead, which nothing else does: docs/img/lab-*.png.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from informed import Table, find, watch
from informed.documents.charts.chart import Chart
from informed.documents.charts.marks import Cells, Dots, Texts, scale
from informed.documents.charts.plane import PlanePoint, roc_plane
from informed.documents.pages.tryout import ranked
from informed.documents.pages.watch import watch_charts
from informed.papers.drawing import (
    BLUE,
    COLOURS,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    RED,
    TEAL,
    chart,
    kinds,
    level,
    line,
    middles,
)
from informed.simulation import tryout

HERE = Path(__file__).parent / "img"
LINES = {
    "informedness": BLUE,
    "correlation": PURPLE,
    "cohen_kappa": GREEN,
    "accuracy": GREY,
    "precision": RED,
    "recall": TEAL,
    "f1": ORANGE,
}
SHARES = np.linspace(0.01, 0.99, 99)


def two_classes(recall: float, fallout: float, prevalence: object) -> Table:
    """Tables of proportions of one operating point, a stack over prevalences."""
    p = np.asarray(prevalence, dtype=float)
    cells = [[recall * p, fallout * (1 - p)], [(1 - recall) * p, (1 - fallout) * (1 - p)]]
    return Table.from_counts(np.moveaxis(np.array(cells), -1, 0))


def measures(t: Table, title: str, across: str, names: tuple[str, ...]) -> Chart:
    """Measures of a stack over shares, informedness thick."""
    lines = [line(SHARES, find(name)(t), LINES[name], find(name).title, "thick" * (name == names[0])) for name in names]
    return chart(title, scale(0, 1, across), scale(0, 1, "score"), lines, wide=480)


def guessing() -> Chart:
    """What systems that know 30 % and guess the rest score, by how they guess."""
    prevalence = 0.7
    right = 0.3 * np.array([prevalence, 1 - prevalence])
    guess = np.stack([SHARES, 1 - SHARES], axis=-1)
    cells = 0.7 * guess[:, :, None] * np.array([prevalence, 1 - prevalence])
    t = Table.from_counts(cells + np.diag(right))
    title = "Systems that know 30 % and guess the rest; 70 % of the cases are positive"
    return measures(t, title, "share of the guesses that say “+”", tuple(LINES))


def chance() -> Chart:
    """Value and chance level of the usual measures, for the table of the guide."""
    t = Table.from_counts([[56, 20], [12, 12]])
    names = ("recall", "precision", "accuracy", "f1", "informedness", "markedness", "correlation")
    at, zero = middles(names), [0.0] * len(names)
    guessed = [float(np.asarray(find(name).chance(t))) for name in names]
    seen = [float(np.asarray(find(name)(t))) for name in names]
    roles = [f"mark {RED if i < 4 else BLUE}" for i in range(len(names))]
    marks = (
        Cells([x - 0.16 for x in at], zero, [x + 0.16 for x in at], guessed, "mark c8",
              [0.4] * len(at), name="guessing with the same margins"),
        Dots(at, seen, roles, 5.0, name="what is seen"),
    )  # fmt: skip
    return chart(
        "What is seen (dot) and what guessing with the same margins scores (bar)",
        kinds([find(name).title for name in names]),
        scale(0, 1),
        marks,
        wide=640,
        tall=240,
        legend="below",
    )


def plane() -> Chart:
    """The ROC plane: the height above the diagonal is informedness."""
    points = []
    for name, counts, role in (
        ("first", [[56, 20], [12, 12]], f"mark {RED}"),
        ("second", [[30, 12], [30, 28]], f"mark {BLUE}"),
    ):
        t = Table.from_counts(counts)
        points.append(PlanePoint(name, float(find("fallout")(t)), float(find("recall")(t)), role=role))
    title = "Informedness (B) is the height above the line of guessing"
    return roc_plane(title, points=points, named=True, stems=True, of="+")


def prevalence() -> Chart:
    """One test, recall and specificity .9, in populations where illness is rare or common."""
    title = "One test (recall and inverse recall .9) wherever it is used"
    names = tuple(name for name in LINES if name != "recall")
    return measures(two_classes(0.9, 0.1, SHARES), title, "prevalence of the illness", names)


def classes() -> Chart:
    """A table of three classes, and what is known of each."""
    t = Table.from_counts([[50, 3, 2], [4, 45, 6], [1, 7, 32]], labels=["a", "b", "c"])
    each = [float(x) for x in find("informedness")(t.one_vs_rest())]
    whole = float(find("informedness")(t))
    ends = np.cumsum(t.prevalence)
    starts = np.append(0.0, ends[:-1])
    roles = [f"mark {colour}" for colour in COLOURS[:3]]
    marks = (
        Cells(starts, [0.0] * 3, ends, each, roles, [0.35] * 3, gap=1.0),
        Texts((starts + ends) / 2, [x / 2 for x in each], list(map(str, t.labels)), "lab"),
        level(whole, f"the whole: {whole:.2f}, their area"),
    )
    return chart(
        "Each class by itself",
        scale(0, 1, "share of the cases"),
        scale(0, 1, "informedness of the class"),
        marks,
        wide=400,
        tall=250,
        legend="below",
    )


def tried() -> Chart:
    """A measure of one's own beside the others: which of two systems each prefers."""

    def gmean(t: Table) -> object:
        return np.sqrt(t.tp / (t.tp + t.fn) * t.tn / (t.tn + t.fp))

    made = ranked(tryout(gmean), 1000)
    assert made is not None
    return made


def watched() -> tuple[Chart, ...]:
    """Two systems on the run of the examples, counted until one is shown to be better: money, and the interval."""
    lines = (HERE.parents[1] / "examples" / "run.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    w = watch(paired=True, stop="better or worse")
    real, first, second = ([row[name] for row in rows] for name in ("diagnosis", "logistic", "tree"))
    w.update(real=real, predicted=first, other=second)
    return watch_charts(w.result())


PICTURES: dict[str, Callable[[], Chart]] = {
    "guide-chance": chance,
    "guide-guessing": guessing,
    "guide-plane": plane,
    "guide-classes": classes,
    "prevalence": prevalence,
    "tryout": tried,
    "watch-money": lambda: watched()[0],
    "watch-interval": lambda: watched()[1],
}


def main() -> None:
    if "--lab" in sys.argv[1:]:
        from lab_pictures import photograph

        photograph(HERE)
        return
    for name, draw in PICTURES.items():
        (HERE / f"{name}.svg").write_text(draw().file(), encoding="utf-8")
    sys.stdout.write(f"{len(PICTURES)} pictures in {HERE.name}/\n")


if __name__ == "__main__":
    main()
