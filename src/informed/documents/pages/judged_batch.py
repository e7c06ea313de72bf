"""A partly labelled batch as a page: the true rate beside people alone and the judge, and what to label next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from informed._numbers import count, percent, plural, rate, span
from informed.documents.blocks import Block, Section, Spanned, Words, drawing, grid_of, label, rows_of
from informed.documents.charts.forest import Row, forest, standing
from informed.documents.document import Document
from informed.documents.paging import page_of
from informed.inference.given import Rng
from informed.results import Records
from informed.systems.judge_batch import MORE, REACH, JudgedBatch

MOST_IDS = 200  # that a page names
ROWS = "rows"  # answers are named by the numbers of their rows
OWN = {"informedness": "informedness (B)", "markedness": "markedness (M)"}


@page_of(JudgedBatch)
def judged_batch_page(
    found: JudgedBatch,
    *,
    reach: float | None = None,
    more: int = MORE,
    ids: Sequence[Any] | None = None,
    rng: Rng = None,
    key: str = "",
) -> Document:
    """The true rate, what the judge was worth, and which answers to label next.

    `reach` is how far the interval should reach each way; unless told, ±0.02 is meant where it can be had. `more` is
    how many answers can be labelled next; `ids` are what the answers are called, in the order of the columns, or "rows"
    for the numbers of their rows from 1; `rng` draws them."""
    sections = [_rates(found, f"{key}rates"), _worth(found, f"{key}worth"), _verdicts(found, f"{key}verdicts")]
    if found.drift is not None:
        sections.append(Section(f"{key}drift", "Has the judge drifted?", (Words(f"{found.drift.sentence()}."),)))
    data = found.to_dict()

    needed = found.labels_needed(REACH if reach is None else reach)
    data["labels_needed"] = needed.to_dict()
    said: list[Block] = []
    steps: list[str] = []
    if reach is not None or (needed.more is not None and found.labelled < (found.n or 0)):
        said.append(Words(needed.sentence()))
        steps.append(needed.sentence())
    if found.labelled < (found.n or 0):
        following = found.next_labels(more, rng=rng)
        said += [
            Words(following.sentence()),
            grid_of(following.records(), f"The next {plural(sum(following.more), 'label')}"),
        ]
        data["next_labels"] = following.records().dicts()
        if ids is None:
            steps.insert(0, following.sentence())
        if ids is not None and following.rows is not None:
            by_row = isinstance(ids, str) and ids == ROWS
            named = [i + 1 if by_row else ids[i] for i in following.rows]
            said.append(Words(_listed(named, by_row)))
            if not by_row and len(set(ids)) < len(ids):
                twice = f"{count(len(ids) - len(set(ids)))} of {count(len(ids))} ids are repeated, and do not say which"
                said.append(Words(f"{twice} answer is meant."))
                steps.append(f"{twice} answer is meant.")
            data["label_next"] = [x if isinstance(x, (int, float)) else str(x) for x in named]
    first = 0 if "label_next" in data else len(sections)  # what was asked for
    if said:
        sections.insert(first, Section(f"{key}next", "What to label next", tuple(said)))
    title = "The rate of a partly labelled batch"
    return Document.of(found, title, *sections, answer=found.sentence(), data=data, steps=tuple(steps))


def _listed(named: Sequence[Any], by_row: bool) -> str:
    shown = ", ".join(label(x, 60) for x in named[:MOST_IDS])
    left = len(named) - MOST_IDS
    more = f" and {left:,} more, which JSON holds" if left > 0 else ""
    return f"Drawn: rows {shown}{more}; row 1 is the first row of data." if by_row else f"Drawn: {shown}{more}."


def _rates(found: JudgedBatch, key: str) -> Section:
    rows: list[Row] = []
    several = found.positive is None
    for x in found.records():
        of = f"{label(x['label'], 12)}, " if several else ""
        for what, name in (("people alone", "people"), ("judge, raw", "apparent"), ("corrected", "estimate")):
            low, high = (x[f"{name}_{end}" if name != "estimate" else end] for end in ("low", "high"))
            if x[name] == x[name]:
                rows.append(standing(f"{of}{what}", x[name], low, high))
    title = "People alone, the judge as it is, and both together"
    grid = rows_of(f"Rates with {percent(found.level)} intervals", ("what", "rate"), _facts(found.records(), several))
    return Section(key, "Rates", (drawing(title, forest(rows, title, across="rate"), caption=True), grid))


def _facts(held: Records, several: bool) -> tuple[tuple[str, Spanned], ...]:
    facts: list[tuple[str, Spanned]] = []
    for x in held:
        of = f", {label(x['label'], 40)}" if several else ""
        first = f"corrected rate of {label(x['label'], 40)}"
        facts.append((first, Spanned(rate(x["estimate"]), span(x["low"], x["high"]))))
        facts.append((f"people alone{of}", Spanned(rate(x["people"]), span(x["people_low"], x["people_high"]))))
        if x["apparent"] == x["apparent"]:
            raw = Spanned(rate(x["apparent"]), span(x["apparent_low"], x["apparent_high"]))
            facts.append((f"judge taken for true{of}", raw))
    return tuple(facts)


def _worth(found: JudgedBatch, key: str) -> Section:
    facts: list[tuple[str, str | Spanned]] = []
    product = " (B × M)" if found.judge and len(found.batch.cases) == 2 else ""
    for x in found.records():
        of = f", {label(x['label'], 20)}" if found.positive is None else ""
        facts.append((f"labels that the judge saves{product}{of}", percent(x["saving"])))
        facts.append((f"{count(found.labelled)} labels did the work of{of}", count(round(x["n_eff"]))))
    who = "majority" if found.batch.each else "judge"
    for name, i in found.judge.items():
        facts.append((f"the {who}'s {OWN.get(name, name)}", Spanned(rate(i.estimate), span(i.low, i.high))))
    blocks: list[Block] = [rows_of("The judge on this batch", ("what", "value"), tuple(facts))]
    if found.batch.each:
        heads = {"informedness_low": "low", "informedness_high": "high", "saving": "would save alone"}
        blocks.append(grid_of(found.panel_records(), "Each judge of the panel", titles=heads))
    return Section(key, "What the judge was worth", tuple(blocks))


def _verdicts(found: JudgedBatch, key: str) -> Section:
    return Section(key, "By verdict", (grid_of(found.verdict_records(), "Cases, labels, and what people found"),))
