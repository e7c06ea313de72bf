"""How measures are related: identities that hold on every table where both sides are defined.

They are written as Python, so that `hold` can try them on random tables; the catalogue shows each
on the page of every measure that it names. A measure with parameters has its defaults.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from informed import Table
from informed.measures import MEASURES

TWO = (  # for two classes
    "informedness == recall + inverse_recall - 1",
    "informedness == recall - fallout",
    "informedness == (recall - bias) / (1 - prevalence)",
    "informedness == 2 * auc_single - 1",
    "informedness == 2 * balanced_accuracy - 1",
    "informedness == delta_tp / (prevalence * inverse_prevalence)",
    "informedness == (1 - nlr) * inverse_recall",
    "informedness == (lr - 1) * fallout",
    "informedness == informedness_trace",
    "informedness == informedness_det",
    "informedness == sqrt(2) * chance_distance",
    "cohen_kappa == 2 * gilbert_skill_score / (1 + gilbert_skill_score)",
    "markedness == precision + inverse_precision - 1",
    "markedness == (precision - prevalence) / (1 - bias)",
    "markedness == delta_tp / (bias * inverse_bias)",
    "markedness == markedness_trace",
    "markedness == markedness_det",
    "correlation == matthews",
    "correlation == correlation_det",
    "correlation == delta_tp / sqrt(prevalence * inverse_prevalence * bias * inverse_bias)",
    "abs(correlation) == cramers_v",
    "abs(correlation) == tschuprows_t",
    "correlation == spearman",
    "cohen_kappa == delta_tp / (delta_tp + error_rate / 2)",
    "wracc == 4 * delta_tp",
    "f1 == 2 * recall * precision / (recall + precision)",
    "f1 == g_measure ** 2 / a_measure",
    "g_measure == sqrt(recall * precision)",
    "a_measure == (recall + precision) / 2",
    "jaccard == f1 / (2 - f1)",
    "inverse_jaccard == inverse_f1 / (2 - inverse_f1)",
    "inverse_a == (inverse_recall + inverse_precision) / 2",
    "inverse_g == sqrt(inverse_recall * inverse_precision)",
    "recall == 1 - miss_rate",
    "inverse_recall == 1 - fallout",
    "precision == 1 - false_positive_accuracy",
    "inverse_precision == 1 - false_negative_accuracy",
    "prevalence == 1 - inverse_prevalence",
    "bias == 1 - inverse_bias",
    "g_mean == sqrt(recall * inverse_recall)",
    "roc_distance == sqrt(fallout ** 2 + miss_rate ** 2)",
    "accuracy == prevalence * recall + inverse_prevalence * inverse_recall",
    "lr == recall / fallout",
    "nlr == miss_rate / inverse_recall",
    "odds_ratio == lr / nlr",
    "yule_q == (odds_ratio - 1) / (odds_ratio + 1)",
    "yule_y == (sqrt(odds_ratio) - 1) / (sqrt(odds_ratio) + 1)",
    "lift == precision / prevalence",
    "skew == inverse_prevalence / prevalence",
    "predicted_skew == inverse_bias / bias",
    "bias_index == bias - prevalence",
    "prevalence_index == (prevalence + bias) - 1",
    "bennett_s == 2 * accuracy - 1",
    "determination == informedness * markedness",
    "abs(cohen_kappa) <= abs(correlation)",
    "abs(correlation) <= (abs(informedness) + abs(markedness)) / 2",
    "f1 == f_beta",
    "f1 == f_measure",
    "accuracy == accuracy_c",
    "wracc == wracc_c",
    "precision == precision_c",
    "f1 == f1_c",
    "f1 <= g_measure",
    "g_measure <= a_measure",
    "jaccard <= f1",
    "balanced_precision == (precision + inverse_precision) / 2",
    "evenness_factor == 4 * sqrt(prevalence * inverse_prevalence * bias * inverse_bias)",
    "evenness_minus == prevalence * inverse_prevalence",
    "evenness_plus == evenness_minus",
    "evenness_det == prevalence * inverse_prevalence",
    "no_information_rate == maximum(prevalence, inverse_prevalence)",
    "contingency_coefficient == sqrt(correlation ** 2 / (1 + correlation ** 2))",
    "informedness_ordinal == informedness",
    "informedness == somers_d",
    "markedness_ordinal == markedness",
    "markedness == somers_d_predicted",
    "correlation_ordinal == matthews",
)
ANY = (  # for any number of classes
    "accuracy == 1 - error_rate",
    "cohen_kappa == (accuracy - chance_agreement) / (1 - chance_agreement)",
    "correlation ** 2 == maximum(informedness * markedness, 0)",
    "scott_pi <= cohen_kappa",
    "krippendorff_alpha >= scott_pi",
    "chance_agreement == (accuracy - cohen_kappa) / (1 - cohen_kappa)",
    "informedness_discounted == coverage * informedness",
    "tschuprows_t <= cramers_v",
    "accuracy <= purity",
    "evenness_harmonic <= evenness_minus",
    "mutual_information == entropy_real - conditional_entropy",
    "mutual_information == entropy_predicted - conditional_entropy_predicted",
    "mutual_information == entropy_real + entropy_predicted - joint_entropy",
    "perplexity == exp(conditional_entropy)",
    "uncertainty == mutual_information / entropy_real",
    "uncertainty_predicted == mutual_information / entropy_predicted",
    "normalized_mutual_information == 2 * mutual_information / (entropy_real + entropy_predicted)",
    "correlation_ordinal ** 2 == informedness_ordinal * markedness_ordinal",
    "abs(weighted_kappa) <= abs(correlation_ordinal)",
)
SHOWN = {"f_beta": "f_beta(beta=1)", "f_measure": "f_measure(alpha=0.5)"} | {
    name: f"{name}(c=skew)" for name in ("accuracy_c", "precision_c", "f1_c", "wracc_c")
}
WORDS = {"**": "^", "<=": "≤", ">=": "≥", "maximum(": "max(", " * ": "·", "sqrt(": "√(", " - ": " − ", "==": "="}


def of(name: str) -> Iterator[str]:
    """The relations that name a measure, as they are read."""
    for held, where in ((TWO, ", for two classes"), (ANY, "")):
        for relation in held:
            if re.search(rf"\b{name}\b", relation):
                yield f"{written(relation)}{where}"


def written(relation: str) -> str:
    """As a person writes it, in code."""
    for name, shown in SHOWN.items():
        relation = re.sub(rf"\b{name}\b", shown, relation)
    for sign, word in WORDS.items():
        relation = relation.replace(sign, word)
    return f"`{relation.replace(' ^ ', '^')}`"


def hold(relation: str, classes: int, tables: int = 200) -> bool:
    """Whether both sides are equal on random tables, wherever both are defined and finite."""
    rng = np.random.default_rng(2011)
    t = Table.from_counts(rng.integers(1, 60, (tables, classes, classes)))
    names: dict[str, Any] = {"sqrt": np.sqrt, "exp": np.exp, "abs": np.abs, "maximum": np.maximum}
    for name in set(re.findall(r"[a-z_0-9]+", relation)) & MEASURES.keys():
        names[name] = np.asarray(MEASURES[name](t))
    before, sign, after = re.split(r" (==|<=|>=) ", relation)
    left, right = (np.asarray(eval(side, names)) for side in (before, after))
    defined = np.isfinite(left) & np.isfinite(right)
    gap = (left - right)[defined] * {"==": 1, "<=": 1, ">=": -1}[sign]
    true = gap <= 1e-9 if sign != "==" else np.isclose(gap, 0, atol=1e-9)
    return bool(defined.sum() > tables / 2 and true.all())
