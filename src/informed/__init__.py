"""How much better than guessing is a classifier, and how sure are we?

One noun, `Table`: counts of predictions against reality. Everything else is a function of it.

>>> import informed
>>> t = informed.Table.from_counts([[56, 20], [12, 12]])
>>> round(informed.informedness(t), 4)
0.1985

Names are loaded when they are first used, so that `import informed` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

_HOMES = {
    "informed.errors": ("InformedError",),
    "informed.evidence.table": ("Table",),
    "informed.evidence.tally": ("Tally",),
    "informed.measures.solving": ("solve",),
    "informed.sources": ("read",),
    "informed.evidence.paired": ("Paired",),
    "informed.evidence.scores": ("Scores",),
    "informed.measures": ("ALIASES", "MEASURES", "Facts", "Measure", "find", "search", "why"),
    "informed.measures.rates": (
        "accuracy",
        "balanced_accuracy",
        "balanced_precision",
        "error_rate",
        "fallout",
        "false_negative_accuracy",
        "false_positive_accuracy",
        "g_mean",
        "inverse_precision",
        "inverse_recall",
        "miss_rate",
        "precision",
        "recall",
    ),
    "informed.measures.overlap": (
        "a_measure",
        "av_f",
        "av_g",
        "f1",
        "f_beta",
        "f_measure",
        "g_measure",
        "inverse_a",
        "inverse_f1",
        "inverse_g",
        "inverse_jaccard",
        "jaccard",
    ),
    "informed.measures.chance": (
        "auc_single",
        "chance_distance",
        "correlation",
        "correlation_det",
        "delta_tp",
        "determination",
        "informedness",
        "informedness_det",
        "informedness_trace",
        "markedness",
        "markedness_det",
        "markedness_trace",
        "matthews",
        "roc_distance",
        "wracc",
    ),
    "informed.measures.agreement": (
        "bennett_s",
        "chance_agreement",
        "chance_from_kappa",
        "cohen_kappa",
        "gwet_ac1",
        "kappa_form",
        "krippendorff_alpha",
        "scott_pi",
        "weighted_kappa",
    ),
    "informed.measures.information": (
        "adjusted_mutual_information",
        "conditional_entropy",
        "conditional_entropy_predicted",
        "entropy_predicted",
        "entropy_real",
        "joint_entropy",
        "mutual_information",
        "normalized_mutual_information",
        "perplexity",
        "uncertainty",
        "uncertainty_predicted",
    ),
    "informed.measures.association": (
        "adjusted_rand_index",
        "contingency_coefficient",
        "cramers_v",
        "cramers_v_corrected",
        "fowlkes_mallows_pairs",
        "lambda_predicted",
        "lambda_real",
        "lambda_symmetric",
        "odds_ratio",
        "purity",
        "rand_index",
        "spearman",
        "tetrachoric",
        "tschuprows_t",
        "yule_q",
        "yule_y",
    ),
    "informed.measures.diagnosis": (
        "bias",
        "bias_index",
        "coverage",
        "evenness_factor",
        "evenness_harmonic",
        "evenness_minus",
        "evenness_plus",
        "informedness_discounted",
        "informedness_of_all",
        "inverse_bias",
        "inverse_prevalence",
        "lift",
        "lr",
        "nlr",
        "no_information_rate",
        "predicted_skew",
        "prevalence",
        "prevalence_index",
        "skew",
    ),
    "informed.measures.cost_weighted": ("accuracy_c", "f1_c", "precision_c", "wracc_c"),
    "informed.inference.intervals": ("interval", "posterior"),
    "informed.inference.power": ("Plan", "detectable", "power", "sample_size"),
    "informed.inference.tests": ("posterior_alpha_beta", "test"),
    "informed.summary.analysis": ("report",),
    "informed.documents.notebook": ("notebook_html",),
    "informed.documents.paging": ("page",),
    "informed.summary.report": ("Report",),
    "informed.systems.folds": ("folds",),
    "informed.systems.risk_coverage": ("abstention", "risk_coverage"),
    "informed.systems.judge": ("judge",),
    "informed.systems.leaderboard": ("leaderboard",),
    "informed.systems.raters": ("agreement",),
    "informed.systems.slices": ("slices",),
    "informed.systems.compare": ("compare",),
    "informed.decisions.assignment": ("assign",),
    "informed.decisions.bookmaker": ("odds", "payoffs"),
    "informed.decisions.recover": ("recover",),
    "informed.decisions.roc": ("roc",),
    "informed.decisions.threshold": ("threshold",),
}

_HOME = {name: home for home, names in _HOMES.items() for name in names}

__version__ = "0.1.0"
__all__ = [*sorted(_HOME), "__version__"]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
    elif name.startswith("_"):
        raise AttributeError(f"module 'informed' has no attribute {name!r}")
    else:  # another name of a measure: informed.mcc is informed.matthews
        measures = import_module("informed.measures")
        if name not in measures.ALIASES:
            raise AttributeError(f"module 'informed' has no attribute {name!r}")
        value = measures.MEASURES[measures.ALIASES[name]].function
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__


if TYPE_CHECKING:
    from informed.decisions.assignment import assign
    from informed.decisions.bookmaker import odds, payoffs
    from informed.decisions.recover import recover
    from informed.decisions.roc import roc
    from informed.decisions.threshold import threshold
    from informed.documents.notebook import notebook_html
    from informed.documents.paging import page
    from informed.errors import InformedError
    from informed.evidence.paired import Paired
    from informed.evidence.scores import Scores
    from informed.evidence.table import Table
    from informed.evidence.tally import Tally
    from informed.inference.intervals import interval, posterior
    from informed.inference.power import Plan, detectable, power, sample_size
    from informed.inference.tests import posterior_alpha_beta, test
    from informed.measures import ALIASES, MEASURES, Facts, Measure, find, search, why
    from informed.measures.agreement import *
    from informed.measures.association import *
    from informed.measures.chance import *
    from informed.measures.cost_weighted import *
    from informed.measures.diagnosis import *
    from informed.measures.information import *
    from informed.measures.overlap import *
    from informed.measures.rates import *
    from informed.measures.solving import solve
    from informed.sources import read
    from informed.summary.analysis import report
    from informed.summary.report import Report
    from informed.systems.compare import compare
    from informed.systems.folds import folds
    from informed.systems.judge import judge
    from informed.systems.leaderboard import leaderboard
    from informed.systems.raters import agreement
    from informed.systems.risk_coverage import abstention, risk_coverage
    from informed.systems.slices import slices
