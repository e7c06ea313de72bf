"""Relative recall, precision and the like of two systems on the same items, against R's DTComPair."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import informed
from command_line import ok, refused
from informed import InformedError, compare
from informed._arrays import Array

ORACLE = json.loads(Path("tests/oracles/p01_dtcompair_paired1.json").read_text(encoding="utf-8"))
R = ORACLE["DTComPair"]


def joint() -> Array:
    """(real, first test, second test); R divides the second test by the first, likelihood ratios apart."""
    cells = np.zeros((2, 2, 2))
    for c in ORACLE["cells"]:
        cells[1 - c["d"], 1 - c["y1"], 1 - c["y2"]] = c["n"]
    return cells


def paired(method: str = "auto", cells: Array | None = None, **how: Any) -> Any:
    cells = joint() if cells is None else cells
    return compare.paired(joint=cells, labels=["ill", "well"], positive="ill", method=method, **how)


SECOND_BY_FIRST = {
    "recall": ("sesp.rel", "sensitivity", "rel.sens", "lcl.rel.sens", "ucl.rel.sens", "pval.rel.sens"),
    "inverse_recall": ("sesp.rel", "specificity", "rel.spec", "lcl.rel.spec", "ucl.rel.spec", "pval.rel.spec"),
    "fallout": ("tpffpf.rel", "fpf", "rel.fpf", "lcl.rel.fpf", "ucl.rel.fpf", "pval.rel.fpf"),
    "precision": ("pv.rpv", "ppv", "rppv", "lcl.rppv", "ucl.rppv", "p.value"),
    "inverse_precision": ("pv.rpv", "npv", "rnpv", "lcl.rnpv", "ucl.rnpv", "p.value"),
}


@pytest.mark.parametrize("m", SECOND_BY_FIRST)
def test_relative_rates_are_those_of_moskowitz_and_pepe(m: str) -> None:
    table, row, *names = SECOND_BY_FIRST[m]
    found = paired("delta", joint().swapaxes(1, 2)).relative[m]
    wanted = [R[table][row][name] for name in names]
    np.testing.assert_allclose([found.estimate, found.low, found.high, found.pvalue], wanted, rtol=1e-6)


@pytest.mark.parametrize(("m", "row"), [("lr", "pdlr"), ("nlr", "ndlr")])
def test_ratios_of_likelihood_ratios_are_those_of_the_regression(m: str, row: str) -> None:
    for c in (paired("delta"), paired("delta").relative):
        found = c[m]
        wanted = [R["dlr.regtest"][row][name] for name in ("ratio", "lcl", "ucl", "p.value")]
        np.testing.assert_allclose([found.estimate, found.low, found.high, found.pvalue], wanted, rtol=1e-6)


@pytest.mark.parametrize(("m", "row"), [("precision", "ppv"), ("inverse_precision", "npv")])
def test_the_weighted_score_of_predictive_values(m: str, row: str) -> None:
    found = paired("weighted-score")[m]
    assert found.pvalue == pytest.approx(R["pv.wgs"][row]["p.value"], rel=1e-9)
    assert [n.code for n in found.notes] == ["two-methods"]
    with pytest.raises(InformedError, match="no difference"):
        paired("weighted-score").pvalue(m, against=0.1)
    with pytest.raises(InformedError, match="not a method"):
        paired("weighted-score")["recall"]


@pytest.mark.parametrize("m", [*SECOND_BY_FIRST, "lr", "nlr"])
def test_the_arc_is_near_and_agrees_with_its_p(m: str) -> None:
    c, plain = paired().relative, paired("delta").relative[m]
    found = c[m]
    assert found.method == "arc"
    np.testing.assert_allclose([found.low, found.high], [plain.low, plain.high], rtol=0.02)
    assert c.pvalue(m, against=found.low) == pytest.approx(0.05, abs=1e-6)
    other = paired(cells=joint().swapaxes(1, 2)).relative[m]
    np.testing.assert_allclose([1 / other.high, 1 / other.low], [found.low, found.high])


def test_no_ratio_of_what_has_a_sign() -> None:
    with pytest.raises(InformedError, match="informedness can be negative"):
        paired().relative["informedness"]
    with pytest.raises(InformedError, match="tango"):
        paired("tango").relative["recall"]


def test_a_test_that_finds_none_has_limits_and_a_reason() -> None:
    cells = np.array([[[0, 0], [8, 2]], [[0, 1], [3, 46]]])
    found = paired(cells=cells).relative["recall"]
    assert np.isnan(found.estimate)
    assert found.low == 0 < found.high < 1
    assert "is 0," in str(found.notes[0])


def test_different_items() -> None:
    a = informed.Table.from_counts([[40, 6], [10, 60]], labels=[1, 0], positive=1)
    b = informed.Table.from_counts([[35, 12], [15, 54]], labels=[1, 0], positive=1)
    found = compare(a, b, method="delta").relative["recall"]
    error = np.sqrt(1 / 40 - 1 / 50 + 1 / 35 - 1 / 50)  # Katz
    np.testing.assert_allclose(np.log(found.high / found.estimate), 1.959964 * error, rtol=1e-6)
    default = compare(a, b).relative["recall"]
    assert default.low < 40 / 35 < default.high


def test_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "tests.csv"
    rows = [(r, a, b) for r, a, b in np.ndindex(2, 2, 2) for _ in range(int(joint()[r, a, b] // 8))]
    words = ("ill", "well")
    text = "\n".join(",".join(words[x] for x in row) for row in rows)
    path.write_text(f"truth,new,old\n{text}\n", encoding="utf-8")
    asked = ["compare", str(path), "--real", "truth", "--positive", "ill", "--relative"]
    asked += ["--predicted", "new", "--predicted", "old"]
    said = ok(*asked)
    assert "Recall of new is larger than that of old: 1.1" in said  # and nothing of who is better
    assert "Positive likelihood ratio" in said
    assert "informedness can be negative" in refused(*asked, "--measure", "informedness")
    said = ok(*asked, "--measure", "inverse_precision")
    assert "by inverse precision" in said or "Inverse precision of new" in said
    assert "--margin 1.1" in ok(*asked, "--level", "0.9999999999")
    assert "--relative" in refused(*asked, "--fail-worse", "1.2")


def test_no_plan_is_for_a_sensitivity_above_one() -> None:
    c = paired().relative
    for m in ("recall", "inverse_recall", "precision"):
        least = min(c[m].a, c[m].b)
        told = c.plans(m)["ratio"]
        assert told
        assert all(x * least <= 1 for x in told)
    assert c.plans("lr")["ratio"] == (1.25, 1.5, 2.0, 4.0)


def test_a_page_of_ratios_says_which_is_larger_and_not_which_is_better() -> None:
    c = paired().relative
    assert repr(c).startswith("Recall of a is larger than that of b: 1.164 times as large [")
    assert "better" not in c.document().said
    assert c.in_terms("clinical").relative.document().said.startswith("Sensitivity of a is larger than that of b: ")
    assert paired().in_terms("clinical").answered.terms == "clinical"
    unsided = compare.paired(joint=joint(), labels=["ill", "well"]).relative
    assert "cannot be told apart by accuracy" in unsided.document().said
