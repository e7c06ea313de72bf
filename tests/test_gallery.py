"""The gallery: each of its commands runs, no kind of page or chart is left out, and its pictures are there and new."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
import shlex
import sys
from functools import wraps
from html import escape
from inspect import isfunction
from pathlib import Path
from typing import Any

import pytest

from command_line import ok
from informed.documents import charts, pages
from informed.documents.blocks import Drawing
from informed.documents.charts import slider, svg
from informed.documents.charts.chart import Chart
from informed.documents.document import Document
from informed.documents.paging import PAGES
from informed.errors import SourceError

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def gallery() -> Any:
    sys.path.insert(0, str(DOCS))
    yield importlib.import_module("make_gallery")
    sys.path.remove(str(DOCS))


def test_the_gallery_is_what_would_be_written(gallery: Any) -> None:
    assert gallery.gallery() == gallery.PAGE.read_text("utf-8"), "python docs/make_gallery.py"


def test_every_command_runs_and_every_kind_of_page_is_shown(
    gallery: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in pkgutil.iter_modules(pages.__path__):
        importlib.import_module(f"{pages.__name__}.{module.name}")
    kinds, shown = set(PAGES), set[type]()
    whole = Document.of.__func__  # type: ignore[attr-defined]  # a class method

    def of(cls: Any, result: Any, *args: Any, **options: Any) -> Document:
        shown.update(type(result).__mro__)
        return whole(cls, result, *args, **options)  # type: ignore[no-any-return]

    def seen(kind: type) -> Any:
        page = PAGES[kind]

        @wraps(page)
        def looked(*args: Any, **options: Any) -> Document:
            shown.add(kind)
            return page(*args, **options)

        return looked

    monkeypatch.setattr(Document, "of", classmethod(of))
    for kind in kinds:
        monkeypatch.setitem(PAGES, kind, seen(kind))
    drawn = chart_makers(monkeypatch)
    gallery.write_pages(tmp_path)

    shown_charts = set().union(*(drawn[chart.label] for chart in gallery.CHARTS if chart.label in drawn))
    assert made_by_pages() - shown_charts == set(), "a chart for docs/gallery_entries.py"
    pictured = json.loads(gallery.PICTURED.read_text("utf-8"))
    stale = {name for name, number in gallery.seen(tmp_path).items() if number != pictured.get(name)}
    assert stale == set(), "python docs/make_gallery.py --pictures"
    assert {kind.__name__ for kind in kinds - shown} == set()
    written = {path.stem: path.read_text("utf-8") for path in tmp_path.iterdir()}
    assert set(written) == set(gallery.PAGES)
    for chart in gallery.CHARTS:
        assert f'aria-label="{chart.label}"' in written[chart.page], chart.name
    held = "".join(written.values())
    assert "<svg" in held
    assert str(tmp_path) not in held
    for name in ("report", "marks", "compare", "roc"):  # a page shows the command of the gallery
        assert escape(gallery.PAGES[name].typed) in written[name], name


def made_by_pages() -> set[str]:
    """The functions of `documents/charts` that make a chart for a page."""
    held = [vars(importlib.import_module(f"{pages.__name__}.{x.name}")) for x in pkgutil.iter_modules(pages.__path__)]
    known = {f for names in held for f in names.values() if isfunction(f) and f.__module__.startswith(charts.__name__)}
    return {f.__name__ for f in known if "Chart" in str(f.__annotations__.get("return"))} | {"slider"}


def chart_makers(monkeypatch: pytest.MonkeyPatch) -> dict[str, set[str]]:
    """By the name of a drawing on any page, the functions that made what it shows; filled while pages are written."""
    found: dict[str, set[str]] = {}
    makers: dict[int, tuple[Chart, str]] = {}  # with the chart, so that its id stays its own
    make, draw, begin, slide = Chart.__init__, svg.inline, Drawing.__init__, slider.slider

    def outermost() -> str:
        """The function of the charts that whoever is drawing called."""
        frame, name = sys._getframe(2), ""
        while frame is not None:
            if str(frame.f_globals.get("__name__")).startswith(charts.__name__):
                name = frame.f_code.co_name
            elif name:
                break
            frame = frame.f_back  # type: ignore[assignment]  # None at the end
        return name

    def made(self: Chart, *args: Any, **options: Any) -> None:
        make(self, *args, **options)
        makers[id(self)] = self, outermost()

    now: list[str] = []

    def begun(self: Drawing, title: str, drawn: Any, *more: Any) -> None:
        def within(key: str) -> str:
            now.append(title)
            try:
                return str(drawn(key))
            finally:
                now.pop()

        begin(self, title, within, *more)

    def inlined(panels: Any, key: str) -> str:
        for chart in panels.charts if now else ():
            found.setdefault(now[-1], set()).add(makers[id(chart)][1])
        return draw(panels, key)

    def slid(*args: Any, **options: Any) -> str:
        found.setdefault(now[-1], set()).add("slider")
        return slide(*args, **options)

    monkeypatch.setattr(Chart, "__init__", made)
    monkeypatch.setattr(Drawing, "__init__", begun)
    monkeypatch.setattr(svg, "inline", inlined)
    for module in pkgutil.iter_modules(pages.__path__):
        held = importlib.import_module(f"{pages.__name__}.{module.name}")
        if getattr(held, "slider", None) is slide:
            monkeypatch.setattr(held, "slider", slid)
    return found


def test_every_picture_is_there_and_small(gallery: Any) -> None:
    meant = set(re.findall(r"\(img/gallery/(\S+)\)", gallery.PAGE.read_text("utf-8")))
    held = {path.name: path.stat().st_size for path in gallery.PICTURES.iterdir()}
    assert set(held) == meant, "python docs/make_gallery.py --pictures"
    assert max(held.values()) < 40_000
    assert sum(held.values()) < 1_100_000


def test_a_command_that_fails_is_no_page(gallery: Any, tmp_path: Path) -> None:
    broken = gallery.Shown("broken", "Broken", "No such file.", "report nothing.csv --real a --predicted b")
    with pytest.raises(SourceError, match=r"nothing\.csv"):
        gallery.maker()(broken, tmp_path / "broken.html")


# ---------------------------------------------------------------------- what programs read of them

KEYS = {  # commands of the page for agents, by names of the gallery
    "`report`, `table`": ("report", "groups", "counts"),
    "`report --marks`": ("marks",),
    "`report --separator`": ("tags",),
    "`compare --separator` of two": ("tags-compared",),
    "`report --probability`": ("probabilities",),
    "`compare --probability`": ("probabilities-compared",),
    "`compare` of two": ("compare",),
    "`compare` of more": ("leaderboard",),
    "`watch`": ("watch",),
    "`roc`": ("roc",),
    "`agree`": ("raters",),
    "`judge`": ("judge",),
    "`judge --design elsewhere`": ("judge-elsewhere",),
    "`verify --verdict` of two": ("judged-difference",),
    "`verify --verdict` of more": ("judged-systems",),
    "`verify --predicted`": ("verified",),
    "`verify --predicted` of two": ("verified-difference",),
    "`assign`": ("assignment",),
    "`odds`": ("winnings",),
    "`recover`": ("recovered",),
    "`sample-size`": ("plan",),
    "`simulate`": ("simulation",),
}


def keys(told: str) -> list[str]:
    """`measures.recall.value`, `.low` are two keys of one place."""
    found: list[str] = []
    for key in re.findall(r"`([a-z_.]+)`", told):
        found.append(found[-1].rpartition(".")[0] + key if key.startswith(".") else key)
    return found


def test_keys_that_programs_are_told_to_read_are_there(gallery: Any) -> None:
    rows = re.findall(r"^\| (`.+?) \| (`.+) \|$", (DOCS / "agents.md").read_text("utf-8"), re.MULTILINE)
    assert {command for command, _ in rows} == set(KEYS)
    for command, told in rows:
        for name in KEYS[command]:
            held = json.loads(ok(*shlex.split(gallery.PAGES[name].command), "--format", "json"))
            wanted = [key for key in keys(told) if key != "groups" or name not in {"report", "counts"}]
            assert len(wanted) >= 2
            for key in ("title", "answer", "warnings", "notes", *wanted):
                at = held
                for part in key.split("."):
                    assert part in at, (name, key)
                    at = at[part]
