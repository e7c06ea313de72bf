"""From a result to its document, and from that to a format: both are found by name.

A result class names the module of `pages` that speaks of it; a module of `writers` is a format.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any, TypeVar
from zlib import crc32

from informed.documents import writers
from informed.documents.blocks import Grid, Section, grid_of, listing_of
from informed.documents.charts.chart import Chart
from informed.documents.cited_methods import statements
from informed.documents.document import Document
from informed.documents.references import METHODS, stated
from informed.errors import InformedError, MissingExtra
from informed.measures.terms import spoken_in
from informed.results import Records, Result, Written
from informed.summary.titles import file_stem, with_data

F = TypeVar("F", bound=Callable[..., Document])
G = TypeVar("G", bound=Callable[..., tuple[Chart, ...]])

PAGES: dict[type, Callable[..., Document]] = {}
CHARTS: dict[type, Callable[..., tuple[Chart, ...]]] = {}
ABOUT = ("title", "source", "terms")  # what every page can be told
MOST_ROWS = 10  # of the records, in a repr


def page_of(kind: type) -> Callable[[F], F]:
    """Registers what is said of a kind of result."""

    def register(function: F) -> F:
        PAGES[kind] = function
        return function

    return register


def charts_of(kind: type) -> Callable[[G], G]:
    """Registers the charts of a kind of result, for `plot`."""

    def register(function: G) -> G:
        CHARTS[kind] = function
        return function

    return register


def plotted(result: Result, axes: Any = None) -> Any:
    """The charts of a result by matplotlib, below each other: the figure that they are in."""
    import_module(f"informed.documents.pages.{result.page}")
    charts = CHARTS[type(result)](result)
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise MissingExtra("Figures need matplotlib: pip install 'informed[plot]'.") from None

    if axes is None:
        wide, tall = (max(x) for x in zip(*(chart.inches() for chart in charts), strict=True))
        _, axes = plt.subplots(len(charts), figsize=(wide, tall * len(charts)), layout="constrained", squeeze=False)
    each = list(getattr(axes, "flat", axes if isinstance(axes, Sequence) else [axes]))
    if len(each) != len(charts):
        raise InformedError(f"{len(charts)} charts are drawn, and `axes` has {len(each)}.")
    for chart, ax in zip(charts, each, strict=True):
        chart.plot(ax)
    return each[0].figure


def document_of(result: Result, **options: Any) -> Document:
    """What is said of a result; every page can be told its `title`, the `source` that this names, and `terms`."""
    if result.page:
        import_module(f"informed.documents.pages.{result.page}")
    page = next((PAGES[kind] for kind in type(result).__mro__ if kind in PAGES), plain_page)
    known = list(inspect.signature(page).parameters)[1:]
    about = {name: options.pop(name) for name in ABOUT if name in options and name not in known}
    _check(options, [*dict.fromkeys((*known, *ABOUT))], f"The page of a {type(result).__name__}")

    made = page(result, **options)
    cited = stated(statements(result), options.get("key", ""))
    if cited is not None and not any(x.key.endswith(METHODS) for x in made.sections):
        made = replace(made, sections=(*made.sections, cited))
    made = made.unfinished_first()
    made = replace(made, labels=(*made.labels, *_names_in(result)))
    made = made.in_terms(about.get("terms") or result.terms, title="title" not in options)
    source = about.get("source")
    return replace(made, title=with_data(about.get("title") or made.title, [source] if source else []))


def _names_in(result: Result) -> Iterator[str]:
    """Names that are data: of systems, of raters, of classes."""
    for held in (result, getattr(result, "table", None), getattr(result, "choice", None)):
        sides = ("real_labels", "predicted_labels") if hasattr(held, "real_labels") else ("labels",)
        for name in ("names", *sides, "curves", "system"):
            found = getattr(held, name, ())
            if isinstance(found, str):
                yield found
            elif isinstance(found, Iterable):  # a number is no name: `system` is also what a system costs
                yield from map(str, found)


def _check(options: Iterable[str], known: Sequence[str], who: str) -> None:
    """Refuse an option that is not known."""
    for name in options:
        if name not in known:
            raise InformedError(f"{who} has no option {name!r}; it has {', '.join(known) or 'none'}.")


def plain_page(result: Result) -> Document:
    """Of a result that nothing more is to be said of: its records."""
    held, name = result.records(), type(result).__name__
    section = Section("records", "What it holds", (listing_of(held, name),))
    return Document.of(result, name, section, answer=result.sentence() or f"{name}: {_listed(held)}", records=held)


def _listed(held: Records) -> str:
    """One record in a line; of several, how many there are."""
    if len(held) != 1:
        return f"{len(held):,} rows"
    grid = grid_of(held, "")
    return ", ".join(f"{c.title} {x}" for c, x in zip(grid.columns, grid.rows[0], strict=True))


def written(what: Written, form: str, **options: Any) -> str:
    """A result or a document in a format; options are those of its page or of the writer."""
    writer = writers.find(form)
    own = {name: options.pop(name) for name in writer.options if name in options}
    if isinstance(what, Document):
        _check(options, writer.options, writer.name)
        return writer(what, **own)
    assert isinstance(what, Result)
    return writer(what.document(**options), **own)


def file_name(what: Written) -> str:
    """What a page is called as a file: as its title."""
    made = what if isinstance(what, Document) else what.document()  # type: ignore[attr-defined]
    return f"{file_stem(made.title)}.html"


def brief(result: Result) -> str:
    """A few lines: its sentence, or the answer and the first grid."""
    from informed.documents.text_layout import plain_lines

    said, notes = result.sentence(), getattr(result, "notes", ())
    warned = [f"! {note}" for note in notes if note.severity == "warning"]
    say = spoken_in(result.terms)
    if "\n" in said or (said and len(result.records()) < 2):
        return "\n".join(map(say, [said, *warned]))
    made = result.document()
    lines = [made.said, *map(say, warned)]
    grids = [b for s in made.sections[:1] for b in s.blocks if isinstance(b, Grid)]
    for grid in grids[:1]:
        rows = grid.shown().rows[:MOST_ROWS]
        lines += plain_lines(Grid("", grid.columns, rows).without_pictures(), 100)
        if len(grid.rows) > len(rows):
            lines.append(f"… and {len(grid.rows) - len(rows):,} more")
    return "\n".join(lines)


def notebook(what: Written) -> str:
    """What a notebook shows: the answer, warnings, pictures and grids, with the style inside."""
    from informed.documents.writers.html import fragment

    made = what if isinstance(what, Document) else what.document()  # type: ignore[attr-defined]
    key = f"informed-{crc32(repr(made).encode()):x}"  # a notebook shows many
    return fragment(made, key)
