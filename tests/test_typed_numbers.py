"""No number is typed into what the pages say of a run: it is a field of the data, or a parameter of what was run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from informed.papers.claims import claim
from informed.papers.questions import question
from informed.papers.texts import chosen, templates

DATA = Path(__file__).parents[1] / "docs" / "data"
ROWS = json.loads((DATA / "questions.json").read_text("utf-8"))["rows"]
FOUND = {r["claim"]: r["results"] for r in json.loads((DATA / "claims.json").read_text("utf-8"))["rows"]}

NUMBER = re.compile(r"(?<![\w√])(?:\d+\.\d+|\.\d+|\d{1,3}(?:,\d{3})+|\d+)(?!\w)")
PARTS = re.compile(
    r"\b(twice|thrice|half|halves|thirds?|quarters?|fifths?|tenths?|twentieth|fiftieth|hundredths?|thousandths?)\b"
)
FORMULAS = (
    r"{\w+}",  # a field
    r"]\([^)]*\)",  # where a link leads
    r"\b[NK](?:/K)? ?[=<>] ?\d+K?",  # N = 16
    r"\(\d+\)|\(\d+ to \d+\)|\(\d+\)–\(\d+\)",  # equations
    r"\S*[\d.]+ ?[·/^−+]\S*|\S*[·/^−+] ?[\d.]+\S*",  # parts of a formula
    r"Fig\. \d|Figs? \d|Figure \d|`[^`]*`",
    r"(?:B|I|level|levels|at|nominal) (?:=|>|<)? ?\.?\d+(?: %)?",  # where it was tried
)


def typed(text: str, parameters: Iterable[Any]) -> list[str]:
    """Numbers of a text that are neither fields nor parameters, and words for parts of one."""
    for pattern in FORMULAS[:2]:
        text = re.sub(pattern, " ", text)
    known = {float(x.replace(",", "")) for p in parameters for x in NUMBER.findall(str(p))}
    known |= {float(x) / 100 for p in parameters for x in re.findall(r"(\d+) %", str(p))}
    for pattern in FORMULAS[2:]:
        text = re.sub(pattern, lambda m: " " if _is_formula(m[0], known) else m[0], text)
    numbers = [x for x in NUMBER.findall(text) if float(x.replace(",", "")) not in known]
    return numbers + [x for x in PARTS.findall(text) if x not in " ".join(map(str, parameters))]


def _is_formula(found: str, known: set[float]) -> bool:
    """A number after a name, or in a formula; where it was tried must be a parameter."""
    at = re.fullmatch(r"(?:level|levels|at|nominal|B|I) (?:=|>|<)? ?(\.?\d+)(?: %)?", found)
    return at is None or float(at[1]) in known


def parameters_of(text: dict[str, Any]) -> list[str]:
    """What was run, in words and as a grid, and what the claim itself says."""
    return [str(text.get(x, "")) for x in ("ran", "asks", "quote", "where", "grid", "rule")]


@pytest.mark.parametrize("name", claim.texts)
def test_comments_of_claims_have_no_typed_numbers(name: str) -> None:
    text = claim.texts[name]
    names = [x["name"] for x in FOUND[name]]
    assert typed(text["comment"], [*parameters_of(dict(text)), text["says"], *names]) == []


@pytest.mark.parametrize("name", question.texts)
def test_answers_have_no_typed_numbers(name: str) -> None:
    text = question.texts[name]
    rows = chosen(ROWS, question=name)
    tried = {f"{c} {v}" for r in rows for c, v in r.items() if not isinstance(v, dict)}
    assert typed(text["says"], [*parameters_of(dict(text)), *rows[0], *tried]) == []


def test_the_pages_themselves_have_no_typed_numbers() -> None:
    held = templates("pages")
    defaults = held["questions"]["page"].partition("**What this means")[2]
    assert typed(defaults, ["5 %", "1, 3, 4, 5, 7, 8"]) == []
    figures = held["figures"]["page"].partition("## Figure 2")[2]
    tried = [
        "N = 16 and 128",
        "p = .05",
        "levels 0, .7, .8, .9 and 1",
        "of the tables at .6, .7, .8 and .9",
        "2003, 2008, 2011",
        "erratum 20",
        "cells under 5",
        "of the 12 classes, as printed: 34, 54 (over 13), 86, 18, 31",
    ]
    assert typed(figures, [*tried, "Figures 2, 3, 4, 5, 6 and 7"]) == []


def test_a_typed_number_is_found() -> None:
    ran = ["K = 4, N = 16, levels 0, .5 and 1"]
    assert typed("{x} at .5 with N = 16 and K = 4, by (63), as G^((K − 1)/K)", ran) == []
    assert typed("reads .48 at .5", ran) == [".48"]
    assert typed("right from the middle up, .045 too low at .9", ran) == [".045", ".9"]
    assert typed("a third of the power, 1,200 tables", ran) == ["1,200", "third"]
