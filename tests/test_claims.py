"""The claims: rules judged both ways, the quick run beside the committed one, and the page that is that run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from informed import InformedError
from informed.papers.claims import claim, results_of, retold, run_claims
from informed.papers.pages import claims_page, figures_page
from informed.papers.published import counted_yates_pvalue, printed_yates_pvalue
from informed.papers.register import PAPERS, READINGS, Trial
from informed.papers.texts import MISSING, number, told
from informed.papers.verdicts import Verdict, bound, is_so, judged, limits, named
from informed.simulation.estimates import MonteCarlo

DOCS = Path(__file__).parents[1] / "docs"
COMMITTED: dict[str, Any] = json.loads((DOCS / "data" / "claims.json").read_text(encoding="utf-8"))
SEEDS: dict[str, Any] = json.loads((DOCS / "data" / "claims-seeds.json").read_text(encoding="utf-8"))
ROWS = {r["claim"]: r for r in COMMITTED["rows"]}


# ------------------------------------------------------------------ rules, with made-up numbers


def each_part(name: str) -> Iterator[tuple[Mapping[str, Any], str]]:
    """Every part of a rule in every reading that it has."""
    text = claim.texts[name]
    for rule in text["rule"]:
        several = any("{reading}" in x for x in (*named(rule["of"]), *map(str, limits(rule).values())))
        for reading in text["readings"] if several else [""]:
            yield rule, reading


def made_up(name: str, wanted: bool) -> dict[str, MonteCarlo]:
    """Numbers without a Monte Carlo error, of which every part of the rule is so, or none."""
    found = {k: MonteCarlo(e.value) for k, e in results_of(ROWS[name]).items()}
    for _ in range(20):
        wrong = [(r, reading) for r, reading in each_part(name) if is_so(r, found, reading) is not wanted]
        if not wrong:
            return found
        for rule, reading in wrong:
            ends = {side: bound(rule, side, found, reading).value for side in limits(rule)}
            low, high = ends.get("above", ends.get("below", 0) - 1), ends.get("below", ends.get("above", 0) + 1)
            inside, out = (low + high) / 2, low - 1 if "above" in ends else high + 1
            for of in named(rule["of"]):
                found[of.replace("{reading}", reading)] = MonteCarlo(inside if wanted else out)
    raise AssertionError(f"{name}: no numbers of which every part is {wanted}")


@pytest.mark.parametrize("name", claim.texts)
def test_a_rule_goes_both_ways(name: str) -> None:
    """Opposite evidence gives the opposite verdict, whatever the run found."""
    text = claim.texts[name]
    assert judged(text, made_up(name, True))[0] == Verdict.HOLDS
    assert judged(text, made_up(name, False))[0] == Verdict.FAILS


@pytest.mark.parametrize("name", claim.texts)
def test_every_part_of_a_rule_turns_at_its_threshold(name: str) -> None:
    """The committed data, with one result put on either side of what is wanted of it."""
    for rule, reading in each_part(name):
        for side in limits(rule):
            found = {k: MonteCarlo(e.value) for k, e in results_of(ROWS[name]).items()}
            end = bound(rule, side, found, reading).value
            step = 1e-13 + 1e-6 * abs(end)
            here, there = (end + step, end - step) if side == "above" else (end - step, end + step)
            names = [of.replace("{reading}", reading) for of in named(rule["of"])]
            assert is_so(rule, found | dict.fromkeys(names, MonteCarlo(here)), reading) is True
            assert is_so(rule, found | dict.fromkeys(names, MonteCarlo(there)), reading) is False


def test_partly_and_too_close_to_tell() -> None:
    text = {"readings": ["a", "b"], "rule": [{"says": "x", "of": "x, {reading}", "above": 0.5}]}

    def verdict(a: float, b: float, error: float = 0.0) -> Verdict:
        return judged(text, {"x, a": MonteCarlo(a, error), "x, b": MonteCarlo(b, error)})[0]

    assert verdict(0.7, 0.3) == Verdict.PARTLY
    assert verdict(0.7, 0.51, error=0.01) == Verdict.HOLDS  # of those that can be told
    assert verdict(0.3, 0.51, error=0.01) == Verdict.FAILS
    assert verdict(0.49, 0.51, error=0.01) == Verdict.OPEN
    with pytest.raises(ValueError, match="no value"):
        verdict(np.nan, 0.3)


def test_a_rule_of_several_results_says_whether_one_is_enough() -> None:
    rule: dict[str, Any] = {"says": "x", "of": ["x", "y"], "above": 0.5}
    found = {"x": MonteCarlo(0.7), "y": MonteCarlo(0.3)}
    for more, verdict, wanted in (
        ({}, Verdict.FAILS, "each above .5"),
        ({"some": True}, Verdict.HOLDS, "one of them above .5"),
    ):
        got, parts = judged({"rule": [rule | more]}, found)
        assert (got, parts[0].wanted) == (verdict, wanted)


def test_a_test_that_never_rejects_is_not_significant_almost_everywhere() -> None:
    found = results_of(ROWS["small-significance"])
    never = {k: MonteCarlo(0.0) if k.startswith("Fisher") else e for k, e in found.items()}
    fisher = judged(claim.texts["small-significance"], never)[1][0]
    assert (fisher.met, fisher.missed) == ((), tuple(READINGS))


# ------------------------------------------------------------------ the run that is kept


def test_every_claim_is_in_the_committed_run() -> None:
    assert list(ROWS) == list(claim.texts)
    assert retold(COMMITTED) == COMMITTED  # verdicts, words and their numbers are those of this run
    assert Verdict.OPEN not in {r["verdict"] for r in COMMITTED["rows"]}
    assert COMMITTED["run"]["tables"] == claim.full


def test_every_text_has_a_run_and_every_run_a_text() -> None:
    assert set(claim.texts) == set(claim.runs)
    with pytest.raises(AssertionError, match="has no text"):
        claim("unheard-of")
    with pytest.raises(AssertionError, match="run twice"):
        claim("tracking")


@pytest.mark.parametrize("name", claim.texts)
def test_a_text_has_its_sentence_and_parts_quote_it(name: str) -> None:
    """What a part says is in the quoted sentence, word for word, up to where it is narrowed."""
    text = claim.texts[name]
    sentence = re.sub(r"\W+", " ", text["quote"]).lower()
    for rule in text["rule"]:
        words = re.split(r", | \(|: ", rule["says"], maxsplit=1)[0]
        pieces = [re.sub(r"\W+", " ", x).strip().lower() for x in words.split("…")]
        assert any(piece and piece in sentence for piece in pieces), (name, rule["says"])


@pytest.mark.parametrize("name", claim.texts)
def test_numbers_in_a_comment_are_those_of_the_run(name: str) -> None:
    """A text names each of its numbers, and they follow what was found."""
    text = claim.texts[name]
    fields = set(re.findall(r"{(\w+)}", text["comment"]))
    assert fields == set(text.get("numbers", {}))
    found = results_of(ROWS[name])
    for spec in text.get("numbers", {}).values():
        assert number(spec, [found]) is not None
        assert set(spec) <= {"of", "over", "less", "show", "take"}
    other = dict.fromkeys(found, MonteCarlo(7.25))
    assert (told(text["comment"], text.get("numbers", {}), [other]) == ROWS[name]["comment"]) == (not fields)


@pytest.mark.parametrize("name", claim.texts)
def test_a_quick_run_agrees(name: str) -> None:
    """Other seed, fewer tables: nothing is judged the other way, and numbers are within Monte Carlo error."""
    quick, full = run_claims([name], quick=True, seed=5)["rows"][0], ROWS[name]
    for a, b in zip(quick["rule"], full["rule"], strict=True):
        assert not set(a["met"]) & set(b["missed"])
        assert not set(a["missed"]) & set(b["met"])
    if not any(part["close"] for part in (*quick["rule"], *full["rule"])):
        assert quick["verdict"] == full["verdict"]
    for a, b in zip(quick["results"], full["results"], strict=True):
        assert a["name"] == b["name"]
        room = 4.7 * np.hypot(a["error"], b["error"]) + 2e-6
        assert abs(a["value"] - b["value"]) <= room, (a, b)
        assert bool(claim.texts[name].get("exact")) <= (a["error"] == b["error"] == 0)


def test_three_seeds_give_the_same_verdicts() -> None:
    """Kept by `docs/make_lab.py seeds`, with as many tables as the page."""
    assert SEEDS["tables"] == claim.full
    assert list(SEEDS["verdicts"]) == list(ROWS)
    for name, found in SEEDS["verdicts"].items():
        assert len(found) == 3
        assert set(found.values()) == {ROWS[name]["verdict"]}, name


def test_a_claim_alone_gives_what_it_gives_among_others() -> None:
    names = ["top-overshoots", "binornd"]
    both = run_claims(names, size=50)
    assert both["rows"][1] == run_claims(["binornd"], size=50)["rows"][0]
    assert both["run"]["tables"] == 50


def test_the_page_is_the_committed_run() -> None:
    assert (DOCS / "claims.md").read_text(encoding="utf-8") == claims_page(COMMITTED, SEEDS)


def test_the_page_of_the_figures_has_the_numbers_of_that_run() -> None:
    page = (DOCS / "figures.md").read_text(encoding="utf-8")
    assert page == figures_page(COMMITTED)
    assert MISSING not in page.replace("(…", "")


def test_unknown_claims() -> None:
    with pytest.raises(InformedError, match="no claim 'x'; there are tracking"):
        run_claims(["x"])
    with pytest.raises(InformedError, match="`size` is 3"):
        run_claims(size=3)


# ------------------------------------------------------------------ what they draw and compute


def test_readings_differ_by_the_shift_alone() -> None:
    """What is told of the absolute normal, with and without its shift, each with the recipes it can belong to."""
    assert len(PAPERS) == 4
    for plain, shifted in zip(PAPERS[::2], PAPERS[1::2], strict=True):
        assert READINGS[shifted] == {**READINGS[plain], "cells": "absolute-normal-shifted"}
    t = Trial.of("x", 1, 50).draw(0.5, "premarginal, shifted", n=16)
    assert np.all(t.total == 16)


def test_the_printed_yates_correction() -> None:
    """By hand, of a table with one cell that expects fewer than 5: it alone is corrected, and none by its count."""
    from scipy.stats import chi2

    from informed.evidence.table import Table

    t = Table.from_counts([[7, 5], [5, 23]])  # 3.6 are expected of the first
    expected = np.outer([12, 28], [12, 28]) / 40
    gap = np.abs(t.cells - expected) - np.where(expected < 5, 0.5, 0)
    assert float(printed_yates_pvalue(t)) == pytest.approx(chi2.sf((gap**2 / expected).sum(), 1))
    plain = (np.abs(t.cells - expected) ** 2 / expected).sum()
    assert float(counted_yates_pvalue(t)) == pytest.approx(chi2.sf(plain, 1))
