"""Draw the pictures of the guide and the how-to pages from the measures: docs/img/*.svg.

Run by `make docs`; a test checks that the committed pictures are what this script would draw.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from informed import Table, find
from informed.papers.plot import (
    BLUE,
    COLOURS,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    RED,
    TEAL,
    Plot,
    grid,
)

HERE = Path(__file__).parent / "img"
ROOM = (0, 1.32)  # from 0 to 1, and a place for the legend
TENTHS = (0, 0.2, 0.4, 0.6, 0.8, 1)
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


def guessing() -> str:
    """What systems that know 30 % and guess the rest score, by how they guess."""
    prevalence = 0.7
    right = 0.3 * np.array([prevalence, 1 - prevalence])
    guess = np.stack([SHARES, 1 - SHARES], axis=-1)
    cells = 0.7 * guess[:, :, None] * np.array([prevalence, 1 - prevalence])
    t = Table.from_counts(cells + np.diag(right))
    plot = Plot(
        "Systems that know 30 % and guess the rest; 70 % of the cases are positive",
        ROOM,
        (0, 1),
        across="share of the guesses that say “+”",
        up="score",
        width=720,
        x_ticks=TENTHS,
        legend_right=True,
    )
    for name, colour in LINES.items():
        m = find(name)
        plot.line(SHARES, m(t), colour, m.title, thick=3.0 if name == "informedness" else 1.6)
    return plot.svg()


def chance() -> str:
    """Value and chance level of the usual measures, for the table of the guide."""
    t = Table.from_counts([[56, 20], [12, 12]])
    names = ("recall", "precision", "accuracy", "f1", "informedness", "markedness", "correlation")
    plot = Plot(
        "What is seen (dot) and what guessing with the same margins scores (bar)",
        (-0.5, len(names) - 0.5),
        (0, 1),
        width=720,
        height=340,
        x_ticks=range(len(names)),
        x_names=[find(name).title for name in names],
    )
    for i, name in enumerate(names):
        m = find(name)
        plot.box(i - 0.16, i + 0.16, 0, float(np.asarray(m.chance(t))), "#d5d5d5")
        plot.dots(i, float(np.asarray(m(t))), RED if i < 4 else BLUE, r=5)
    return plot.svg()


def plane() -> str:
    """The ROC plane: the height above the diagonal is informedness."""
    plot = Plot(
        "Informedness is the height above the line of guessing",
        (0, 1.5),
        (0, 1),
        across="fallout: wrongly called positive",
        up="recall: rightly called positive",
        width=670,
        height=480,
        x_ticks=TENTHS,
        legend_right=True,
    )
    plot.line([0, 1], [0, 1], GREY, "guessing", dash="5 4")
    for level, colour in ((0.2, "#9ecae1"), (0.5, "#4292c6"), (0.8, "#08519c")):
        plot.line([0, 1 - level], [level, 1], colour, f"informedness {level}")
    points = (("first", [[56, 20], [12, 12]], RED), ("second", [[30, 12], [30, 28]], ORANGE))
    for name, counts, colour in points:
        t = Table.from_counts(counts)
        x, y = float(find("fallout")(t)), float(find("recall")(t))
        plot.line([x, x], [x, y], colour, dash="2 2").dots(x, y, colour, f"{name} table", r=5)
    return plot.svg()


def prevalence() -> str:
    """One test, recall and specificity .9, in populations where illness is rare or common."""
    t = two_classes(0.9, 0.1, SHARES)
    plot = Plot(
        "One test (recall and inverse recall .9) wherever it is used",
        ROOM,
        (0, 1),
        across="prevalence of the illness",
        up="score",
        width=720,
        x_ticks=TENTHS,
        legend_right=True,
    )
    for name, colour in LINES.items():
        m = find(name)
        if name != "recall":
            plot.line(SHARES, m(t), colour, m.title, thick=3.0 if name == "informedness" else 1.6)
    return plot.svg()


def classes() -> str:
    """A table of three classes, and what is known of each."""
    t = Table.from_counts([[50, 3, 2], [4, 45, 6], [1, 7, 32]], labels=["a", "b", "c"])
    each = np.asarray(find("informedness")(t.one_vs_rest()))
    whole = float(find("informedness")(t))
    one = Plot("Each class by itself", (0, 1), (0, 1), across="share of the cases",
               up="informedness of the class", width=480, height=340)  # fmt: skip
    start = 0.0
    for label, share, value, colour in zip(t.labels, t.prevalence, each, COLOURS, strict=False):
        one.box(start, start + float(share) - 0.005, 0, float(value), colour + "55", str(label))
        start += float(share)
    one.line([0, 1], [whole, whole], BLUE, f"the whole: {whole:.2f}, their area", thick=2.4)
    return grid([one], 1)


PICTURES: dict[str, Callable[[], str]] = {
    "guide-chance": chance,
    "guide-guessing": guessing,
    "guide-plane": plane,
    "guide-classes": classes,
    "prevalence": prevalence,
}


def main() -> None:
    for name, draw in PICTURES.items():
        (HERE / f"{name}.svg").write_text(draw(), encoding="utf-8")
    sys.stdout.write(f"{len(PICTURES)} pictures in {HERE.name}/\n")


if __name__ == "__main__":
    main()
