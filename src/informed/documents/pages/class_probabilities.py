"""Probabilities of several classes as a page: of the whole, class by class, and of the surest label."""

from __future__ import annotations

from collections.abc import Iterator

from informed._numbers import percent
from informed.decisions.class_forecast import ClassProbabilities
from informed.documents.blocks import Block, Section, Words, drawing, glimpse, grid_of, label
from informed.documents.charts.forest import forest, standing
from informed.documents.charts.reliability import PartsPoint, parts_plane
from informed.documents.document import Document
from informed.documents.pages.probabilities import NAMED, cards_of, diagram, limits
from informed.documents.paging import page_of
from informed.results import Records

DRAWN = 30  # classes
WHOLE = "informedness of the best bets at fair odds"
PARTS = "score unc mcb mcb_chance pvalue:p dsc dsc_chance"
TITLES = {
    "unc": "to know (UNC)",
    "mcb": "off (MCB)",
    "mcb_chance": "of right ones",
    "pvalue": "p",
    "dsc": "known (DSC)",
    "dsc_chance": "of shuffled ones",
}


@page_of(ClassProbabilities)
def class_probabilities_page(f: ClassProbabilities, *, precision: int = 3, title: str = "") -> Document:
    """Everything that is said of probabilities of several classes."""
    sections = [_gains(f, precision)]
    if not f.why:
        sections += [_classes(f, precision), _surest(f, precision), *_groups(f, precision)]
    return Document.of(
        f,
        title or f.title,
        *sections,
        answer=f.answer[0],
        further=" ".join(f.answer[1:]),
        cards=tuple(cards_of(f, precision)),
        command=f.command,
        gates=f.gates,
    )


def _gains(f: ClassProbabilities, precision: int) -> Section:
    named = {**NAMED, "informedness": WHOLE, "ranked_skill": "ranked skill: far misses cost more"}
    rows = [(named[name], x.estimate, x.low, x.high, x.method) for name, x in f.intervals.items()]
    caption = f"What is gained, with {percent(f.level)} intervals; guessing has 0"
    blocks: list[Block] = [
        grid_of(Records.of("measure:words estimate low high method:words", rows), caption, precision=precision)
    ]
    if not f.why:
        b = f.brier
        held = (b.score, b.unc, b.mcb, b.mcb_chance, b.pvalue, b.dsc, b.dsc_chance)
        shares = Records.of("known lost skill", [(b.known, b.lost, b.skill)])
        caption = "The Brier score, summed over classes: score = off − known + to know"
        blocks.append(grid_of(Records.of(PARTS, [held]), caption, titles=TITLES, precision=precision))
        blocks.append(grid_of(shares, "As shares of what there is to know", precision=precision))
        said = f"{f.calibration.method}; these parts are never negative, and have levels instead of intervals."
        blocks.append(Words(said, "note"))
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


def _groups(f: ClassProbabilities, precision: int) -> Iterator[Section]:
    if not f.groups:
        return
    title = "Brier skill of each group, against its own prevalences"
    rows = [(name, g.held.total, *limits(g.log_skill), *limits(g.brier_skill)) for name, g in f.groups.items()]
    held = Records.of("group:label cases:count log_skill log_low log_high brier_skill low high", rows)
    drawn = [standing(label(name, 22), *limits(g.brier_skill)) for name, g in f.groups.items()]
    titles = {"log_low": "low", "log_high": "high"}
    blocks = (
        drawing(title, forest(drawn, title, across="Brier skill")),
        grid_of(held, "Groups", titles=titles, precision=precision),
    )
    yield Section("groups", "Groups", blocks)
