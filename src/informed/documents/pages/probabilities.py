"""Probabilities as a page: what a bettor gains, whether they rank, whether they are right, what they are worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan
from typing import Any

from informed._arrays import Array
from informed._numbers import percent, probability, rate, span
from informed.decisions.class_forecast import ClassProbabilities
from informed.decisions.forecast import NOT_PROPER, Probabilities
from informed.decisions.probability_rules import Parts
from informed.documents.blocks import (
    Block,
    Card,
    Drawing,
    Grid,
    Range,
    Section,
    Seen,
    Words,
    drawing,
    glimpse,
    grid_of,
    label,
)
from informed.documents.charts.forest import forest, standing
from informed.documents.charts.reliability import PartsPoint, parts_plane, reliability_diagram, worth_by_cost
from informed.documents.document import Document
from informed.documents.pages.decisions import benefit_picture
from informed.documents.paging import page_of
from informed.inference.answers import Interval
from informed.results import Records

NAMED = {
    "growth": "growth, nats a case",
    "log_skill": "log skill",
    "brier_skill": "Brier skill",
    "informedness": "informedness, acting from the prevalence on",
    "soft_informedness": "soft informedness",
    "auc": "AUC",
}
PARTS = "rule:words score unc mcb mcb_chance pvalue:p dsc dsc_chance"
SHARES = "rule:words known lost skill"
TITLES = {
    "unc": "to know (UNC)",
    "mcb": "off (MCB)",
    "mcb_chance": "of right ones",
    "pvalue": "p",
    "dsc": "known (DSC)",
    "dsc_chance": "of shuffled ones",
}
WORTH = (
    "cost:words threshold value value_low value_high net_benefit net_benefit_low net_benefit_high everyone informedness"
)
OF_WORTH = {
    "threshold": "act from",
    "value": "saved",
    "value_low": "low",
    "value_high": "high",
    "net_benefit": "net benefit",
    "net_benefit_low": "low",
    "net_benefit_high": "high",
    "everyone": "always",
}
GROUPS = "group:label cases:count prevalence log_skill log_low log_high brier_skill low high calibration:p"


@page_of(Probabilities)
def probabilities_page(f: Probabilities, *, precision: int = 3, title: str = "") -> Document:
    """Everything that is said of probabilities."""
    sections = [_gains(f, precision)]
    if not f.roc.why:
        sections += [_calibration(f, precision), _worth(f, precision), *groups_of(f, precision)]
    return framed(f, sections, precision, title, glance=tuple(_glance(f, sections)))


def framed(
    f: Probabilities | ClassProbabilities, sections: list[Section], precision: int, title: str, **more: Any
) -> Document:
    """The page of probabilities with these sections."""
    return Document.of(
        f,
        title or f.title,
        *sections,
        answer=f.answer[0],
        further=" ".join(f.answer[1:]),
        cards=tuple(_cards(f, precision)),
        command=f.command,
        gates=f.gates,
        **more,
    )


def _glance(f: Probabilities, sections: list[Section]) -> Iterator[Seen]:
    """What was asked for besides, before all else; nothing where the page chooses by itself."""
    if f.roc.why or not (f.worth or len(f.also) or f.groups):
        return
    yield from (x for section in sections if section.key == "groups" for x in section.blocks if isinstance(x, Grid))
    yield from (Words(x.sentence()) for x in f.worth)
    for x in f.also.dicts():
        level = "" if isnan(x["chance"]) else f"; {rate(x['chance'])} would be expected of right ones"
        p = "" if isnan(x["pvalue"]) else f", {probability(x['pvalue'])}"
        yield Words(f"{x['measure']} is {rate(x['estimate'])}{level}{p}.")
    rest = (section for section in sections if section.key != "groups")
    yield from (x for section in rest for x in section.blocks if isinstance(x, Grid))


def _cards(f: Probabilities | ClassProbabilities, precision: int) -> Iterator[Card]:
    """The numbers that matter most."""
    for name, x in (("Log skill", f.log_skill), ("Brier skill", f.brier_skill), ("Informedness", f.informedness)):
        low, high = float(x.low), float(x.high)
        drawn = Range(low, float(x.estimate), high, 0.0, -1.0 if low < 0 else 0.0) if low > -1 else None
        said = f"{percent(f.level)} interval {span(low, high, precision)}"
        yield Card(name, rate(float(x.estimate), precision), said, drawn)


def _gains(f: Probabilities, precision: int) -> Section:
    rows = [(NAMED[name], x.estimate, x.low, x.high, x.method) for name, x in f.intervals.items()]
    caption = f"What is gained, with {percent(f.level)} intervals; guessing has 0, and an AUC of 0.5"
    grid = grid_of(Records.of("measure:words estimate low high method:words", rows), caption, precision=precision)
    return Section("gains", "What is gained", (grid, Words(NOT_PROPER, "note")))


def _calibration(f: Probabilities, precision: int) -> Section:
    curve = f.curve
    both = (f.log, f.brier)
    points = [PartsPoint(x.rule, x.known, x.lost) for x in both]
    blocks: list[Block] = [
        diagram(f, "Reliability diagram"),
        drawing("Known and lost", lambda: parts_plane(points)),
        *parts_of(f, both, "Scores and what they are made of", precision),
    ]
    if len(f.also):
        names = ("measure", "estimate", "chance", "pvalue")
        titles = {"chance": "of right ones", "pvalue": "p"}
        blocks.append(grid_of(f.also, "Asked for besides", *names, titles=titles, precision=precision))
    fitted = grid_of(curve.records(), "Share of positives, block by block", precision=precision)
    blocks.append(glimpse(fitted, 12))
    return Section("calibration", "Are they right?", tuple(blocks))


def parts_of(
    f: Probabilities | ClassProbabilities, each: Sequence[Parts], caption: str, precision: int
) -> tuple[Block, ...]:
    """Scores and their parts, beside the levels of these, and as shares."""
    parts = [(x.rule, x.score, x.unc, x.mcb, x.mcb_chance, x.pvalue, x.dsc, x.dsc_chance) for x in each]
    shares = [(x.rule, x.known, x.lost, x.skill) for x in each]
    caption = f"{caption}: score = off − known + to know"
    return (
        grid_of(Records.of(PARTS, parts), caption, titles=TITLES, precision=precision),
        grid_of(Records.of(SHARES, shares), "As shares of what there is to know", precision=precision),
        Words(f"{f.calibration.method}; these parts are never negative, and have levels instead of intervals.", "note"),
    )


def diagram(f: Probabilities, title: str) -> Drawing:
    """The share of positives by probability, over the diagonal, with the band of right ones."""
    curve = f.curve
    return drawing(
        title,
        lambda: reliability_diagram(
            (curve.start, curve.end, curve.share),
            (curve.at, curve.low, curve.high),
            curve.rug,
            level=curve.level,
            positive=f.roc.positive,
            title=title,
            words=f"{f.calibration.sentence()}.",
        ),
    )


def _worth(f: Probabilities, precision: int) -> Section:
    blocks: list[Block] = [Words(x.sentence()) for x in f.worth]
    blocks.append(drawing("Worth by cost", lambda: worth_by_cost(*_values(f), f.prevalence)))
    blocks.append(drawing("Decision curve", lambda: benefit_picture(f.decision_curve)))
    if f.worth:
        held = Records.together([x.records() for x in f.worth])
        names = WORTH.replace(":words", "").split()
        blocks.append(grid_of(held.select(*names), "At a cost", titles=OF_WORTH, precision=precision))
    said = (
        "At the prevalence the share that is saved is informedness, and net benefit is prevalence times informedness."
    )
    blocks.append(Words(f"{f.decision_curve.sentence()} {said}", "note"))
    return Section("worth", "What they are worth at a cost", tuple(blocks))


def _values(f: Probabilities) -> tuple[Array, list[tuple[str, Array]]]:
    c, value = f.value_by_cost()
    return c, [("share saved", value)]


def groups_of(f: Probabilities | ClassProbabilities, precision: int) -> Iterator[Section]:
    """The same of each group, where there are any."""
    if not f.groups:
        return
    rows = []
    for name, g in f.groups.items():
        share = (g.prevalence,) if isinstance(g, Probabilities) else ()
        rows.append((name, g.cases, *share, *limits(g.log_skill), *limits(g.brier_skill), g.calibration.pvalue))
    columns = GROUPS if isinstance(f, Probabilities) else GROUPS.replace("prevalence ", "")
    title = "Brier skill of each group, against its own prevalence"
    drawn = [standing(label(name, 22), *limits(g.brier_skill)) for name, g in f.groups.items()]
    titles = {"log_low": "low", "log_high": "high", "calibration": "p of right numbers"}
    blocks = (
        drawing(title, forest(drawn, title, across="Brier skill")),
        grid_of(Records.of(columns, rows), "Groups", titles=titles, precision=precision),
    )
    yield Section("groups", "Groups", blocks)


def limits(x: Interval) -> tuple[float, float, float]:
    """Estimate and limits of an interval."""
    return float(x.estimate), float(x.low), float(x.high)
