"""Pages of curves and of names for clusters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from informed._numbers import count, percent, pvalue, rate, span
from informed.decisions.assignment import Assignment, gains
from informed.decisions.costs import ExpectedCost, expected_cost
from informed.decisions.curve import Curve
from informed.decisions.rejection import Reject, chow, reject_curve
from informed.decisions.threshold import Choice, threshold
from informed.documents.blocks import Block, Grid, Section, Words, columns, drawing, label
from informed.documents.document import Document, opened
from informed.documents.pages.decisions import (
    cost_section,
    mark,
    plane,
    reject_section,
    threshold_section,
)
from informed.documents.pages.report_pictures import table as heat_map
from informed.documents.paging import page_of
from informed.errors import InferenceError
from informed.evidence.labels import text as said_label
from informed.evidence.table import Table
from informed.measures import find

MOST_CLUSTERS = 40


@dataclass(frozen=True)
class Chosen:
    """A curve with what was chosen on it."""

    curve: Curve
    choice: Choice
    cost: Any = None  # FN:FP
    prevalence: float | None = None  # of the positives where it will be used
    price: float | None = None  # of a case without an answer

    @property
    def costs(self) -> ExpectedCost | None:
        if self.cost is None and self.prevalence is None:
            return None
        return expected_cost(self.choice.table, self.cost or "1:1", prevalence=self.prevalence)

    @property
    def reject(self) -> Reject | None:
        if self.price is None:
            return None
        return chow(
            self.curve, cost=self.cost or "1:1", abstain=self.price, prevalence=self.prevalence
        )


# ---------------------------------------------------------------------- a curve


def cut(choice: Choice, positive: Any) -> str:
    """What a choice says to do, in words."""
    if choice.threshold == math.inf and not float(choice.table.pp):
        return f"call nothing {said_label(positive)}"
    if choice.threshold == -math.inf:
        return f"call everything {said_label(positive)}"
    return f"call {said_label(positive)} where score ≥ {choice.threshold:.6g}"


@page_of(Curve)
def curve_page(
    curve: Curve,
    *,
    choice: Choice | None = None,
    cost: Any = None,
    prevalence: float | None = None,
    price: float | None = None,
    title: str = "ROC",
) -> Document:
    """The page of a curve: its threshold with a slider, its costs, and when to give no answer.

    `choice` is what `informed.threshold` found; by default by cost where a cost or a prevalence is
    given, else by informedness. `price` is that of a case without an answer.
    """
    if curve.why:
        raise InferenceError(f"There is no threshold to choose: {curve.why}.")
    if choice is None:
        rule = "informedness" if cost is None and prevalence is None else "cost"
        choice = threshold(curve, rule, cost=cost, prevalence=prevalence)
    return chosen_page(Chosen(curve, choice, cost, prevalence, price), title=title)


def chosen_page(made: Chosen, *, title: str = "ROC") -> Document:
    """The page of a curve with what was chosen on it."""
    return opened(title, curve_sections(made), curve_data(made))


@page_of(Assignment)
def assignment_page(found: Assignment, *, title: str = "Names for clusters") -> Document:
    """The page of named clusters."""
    return opened(title, assignment_sections(found), assignment_data(found))


def curve_sections(made: Chosen) -> tuple[Section, ...]:
    """The answer, the threshold with other thresholds, costs, abstention and notes."""
    curve, choice = made.curve, made.choice
    area = curve.interval(choice.level)
    b = choice["informedness"]
    positive, negative = said_label(curve.positive), said_label(curve.negative)
    answer = (
        f"A case of {positive} scores higher than one of {negative} {percent(curve.auc, 1)} of the "
        f"time (AUC {rate(curve.auc)}, {span(area.low, area.high)} at {percent(choice.level)}); by "
        f"the rule {choice.rule}, {cut(choice, curve.positive)}: informedness "
        f"{rate(b.corrected)} to be expected on new cases ({rate(b.apparent)} on these)."
    )
    corners = curve.hull()
    said = [Words(x, "note") for x in choice.notes if x not in curve.notes]
    said.append(
        Words(
            f"The convex hull has {len(corners.thresholds)} corners and an area of "
            f"{rate(corners.auc)}. Its corners were chosen on these cases, so that this is more "
            "than new cases will give.",
            "note",
        )
    )
    money: dict[str, Any] = {"cost": made.cost, "prevalence": made.prevalence}
    return (
        Section(
            "answer",
            "The answer",
            (Words(answer, "answer"), *(Words(x, "warning") for x in curve.notes)),
        ),
        threshold_section(curve, choice, **money),
        cost_section(curve, choice, **money),
        reject_section(curve, price=made.price, **money),
        Section("notes", "Notes", tuple(said)),
    )


def curve_data(made: Chosen) -> dict[str, Any]:
    """The same as plain data; thresholds without a number are null."""
    curve, choice, e, r = made.curve, made.choice, made.costs, made.reject
    area, corners = curve.interval(choice.level), curve.hull()
    covered = reject_curve(curve, cost=made.cost, prevalence=made.prevalence)
    return {
        "positive": curve.positive,
        "positives": curve.positives,
        "negatives": curve.negatives,
        "exact": curve.exact,
        "auc": {
            "value": curve.auc,
            "low": area.low,
            "high": area.high,
            "level": area.level,
            "method": area.method,
            "error": curve.auc_error,
        },
        "choice": {
            "rule": choice.rule,
            "threshold": choice.threshold,
            "low": choice.low,
            "high": choice.high,
            "c": choice.c,
            "labels": choice.table.labels,
            "counts": choice.table.counts,
            "measures": {
                k: {"apparent": w.apparent, "optimism": w.optimism, "corrected": w.corrected}
                for k, w in choice.measures.items()
            },
        },
        "costs": None
        if e is None
        else {
            "system": float(e.system),
            "chance": float(e.chance),
            "constant": float(e.constant),
            "label": e.label,
            "perfect": float(e.perfect),
        },
        "reject": None
        if r is None
        else {
            "upper": r.upper,
            "lower": r.lower,
            "cost": r.cost,
            "without": r.without,
            "coverage": r.coverage,
        },
        "coverage": {
            "coverage": covered.coverage,
            "informedness": covered.informedness,
            "informedness_of_all": covered.of_all,
            "upper": covered.upper,
            "lower": covered.lower,
            "price": covered.prices,
        },
        "hull": {
            "auc": corners.auc,
            "thresholds": corners.thresholds,
            "recall": corners.recall,
            "fallout": corners.fallout,
        },
    }


def curve_svg(made: Chosen) -> str:
    """The ROC plane as a file of its own: curve, hull, band, line of equal cost, chosen point."""
    choice = made.choice
    drawn = plane(
        made.curve,
        [mark(cut(choice, made.curve.positive), choice)],
        slope=1.0 if choice.c is None else choice.c,
        level=choice.level,
    )
    return drawn.file() if drawn else ""


# ---------------------------------------------------------------------- names of clusters


def assignment_sections(found: Assignment) -> tuple[Section, ...]:
    """The answer, the names, and the measures of clustering beside it."""
    if math.isnan(found.chance):
        chance = "counts are not whole, so that there is no chance level"
    else:
        chance = (
            f"random clusters named as well get {rate(found.chance)} ± {rate(found.chance_sd)} "
            f"(p {pvalue(found.pvalue)}), which leaves {rate(found.corrected)}"
        )
    answer = (
        f"Named {found.how} for the greatest {found.aim}, {len(found.mapping)} clusters have "
        f"informedness {rate(found.informedness)}; {chance}."
    )
    t = found.clusters
    worth = gains(t.cells[..., None])[..., 0]
    rows = []
    for i, (cluster, name) in enumerate(list(found.mapping.items())[:MOST_CLUSTERS]):
        size = float(t.predicted_totals[i])
        if name is None:
            rows.append((label(cluster), "(none)", count(size), "", ""))
            continue
        c = t.real_labels.index(name)
        share = percent(float(t.cells[i, c]) / size, 1) if size else ""
        rows.append((label(cluster), label(name), count(size), share, f"{worth[i, c]:.4f}"))
    heads = columns("cluster", "class|", "cases", "of that class", "gain")
    names: list[Block] = [
        drawing("Clusters against classes", heat_map(_ordered(found))),
        Grid("What each cluster stands for", heads, tuple(rows), "names"),
    ]
    if list(found.mapping.values()) != list(t.real_labels):  # else it is the same picture again
        names.insert(1, drawing("Named clusters against classes", heat_map(found.table)))
    if len(found.mapping) > MOST_CLUSTERS:
        names.append(Words(f"{len(found.mapping) - MOST_CLUSTERS} more are not shown.", "note"))
    beside = tuple((find(name).facts.title, rate(v)) for name, v in found.beside.items())
    return (
        Section("answer", "The answer", (Words(answer, "answer"),)),
        Section("names", "Names", tuple(names)),
        Section(
            "beside",
            "Without names",
            (Grid("Measures of clusterings", columns("measure", "value"), beside, "beside"),),
        ),
    )


def _ordered(found: Assignment) -> Table:
    """The table of the clusters, each in the place of its name; unnamed ones last."""
    t = found.clusters
    places = [
        len(t.real_labels) if c is None else t.real_labels.index(c) for c in found.mapping.values()
    ]
    order = np.argsort(places, kind="stable")
    return Table.from_counts(
        t.counts[order],
        predicted_labels=[t.predicted_labels[i] for i in order],
        real_labels=t.real_labels,
    )


def assignment_data(found: Assignment) -> dict[str, Any]:
    return {
        "how": found.how,
        "aim": found.aim,
        "mapping": [{"cluster": x, "class": c} for x, c in found.mapping.items()],
        "informedness": found.informedness,
        "chance": found.chance,
        "chance_sd": found.chance_sd,
        "pvalue": found.pvalue,
        "corrected": found.corrected,
        "draws": found.draws,
        "labels": found.table.labels,
        "counts": found.table.counts,
        "abstained": found.table.unanswered,
        "beside": found.beside,
    }
