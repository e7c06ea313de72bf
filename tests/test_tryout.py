"""A measure tried out: what is found about known measures is what is known about them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from command_line import run
from informed import InformedError, Table
from informed.documents import writers
from informed.simulation import tryout
from informed.simulation.trying_out import GRID


def mine(t: Table) -> Any:
    """Informedness."""
    (tp, fp), (fn, tn) = t.cells
    return tp / (tp + fn) - fp / (fp + tn)


def wrong_answers(t: Table) -> Any:
    """Less is better."""
    return 1 - (t.tp + t.tn) / t.total


def added(t: Table) -> Any:
    """The share of positives with a case added on both sides: not free of scale."""
    return (t.tp + 1) / (t.tp + t.fn + 2)


FEW: dict[str, Any] = {"prevalence": (0.05, 0.5), "n": (100, 1000), "replicates": 4000}
FOUND = tryout(
    mine, beside=("informedness", "matthews", "cohen_kappa", "f1", "accuracy", "recall", wrong_answers), **FEW
)


def wrong(measure: str, prevalence: float, cases: int) -> float:
    return float(FOUND.values("ranking", "prefers_worse", measure, prevalence=prevalence, cases=cases)[0])


def test_the_worse_is_preferred_as_often_as_was_measured_elsewhere() -> None:
    """By another program: prevalence .05; two or three decimals, so that only our own error counts."""
    for measure, share in {"informedness": 0.09, "matthews": 0.21, "cohen_kappa": 0.26, "accuracy": 0.36}.items():
        assert wrong(measure, 0.05, 1000) == pytest.approx(share, abs=0.005 + 3 * 0.0075)
        assert 0.31 < wrong(measure, 0.05, 100) < 0.38


def test_a_function_stands_where_the_measure_stands_that_it_is() -> None:
    for name, same in (("mine", "informedness"),):
        ours, theirs = (FOUND.rows.where(measure=x) for x in (name, same))
        assert np.allclose(np.array(ours["value"], float), np.array(theirs["value"], float), equal_nan=True, atol=1e-9)
    falls = tryout(wrong_answers, beside=("accuracy",), **FEW)
    assert not falls.rises
    preferred, as_accuracy = (falls.values("ranking", "prefers_worse", x) for x in ("wrong_answers", "accuracy"))
    assert preferred == pytest.approx(as_accuracy, abs=1e-12)
    assert falls.law("pays") == falls.law("pays", "accuracy") > 0


@pytest.mark.parametrize(
    ("measure", "low", "high"),
    [
        ("mine", 0, 0),
        ("matthews", 0, 0),
        ("accuracy", 2 * 0.05 * 0.95, 0.95**2 + 0.05**2),  # bq + (1 − b)(1 − q)
        ("f1", 0.05, 0.95),  # 2bq/(b + q)
        ("recall", 0.05, 0.95),  # b
    ],
)
def test_what_guessing_scores(measure: str, low: float, high: float) -> None:
    assert FOUND.law("chance_low", measure) == pytest.approx(low, abs=1e-12)
    assert FOUND.law("chance_high", measure) == pytest.approx(high, abs=1e-12)


def test_when_guessing_pays() -> None:
    """Recall is g + (1 − g)b, and becomes (1 − x) of that and xc: it gains x(c − recall)."""
    g, _, b, c, x = np.meshgrid(*GRID, indexing="ij")
    gain = x * (c - (g + (1 - g) * b))
    assert FOUND.law("pays", "recall") == pytest.approx(np.mean(gain > 1e-9))
    assert FOUND.law("gain", "recall") == pytest.approx(gain.max())
    assert FOUND.law("pays") == FOUND.law("gain") == 0
    assert FOUND.law("pays", "accuracy") > 0.1
    told = {note.code: note.text for note in tryout("recall", **{**FEW, "replicates": 50}).notes}
    assert "replaced by guesses, of which 100 % say positive" in told["guessing"]


def test_bias_in_samples() -> None:
    """Adding cases draws a share of n positives to a half: E = (pn + 1)/(n + 2), here of about n of 50."""
    found = tryout(added, beside=(), prevalence=(0.5,), n=(100,), replicates=4000)
    at: dict[str, Any] = {"prevalence": 0.5, "cases": 100, "level": 0.9}
    assert found.values("samples", "truth", **at) == pytest.approx((0.95 * 50 + 1) / 52)
    assert abs(found.values("samples", "bias", **at)[0]) < 0.002
    assert abs(FOUND.values("samples", "bias", "recall", **at)[0]) < 4 * 0.0005


def test_it_is_written_in_every_format_and_read_again(tmp_path: Path) -> None:
    assert FOUND.sentence().startswith("mine prefers the worse of two systems in ")
    assert "guesses in the place of answers never raise it" in FOUND.sentence()
    for form in writers.names():
        assert "prefers the worse" in " ".join(FOUND.write(form).split()) or form in ("csv", "junit")
    html = FOUND.html()
    assert html.count('<svg class="chart') == 3
    held = json.loads(FOUND.json())
    assert len(held["rows"]) == len(FOUND.rows)
    assert held["run"]["functions"]["mine"].split(":")[0].endswith("test_tryout")
    assert repr(FOUND).startswith(FOUND.sentence())


def test_the_same_seed_gives_the_same_numbers() -> None:
    few: dict[str, Any] = {"prevalence": (0.3,), "n": (50,), "replicates": 40}
    one, two, three = (tryout(mine, seed=s, **few) for s in (1, 1, 2))
    assert one.json() == two.json() != three.json()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"measure": lambda t: 0.5 + 0 * t.tp},
            "lambda scores 0.5 for a system that knows 90 % and 0.5 for one that guesses",
        ),
        ({"measure": lambda t: 1 / 0}, "undefined"),
        ({"measure": "infrmedness"}, "Did you mean informedness"),
        ({"measure": mine, "replicates": 1}, "`replicates` is 1"),
        ({"measure": mine, "n": (1,)}, "`n` is 1"),
        ({"measure": mine, "n": ()}, "nothing to rank"),
        ({"measure": mine, "prevalence": (1.5,)}, "is 1.5; it must be between 0 and 1"),
    ],
)
def test_what_cannot_be_tried_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InformedError, match=said):
        tryout(**{**FEW, **given})


def test_the_command() -> None:
    done = run("simulate", "--try", "f1", "--measures", "informedness", "--replicates", "40", "--format", "json")
    assert done.returncode == 0
    held = json.loads(done.stdout)
    assert (held["name"], held["run"]["replicates"], held["run"]["seed"]) == ("f1", 40, 7)
    for words, said in ((("--k", "3"), "it takes no --k."), (("--jobs", "2"), "it takes no --jobs.")):
        refused = run("simulate", "--try", "f1", *words)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert said in refused.stderr
    assert "no module 'nowhere'" in run("simulate", "--try", "nowhere:f").stderr
