"""Sections about decisions that a report or a page of their own can hold.

`threshold_section` is what a page says of a score: the chosen threshold and its worth, and a slider
that shows the table and its measures at every other one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._numbers import count, percent, rate, span
from informed.decisions.costs import (
    CostCurve,
    DecisionCurve,
    cost_curve,
    decision_curve,
    expected_cost,
)
from informed.decisions.curve import Curve
from informed.decisions.rejection import RejectCurve, chow, drop_superstitious, reject_curve
from informed.decisions.threshold import Choice, threshold
from informed.documents.blocks import Block, Drawing, Grid, Section, Words, columns, drawing, label
from informed.documents.charts.chart import Chart
from informed.documents.charts.curves import Series, reaching
from informed.documents.charts.curves import curve as lines
from informed.documents.charts.marks import Axis, Moving, scale, short
from informed.documents.charts.plane import Limits, Path, Point, roc_plane
from informed.documents.charts.slider import moving, slider
from informed.documents.document import Document, drafted
from informed.documents.paging import page_of
from informed.evidence.labels import text as said_label
from informed.evidence.table import Table
from informed.measures import find
from informed.measures.shown import AT_POINT, AT_THRESHOLD
from informed.results import Result
from informed.summary.sentences import listed
from informed.systems.risk_coverage import abstention

STOPS = 160  # thresholds that the slider knows, besides those of the rules
ROWS = 9  # thresholds that are written out
RULES = ("informedness", "closest", "bias")  # shown beside the one that was asked for
MOST_LABELS = 20


def threshold_section(
    curve: Curve,
    choice: Choice | None = None,
    *,
    cost: Any = None,
    prevalence: float | None = None,
    key: str = "threshold",
) -> Section:
    """The threshold: what was chosen, what it is worth, and a slider over all others.

    Parameters
    ----------
    choice
        What `informed.threshold` found; by default its rule "cost" where a cost or a prevalence is
        given, else "informedness".
    cost, prevalence
        FN:FP and the share of positives where it will be used, for the cost beside the slider.
    key
        The section's id in a page.
    """
    title = "The threshold"
    if curve.why:
        return Section(key, title, tuple(Words(x, "note") for x in curve.notes))
    if choice is None:
        rule = "informedness" if cost is None and prevalence is None else "cost"
        choice = threshold(curve, rule, cost=cost, prevalence=prevalence)
    named = {name: _chosen(curve, name) for name in RULES if name != choice.rule}
    at = _stops(curve, [choice, *named.values()])
    there = curve._table(at)
    shown = _measured(there, cost, prevalence)
    start = int(np.searchsorted(at, _place(curve, choice)))
    return Section(
        key,
        title,
        (
            Words(f"{_sentence(choice)} {_cases(curve)}", "note"),
            *_pictures(curve, choice, named, at, start, key),
            Drawing(
                "Slider over the thresholds",
                lambda _: _slider(curve, at, there, shown, start, f"{key}-cut"),
            ),
            *_chosen_grids(choice),
            _rules(choice, named),
            _others(curve, at, shown),
        ),
    )


def choice_blocks(choice: Choice) -> tuple[Block, ...]:
    """A choice by itself, without its curve."""
    return (Words(_sentence(choice), "note"), *_chosen_grids(choice))


def _chosen_grids(choice: Choice) -> tuple[Grid, Grid]:
    return _counts(choice.table), _worth(choice)


def _sentence(choice: Choice) -> str:
    return (
        f"Threshold {choice.threshold:.6g} by the rule {choice.rule}; resampling puts it between "
        f"{choice.low:.6g} and {choice.high:.6g} ({percent(choice.level)})."
    )


def _cases(curve: Curve) -> str:
    return (
        f"{count(curve.positives)} cases of {said_label(curve.positive)}, "
        f"{count(curve.negatives)} of {said_label(curve.negative)}."
    )


# ---------------------------------------------------------------------- other thresholds


def _chosen(curve: Curve, rule: str) -> Choice:
    return threshold(curve, rule, n_draws=20)  # its threshold is wanted, not its interval


def _stops(curve: Curve, wanted: Sequence[Choice]) -> NDArray[np.intp]:
    """Positions spread evenly over the cases, and those of certain choices."""
    called = curve.tp + curve.fp
    spread = np.searchsorted(called, np.linspace(0, called[-1], STOPS))
    return np.unique(np.concatenate([spread, [_place(curve, choice) for choice in wanted]]))


def _place(curve: Curve, choice: Choice) -> int:
    """Position of a choice; an infinite threshold calls nothing, or those with infinite scores."""
    first = int(np.searchsorted(-curve.thresholds, -choice.threshold))
    infinite = first == 0 and float(choice.table.pp) > 0
    return first + infinite


def _measured(there: Table, cost: Any, prevalence: float | None) -> dict[str, list[str]]:
    """Measures at each stop, written; the cost a case last."""
    shown = {find(name).facts.title: list(map(rate, np.asarray(find(name)(there)).tolist()))
             for name in AT_THRESHOLD}  # fmt: skip
    money = "1:1" if cost is None else cost
    paid = np.asarray(expected_cost(there, money, prevalence=prevalence).system)
    said = money if isinstance(money, str) else ":".join(f"{x:g}" for x in np.atleast_1d(money))
    return {**shown, f"cost a case at {said}": [f"{x:.4g}" for x in paid.tolist()]}


def _cuts(curve: Curve, at: NDArray[np.intp]) -> list[str]:
    """Thresholds in words; the first one calls nothing positive."""
    cuts = zip(at.tolist(), curve.thresholds[at].tolist(), strict=True)
    return ["none" if i == 0 else "all" if x == -math.inf else f"{x:.6g}" for i, x in cuts]


def _slider(
    curve: Curve,
    at: NDArray[np.intp],
    there: Table,
    shown: dict[str, list[str]],
    start: int,
    id_: str,
) -> str:
    """The slider, the measures, and the table that it makes."""
    name = f"Call {label(curve.positive)} where score ≥"
    heads = "".join(f'<th scope="col" class="r">{escape(label(x))}</th>' for x in there.labels)
    rows = []
    for i, x in enumerate(there.labels):
        cells = "".join(
            f'<td class="r">{moving(id_, list(map(count, there.counts[:, i, j].tolist())), start)}'
            "</td>"
            for j in range(len(there.labels))
        )
        rows.append(f'<tr><th scope="row">{escape(label(x))}</th>{cells}</tr>')
    table = (
        '<table aria-label="Counts at this threshold"><thead><tr><th scope="col">predicted '
        f"\\ real</th>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )
    return slider(id_, name, _cuts(curve, at), start, shown, table)


def _others(curve: Curve, at: NDArray[np.intp], shown: dict[str, list[str]]) -> Grid:
    some = np.unique(np.linspace(0, len(at) - 1, ROWS).round().astype(int))
    cuts = _cuts(curve, at)
    rows = tuple((cuts[i], *(values[i] for values in shown.values())) for i in some)
    return Grid("Other thresholds, on these cases", columns("threshold", *shown), rows, "cuts")


# ---------------------------------------------------------------------- the choice


def _counts(t: Table) -> Grid:
    return Grid(
        "Counts at this threshold (rows: predicted, columns: real)",
        columns("predicted \\ real", *(label(x) for x in t.labels)),
        tuple((label(x), *map(count, row)) for x, row in zip(t.labels, t.counts, strict=True)),
        "counts",
    )


def _worth(choice: Choice) -> Grid:
    return Grid(
        f"What it is worth ({choice.n_draws} resamples of the cases)",
        columns("measure", "on these cases", "optimism", "on new cases"),
        tuple(
            (name, rate(w.apparent), rate(w.optimism), rate(w.corrected))
            for name, w in choice.measures.items()
        ),
        "worth",
    )


def _rules(choice: Choice, named: dict[str, Choice]) -> Grid:
    rows = []
    for name, found in {choice.rule: choice, **named}.items():
        each = [rate(found[x].apparent) for x in AT_POINT]
        said = f"{name} (chosen)" if found is choice else name
        rows.append((said, f"{found.threshold:.6g}", *each))
    heads = columns("rule", "threshold", "recall", "fallout", "precision", "informedness")
    return Grid("Other rules, on these cases", heads, tuple(rows), "rules")


def mark(name: str, found: Choice, role: str = "dot") -> Point:
    """A choice as a point of the plane."""
    return Point(name, found["fallout"].apparent, found["recall"].apparent, role=role)


def plane(
    curve: Curve,
    points: Sequence[Point],
    *,
    slope: float = 1.0,
    level: float | None = 0.95,
    cases: bool = False,
    follows: Moving | None = None,
) -> Chart | None:
    """A curve with its hull, its band at this level and points on it, the chosen one first."""
    if curve.why:
        return None
    band = None
    if level is not None:
        b = curve.band(level)
        band = Limits(f"{100 * level:g} % band of the curve", b.fallout, b.low, b.high)
    hull = curve.hull()
    title = "True against false positives in cases (the PN plane)"
    return roc_plane(
        title if cases else "Recall against fallout at every threshold (the ROC plane)",
        points=points,
        curves=(
            Path("convex hull", hull.fallout, hull.recall, "hull"),
            Path("", curve.fallout, curve.recall),
        ),
        band=band,
        equal_cost=(slope, f"equal cost, c = {slope:.3g}"),
        of=curve.positive,
        sizes=(curve.negatives, curve.positives),
        cases=cases,
        follows=follows,
        words=f"Area {rate(curve.auc)}.",
    )


def _pictures(
    curve: Curve,
    choice: Choice,
    named: dict[str, Choice],
    at: NDArray[np.intp],
    start: int,
    key: str,
) -> list[Block]:
    others = [mark(name, found, "ring") for name, found in named.items()]
    how: dict[str, Any] = {
        "points": [mark(choice.rule, choice), *others],
        "slope": 1.0 if choice.c is None else choice.c,
        "level": choice.level,
        "follows": Moving(f"{key}-cut", curve.fallout[at], start, curve.recall[at], "ring moving"),
    }
    return [
        drawing("ROC plane", plane(curve, **how)),
        drawing("PN plane", plane(curve, cases=True, **how)),
    ]


# ---------------------------------------------------------------------- costs


def cost_section(
    curve: Curve,
    choice: Choice,
    *,
    cost: Any = None,
    prevalence: float | None = None,
    key: str = "costs",
) -> Section:
    """What the choice costs, and the cost curve and the decision curve of the score."""
    blocks: list[Block] = []
    if cost is not None or prevalence is not None:
        e = expected_cost(choice.table, "1:1" if cost is None else cost, prevalence=prevalence)
        rows = (
            ("this threshold", f"{e.system:.4g}"),
            ("guessing as often", f"{e.chance:.4g}"),
            (f"always {said_label(e.label)}", f"{e.constant:.4g}"),
            ("perfect", f"{e.perfect:.4g}"),
        )
        blocks.append(Grid("Cost of a case", columns("who", "cost"), rows, "costs"))
    costs = cost_curve(curve)
    blocks.append(drawing("Cost curve", cost_picture(costs, choice)))
    blocks.append(
        Words(
            f"Over all costs and prevalences alike, a case costs {rate(costs.area)} of the most "
            "that it can; always giving the cheaper answer costs 0.250.",
            "note",
        )
    )
    finite = curve.thresholds[np.isfinite(curve.thresholds)]
    if len(finite) and finite.min() >= 0 and finite.max() <= 1:
        benefit = decision_curve(curve, prevalence=prevalence)
        blocks.insert(-1, drawing("Decision curve", benefit_picture(benefit)))
        blocks.append(Words(f"If scores are probabilities: {lowered(benefit.sentence())}", "note"))
    return Section(key, "Costs", tuple(blocks))


def lowered(said: str) -> str:
    return said[:1].lower() + said[1:]


def cost_picture(costs: CostCurve, choice: Choice | None) -> Chart | None:
    """Cost against the weight of the positives, and of the choice throughout."""
    series = [
        Series("best threshold for each weight", costs.cost, "curve s1"),
        Series("always the cheaper answer", costs.trivial, "curve s3"),
    ]
    if choice is not None:
        miss, fall = 1 - choice["recall"].apparent, choice["fallout"].apparent
        fixed = miss * costs.weight + fall * (1 - costs.weight)
        series.append(Series("the chosen threshold throughout", fixed, "curve s2"))
    c = None if choice is None else choice.c
    return lines(
        costs.weight,
        series,
        title="Cost curve",
        words=f"Cost against the weight of the positives; mean {rate(costs.area)}.",
        across=_shares("weight of the positives, 1/(1 + c)"),
        up=reaching(series, high=0.5),
        here=None if c is None else {"yours": 1 / (1 + c)},
        head="Cost curve",
    )


def _shares(title: str, said: Callable[[float], str] = short) -> Axis:
    return scale(0, 1, title, at=(0, 0.25, 0.5, 0.75, 1), said=said, role="")


def benefit_picture(benefit: DecisionCurve) -> Chart | None:
    """Net benefit against the threshold probability."""
    most = float(np.max(benefit.model))
    series = [
        Series("acting where score ≥ p", benefit.model, "curve s1"),
        Series("acting always", np.maximum(benefit.everyone, -0.25 * most), "curve s3"),
        Series("acting never", benefit.nobody, "curve s4"),
    ]
    return lines(
        benefit.probabilities,
        series,
        title="Decision curve",
        words=benefit.sentence(),
        across=_shares("threshold probability p"),
        up=reaching(series, low=min(-0.25 * most, 0.0)),
        head="Decision curve",
    )


# ---------------------------------------------------------------------- no answer


def reject_section(
    curve: Curve,
    *,
    cost: Any = None,
    prevalence: float | None = None,
    price: float | None = None,
    key: str = "abstain",
) -> Section:
    """What leaving the least sure cases without an answer brings (Chow), by coverage."""
    found = reject_curve(curve, cost=cost, prevalence=prevalence)
    blocks: list[Block] = []
    if price is not None:
        money = "1:1" if cost is None else cost
        chosen = chow(curve, cost=money, abstain=price, prevalence=prevalence)
        blocks.append(Words(chosen.sentence()))
    rows = []
    for i in dict.fromkeys(found.at(x) for x in (1.0, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5)):
        each = (found.informedness[i], found.of_all[i])
        cuts = (f"< {found.lower[i]:.6g} or ≥ {found.upper[i]:.6g}", f"{found.prices[i]:.4g}")
        rows.append((percent(found.coverage[i], 1), *(rate(float(x)) for x in each), *cuts))
    heads = ("coverage", "of the answers", "of all cases", "answered where score", "price")
    blocks += [
        drawing("Coverage and informedness", coverage_picture(found)),
        Grid("Informedness by coverage, the surest cases first", columns(*heads), tuple(rows)),
        Words(
            "Leaving a case out pays where no answer costs less than the price. These thresholds "
            "were chosen on these cases, so that new cases will give a little less.",
            "note",
        ),
    ]
    return Section(key, "When to give no answer", tuple(blocks))


def coverage_picture(found: RejectCurve) -> Chart | None:
    """Informedness against coverage, of the answers and over all cases."""
    series = [
        Series("of the answered cases", found.informedness, "curve s1"),
        Series("over all cases", found.of_all, "curve s3"),
    ]
    return lines(
        found.coverage,
        series,
        title="Informedness against coverage",
        words="; ".join(
            f"coverage {percent(found.coverage[i])}: {rate(float(found.informedness[i]))}"
            for i in dict.fromkeys(map(found.at, (0.5, 0.8, 0.9, 1.0)))
        ),
        across=_shares("coverage: share of the cases that get an answer", percent),
        up=reaching(series, high=1.0),
        head="Informedness against coverage",
    )


def label_section(t: Table, *, level: float = 0.95, key: str = "market") -> Section | None:
    """Which labels are better not used: B(l) < 0. None where there is nothing to say of them.

    Two classes share one informedness, so that both or neither would be dropped: that is said as
    "reverse the labels" elsewhere.
    """
    if t.shape or not t.is_square or len(t.labels) < 3 or not t.n:
        return None
    found, dropped = abstention(t, level=level), drop_superstitious(t)
    low, high = np.asarray(found.per_label.low), np.asarray(found.per_label.high)
    values = np.asarray(found.per_label.estimate)
    rows = []
    for i in np.argsort(values, kind="stable")[:MOST_LABELS]:
        x = t.labels[i]
        verdict = "harmful" if x in found.harmful else "loses" if x in dropped.labels else "pays"
        rows.append((label(x), rate(float(values[i])), span(low[i], high[i]), verdict))
    blocks: list[Block] = [Words(dropped.sentence(), "plain")]
    if dropped.labels:
        sure = f"{listed(found.harmful)} beyond luck" if found.harmful else "none beyond luck"
        blocks.append(Words(f"Of these, {sure}. {' '.join(map(str, found.notes))}".strip(), "note"))
    heads = columns("label", "informedness", f"{percent(level)} interval, all at once", "verdict|")
    blocks.append(Grid("Labels, the least informed first", heads, tuple(rows), "labels"))
    return Section(key, "When to stay out of the market", tuple(blocks))


# ---------------------------------------------------------------------- pages of their own


@page_of(Choice)
def choice_page(choice: Choice) -> Document:
    """A threshold and what it is worth."""
    section = Section("choice", "The choice", choice_blocks(choice))
    made = drafted("Threshold", choice.sentence(), (section,), (), choice.notes, choice.to_dict())
    return replace(made, records=choice.records())


@page_of(CostCurve)
def cost_curve_page(found: CostCurve) -> Document:
    """What a case costs at every mix of classes and costs."""
    return _pictured(found, "Cost curve", drawing("Cost curve", cost_picture(found, None)))


@page_of(DecisionCurve)
def decision_curve_page(found: DecisionCurve) -> Document:
    """The net benefit at every threshold probability."""
    return _pictured(found, "Decision curve", drawing("Decision curve", benefit_picture(found)))


@page_of(RejectCurve)
def reject_curve_page(found: RejectCurve) -> Document:
    """What leaving the doubtful cases without an answer gains."""
    drawn = drawing("Coverage", coverage_picture(found))
    return _pictured(found, "Coverage", drawn)


def _pictured(found: Result, title: str, drawn: Drawing) -> Document:
    return Document(
        title,
        found.sentence() or title,
        (Section("curve", title, (drawn,)),),
        data=found.to_dict(),
        records=found.records(),
    )
