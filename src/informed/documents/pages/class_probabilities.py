"""Probabilities of several classes as a page: of the whole, class by class, and of the surest label."""

from __future__ import annotations

from informed._numbers import percent
from informed.decisions.class_forecast import ClassProbabilities
from informed.documents.blocks import Block, Section, Words, drawing, glimpse, grid_of, label
from informed.documents.charts.forest import forest, standing
from informed.documents.charts.reliability import PartsPoint, parts_plane
from informed.documents.document import Document
from informed.documents.pages.probabilities import NAMED, diagram, framed, groups_of, parts_of
from informed.documents.paging import page_of
from informed.results import Records

DRAWN = 30  # classes
WHOLE = "informedness of the best bets at fair odds"


@page_of(ClassProbabilities)
def class_probabilities_page(f: ClassProbabilities, *, precision: int = 3, title: str = "") -> Document:
    """Everything that is said of probabilities of several classes."""
    sections = [_gains(f, precision)]
    if not f.why:
        sections += [_classes(f, precision), _surest(f, precision), *groups_of(f, precision)]
    return framed(f, sections, precision, title)


def _gains(f: ClassProbabilities, precision: int) -> Section:
    named = {**NAMED, "informedness": WHOLE, "ranked_skill": "ranked skill: far misses cost more"}
    rows = [(named[name], x.estimate, x.low, x.high, x.method) for name, x in f.intervals.items()]
    caption = f"What is gained, with {percent(f.level)} intervals; guessing has 0"
    blocks: list[Block] = [
        grid_of(Records.of("measure:words estimate low high method:words", rows), caption, precision=precision)
    ]
    if not f.why:
        blocks += parts_of(f, [f.brier], "The Brier score, summed over classes", precision)
    return Section("gains", "What is gained", tuple(blocks))


def _classes(f: ClassProbabilities, precision: int) -> Section:
    title = "Brier skill of each class against the rest"
    held = f.by_class
    rows = [standing(label(x["class"], 22), x["brier_skill"], x["low"], x["high"]) for x in held.dicts()[:DRAWN]]
    points = [PartsPoint(str(x["class"]), x["known"], x["lost"]) for x in held.dicts()[:DRAWN]]
    titles = {"pvalue": "p of right numbers", "auc": "AUC"}
    blocks: tuple[Block, ...] = (
        drawing(title, forest(rows, title, across="Brier skill")),
        drawing("Known and lost", lambda: parts_plane(points)),
        glimpse(grid_of(held, "Each class against the rest", titles=titles, precision=precision)),
    )
    return Section("classes", "Classes", blocks)


def _surest(f: ClassProbabilities, precision: int) -> Section:
    top = f.top
    blocks: list[Block] = [
        Words("The probability of the surest label, against whether it is right."),
        Words(" ".join(top.answer[1:])),
    ]
    if not top.roc.why:
        blocks.append(diagram(top, "Reliability of the surest label"))
    rows = [(NAMED[name], x.estimate, x.low, x.high) for name, x in top.intervals.items()]
    grid = grid_of(Records.of("measure:words estimate low high", rows), "The surest label", precision=precision)
    return Section("surest", "The surest label", (*blocks, grid))
