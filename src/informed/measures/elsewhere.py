"""What other libraries have under a name that is not here, and what to type instead."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from informed.measures.registry import ALIASES, MEASURES

_TABLE = "Table.from_labels(real=…, predicted=…)"
_ROC = "informed.roc(real=…, score=…)"
_JUDGED = "informed.probabilities(real=…, probability=…)"
_REPORT = "informed.report(real=…, predicted=…)"
_AVERAGED = "(weights='bias'), as the first spreadsheet of the papers weighs it, or weights='uniform' or 'prevalence'"

INSTEAD = {
    **dict.fromkeys(
        ("confusion_matrix", "ConfusionMatrix", "crosstab", "conf_mat", "from_labels"), f"informed.{_TABLE}"
    ),
    **dict.fromkeys(("classification_report", "evaluate", "summary", "metrics"), _REPORT),
    **dict.fromkeys(("roc_auc", "auc", "auroc", "roc_auc_score", "average_precision"), f"{_ROC}.auc"),
    **dict.fromkeys(("roc_curve", "precision_recall_curve", "pr_curve"), _ROC),
    **dict.fromkeys(("brier_score", "brier_score_loss", "brier_loss"), f"{_JUDGED}.brier.score"),
    **dict.fromkeys(("brier_skill", "brier_skill_score", "d2_brier_score"), f"{_JUDGED}.brier_skill"),
    **dict.fromkeys(("log_loss", "cross_entropy", "logarithmic_score"), f"{_JUDGED}.log.score"),
    **dict.fromkeys(("log_skill", "d2_log_loss_score"), f"{_JUDGED}.log_skill"),
    **dict.fromkeys(("calibration_curve", "reliability_diagram", "CalibrationDisplay"), f"{_JUDGED}.curve"),
    **dict.fromkeys(
        ("ece", "expected_calibration_error", "calibration_error", "smece"),
        "informed.probabilities(real=…, probability=…, also=['ece(bins=15)']).also",
    ),
    **dict.fromkeys(("soft_informedness", "tjur", "discrimination_slope"), f"{_JUDGED}.soft_informedness"),
    **dict.fromkeys(("confint", "ci", "confidence_interval"), "informed.interval(t, 'informedness')"),
    **dict.fromkeys(("bootstrap", "bootstrap_ci"), "informed.interval(t, 'informedness', method='bootstrap-bca')"),
    **dict.fromkeys(("mcnemar", "mcnemar_test"), "informed.compare.paired(real=…, a=…, b=…)"),
    **dict.fromkeys(("fisher_exact", "chi2_contingency"), "informed.test(t, 'independence')"),
    **dict.fromkeys(("read_csv", "read_parquet", "load", "from_csv"), "informed.read(path, real=…, predicted=…)"),
    **dict.fromkeys(("from_counts", "from_matrix"), "informed.Table.from_counts(counts)"),
    **dict.fromkeys(("plot", "plots", "display"), "informed.plotting, or informed.report(t) in a notebook"),
    **dict.fromkeys(("make_scorer", "scorers", "multimetric"), "import informed.sklearn: it is there"),
    **dict.fromkeys(("r_R", "r_r"), "informedness, which r_R is in (18) of the papers, or markedness, as in (33)"),
    **dict.fromkeys(
        ("r_P", "r_p"), "markedness, which r_P is in (17) of the papers, or informedness, as in (30) to (32)"
    ),
    **dict.fromkeys(("AvF", "avf"), f"av_f{_AVERAGED}"),
    **dict.fromkeys(("AvG", "avg"), f"av_g{_AVERAGED}"),
    **dict.fromkeys(
        ("Evenness", "evenness"),
        "evenness_det (that of informedness), evenness_plus, evenness_minus, evenness_harmonic or evenness_factor",
    ),
    "Metric": "informed.torch.Metric",
    "fleiss": "informed.agreement(ratings)",
    "krippendorff_alpha": "informed.agreement(ratings)",
}
_OF_TABLE = {  # what may be asked of a table
    **dict.fromkeys(("confusion_matrix", "matrix", "values", "to_numpy"), "t.counts"),
    **dict.fromkeys(("summary", "classification_report"), "informed.report(t)"),
    **dict.fromkeys(("plot", "show"), "informed.plotting.TableDisplay.from_table(t)"),
    **dict.fromkeys(("to_dict", "to_json"), "t.json()"),
    **dict.fromkeys(("ci", "confint"), "informed.interval(t, 'informedness')"),
    "table": "it is the table",
}
_VERBS = ("report", "interval", "test", "posterior", "compare", "odds", "payoffs", "assign", "slices")


def instead(name: str, others: Any = ()) -> str:
    """What to type for a name that `informed` does not have, as the rest of a sentence; empty if nobody knows.

    >>> instead("classification_report")
    '; type informed.report(real=…, predicted=…)'
    >>> instead("cohen_kappa_score")
    '; type informed.cohen_kappa(real=…, predicted=…), or informed.sklearn.cohen_kappa_score(y_true, y_pred)'
    """
    if name in INSTEAD:
        return f"; type {INSTEAD[name]}"
    bare = _measure(name.removesuffix("_score"))
    if bare is not None and name.endswith("_score"):
        return f"; type informed.{bare}(real=…, predicted=…), or informed.sklearn.{bare}_score(y_true, y_pred)"
    near = get_close_matches(name, [*MEASURES, *ALIASES, *others], n=1)
    return f"; did you mean {near[0]}?" if near else ""


def instead_of_table(name: str) -> str:
    """What to type for an attribute that a table does not have; empty if nobody knows.

    >>> instead_of_table("mcc")
    '; a measure is a function of the table: informed.matthews(t)'
    """
    if name in _OF_TABLE:
        return f"; type {_OF_TABLE[name]}"
    if name in _VERBS:
        return f"; it is a function of the table: informed.{name}(t)"
    measure = _measure(name)
    return "" if measure is None else f"; a measure is a function of the table: informed.{measure}(t)"


def _measure(name: str) -> str | None:
    """The measure that a name stands for."""
    full = ALIASES.get(name, name)
    return full if full in MEASURES else None
