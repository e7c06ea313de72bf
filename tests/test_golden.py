"""Numbers that we did not compute: the papers' (with their errata) and R's."""

from __future__ import annotations

import json
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import informed
from informed import Table, find, why

HERE = Path(__file__).parent


def golden(name: str) -> dict[str, Any]:
    return tomllib.loads((HERE / "golden" / f"{name}.toml").read_text(encoding="utf-8"))


def oracle(name: str) -> dict[str, Any]:
    path = next((HERE / "oracles").glob(f"{name}_*.json"))
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def tolerance(text: str) -> float:
    """Half a unit in the last place of a printed number."""
    if "/" in text:
        return 1e-12
    return 0.5000001 * 10.0 ** -len(text.partition(".")[2])


PAPERS = [
    pytest.param(t, id=f"{paper.stem} {t['name']}")
    for paper in sorted((HERE / "golden").glob("*.toml"))
    for t in golden(paper.stem).get("table", ())
]


@pytest.mark.parametrize("case", PAPERS)
def test_papers(case: dict[str, Any]) -> None:
    t = Table.from_counts(case["counts"])
    for text, expected in case["values"].items():
        value = find(text)(t)
        assert value == pytest.approx(float(Fraction(expected)), abs=tolerance(expected)), text
    for text, printed in case.get("printed", {}).items():
        assert 100 * find(text)(t) == pytest.approx(float(printed), abs=tolerance(printed)), text
    for name in case.get("undefined", ()):
        assert np.isnan(find(name)(t))
        assert why(t, name)
    for wrong in case.get("erratum", ()):
        off = abs(find(wrong["measure"])(t) - float(wrong["printed"]))
        assert off > tolerance(wrong["printed"]), wrong["why"]
    if "mixture" in case:
        made = Table.mixture(case["mixture"], prevalence=0.7, guess=0.8, n=100)
        np.testing.assert_allclose(made.counts, t.counts, atol=1e-9)


def filled(hits: np.ndarray, predicted: np.ndarray, real: np.ndarray) -> Table:
    """Some table with this diagonal and these margins: which one does not matter to B."""
    down, across = predicted - hits, real - hits
    wrong = (1 - np.eye(len(hits))) * np.outer(down > 0, across > 0)
    for _ in range(2000):
        wrong *= (down / np.maximum(wrong.sum(axis=1), 1e-300))[:, None]
        wrong *= across / np.maximum(wrong.sum(axis=0), 1e-300)
    return Table.from_counts(wrong + np.diag(hits))


def test_twelve_classes() -> None:
    paper = golden("twelve_classes")
    hits, predicted, real, expected = np.array(list(paper["classes"].values()), dtype=float).T
    n = predicted.sum()
    assert n == real.sum() == 170
    each = np.stack([[hits, predicted - hits], [real - hits, n - predicted - real + hits]])
    b = np.asarray(informed.informedness(Table.from_counts(np.moveaxis(each, -1, 0))))
    np.testing.assert_allclose(100 * b, expected, atol=0.5)
    t = filled(hits, predicted, real)
    np.testing.assert_allclose(t.counts.sum(axis=0), real, atol=1e-6)
    np.testing.assert_allclose(informed.find("informedness").per_class(t), b, atol=1e-6)

    def is_(value: float, key: str) -> None:
        assert value == pytest.approx(float(paper[key]), abs=tolerance(paper[key])), key

    is_(informed.informedness(t), "informedness")
    is_(informed.informedness(t, weighting="bias"), "informedness_bias")
    is_(informed.accuracy(t), "accuracy")
    is_(informed.informedness(t) * 170 / 500, "covered")
    is_(informed.informedness(t, weighting="bias") * 170 / 500, "covered_bias")


# ---------------------------------------------------------------- R, two classes

TWO = ["t01", "t02", "t03", "t04", "t05", "t06", "t10"]

TWO_PATHS = {  # measure: where the oracle has it
    "recall": "derived_multinomial_delta.TPR.est",
    "inverse_recall": "derived_multinomial_delta.TNR.est",
    "precision": "derived_multinomial_delta.PPV.est",
    "inverse_precision": "derived_multinomial_delta.NPV.est",
    "informedness": "epi_tests_exact.youden.est",
    "markedness": "lm_ref_on_pred_is_markedness.slope",
    "correlation": "phi",
    "matthews": "DescTools_Conf.byclass.mcc",
    "cohen_kappa": "caret.overall.Kappa",
    "accuracy": "caret.overall.Accuracy",
    "no_information_rate": "caret.overall.AccuracyNull",
    "balanced_accuracy": "caret.byClass.Balanced Accuracy",
    "f1": "caret.byClass.F1",
    "prevalence": "caret.byClass.Prevalence",
    "bias": "caret.byClass.Detection Prevalence",
    "fallout": "epi_tests_exact.p.tpdn.est",
    "miss_rate": "epi_tests_exact.p.tndp.est",
    "false_positive_accuracy": "epi_tests_exact.p.dntp.est",
    "false_negative_accuracy": "epi_tests_exact.p.dptn.est",
    "lr": "epi_tests_exact.lr.pos.est",
    "nlr": "epi_tests_exact.lr.neg.est",
    "odds_ratio": "odds_ratio_wald.odds ratio",
    "yule_q": "yuleQ",
    "yule_y": "yuleY",
    "scott_pi": "kappa.irrCAC_scott2.table.est",
    "gwet_ac1": "kappa.irrCAC_gwet.ac1.table.est",
    "bennett_s": "kappa.irrCAC_bp2.table.est",
    "krippendorff_alpha": "kappa.irrCAC_krippen2.table.est",
    "chance_agreement": "kappa.epiR_kappa_cohen.prop.agree.exp",
    "prevalence_index": "kappa.epiR_kappa_cohen.pindex.est",
    "bias_index": "kappa.epiR_kappa_cohen.bindex.est",
    "cramers_v": "assoc.assocstats.cramer",
    "cramers_v_corrected": "assoc.cramerV_biascorrected",
    "tschuprows_t": "assoc.tschuprowT",
    "contingency_coefficient": "assoc.assocstats.contingency",
    "lambda_symmetric": "assoc.lambda_symmetric.lambda",
    "lambda_predicted": "assoc.lambda_row.lambda",
    "lambda_real": "assoc.lambda_column.lambda",
    "mutual_information": "assoc.mutinf_nats",
    "mutual_information(base='2')": "assoc.mutinf_bits",
    "entropy_real(base='2')": "assoc.entropy_ref_bits",
    "entropy_predicted(base='2')": "assoc.entropy_pred_bits",
    "uncertainty": "assoc.uncertcoef_zero_cells_get_1_over_n2_column.uc",
    "uncertainty_predicted": "assoc.uncertcoef_zero_cells_get_1_over_n2_row.uc",
    "normalized_mutual_information": "assoc.uncertcoef_zero_cells_get_1_over_n2_symmetric.uc",
}


def at(held: Any, path: str) -> float | None:
    """The number at a path whose keys may have dots of their own; None where R has none."""
    if not path:
        if isinstance(held, dict):
            return at(held["value"], "") if "value" in held else None
        if isinstance(held, str) or held is None or isinstance(held, list):
            return {"Inf": np.inf, "-Inf": -np.inf}.get(str(held))
        return float(held)
    if not isinstance(held, dict):
        return None
    for key in held:
        if path == key or path.startswith(f"{key}."):
            found = at(held[key], path[len(key) + 1 :])
            if found is not None:
                return found
    return at(held["value"], path) if "value" in held else None


def not_truth(name: str, text: str, counts: np.ndarray) -> bool:
    """What the oracles' own page says not to use, with its reason."""
    if "uncertainty" in text or "normalized" in text or text == "odds_ratio":
        return bool((counts == 0).any())  # R adds 1/n² or 1/2 to empty cells
    empty = bool((counts.sum(axis=0) == 0).any() or (counts.sum(axis=1) == 0).any())
    chi = ("cramers_v", "cramers_v_corrected", "tschuprows_t", "contingency_coefficient")
    return empty and text in chi  # R's χ² is NaN where a margin is zero


@pytest.mark.parametrize("name", TWO)
def test_r_two_classes(name: str) -> None:
    held = oracle(name)
    counts = np.array([[held["TP"], held["FP"]], [held["FN"], held["TN"]]], dtype=float)
    t = Table.from_counts(counts)
    compared = 0
    for text, path in TWO_PATHS.items():
        expected = at(held, path)
        if expected is None or not_truth(name, text, counts):
            continue
        value = find(text)(t)
        if np.isnan(value):  # R has a number by convention where ours is undefined
            assert why(t, text), text
            continue
        assert value == pytest.approx(expected, rel=1e-9, abs=1e-10), text
        compared += 1
    assert compared >= 20


@pytest.mark.parametrize("name", ["t01", "t02", "t05", "t10"])
def test_r_tetrachoric(name: str) -> None:
    """R's optimisers stop at about 1e-4; ours must satisfy the defining equation tightly."""
    from scipy.integrate import quad
    from scipy.stats import norm

    held = oracle(name)
    t = Table.from_counts([[held["TP"], held["FP"]], [held["FN"], held["TN"]]])
    rho = informed.tetrachoric(t)
    expected = at(held, "tetrachoric_psych_correct0")
    assert expected is not None
    assert rho == pytest.approx(expected, abs=2e-4)
    h, k = (float(norm.ppf(f(t))) for f in (informed.bias, informed.prevalence))
    root = np.sqrt(1 - rho**2)
    joint, _ = quad(lambda x: norm.pdf(x) * norm.cdf((k - rho * x) / root), -12, h, epsabs=1e-13, limit=500)
    assert joint == pytest.approx(t.counts[0, 0] / t.n, abs=1e-10)


# ---------------------------------------------------------------- R, many classes

MANY = ["k01", "k02", "k03", "k04", "k05", "k07"]

DELTA = "derived_multinomial_delta"
MANY_PATHS = {
    "accuracy": "caret.overall.Accuracy",
    "cohen_kappa": "caret.overall.Kappa",
    "no_information_rate": "caret.overall.AccuracyNull",
    "weighted_kappa(disagreement='linear')": "kappa.vcd_Kappa_Equal-Spacing.weighted",
    "weighted_kappa(disagreement='quadratic')": "kappa.vcd_Kappa_Fleiss-Cohen.weighted",
    "weighted_kappa": "kappa.DescTools_CohenKappa_Equal-Spacing.kappa",
    "matthews": f"{DELTA}.mcc_RK_gorodkin.est",
    "balanced_accuracy": f"{DELTA}.balanced_accuracy.est",
    "informedness(weighting='uniform')": f"{DELTA}.macro_one_vs_rest_J.est",
    "informedness(weighting='bias')": f"{DELTA}.bias_weighted_one_vs_rest_J_powers_bookmaker.est",
    "markedness(weighting='prevalence')": f"{DELTA}.prevalence_weighted_one_vs_rest_markedness.est",
    **{
        name: TWO_PATHS[name]
        for name in TWO_PATHS
        if TWO_PATHS[name].startswith(("assoc.", "kappa.irrCAC", "kappa.epiR_kappa_cohen.prop"))
    },
}


@pytest.mark.parametrize("name", MANY)
def test_r_many_classes(name: str) -> None:
    held = oracle(name)
    counts = np.array(held["table"], dtype=float)
    t = Table.from_counts(counts)
    compared = 0
    for text, path in MANY_PATHS.items():
        expected = at(held, path)
        if expected is None or not_truth(name, text, counts):
            continue
        value = find(text)(t)
        if np.isnan(value):
            assert why(t, text), text
            continue
        assert value == pytest.approx(expected, rel=1e-8, abs=1e-10), text
        compared += 1
    assert compared >= 15


@pytest.mark.parametrize("name", MANY)
def test_r_each_class(name: str) -> None:
    held = oracle(name)
    t = Table.from_counts(held["table"])
    names = {
        "recall": "Sensitivity",
        "inverse_recall": "Specificity",
        "precision": "Pos Pred Value",
        "inverse_precision": "Neg Pred Value",
        "f1": "F1",
        "balanced_accuracy": "Balanced Accuracy",
        "prevalence": "Prevalence",
        "bias": "Detection Prevalence",
    }
    classes = list(held["caret"]["byClass"].values())
    for name_, key in names.items():
        each = find(name_).per_class(t)
        for value, one in zip(each, classes, strict=True):
            expected = at(one, key)
            if expected is None:
                assert np.isnan(value) or name_ == "f1", name_  # caret's F1 needs a precision
            else:
                assert value == pytest.approx(expected, rel=1e-9, abs=1e-12), name_


def test_r_raters_two_by_two() -> None:
    """Light's kappa is the mean of the pairwise kappas: fifteen tables at once."""
    held = oracle("r01")["fleiss1971_diagnoses"]
    raters = list(held["data"].values())
    pairs = [(a, b) for i, a in enumerate(raters) for b in raters[i + 1 :]]
    tables = [Table.from_labels(real=a, predicted=b, labels=[1, 2, 3, 4, 5]) for a, b in pairs]
    stack = Table.from_counts([t.counts for t in tables], labels=[1, 2, 3, 4, 5])
    assert np.mean(informed.cohen_kappa(stack)) == pytest.approx(held["light"]["kappa"], abs=1e-12)
    agreement = held["irrCAC"]["pa.coeff.raw"]["est"]
    assert np.mean(informed.accuracy(stack)) == pytest.approx(agreement, abs=1e-12)
