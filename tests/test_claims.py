"""The claims: the quick run agrees with the committed one, and the page is that run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from informed import InformedError
from informed.papers.claims import claim, retold, run_claims
from informed.papers.pages import claims_page
from informed.papers.texts import told

DOCS = Path(__file__).parents[1] / "docs"
COMMITTED: dict[str, Any] = json.loads((DOCS / "data" / "claims.json").read_text(encoding="utf-8"))
ROWS = {r["claim"]: r for r in COMMITTED["rows"]}


def test_every_claim_is_in_the_committed_run() -> None:
    assert list(ROWS) == list(claim.texts)
    assert len(ROWS) >= 30
    assert retold(COMMITTED) == COMMITTED  # words and their numbers are those of this run


def test_every_text_has_a_run_and_every_run_a_text() -> None:
    assert set(claim.texts) == set(claim.runs)
    with pytest.raises(AssertionError, match="has no text"):
        claim("unheard-of")
    with pytest.raises(AssertionError, match="run twice"):
        claim("tracking")


@pytest.mark.parametrize("name", claim.texts)
def test_numbers_in_a_comment_are_those_of_the_run(name: str) -> None:
    """A text names each of its numbers once, and they follow what was found."""
    text = claim.texts[name]
    fields = re.findall(r"{(\w+)}", text["comment"])
    assert sorted(fields) == sorted(text.get("numbers", {}))
    found = {x["name"]: x for x in ROWS[name]["results"]}
    for spec in text.get("numbers", {}).values():
        assert spec["of"] in found
        assert set(spec) <= {"of", "over", "less", "show"}
    other = {x: {"value": 7.25, "error": 0.0} for x in found}
    same = told(text["comment"], text.get("numbers", {}), [other]) == ROWS[name]["comment"]
    assert same == (not fields)


@pytest.mark.parametrize("name", claim.texts)
def test_a_quick_run_agrees(name: str) -> None:
    """Other seed, fewer tables: the same verdict, and numbers within Monte Carlo error."""
    quick = run_claims([name], quick=True, seed=5)["rows"][0]
    full = ROWS[name]
    assert quick["verdict"] == full["verdict"]
    for a, b in zip(quick["results"], full["results"], strict=True):
        assert a["name"] == b["name"]
        room = 4.7 * np.hypot(a["error"], b["error"]) + 2e-6
        assert abs(a["value"] - b["value"]) <= room, (a, b)
        assert bool(claim.texts[name].get("exact")) <= (a["error"] == b["error"] == 0)


def test_a_claim_alone_gives_what_it_gives_among_others() -> None:
    names = ["top-overshoots", "binornd"]
    both = run_claims(names, size=50)
    assert both["rows"][1] == run_claims(["binornd"], size=50)["rows"][0]
    assert both["run"]["tables"] == 50


def test_the_page_is_the_committed_run() -> None:
    assert (DOCS / "claims.md").read_text(encoding="utf-8") == claims_page(COMMITTED)


def test_unknown_claims() -> None:
    with pytest.raises(InformedError, match="no claim 'x'; there are tracking"):
        run_claims(["x"])
    with pytest.raises(InformedError, match="`size` is 3"):
        run_claims(size=3)
