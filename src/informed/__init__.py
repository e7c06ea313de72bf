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
from typing import Any

from informed.evidence.verbs import VERBS

# Where the public names live that are no measures; measures are found in their registry. Type checkers
# read all of them in __init__.pyi, which `make docs` writes from here.
_HOMES = {
    "informed.errors": ("InformedError",),
    "informed.evidence.forecasts": ("Forecasts",),
    "informed.evidence.marks": ("Marks",),
    "informed.evidence.paired": ("Paired",),
    "informed.evidence.scores": ("Scores",),
    "informed.evidence.table": ("Table",),
    "informed.evidence.tags": ("Tags",),
    "informed.evidence.tally": ("Tally",),
    "informed.sources": ("examples", "read"),
    "informed.measures": ("ALIASES", "MEASURES", "Facts", "Measure", "find", "search", "why"),
    "informed.measures.agreement": ("chance_from_kappa", "kappa_form"),
    "informed.measures.solving": ("solve",),
    "informed.inference.answers": ("Interval", "Intervals", "Posterior", "Test"),
    "informed.inference.heterogeneity": ("Heterogeneity",),
    "informed.inference.intervals": ("interval", "posterior"),
    "informed.inference.power": ("Plan", "detectable", "power", "sample_size"),
    "informed.inference.hypothesis": ("posterior_alpha_beta",),
    "informed.inference.tests": ("test",),
    "informed.inference.evalues": ("e_bh", "e_holm"),
    "informed.inference.watch": ("Watch", "watch"),
    "informed.inference.watch_result": ("Watched",),
    "informed.systems.board": ("Leaderboard",),
    "informed.systems.compare": ("compare",),
    "informed.systems.comparison": ("Comparison",),
    "informed.systems.difference": ("Difference", "Equivalence"),
    "informed.systems.folds": ("Folds", "folds"),
    "informed.systems.judge": ("judge",),
    "informed.systems.judge_batch": ("JudgedBatch",),
    "informed.systems.judge_elsewhere": ("JudgedElsewhere",),
    "informed.systems.judge_result": ("Judged",),
    "informed.systems.judged_difference": ("JudgeError", "JudgedDifference"),
    "informed.systems.judged_systems": ("JudgedSystems",),
    "informed.systems.verified": ("Verified", "verified"),
    "informed.systems.verified_difference": ("VerifiedDifference",),
    "informed.systems.leaderboard": ("leaderboard",),
    "informed.systems.marks_board": ("MarksBoard",),
    "informed.systems.marks_comparison": ("MarksDifference",),
    "informed.systems.intraclass": ("IntraclassCoefficient", "IntraclassCorrelation", "intraclass_correlation"),
    "informed.systems.raters": ("Agreement", "Coefficient", "agreement"),
    "informed.systems.risk_coverage": ("Abstention", "RiskCoverage", "abstention", "risk_coverage"),
    "informed.systems.sliced": ("Slices",),
    "informed.systems.slices": ("slices",),
    "informed.systems.tags_comparison": ("TagsBoard", "TagsDifference"),
    "informed.decisions.assignment": ("Assignment", "assign"),
    "informed.decisions.bookmaker": ("Odds", "Payoffs", "odds", "payoffs"),
    "informed.decisions.forecast": ("Probabilities", "Worth"),
    "informed.decisions.class_forecast": ("ClassProbabilities",),
    "informed.decisions.probabilities": ("probabilities",),
    "informed.decisions.probability_comparison": ("ProbabilityComparison", "SkillDifference"),
    "informed.decisions.probability_rules": ("Parts",),
    "informed.decisions.reliability": ("Reliability",),
    "informed.decisions.recover": ("Recovered", "recover"),
    "informed.decisions.chosen": ("Chosen",),
    "informed.decisions.costs": ("CostCurve", "DecisionCurve", "ExpectedCost"),
    "informed.decisions.curve": ("Band", "Curve", "Point"),
    "informed.decisions.hull": ("Hull", "Mixture"),
    "informed.decisions.multiclass": ("AreaDifference", "Areas"),
    "informed.decisions.rejection": ("Dropped", "Reject", "RejectCurve"),
    "informed.decisions.several": ("Several",),
    "informed.decisions.roc": ("roc",),
    "informed.decisions.threshold": ("Choice", "threshold"),
    "informed.summary.analysis": ("report",),
    "informed.summary.tags_report": ("TagsReport",),
    "informed.summary.decide": ("decide",),
    "informed.summary.report": ("Report",),
    "informed.results": ("Gate", "Note", "Records", "Result"),
    "informed.documents.document": ("Document",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

# Modules that users import; `import informed` alone has them, too.
_ROOMS: tuple[str, ...] = (
    "decisions",
    "documents",
    "inference",
    "inspect",
    "papers",
    "plotting",
    "simulation",
    "sklearn",
    "sources",
    "testing",
    "torch",
)

__version__ = "0.2.0.dev0"


def __getattr__(name: str) -> Any:
    if name == "__all__":
        value: Any = __dir__()
    elif name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
    elif name in _ROOMS:
        value = import_module(f"informed.{name}")
    elif name.startswith("_"):
        raise AttributeError(f"module 'informed' has no attribute {name!r}")
    else:  # a measure by any of its names: informed.mcc is informed.matthews
        measures = import_module("informed.measures")
        measure = measures.MEASURES.get(measures.ALIASES.get(name, name))
        if measure is None:
            raise AttributeError(f"module 'informed' has no attribute {name!r}{measures.instead(name, _HOME)}")
        value = measure.function
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*_HOME, *import_module("informed.measures").MEASURES, "__version__"})


def _instead(name: str) -> str:
    return str(import_module("informed.measures.elsewhere").instead_of_table(name))


def _worth(table: Any, measure: Any) -> Any:
    return import_module("informed.inference.sample").cases_and_worth(table, measure)


def _metrics(table: Any) -> Any:
    return import_module("informed.summary.analysis").report(table).metrics()


VERBS["metrics"] = _metrics  # the numbers of a table's report: a method of tables
VERBS["instead"] = _instead  # what to type for an attribute that tables do not have
VERBS["worth"] = _worth  # what a table's cases are worth to a measure: a method of tables
