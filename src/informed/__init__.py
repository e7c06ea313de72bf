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

# Where the public names live that are no measures; measures are found in their registry.
_HOMES = {
    "informed.errors": ("InformedError",),
    "informed.evidence.paired": ("Paired",),
    "informed.evidence.scores": ("Scores",),
    "informed.evidence.table": ("Table",),
    "informed.evidence.tally": ("Tally",),
    "informed.sources": ("read",),
    "informed.measures": ("ALIASES", "MEASURES", "Facts", "Measure", "find", "search", "why"),
    "informed.measures.agreement": ("chance_from_kappa", "kappa_form"),
    "informed.measures.solving": ("solve",),
    "informed.inference.answers": ("Interval", "Posterior", "Test"),
    "informed.inference.heterogeneity": ("Heterogeneity",),
    "informed.inference.intervals": ("interval", "posterior"),
    "informed.inference.power": ("Plan", "detectable", "power", "sample_size"),
    "informed.inference.hypothesis": ("posterior_alpha_beta",),
    "informed.inference.tests": ("test",),
    "informed.systems.board": ("Leaderboard",),
    "informed.systems.compare": ("compare",),
    "informed.systems.comparison": ("Comparison",),
    "informed.systems.difference": ("Difference", "Equivalence"),
    "informed.systems.folds": ("Folds", "folds"),
    "informed.systems.judge": ("Judged", "judge"),
    "informed.systems.leaderboard": ("leaderboard",),
    "informed.systems.raters": ("Agreement", "Coefficient", "agreement"),
    "informed.systems.risk_coverage": ("Abstention", "RiskCoverage", "abstention", "risk_coverage"),
    "informed.systems.slices": ("Slices", "slices"),
    "informed.decisions.assignment": ("Assignment", "assign"),
    "informed.decisions.bookmaker": ("Odds", "Payoffs", "odds", "payoffs"),
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
    "informed.summary.report": ("Report",),
    "informed.results": ("Gate", "Note", "Records", "Result"),
    "informed.documents.document": ("Document",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name == "__all__":
        value: Any = __dir__()
    elif name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
    elif name.startswith("_"):
        raise AttributeError(f"module 'informed' has no attribute {name!r}")
    else:  # a measure by any of its names: informed.mcc is informed.matthews
        measures = import_module("informed.measures")
        measure = measures.MEASURES.get(measures.ALIASES.get(name, name))
        if measure is None:
            raise AttributeError(f"module 'informed' has no attribute {name!r}")
        value = measure.function
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*_HOME, *import_module("informed.measures").MEASURES, "__version__"})


if TYPE_CHECKING:
    from informed.decisions.assignment import Assignment, assign
    from informed.decisions.bookmaker import Odds, Payoffs, odds, payoffs
    from informed.decisions.chosen import Chosen
    from informed.decisions.costs import CostCurve, DecisionCurve, ExpectedCost
    from informed.decisions.curve import Band, Curve, Point
    from informed.decisions.hull import Hull, Mixture
    from informed.decisions.multiclass import AreaDifference, Areas
    from informed.decisions.recover import Recovered, recover
    from informed.decisions.rejection import Dropped, Reject, RejectCurve
    from informed.decisions.roc import roc
    from informed.decisions.several import Several
    from informed.decisions.threshold import Choice, threshold
    from informed.documents.document import Document
    from informed.errors import InformedError
    from informed.evidence.paired import Paired
    from informed.evidence.scores import Scores
    from informed.evidence.table import Table
    from informed.evidence.tally import Tally
    from informed.inference.answers import Interval, Posterior, Test
    from informed.inference.heterogeneity import Heterogeneity
    from informed.inference.hypothesis import posterior_alpha_beta
    from informed.inference.intervals import interval, posterior
    from informed.inference.power import Plan, detectable, power, sample_size
    from informed.inference.tests import test
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
    from informed.results import Gate, Note, Records, Result
    from informed.sources import read
    from informed.summary.analysis import report
    from informed.summary.report import Report
    from informed.systems.board import Leaderboard
    from informed.systems.compare import compare
    from informed.systems.comparison import Comparison
    from informed.systems.difference import Difference, Equivalence
    from informed.systems.folds import Folds, folds
    from informed.systems.judge import Judged, judge
    from informed.systems.leaderboard import leaderboard
    from informed.systems.raters import Agreement, Coefficient, agreement
    from informed.systems.risk_coverage import Abstention, RiskCoverage, abstention, risk_coverage
    from informed.systems.slices import Slices, slices
