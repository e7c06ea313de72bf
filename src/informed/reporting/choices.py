"""Curves and names for clusters arranged for reading: as text, Markdown, JSON and a picture."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from informed._labels import text as said_label
from informed.decisions.abstention import Reject
from informed.decisions.assignment import Assignment, gains
from informed.decisions.costs import ExpectedCost
from informed.decisions.curve import Curve
from informed.decisions.threshold import Choice, threshold
from informed.reporting import markdown as _markdown
from informed.reporting import text as _text
from informed.reporting.blocks import Block, Grid, Section, Words, columns, label
from informed.reporting.figures import isocost
from informed.reporting.numbers import count, percent, pvalue, rate, span
from informed.reporting.svg import circle, line, n, path, picture, rect, text

RULES = ("informedness", "closest", "bias")  # shown beside the one that was asked for
MOST_CLUSTERS = 40
STYLE = (
    "svg{background:#fff;font:13px sans-serif}.frame{fill:none;stroke:#888}"
    ".iso{stroke:#ccc;stroke-dasharray:2 4}.chance{stroke:#b4531a;stroke-width:1.5}"
    ".curve{fill:none;stroke:#14608a;stroke-width:2}"
    ".hull{fill:none;stroke:#14608a;stroke-dasharray:3 3}"
    ".cost{stroke:#555;stroke-width:1.25;stroke-dasharray:7 4}"
    ".dot{fill:#14608a}.tiny{font-size:11px}"
)


@dataclass(frozen=True)
class Chosen:
    """A curve with what was chosen on it."""

    curve: Curve
    choice: Choice
    costs: ExpectedCost | None = None
    reject: Reject | None = None


def as_text(sections: Iterable[Section], width: int = 80) -> str:
    """Sections as plain text; the first is the answer and needs no title."""
    lines: list[str] = []
    for i, section in enumerate(sections):
        lines += list(_text.section_lines(section, width, "-"))[0 if i else 2 :]
    return "\n".join(x.rstrip() for x in lines).rstrip()


def as_markdown(sections: Iterable[Section]) -> str:
    lines: list[str] = []
    for i, section in enumerate(sections):
        lines += list(_markdown.section_lines(section, 2))[0 if i else 2 :]
    return "\n".join(lines).rstrip()


def as_json(data: Mapping[str, Any]) -> str:
    """Plain JSON: what is undefined or infinite is null."""
    return json.dumps(_plain(data), ensure_ascii=False, allow_nan=False, indent=2)


def _plain(x: Any) -> Any:
    if isinstance(x, Mapping):
        return {str(k): _plain(v) for k, v in x.items()}
    if isinstance(x, np.ndarray):
        return _plain(x.tolist())
    if isinstance(x, (list, tuple)):
        return [_plain(v) for v in x]
    if isinstance(x, float):
        return x if math.isfinite(x) else None
    return x if isinstance(x, (str, int, bool)) or x is None else str(x)


# ---------------------------------------------------------------------- a curve


def cut(threshold: float, positive: Any) -> str:
    """What a threshold says, in words."""
    if math.isinf(threshold):
        return f"call nothing {said_label(positive)}" if threshold > 0 else "call everything so"
    return f"call {said_label(positive)} where score ≥ {threshold:.6g}"


def curve_sections(made: Chosen) -> tuple[Section, ...]:
    """The answer, the choice, other rules, costs and notes."""
    curve, choice = made.curve, made.choice
    area = curve.interval(choice.level)
    b = choice["informedness"]
    positive, negative = said_label(curve.positive), said_label(curve.negative)
    answer = (
        f"A case of {positive} scores higher than one of {negative} {percent(curve.auc, 1)} of the "
        f"time (AUC {rate(curve.auc)}, {span(area.low, area.high)} at {percent(choice.level)}); by "
        f"the rule {choice.rule}, {cut(choice.threshold, curve.positive)}: informedness "
        f"{rate(b.corrected)} to be expected on new cases ({rate(b.apparent)} on these)."
    )
    parts = [
        Section(
            "answer",
            "The answer",
            (Words(answer, "answer"), *(Words(x, "warning") for x in curve.notes)),
        ),
        _choice(made),
        _rules(made),
    ]
    if made.costs is not None or made.reject is not None:
        parts.append(_costs(made))
    corners = curve.hull()
    said: list[Block] = [Words(x, "note") for x in choice.notes if x not in curve.notes]
    said.append(
        Words(
            f"The convex hull has {len(corners.thresholds)} corners and an area of "
            f"{rate(corners.auc)}. Its corners were chosen on these cases, so that this is more "
            "than new cases will give.",
            "note",
        )
    )
    parts.append(Section("notes", "Notes", tuple(said)))
    return tuple(parts)


def _choice(made: Chosen) -> Section:
    choice, curve = made.choice, made.curve
    t = choice.table
    counts = Grid(
        "Counts at this threshold (rows: predicted, columns: real)",
        columns("predicted \\ real", *(label(x) for x in t.labels)),
        tuple((label(x), *map(count, row)) for x, row in zip(t.labels, t.counts, strict=True)),
        "counts",
    )
    worth = Grid(
        f"What it is worth ({choice.n_draws} resamples of the cases)",
        columns("measure", "on these cases", "optimism", "on new cases"),
        tuple(
            (name, rate(w.apparent), rate(w.optimism), rate(w.corrected))
            for name, w in choice.measures.items()
        ),
        "worth",
    )
    said = (
        f"Threshold {choice.threshold:.6g}; resampling puts it between {choice.low:.6g} and "
        f"{choice.high:.6g} ({percent(choice.level)}). {count(curve.positives)} cases of "
        f"{said_label(curve.positive)}, {count(curve.negatives)} of {said_label(curve.negative)}."
    )
    return Section("choice", "The threshold", (Words(said, "note"), counts, worth))


def _rules(made: Chosen) -> Section:
    curve = made.curve
    rows = []
    for name in dict.fromkeys((made.choice.rule, *RULES)):
        mine = name == made.choice.rule
        found = made.choice if mine else threshold(curve, name, n_draws=20)
        each = [rate(found[x].apparent) for x in ("recall", "fallout", "precision", "informedness")]
        rows.append((name + (" (chosen)" if mine else ""), f"{found.threshold:.6g}", *each))
    heads = columns("rule", "threshold", "recall", "fallout", "precision", "informedness")
    return Section("rules", "Other rules", (Grid("On these cases", heads, tuple(rows), "rules"),))


def _costs(made: Chosen) -> Section:
    said: list[Block] = []
    if made.costs is not None:
        e = made.costs
        rows = (
            ("this threshold", f"{e.system:.4g}"),
            ("guessing as often", f"{e.chance:.4g}"),
            (f"always {said_label(e.label)}", f"{e.constant:.4g}"),
            ("perfect", f"{e.perfect:.4g}"),
        )
        said.append(Grid("Cost of a case", columns("who", "cost"), rows, "costs"))
    if made.reject is not None:
        said.append(Words(made.reject.text(), "note"))
    return Section("costs", "Costs", tuple(said))


def curve_data(made: Chosen) -> dict[str, Any]:
    """The same as plain data; thresholds without a number are null."""
    curve, choice, e, r = made.curve, made.choice, made.costs, made.reject
    area, corners = curve.interval(choice.level), curve.hull()
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
        "hull": {
            "auc": corners.auc,
            "thresholds": corners.thresholds,
            "recall": corners.recall,
            "fallout": corners.fallout,
        },
        "notes": choice.notes,
    }


def curve_svg(made: Chosen, key: str = "curve") -> str:
    """The ROC plane as a file of its own: curve, hull, line of equal cost, chosen point."""
    curve, choice = made.curve, made.choice
    size, left, top = 300.0, 58.0, 24.0

    def at(fallout: float, recall: float) -> tuple[float, float]:
        return left + size * fallout, top + size * (1 - recall)

    body = [f"<style>{STYLE}</style>", rect(left, top, size, size, "frame")]
    body += [line(*at(0, b), *at(1 - b, 1), "iso") for b in (0.25, 0.5, 0.75)]
    body.append(line(*at(0, 0), *at(1, 1), "chance"))
    corners = curve.hull()
    for held, name in ((corners, "hull"), (curve, "curve")):
        x = np.round(left + size * held.fallout, 1)
        y = np.round(top + size * (1 - held.recall), 1)
        moved = np.append(True, (np.diff(x) != 0) | (np.diff(y) != 0))  # one point a pixel or so
        body.append(path(zip(x[moved].tolist(), y[moved].tolist(), strict=True), name))
    recall, fallout = choice["recall"].apparent, choice["fallout"].apparent
    slope = 1.0 if choice.c is None else choice.c
    body.append(isocost(fallout, recall, slope, at))
    said = (
        f"{cut(choice.threshold, curve.positive)}: recall {rate(recall)}, fallout {rate(fallout)}"
    )
    body.append(circle(*at(fallout, recall), 5, "dot"))
    for tick in (0, 0.5, 1):
        x0, y0 = at(tick, tick)
        body.append(text(x0, top + size + 17, f"{tick:g}", "tiny", text_anchor="middle"))
        body.append(text(left - 8, y0 + 4, f"{tick:g}", "tiny", text_anchor="end"))
    middle = top + size / 2
    body += [
        text(left + size / 2, top + size + 36, "fallout (false alarms)", text_anchor="middle"),
        text(
            16,
            middle,
            f"recall of {label(curve.positive)}",
            text_anchor="middle",
            transform=f"rotate(-90 16 {n(middle)})",
        ),
        text(left, top - 8, f"AUC {rate(curve.auc)}", "tiny"),
        text(left, top + size + 56, said, "tiny"),
        text(left, top + size + 72, f"dashes: hull; equal cost, c = {slope:.3g}", "tiny"),
    ]
    drawn = picture(
        key,
        left + size + 60,
        top + size + 84,
        "Recall against fallout at every threshold",
        f"Area {rate(curve.auc)}. {said}. The diagonal is guessing.",
        "".join(body),
        "roc",
    )
    return drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


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
    names: list[Block] = [Grid("What each cluster stands for", heads, tuple(rows), "names")]
    if len(found.mapping) > MOST_CLUSTERS:
        names.append(Words(f"{len(found.mapping) - MOST_CLUSTERS} more are not shown.", "note"))
    beside = tuple((name, rate(v)) for name, v in found.beside.items())
    return (
        Section("answer", "The answer", (Words(answer, "answer"),)),
        Section("names", "Names", tuple(names)),
        Section(
            "beside",
            "Without names",
            (Grid("Measures of clusterings", columns("measure", "value"), beside, "beside"),),
        ),
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
