"""Sections about decisions that a report or a page of their own can hold.

`threshold_section` is what a page says of a score: the chosen threshold and its worth, and a slider
that shows the table and its measures at every other one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._labels import text as said_label
from informed.decisions.costs import expected_cost
from informed.decisions.curve import Curve
from informed.decisions.threshold import Choice, threshold
from informed.measures import find
from informed.reporting.blocks import Block, Drawing, Grid, Section, Words, columns, label
from informed.reporting.curves import moving, slider
from informed.reporting.decision_figures import Mark, Track, plane
from informed.reporting.numbers import count, percent, rate
from informed.table import Table

STOPS = 160  # thresholds that the slider knows, besides those of the rules
ROWS = 9  # thresholds that are written out
RULES = ("informedness", "closest", "bias")  # shown beside the one that was asked for
BESIDE = ("informedness", "markedness", "accuracy", "f1", "recall", "precision", "fallout")


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
    at = _stops(curve, [choice.threshold, *(m.threshold for m in named.values())])
    there = curve.table_at(curve.thresholds[at])
    shown = _measured(there, cost, prevalence)
    start = int(np.searchsorted(-curve.thresholds[at], -choice.threshold))
    return Section(
        key,
        title,
        (
            Words(_sentence(curve, choice), "note"),
            *_pictures(curve, choice, named, at, start, key),
            Drawing(
                "Slider over the thresholds",
                lambda _: _slider(curve, at, there, shown, start, f"{key}-cut"),
            ),
            _counts(choice.table),
            _worth(choice),
            _rules(choice, named),
            _others(curve, at, shown),
        ),
    )


def _sentence(curve: Curve, choice: Choice) -> str:
    return (
        f"Threshold {choice.threshold:.6g} by the rule {choice.rule}; resampling puts it between "
        f"{choice.low:.6g} and {choice.high:.6g} ({percent(choice.level)}). "
        f"{count(curve.positives)} cases of {said_label(curve.positive)}, "
        f"{count(curve.negatives)} of {said_label(curve.negative)}."
    )


# ---------------------------------------------------------------------- other thresholds


def _chosen(curve: Curve, rule: str) -> Choice:
    return threshold(curve, rule, n_draws=20)  # its threshold is wanted, not its interval


def _stops(curve: Curve, wanted: Sequence[float]) -> NDArray[np.intp]:
    """Positions spread evenly over the cases, and those of certain thresholds."""
    called = curve.tp + curve.fp
    spread = np.searchsorted(called, np.linspace(0, called[-1], STOPS))
    own = np.searchsorted(-curve.thresholds, -np.asarray(wanted))
    return np.unique(np.concatenate([spread, own]))


def _measured(there: Table, cost: Any, prevalence: float | None) -> dict[str, list[str]]:
    """Measures at each stop, written; the cost a case last."""
    shown = {find(name).facts.title: list(map(rate, np.asarray(find(name)(there)).tolist()))
             for name in BESIDE}  # fmt: skip
    money = "1:1" if cost is None else cost
    paid = np.asarray(expected_cost(there, money, prevalence=prevalence).system)
    said = money if isinstance(money, str) else ":".join(f"{x:g}" for x in np.atleast_1d(money))
    return {**shown, f"cost a case at {said}": [f"{x:.4g}" for x in paid.tolist()]}


def _cuts(curve: Curve, at: NDArray[np.intp]) -> list[str]:
    return [
        "none" if math.isinf(x) and x > 0 else "all" if math.isinf(x) else f"{x:.6g}"
        for x in curve.thresholds[at].tolist()
    ]


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
        each = [rate(found[x].apparent) for x in ("recall", "fallout", "precision", "informedness")]
        said = f"{name} (chosen)" if found is choice else name
        rows.append((said, f"{found.threshold:.6g}", *each))
    heads = columns("rule", "threshold", "recall", "fallout", "precision", "informedness")
    return Grid("Other rules, on these cases", heads, tuple(rows), "rules")


def mark(name: str, found: Choice) -> Mark:
    """A choice as a point of the plane."""
    return Mark(name, found["fallout"].apparent, found["recall"].apparent)


def _pictures(
    curve: Curve,
    choice: Choice,
    named: dict[str, Choice],
    at: NDArray[np.intp],
    start: int,
    key: str,
) -> list[Block]:
    track = Track(f"{key}-cut", curve.fallout[at], curve.recall[at], start)
    how: dict[str, Any] = {
        "chosen": mark(choice.rule, choice),
        "others": [mark(name, found) for name, found in named.items()],
        "slope": 1.0 if choice.c is None else choice.c,
        "level": choice.level,
        "track": track,
    }
    return [
        Drawing("ROC plane", lambda id_: plane(curve, id_, **how)),
        Drawing("PN plane", lambda id_: plane(curve, id_, cases=True, **how)),
    ]
