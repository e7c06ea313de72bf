"""Methods of results, as sentences for a paper with the works to cite: of every kind beside reports and comparisons.

A result's kind is found by the name of its class, so that naming methods loads no module of theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from informed.documents.references import Statement
from informed.inference.method_names import INTERVALS, OWN, TESTS, NamedMethod

ARC = (OWN, "anscombe1948")
ADJUSTED = {"holm": ("Holm's procedure", ("holm1979",)), "max-t": ("the same joint distribution", ())}
HETEROGENEITY: Mapping[str, Statement] = {
    "exact-rates": (
        "That the slices share one rate was tested by Pearson's χ² with its exact distribution, given all successes",
        ("pearson1900chi",),
    ),
    "cochran-heterogeneity": ("That the slices share one value was tested by Cochran's Q", ("cochran1954",)),
}
GROUPS: Statement = ("That the groups share one value was tested by Cochran's Q", ("cochran1954",))
NEW_GROUP: Statement = (
    "The mean over groups like these is that of a random-effects analysis with Paule and Mandel's variance between "
    "groups, the Hartung–Knapp–Sidik–Jonkman interval and the prediction interval of one new group",
    ("paule1982", "knapp2003", "higgins2009"),
)
COEFFICIENTS = {
    "cohen": "cohen1960",
    "weighted_kappa": "cohen1968",
    "scott": "scott1955",
    "krippendorff": "krippendorff2004",
    "gwet_ac1": "gwet2008",
    "gwet_ac2": "gwet2008",
}


def statements(result: Any) -> list[Statement]:
    """Sentences about the methods of a result, without their full stops; none where there is nothing to cite."""
    said = next((KINDS[kind.__name__] for kind in type(result).__mro__ if kind.__name__ in KINDS), None)
    return [] if said is None else list(said(result))


def _named(title: str, method: NamedMethod) -> Statement:
    whose = method.title if method.title.split()[0].endswith("'s") else f"the {method.title}"
    return f"{title} {whose}", method.refs


def _interval(result: Any) -> Iterator[Statement]:
    if result.method in INTERVALS:
        yield _named("The confidence limits are those of", INTERVALS[result.method])


def _intervals(result: Any) -> Iterator[Statement]:
    for one in result.each:
        yield from _interval(one)


def _test(result: Any) -> Iterator[Statement]:
    if result.method in TESTS:
        yield _named("The hypothesis was tested by", TESTS[result.method])


def _board(board: Any) -> Iterator[Statement]:
    yield (
        "The confidence intervals of all systems and of all their differences are simultaneous, by the joint "
        "distribution of the estimates (max-t)",
        ("hothorn2008", OWN),
    )
    how, refs = ADJUSTED.get(board.adjust, (f"the procedure “{board.adjust}”", ()))
    if board.adjust != "none":
        yield f"p-values were adjusted by {how}", refs


def _area(curve: Any) -> Iterator[Statement]:
    if curve.why:
        return
    if curve.interval().method == "newcombe":
        yield "The confidence interval of the area under the ROC curve is Newcombe's (method 5)", ("newcombe2006",)
    elif curve.units is not None and not curve.units.single:
        yield "The confidence interval of the area under the ROC curve has Obuchowski's variance", ("obuchowski1997",)
    else:
        yield "The confidence interval of the area under the ROC curve is DeLong's on the logit scale", ("delong1988",)


def _chosen(made: Any) -> Iterator[Statement]:
    yield from _area(made.curve)
    yield from _choice(made.choice)


def _choice(_: Any) -> Iterator[Statement]:
    yield (
        "What the threshold is worth on new cases was estimated by choices on bootstrap samples, judged by the cases "
        "that were not drawn",
        ("efron1983",),
    )


def _several(made: Any) -> Iterator[Statement]:
    yield from dict.fromkeys(x for name in made.ranked for x in _area(made.curves[name]))
    if made.found:
        clustered = any(x.method.startswith("obuchowski") for x in made.found.values())
        whose = "Obuchowski's test for clustered cases" if clustered else "DeLong's test"
        yield f"Areas were compared by {whose}", ("obuchowski1997",) if clustered else ("delong1988",)
    if len(made.found) > 1:
        yield "p-values were adjusted by Holm's procedure", ("holm1979",)


def _agreement(found: Any) -> Iterator[Statement]:
    refs = dict.fromkeys(COEFFICIENTS[x] for x in found.coefficients if x in COEFFICIENTS)
    yield "Agreement beyond chance is stated by the coefficients that are named", tuple(refs)
    linear = any(c.method in ("linearised", "jackknife", "bootstrap") for c in found.coefficients.values())
    if linear:
        yield (
            "Their confidence intervals are those of Gwet's linearised standard errors, or of resampled items",
            ("gwet2008",),
        )
    else:
        yield "Their confidence limits are those of the Fisher-arc hull (a generalised arcsine interval)", ARC
    if found.test:
        yield f"That the raters rate independently was tested by {found.test}", ()


def _intraclass(_: Any) -> Iterator[Statement]:
    yield (
        "Intraclass correlations have the confidence limits and tests of the F distribution",
        ("shrout1979", "mcgraw1996"),
    )


def _tags(_: Any) -> Iterator[Statement]:
    yield (
        "The confidence limits are those of the Fisher arc with the standard error between items, and the test "
        "shuffles the predictions over the items",
        ARC,
    )


def _tags_difference(_: Any) -> Iterator[Statement]:
    yield "The difference has Student's confidence limits and test, with the standard error between items", ()


def _probabilities(_: Any) -> Iterator[Statement]:
    yield (
        "Scores of probabilities are split into calibration, discrimination and uncertainty by isotonic regression "
        "(CORP), and their confidence limits are Student's, with the standard error between cases",
        ("dimitriadis2021",),
    )


def _marks_interval(method: str) -> Iterator[Statement]:
    if "bounded" in method:
        yield (
            "The confidence limits of mean scores are those of Gaffke's bound for bounded variables, in a mid-P form, "
            "or Student's where these are wider",
            ("gaffke2005", OWN),
        )
    elif method in INTERVALS:
        yield _named("The confidence limits of scores are those of", INTERVALS[method])


def _marks(r: Any) -> Iterator[Statement]:
    from informed.inference.intervals import interval

    if np.isfinite(r.marks.score):
        yield from _marks_interval(str(interval(r.marks, level=r.level).method))


def _marks_difference(d: Any) -> Iterator[Statement]:
    if d.method == "arc":
        yield "The difference of the scores has the paired Fisher-arc interval", ARC
    else:
        yield from _marks_interval(d.method)


def _judged(_: Any) -> Iterator[Statement]:
    yield (
        "The rate combines the gold labels within each verdict with the judge's verdicts of the whole batch; its "
        "confidence limits carry over the mid-P limits of the shares",
        ("lancaster1961", OWN),
    )


def _judged_elsewhere(_: Any) -> Iterator[Statement]:
    yield "The rate of verdicts was corrected for the judge's recall and fallout", ("rogan1978",)


def _judged_systems(_: Any) -> Iterator[Statement]:
    yield (
        "The difference combines the judge's verdicts with the gold labels, and is right however wrong the judge is",
        (OWN,),
    )


def _verified(_: Any) -> Iterator[Statement]:
    yield (
        "Shares of verified cases within strata were put together in the sizes of the strata; the confidence limits "
        "are those of a table of the effective number of cases",
        ("begg1983", OWN),
    )


def _folds(found: Any) -> Iterator[Statement]:
    said: Mapping[str, Statement] = {
        "corrected-t": ("Systems were compared over folds by the corrected resampled t-test", ("nadeau2003",)),
        "friedman": ("Systems were compared over data sets by Friedman's and Nemenyi's tests", ("demsar2006",)),
        "items": (
            "Systems were compared on the items, with simultaneous confidence intervals (max-t)",
            ("hothorn2008", OWN),
        ),
        "crossed": ("Systems were compared with items and trainings as crossed random effects", (OWN,)),
        "seeds-t": ("Systems were compared over seeds by paired t-tests", ()),
    }
    if found.method in said:
        yield said[found.method]


def _slices(found: Any) -> Iterator[Statement]:
    if found.heterogeneity.method in HETEROGENEITY:
        yield HETEROGENEITY[found.heterogeneity.method]
    if np.isfinite(found.new).any():
        yield NEW_GROUP


def _suite(s: Any) -> Iterator[Statement]:
    tasks = "a sample of tasks" if s.sampling == "random" else "these tasks"
    yield f"The mean over tasks is that of {tasks}, and its variance adds up those of the tasks", ()
    if len(s.systems) > 1:
        yield "p-values were adjusted by Holm's procedure", ("holm1979",)


def _watched(watch: Any) -> Iterator[Statement]:
    yield "The confidence sequence holds at every look", ("waudbysmith2024",)
    if not np.isnan(getattr(watch, "wealth", 0.0)):  # of one system without a threshold nothing is bet
        yield "The evidence is the wealth of a bettor (a test martingale)", ("ville1939",)


def _risk(_: Any) -> Iterator[Statement]:
    yield "The mean risk over all coverages has Student's confidence limits, with the standard error between cases", ()


def _plan(plan: Any) -> Iterator[Statement]:
    said = {
        "exact": "weighs the tables that can occur by their probability",
        "analytic": "is a normal approximation",
        "simulation": "is that of drawn tables",
    }
    if plan.method in said:
        yield f"The power {said[plan.method]}, with the test that `informed` uses by default", (OWN,)


KINDS: Mapping[str, Callable[[Any], Iterator[Statement]]] = {
    "Interval": _interval,
    "Intervals": _intervals,
    "Test": _test,
    "Leaderboard": _board,
    "Curve": _area,
    "Chosen": _chosen,
    "Choice": _choice,
    "Several": _several,
    "Agreement": _agreement,
    "IntraclassCorrelation": _intraclass,
    "TagsReport": _tags,
    "TagsDifference": _tags_difference,
    "Probabilities": _probabilities,
    "ClassProbabilities": _probabilities,
    "ProbabilityComparison": _probabilities,
    "MarksReport": _marks,
    "MarksDifference": _marks_difference,
    "JudgedBatch": _judged,
    "JudgedElsewhere": _judged_elsewhere,
    "JudgedDifference": _judged_systems,
    "JudgedSystems": _judged_systems,
    "Verified": _verified,
    "VerifiedDifference": _verified,
    "Folds": _folds,
    "Slices": _slices,
    "Suite": _suite,
    "Watched": _watched,
    "WatchedSystems": _watched,
    "RiskCoverage": _risk,
    "Plan": _plan,
}
