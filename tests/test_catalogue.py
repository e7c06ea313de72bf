"""The committed pages of the catalogue are what the facts say today."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from informed.measures import MEASURES

DOCS = Path(__file__).parent.parent / "docs"


@pytest.fixture(scope="module")
def script() -> Any:
    spec = spec_from_file_location("make_catalogue", DOCS / "make_catalogue.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def pages(script: Any) -> dict[str, str]:
    written: dict[str, str] = script.pages()
    return written


def test_the_committed_pages_are_up_to_date(pages: dict[str, str]) -> None:
    held = {
        str(p.relative_to(DOCS / "catalogue")): p.read_text("utf-8")
        for p in (DOCS / "catalogue").rglob("*")
        if p.is_file()
    }
    assert sorted(held) == sorted(pages)
    stale = [name for name in pages if held[name] != pages[name]]
    assert not stale, "run `make docs`"


def test_every_measure_has_a_page_in_the_index(pages: dict[str, str]) -> None:
    linked = re.findall(r"\]\((\w+)\.md\) `(\w+)`", pages["README.md"])
    assert sorted(linked) == sorted((name, name) for name in MEASURES)


def test_links_and_pictures_exist(pages: dict[str, str]) -> None:
    for name, text in pages.items():
        if name.endswith(".md"):
            for target in re.findall(r"\]\(([^)]+)\)", text):
                assert target.startswith("https://") or target in pages, (name, target)


def test_pictures_are_small_and_well_formed(pages: dict[str, str]) -> None:
    drawings = {name: text for name, text in pages.items() if name.endswith(".svg")}
    assert len(drawings) >= 90
    for text in drawings.values():
        ElementTree.fromstring(text)
        assert len(text) < 4000
        assert not re.search(r"\bnan\b", text)


def test_a_reference_is_resolved_with_its_place(script: Any) -> None:
    works = script.bibliography(
        "@article{bergsma2013,\n  author = {Cram{\\'e}r, Wicher and Lavra\\v{c}, N.},\n"
        "  title = {A {V} that is {V\\'ery} good}, journal = {J. Stat.},\n"
        "  volume = {42}, number = {3}, pages = {323--328}, year = {2013}, doi = {10.1/x<1>}\n}\n"
    )
    said = script.reference("bergsma2013 (15), (42)", works)
    assert said == (
        "Cramér, Wicher; Lavrač, N. (2013). A V that is Véry good. *J. Stat*, 42(3): 323–328. "
        "[doi:10.1/x&lt;1&gt;](https://doi.org/10.1/x%3C1%3E) (15), (42)"
    )
    assert script.reference("bergsma2013, corrected", works).endswith(") corrected")
    assert script.reference("unknown1999 (3)", works) == "unknown1999 (3)"
