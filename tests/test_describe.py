"""The catalogue in words says what the facts say, of every measure."""

from __future__ import annotations

import json

import pytest

from command_line import ok
from informed.documents import writers
from informed.errors import MeasureError
from informed.measures import MEASURES
from informed.measures.catalogue import facts_json, listing, page


def test_the_listing_has_every_measure_once_with_its_meaning() -> None:
    lines = [line.split(maxsplit=1) for line in listing().splitlines() if line.startswith("  ")]
    assert sorted(name for name, _ in lines) == sorted(MEASURES)
    assert dict(lines) == {m.name: m.summary for m in MEASURES.values()}


def test_a_search_that_finds_nothing_says_so() -> None:
    assert listing("zebra").startswith("No measure mentions 'zebra'")


@pytest.mark.parametrize("name", MEASURES)
def test_a_page_says_every_fact(name: str) -> None:
    known = MEASURES[name]
    text = page(name)
    flat = " ".join(text.split())
    assert known.title in text
    assert known.summary in flat
    assert " ".join(known.facts.tex.split()) in flat
    for word in (*known.facts.aka, *known.facts.refs, *known.facts.needs, *known.parameters):
        assert word in flat
    assert max(len(line) for line in text.splitlines() if ">>>" not in line) <= 100


def test_a_page_is_found_by_an_alias_and_a_near_miss_is_suggested() -> None:
    assert page("mcc") == page("matthews")
    with pytest.raises(MeasureError, match="Did you mean informedness"):
        page("informednes")


def test_the_json_is_json_without_infinities() -> None:
    everything = json.loads(json.dumps(facts_json(), allow_nan=False))
    assert list(everything["measures"]) == list(MEASURES)
    assert everything["measures"]["odds_ratio"]["bounds"] == [0, None]
    assert facts_json("tpr") == facts_json("recall")
    assert facts_json("recall")["chance"] == "bias"


@pytest.mark.parametrize("form", writers.names())
def test_the_catalogue_is_written_in_every_format(form: str) -> None:
    assert "nformedness" in ok("measures", "--format", form) or form == "junit"
    assert "youden_j" in ok("measures", "informedness", "--format", form).replace("\\", "") or (form == "junit")
