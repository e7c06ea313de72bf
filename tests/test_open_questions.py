"""The open questions: a quick run agrees with the committed one, and the page is that run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from informed import InformedError
from informed.evidence.table import Table
from informed.inference.tests import test as tested
from informed.papers.pages import questions_pages, questions_text
from informed.papers.published import continuity_pvalue
from informed.papers.questions import condensed, picture, pictures, question, run_questions
from informed.papers.questions_systems import drawn_pairs, joint_shares, wanted_freedoms
from informed.papers.register import Trial
from informed.papers.texts import MISSING, chosen, number, told
from informed.simulation.generators import population

DOCS = Path(__file__).parents[1] / "docs"
COMMITTED: dict[str, Any] = json.loads((DOCS / "data" / "questions.json").read_text("utf-8"))


def is_estimate(x: Any) -> bool:
    return isinstance(x, dict)


def keyed(rows: list[dict[str, Any]]) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Rows by the columns that say what was run, not what was found."""
    found = ("tables", "experiments", "df wanted by kbm", "df wanted by xbm")
    return {tuple((c, v) for c, v in r.items() if not is_estimate(v) and c not in found): r for r in rows}


def test_every_question_is_in_the_committed_run_with_its_picture() -> None:
    held = list(dict.fromkeys(r["question"] for r in COMMITTED["rows"]))
    assert held == list(question.texts)
    numbers = {q["number"] for q in question.texts.values()} - {""}
    assert {int(n) for n in numbers} == set(range(1, 17))


def test_the_pictures_are_those_of_the_committed_run() -> None:
    for name, drawn in pictures(COMMITTED["rows"]).items():
        assert (DOCS / "img" / f"question-{name}.svg").read_text("utf-8") == drawn, name


def test_every_text_has_a_run_and_a_picture() -> None:
    assert set(question.texts) == set(question.runs) == set(picture.runs)
    assert set(condensed.runs) <= set(question.texts)


@pytest.mark.parametrize("name", question.texts)
def test_numbers_in_an_answer_are_those_of_the_run(name: str) -> None:
    """A text names each of its numbers, and the committed rows have every one of them."""
    text, rows = question.texts[name], chosen(COMMITTED["rows"], question=name)
    assert set(re.findall(r"{(\w+)}", text["says"])) == set(text["numbers"])
    for field, spec in text["numbers"].items():
        assert set(spec) <= {"of", "where", "take", "less", "over", "show"}
        assert number(spec, rows) is not None, (name, field)
    assert MISSING in told(text["says"], text["numbers"], [])


def test_numbers_of_a_text_follow_the_rows() -> None:
    rows = [
        {"K": k, "way": w, "x": {"value": v, "error": 0.1}}
        for k, w, v in ((2, "a", 0.2), (2, "b", -0.5), (5, "a", 0.1), (5, "b", 0.3))
    ]
    assert number({"of": "x", "where": {"K": 5, "way": "a"}}, rows) == pytest.approx(0.1)
    assert number({"of": "x", "take": "most"}, rows) == pytest.approx(0.3)
    assert number({"of": "x", "take": "least", "where": {"way": ["a"]}}, rows) == pytest.approx(0.1)
    assert number({"of": "x", "take": "farthest"}, rows) == pytest.approx(-0.5)
    assert number({"of": "x", "take": "least", "where": {"way": {"not": "b"}}}, rows) == 0.1
    spec = {"of": "x", "where": {"K": 5, "way": "b"}, "over": {"way": "a"}}
    assert number(spec, rows) == pytest.approx(3)
    assert number({"of": "x", "where": {"K": 5, "way": "b"}, "less": "K"}, rows) == -4.7
    assert number({"of": "x", "where": {"K": 7}}, rows) is None
    with pytest.raises(LookupError, match="2 rows"):
        number({"of": "x", "where": {"K": 5}}, rows)


def test_the_page_is_the_committed_run() -> None:
    pages = questions_pages(COMMITTED)
    for file, text in pages.items():
        assert (DOCS / file).read_text("utf-8") == text, file
    anchors = {m for text in pages.values() for m in re.findall(r"^## ([a-z]+)$", text, re.M)}
    assert anchors == set(question.texts)  # each is answered on one page
    assert set(re.findall(r"^### ([a-z]+)$", pages["open-questions.md"], re.M)) == anchors  # old links still lead there


@pytest.mark.parametrize("name", question.texts)
def test_a_quick_run_agrees(name: str) -> None:
    """Other seed, fewer tables, a part of the widest grids: the same within Monte Carlo error."""
    quick, drawn = run_questions([name], quick=True, seed=5)
    full = keyed(COMMITTED["rows"])
    assert drawn[name].startswith("<svg")
    assert not re.search(r"\bnan\b", drawn[name])
    for key, row in keyed(quick["rows"]).items():
        assert key in full, key
        for column, a in row.items():
            if is_estimate(a):
                b = full[key][column]
                room = 5 * np.hypot(a["error"], b["error"]) + 2e-6
                assert abs(a["value"] - b["value"]) <= room, (key, column, a, b)


def test_a_question_as_text_and_what_is_refused() -> None:
    run, _ = run_questions(["outside"], size=60)
    text = questions_text(run)
    assert "same, shared knowing 0.5" in text
    with pytest.raises(InformedError, match="no question 'x'; there are rankers"):
        run_questions(["x"])
    with pytest.raises(InformedError, match="`size` is 5"):
        run_questions(["outside"], size=5)


def test_pairs_on_the_same_cases() -> None:
    """Margins are those of each system; shared knowing makes them agree more often."""
    for shared in (0.0, 1.0):
        p = joint_shares(3, (0.7, 0.4), shared)
        assert p.sum() == pytest.approx(1)
        for axis, level in ((2, 0.7), (1, 0.4)):
            alone = population(level, k=3).counts.T
            assert p.sum(axis=axis) == pytest.approx(alone)
    a, b, joint = drawn_pairs(Trial(np.random.default_rng(1), 50), 50, 40, 3, (0.7, 0.4), 1.0)
    assert joint is not None
    assert np.all(a.total == 40)
    assert np.all(a.real_totals == b.real_totals)
    assert a.hits.mean() > b.hits.mean()


def test_degrees_of_freedom_of_a_known_distribution() -> None:
    drawn = np.random.default_rng(3).chisquare(6.5, 200_000)
    assert wanted_freedoms(drawn) == pytest.approx(6.5, abs=0.1)


def test_the_authors_continuity_correction_is_yates_for_two_classes() -> None:
    t = Table.from_counts([[[56, 20], [12, 12]], [[30, 12], [30, 28]]])
    yates = tested(t, method="yates", when="all").pvalue
    assert continuity_pvalue(t) == pytest.approx(yates)
    assert float(continuity_pvalue(Table.from_counts(np.eye(4) * 4))) == pytest.approx(
        stats.chi2.sf(4 * (3 - 11 / 12) ** 2 + 12 * (1 / 12) ** 2, 9)
    )


def said(*words: str) -> str:
    """What the command line writes, or the sentence with which it refuses."""
    from click.testing import CliRunner

    from informed.cli import cli

    done = CliRunner().invoke(cli, words, standalone_mode=False)
    if done.exception is not None:
        assert isinstance(done.exception, InformedError), done.exception
        return str(done.exception)
    return done.output


def test_questions_figures_and_options_on_the_command_line(tmp_path: Path) -> None:
    text = said("claims", "--questions", "kappa", "--quick", "--pictures", str(tmp_path))
    assert "How far does kappa fall" in text
    assert (tmp_path / "question-kappa.svg").exists()
    run = json.loads(said("claims", "--questions", "kappa", "--quick", "--format", "json"))
    assert {r["question"] for r in run["rows"]} == {"kappa"}
    assert "go" in said("claims", "tracking", "--pictures", str(tmp_path))
    told = said("claims", "perfect-agreement", "uneven-v", "--size", "50")
    assert "perfect-agreement: holds" in told
    assert "  so: “agree perfectly" in told
    assert "uneven-v: partly" in told
    assert "  so in even, guessed 10:1. not so in 10:1, guessed alike; " in told
    assert "2 figures do not fit" in said("reproduce", "fig-4", "table-2", "-o", "x.svg")
    assert "'.jpg'" in said("reproduce", "fig-4", "-o", "x.jpg")
    few = ("simulate", "--replicates", "40", "--levels", ".5", "--k", "3", "--n", "30")
    options = ("--option", "prevalence=0.5,0.3,0.2", "--option", "guess=even")
    drawn = json.loads(said(*few, *options, "--format", "json"))
    assert drawn["run"]["options"] == {"prevalence": [0.5, 0.3, 0.2], "guess": "even"}
    assert "such as prevalence=0.3" in said(*few, "--option", "prevalence")
