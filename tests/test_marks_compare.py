"""Systems whose answers are only marked, on the command line: pages, boards, slices and gates."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from command_line import ROOT, ok, refused, run
from informed import Marks, compare, leaderboard, slices
from informed.errors import InformedError
from informed.inference.heterogeneity import differing
from informed.inference.marks_groups import spread_of_groups
from informed.sources import logs
from informed.systems.suite import Task, suite

SWE = ROOT / "tests/samples/swe_bench"
A, B = (str(SWE / f"org__agent-{x}.r1.json") for x in "ab")
AGENTS = sorted(map(str, (ROOT / "tests/samples/cases/inspect").glob("*_agent_*")))


@pytest.fixture
def third(tmp_path: Path) -> str:
    """A third agent, which resolves whatever the first or the second resolves."""
    held, other = (json.loads(Path(x).read_text()) for x in (A, B))
    right = sorted({*held["resolved_ids"], *other["resolved_ids"]})
    for name in ("unresolved_ids", "empty_patch_ids", "error_ids", "incomplete_ids"):
        held[name] = sorted({*held[name]} - {*right})
    path = tmp_path / "org__agent-c.r1.json"
    path.write_text(json.dumps({**held, "resolved_ids": right, "resolved_instances": len(right)}))
    return str(path)


def test_two_agents_on_the_same_tasks() -> None:
    want = json.loads((SWE / "expected.json").read_text())["comparison"]
    found = json.loads(ok("compare", A, B, "--format", "json"))
    assert found["mcnemar"] == pytest.approx(want["mcnemar_exact_p"], abs=1e-9)
    assert found["estimate"] == pytest.approx(want["difference"])
    assert (found["a"], found["b"], found["estimate"]) == pytest.approx((9 / 30, 12 / 30, -0.1))
    assert found["low"] < -0.1 < found["high"]
    assert found["right_and_wrong"] == [[5, 4], [7, 14]]
    assert found["states"]["agent-a"] == {"right": 9, "wrong": 15, "abstained": 3, "error": 1, "not-run": 2}
    said = ok("compare", A, B, "--full")
    assert said.startswith("agent-a and agent-b cannot be told apart: resolved -0.100 [")
    assert "agent-a wrong              7             14" in said
    assert "there is a score and no informedness" in said


@pytest.mark.parametrize("form", ["text", "markdown", "json", "html"])
def test_every_format_tells_the_difference(form: str) -> None:
    shown = ok("compare", *AGENTS, "--format", form)
    assert "agent-a is better than agent-b" in shown
    assert "0.310" in shown


def test_more_than_two_make_a_board(third: str) -> None:
    found = json.loads(ok("compare", A, B, third, "--format", "json"))
    assert [x["system"] for x in found["systems"]] == ["agent-c", "agent-b", "agent-a"]
    assert found["systems"][0]["estimate"] == pytest.approx(16 / 30)
    assert "beyond guessing" not in ok("compare", A, B, third)
    versus = json.loads(ok("compare", A, B, third, "--baseline", "agent-a", "--format", "json"))["versus"]
    assert {x["b"] for x in versus} == {"agent-a"}


def test_slices_by_the_repository() -> None:
    (by,) = [x for x in json.loads(ok("compare", A, B, "--by", "repository", "--format", "json")).values() if _cut(x)]
    assert by["slices"] == ["astropy", "django", "sympy"]
    assert [x["each"] for x in by["systems"]] == [
        pytest.approx([3 / 12, 3 / 8, 3 / 10]),
        pytest.approx([5 / 12, 2 / 8, 5 / 10]),
    ]


def _cut(x: object) -> bool:
    return isinstance(x, dict) and "slices" in x


def test_gates_and_margins(third: str) -> None:
    assert run("compare", *AGENTS, "--fail-worse", "0.02").returncode == 0
    assert run("compare", *AGENTS[::-1], "--fail-worse", "0.02").returncode == 1
    assert run("compare", *AGENTS, "--fail-unless", "0.02").returncode == 0
    assert "agent-a is worse than agent-b by less than 0.1  shown" in ok("compare", *AGENTS, "--margin", "0.1")
    stopped = run("compare", A, B, "--fail-worse", "0.02")  # 4 of 30 tasks were not run
    assert stopped.returncode == 3
    assert "were not run" in stopped.stdout
    opened = ("--max-not-run", "0.2")
    assert run("compare", A, B, "--fail-worse", "0.02", *opened).returncode == 0
    assert "needs --baseline NAME" in refused("compare", A, B, third, "--fail-worse", "0.02")


def test_attempts_are_reduced_before_they_are_compared() -> None:
    found = json.loads(ok("compare", *AGENTS, "--measure", "pass_at(2)", "--format", "json"))
    one, other = (logs.read_marks(x) for x in AGENTS)
    assert (found["a"], found["b"]) == pytest.approx((one.pass_at(2), other.pass_at(2)))
    assert found["method"] == "bounded mean, by items"
    assert "There is no reducer 'best'" in refused("compare", *AGENTS, "--measure", "best")


def test_two_scorers_of_one_log_agree_in_a_table() -> None:
    log = logs.load(ROOT / "tests/samples/inspect_ai/two.eval")
    both = log.agree("match", "includes")
    right = [np.asarray(log.marks(chosen=x).mark) == 1 for x in ("match", "includes")]
    assert both.n == 6
    assert both.counts.tolist() == [
        [(right[1] & right[0]).sum(), (right[1] & ~right[0]).sum()],
        [(~right[1] & right[0]).sum(), (~right[1] & ~right[0]).sum()],
    ]
    with pytest.raises(InformedError, match="there is no scorer 'judge'"):
        log.agree("match", "judge")


# ---------------------------------------------------------------------- one rule for marks that all differ alike


def test_a_constant_gap_has_one_p_value_everywhere() -> None:
    """Thirty items, each better by 0.1: no spread is seen. A mean of 0 is possible if one item in eleven is worse by
    1, and thirty others then come with a chance of (10/11)^30; all routes say the same."""
    rng = np.random.default_rng(0)
    a = Marks.from_columns(mark=rng.uniform(0, 0.9, 30))
    b, c = Marks.from_columns(mark=a.mark + 0.1), Marks.from_columns(mark=rng.random(30))
    board = leaderboard(predictions={"a": a, "b": b, "c": c}, baseline="a")
    told = [compare(a, b).pvalue, board["a", "b"].pvalue, suite([Task("t", {"a": a, "b": b})]).gaps["pvalue"][0]]
    assert told == pytest.approx([told[0]] * 3)
    assert told[0] == pytest.approx((10 / 11) ** 30, rel=0.01)


def test_boards_of_partial_marks_adjust_as_others_do() -> None:
    rng = np.random.default_rng(3)
    marks = {x: Marks.from_columns(mark=rng.random(40) * top) for x, top in zip("abcd", (0.8, 0.8, 1, 1), strict=True)}
    holm, most = (leaderboard(predictions=marks, adjust=x, baseline="a") for x in ("holm", "max-t"))
    assert holm.versus is not None
    assert most.pairs.adjusted[0, 2] != holm.pairs.adjusted[0, 2]
    others = holm.versus.adjusted[1:] <= holm.pairs.adjusted[0, 1:]
    assert others.all(), "three questions and not six"


def test_groups_without_spread_are_tested_too() -> None:
    """Fifty items at 1 and fifty at 0.2 to 0.3: the groups differ, though one of them shows no spread."""
    mark = np.r_[np.ones(50), np.random.default_rng(0).uniform(0.2, 0.3, 50)]
    found = slices(Marks.from_columns(mark=mark, group=["a"] * 50 + ["b"] * 50))
    assert found.heterogeneity.pvalue[0] < 1e-12
    assert float(np.asarray(found.heterogeneity.df)[0]) == 1


def test_groups_of_partial_marks_differ_no_more_often_than_by_chance() -> None:
    """Four groups that share units of four items, two hundred times."""
    rng = np.random.default_rng(2)
    unit, group = np.repeat(np.arange(40), 4), np.tile(np.arange(4), 40)
    found = 0
    for _ in range(200):
        x = np.clip(rng.normal(0.5, 0.2, 40)[unit] + rng.normal(0, 0.1, 160), 0, 1)
        spread = spread_of_groups(x, np.ones(160), group, 4, unit, (0.0, 1.0))
        values, n = np.bincount(group, x) / 40, np.full(4, 40.0)
        found += float(differing(values, n, spread, 0.95, (0, 1)).pvalue) < 0.05
    assert found <= 16


def test_what_is_of_labels_is_refused_of_marks() -> None:
    a, b = (Marks.from_columns(mark=x, group=list("uvuv")) for x in ([1, 0, 1, 1], [0, 0, 1, 0.5]))
    both = {"a": a, "b": b}
    for given in ({"weights": [1.0] * 4}, {"unit": [1, 1, 2, 2]}, {"method": "delta"}, {"count": "answered"}):
        with pytest.raises(InformedError, match="is for labels"):
            leaderboard(predictions=both, **given)
    with pytest.raises(InformedError, match="is for labels"):
        compare(a, b, method="tango")  # type: ignore[call-overload]
    with pytest.raises(InformedError, match="no reducer"):
        slices(both, measure="nonsense")
    twice = Marks.from_columns(mark=[1, 0, 0, 0], item=list("aabb"), group=list("uuvv"))
    assert slices(twice, measure="pass_at(2)").estimate.tolist() == [[1.0, 0.0]]


@pytest.mark.parametrize(("margin", "level", "said"), [(-0.1, 0.95, "0 or more"), (0.1, 0.4, "between 0.5 and 1")])
def test_a_margin_of_partial_marks_is_refused_as_one_of_tables_is(margin: float, level: float, said: str) -> None:
    rng = np.random.default_rng(0)
    a, b = (Marks.from_columns(mark=rng.random(30)) for _ in range(2))
    with pytest.raises(InformedError, match=said):
        compare(a, b).within(margin, level)
