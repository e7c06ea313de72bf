"""Two systems that tagged the same items, as a page: the verdict, and the difference by every measure."""

from __future__ import annotations

from informed._numbers import percent
from informed.documents.blocks import Section, Words, grid_of, label
from informed.documents.document import Document
from informed.documents.pages.item_difference import difference, verdict, within
from informed.documents.paging import page_of
from informed.measures.tag_scores import TITLES
from informed.measures.titles import spoken_tags
from informed.summary.measure_names import with_titles
from informed.systems.tags_comparison import TagsDifference


@page_of(TagsDifference)
def tags_comparison_page(d: TagsDifference, *, margin: float | None = None, key: str = "") -> Document:
    """What differs, by how much, and whether that may be luck."""
    a, b = (label(name, 40) for name in d.names)
    held = with_titles(d.records(), own=TITLES)
    (measure,) = held["measure"]
    sections = [difference(d, held, a, b, margin, key)]
    if len(d.by_label):
        sections.append(_labels(d, a, b, key))
    if len(d.others):
        titles = {"a": a, "b": b, "estimate": "difference", "pvalue": "p"}
        titles |= {"chance_a": f"guessing as {a}", "chance_b": f"guessing as {b}"}
        others, caption = with_titles(d.others, own=TITLES), "By every average, and the usual scores"
        grid = grid_of(others, f"{caption}, each beside its chance level", titles=titles)
        said = Words("Where guessing gets more than 0, part of a difference may be that of the chance levels.", "note")
        sections.append(Section(f"{key}measures", "Other measures", (grid, said)))
    data = d.to_dict()
    if margin is not None:
        section, tests = within(d, measure, a, b, margin, key)
        sections.append(section)
        data |= tests
    answer = verdict(d, spoken_tags(d.measure))
    return Document.of(d, f"{a} and {b} on the same items", *sections, answer=answer, data=data)


def _labels(d: TagsDifference, a: str, b: str, key: str) -> Section:
    """Each label: how often it occurs and is predicted, and by how much the systems differ."""
    titles = {"a": a, "b": b, "estimate": "difference", "pvalue": "p", "real": "items"}
    titles |= {"predicted_a": f"{a} predicts", "predicted_b": f"{b} predicts"}
    titles |= {"recall_a": f"recall, {a}", "recall_b": f"recall, {b}"}
    many = len(d.by_label)
    caption = f"Informedness of each label, {a} − {b}, the most frequent first"
    grid = grid_of(d.by_label, caption, titles=titles)
    said = f"Intervals ({percent(d.level)}) and p-values hold for all {many} labels together (Bonferroni)."
    return Section(f"{key}labels", "Labels", (grid, Words(said, "note")) if many > 1 else (grid,))
