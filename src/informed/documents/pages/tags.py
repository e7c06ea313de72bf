"""Tags as a page: what is known of them, each label, and the usual scores beside what guessing gets."""

from __future__ import annotations

from informed._numbers import count, percent, probability, rate, span
from informed.documents.blocks import Block, Card, Range, Section, Words, drawing, grid_of, label
from informed.documents.charts.forest import forest, standing
from informed.documents.document import Document
from informed.documents.paging import page_of
from informed.measures.tag_scores import TITLES
from informed.summary.measure_names import with_titles
from informed.summary.tags_report import MOST_LABELS, TagsReport

MEANS = {
    "prevalence": "each label weighs as often as it occurs: a bet on every tag that is given, at fair odds",
    "within": "each label weighs as much as it varies: micro with the frequency of the labels taken off",
    "macro": "each label weighs the same; undefined where one cannot be bet on",
    "occurring": "each label that occurs weighs the same",
    "micro": "all labels pooled: knowing which tag is frequent counts",
    "examples": "recall less fallout of each item, then the mean over items",
}
OTHERWISE = (
    " The test shuffles the tags over the items and the interval does not, so that this close to the limit they "
    "disagree and neither is proof."
)
HEADS = {"chance": "guessing gets"}


@page_of(TagsReport)
def tags_page(r: TagsReport, *, precision: int = 3) -> Document:
    """Everything that is said of tags."""
    x = r.headline
    parts = (_groups(r, precision), _measures(r, precision), _labels(r, precision))
    drawn = Range(float(x.low), float(x.estimate), float(x.high), 0.0, -1.0 if x.low < 0 else 0.0)
    limits = f"{percent(r.level)} interval {span(float(x.low), float(x.high), precision)}"
    return Document.of(
        r,
        r.title,
        *(p for p in parts if p is not None),
        answer=r.answer[0],
        further=" ".join(r.answer[1:]),
        cards=(Card("Informedness", rate(float(x.estimate), precision), limits, drawn),),
        command=r.command,
        gates=r.gates,
    )


def _measures(r: TagsReport, precision: int) -> Section:
    p, x = float(r.tested.pvalue), r.headline
    apart = p == p and (p < 1 - r.level) != (float(x.low) > 0 or float(x.high) < 0)
    said = Words(f"Against guessing: {probability(p)} ({r.tested.method}).{OTHERWISE if apart else ''}")
    title = "By every average, and the usual scores, beside what the same predictions get when they are shuffled"
    grid = grid_of(with_titles(r.measures, own=TITLES), title, titles=HEADS, precision=precision)
    seen = dict.fromkeys(a for a in r.measures["average"] if a)
    means = tuple(Words(f"{MEANS[a]}.", "term", a) for a in seen)
    return Section("measures", "Measures", (said, grid, *means))


def _labels(r: TagsReport, precision: int) -> Section:
    held = r.labels.dicts()
    shown = held[:MOST_LABELS]
    rows = [standing(label(x["label"], 22), x["informedness"], x["low"], x["high"]) for x in shown]
    title = "Informedness of each label, the most frequent first, with intervals that hold together"
    blocks: list[Block] = [drawing(title, forest(rows, title, across="informedness"), caption=True)]
    first = type(r.labels)(r.labels.columns, r.labels.rows[:MOST_LABELS])
    blocks.append(grid_of(first, "Labels", precision=precision))
    rest = type(r.labels)(r.labels.columns, r.labels.rows[MOST_LABELS:])
    if len(rest):
        unlisted = len(r.tags.labels) - len(held)
        said = f"{count(len(rest))} rarer labels follow, without intervals"
        said += f"; {count(unlisted)} still rarer ones are not listed." if unlisted else "."
        blocks.append(Words(said, "note"))
        names = [name for name in rest.names if name not in ("low", "high")]
        blocks.append(grid_of(rest.select(*names), "Rarer labels", precision=precision))
    return Section("labels", "Labels", tuple(blocks))


def _groups(r: TagsReport, precision: int) -> Section | None:
    if not len(r.groups):
        return None
    rows = [standing(label(x["group"], 22), x["informedness"], x["low"], x["high"]) for x in r.groups]
    title = "Informedness of each group"
    blocks: tuple[Block, ...] = (
        drawing(title, forest(rows, title, across="informedness")),
        grid_of(r.groups, title, precision=precision),
    )
    return Section("groups", "Groups", blocks)
