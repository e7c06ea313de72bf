"""The claims: the quick run agrees with the committed one, and the page is that run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from informed import InformedError
from informed.papers.claims import CLAIMS, page, registered, run_claims

DOCS = Path(__file__).parents[1] / "docs"
COMMITTED: dict[str, Any] = json.loads((DOCS / "data" / "claims.json").read_text(encoding="utf-8"))
ROWS = {r["claim"]: r for r in COMMITTED["rows"]}
registered()


def test_every_claim_is_in_the_committed_run() -> None:
    assert list(ROWS) == list(CLAIMS)
    assert len(ROWS) >= 30
    for name, row in ROWS.items():
        c = CLAIMS[name]
        assert (row["says"], row["where"], row["ran"]) == (c.says, c.where, c.ran)
        assert row["comment"] == c.comment


@pytest.mark.parametrize("name", CLAIMS)
def test_a_quick_run_agrees(name: str) -> None:
    """Other seed, fewer tables: the same verdict, and numbers within Monte Carlo error."""
    quick = run_claims([name], quick=True, seed=5)["rows"][0]
    full = ROWS[name]
    assert quick["verdict"] == full["verdict"]
    for a, b in zip(quick["results"], full["results"], strict=True):
        assert a["name"] == b["name"]
        room = 4.7 * np.hypot(a["error"], b["error"]) + 2e-6
        assert abs(a["value"] - b["value"]) <= room, (a, b)
        assert CLAIMS[name].exact <= (a["error"] == b["error"] == 0)


def test_a_claim_alone_gives_what_it_gives_among_others() -> None:
    names = ["top-overshoots", "binornd"]
    both = run_claims(names, size=50)
    assert both["rows"][1] == run_claims(["binornd"], size=50)["rows"][0]
    assert both["run"]["tables"] == 50


def test_the_page_is_the_committed_run() -> None:
    assert (DOCS / "claims.md").read_text(encoding="utf-8") == page(COMMITTED)


def test_unknown_claims() -> None:
    with pytest.raises(InformedError, match="no claim 'x'; there are tracking"):
        run_claims(["x"])
    with pytest.raises(InformedError, match="`size` is 3"):
        run_claims(size=3)
