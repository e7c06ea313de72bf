"""Beyond this sample: was it big enough, and what would change in another population?"""

from __future__ import annotations

import math
from collections.abc import Callable

from informed._numbers import count, of_many, percent, plural, rate
from informed.documents.blocks import Block, Cell, Drawing, Section, Words, drawing, label, rows_of, table, with_span
from informed.documents.pages import report_pictures as pictures
from informed.summary.findings import extent
from informed.summary.parts import Elsewhere, Estimate, Size
from informed.summary.population import PLANNED_UP_TO
from informed.summary.report import Report
from informed.summary.sentences import named

# ---------------------------------------------------------------------- 6. size


def size(report: Report, precision: int) -> Section | None:
    s = report.size
    if s is None and len(report.table.real_labels) > PLANNED_UP_TO:
        said = f"Power and sample size are computed for up to {PLANNED_UP_TO} classes."
        return Section("size", "Was the test set big enough?", (Words(said, "note"),))
    if s is None:
        return None
    level, many = percent(report.level), of_many(s.unit)
    found = next((e.value for e in report.estimates if e.measure == "informedness"), 0.0)
    blocks: list[Block] = [Words(_big_enough(s, found, level, precision))]

    if s.needed:
        cases = ((extent(w, found, 2), count(n)) for w, n in s.needed)
        caption = f"{many[0].upper()}{many[1:]} for a {level} interval of this width around the informedness found here"
        blocks.append(rows_of(caption, ("interval", many), cases))

    if s.power:
        powers = ((rate(b, 2), rate(min(p, 1 - 1e-9), precision)) for b, p in s.power)
        caption = f"Power (how often {plural(round(s.n, 1), s.unit)} show it, if it is true)"
        blocks.append(drawing("Power curve", lambda: pictures.power(report)))
        blocks.append(rows_of(caption, ("true informedness", "power"), powers))

    blocks += [Words(str(x), "note") for x in s.notes]
    return Section("size", "Was the test set big enough?", tuple(blocks))


def _big_enough(s: Size, found: float, level: str, precision: int) -> str:
    wide = extent(s.half_width, found, precision)
    of = "of " if wide.startswith("±") else ""
    said = [f"{plural(round(s.n, 1), s.unit)} gave a {level} interval {of}about {wide}."]
    if s.needed:
        half, cases = next((x for x in s.needed if x[0] < s.half_width), s.needed[-1])
        if half < s.half_width:
            said.append(f"About {count(cases)} would make it {extent(half, found, 2)}.")
        else:
            said.append("That is narrow enough for most purposes.")
    if not math.isnan(s.detectable):
        said.append(
            f"{plural(round(s.n, 1), s.unit)} show an informedness of {rate(s.detectable, 2)} or "
            "more with a power of 80 %; a smaller one would often be missed."
        )
    return " ".join(said)


# ---------------------------------------------------------------------- 7. elsewhere


def elsewhere(report: Report, precision: int) -> Section | None:
    e = report.elsewhere
    blocks: list[Block] = []
    if e is not None:
        drawn = Drawing("Picture of prevalence", lambda key: pictures.prevalence(report, key))
        blocks += [drawn, *_field(report, precision), _even(report, e, precision)]
        if e.curves:
            blocks.append(_at_prevalences(report, e, precision))
    if report.costs is not None:
        blocks += _cost(report, precision)
    return Section("elsewhere", "What would change elsewhere", tuple(blocks)) if blocks else None


def _even(report: Report, e: Elsewhere, precision: int) -> Block:
    """Measures here, in the population that was asked for, and with classes of one size."""
    here = {x.measure: rate(x.value, precision) for x in report.estimates}
    there = {x.measure: with_span(x, precision) for x in e.there}
    cells: dict[str, Callable[[Estimate], Cell]] = {
        "measure": lambda x: x.title,
        "here": lambda x: here.get(x.measure, ""),
        "there": lambda x: there[x.measure],
        "even classes": lambda x: rate(x.value, precision),
    }
    if not there:
        del cells["there"]
    return table("The same system in another population (recalls stay, class sizes change)", e.even, cells)


def _at_prevalences(report: Report, e: Elsewhere, precision: int) -> Block:
    curves = dict(e.curves)
    at = curves.pop("prevalence")
    titles = {x.measure: x.title for x in e.even}
    rows = [(percent(p, 1), *(rate(y[i], precision) for y in curves.values())) for i, p in enumerate(at) if _round(p)]
    heads = ("prevalence", *(titles[m] for m in curves))
    return rows_of(f"Against the prevalence of {named(report.table.positive)}", heads, rows, folded=True)


def _round(p: float) -> bool:
    return any(abs(p - x) < 1e-9 for x in (0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.99))


def _field(report: Report, precision: int) -> list[Block]:
    e = report.elsewhere
    if e is None or not e.field:
        return []
    t = report.table
    if t.positive is None:
        where = ", ".join(f"{named(x)} {percent(p)}" for x, p in e.field[:5])
        return [Words(f"“There” is a population with {where}.")]
    share = dict(e.field)[t.positive]
    right, other = (next(x.value for x in e.there if x.measure == name) for name in ("precision", "inverse_precision"))
    return [
        Words(
            f"Where {percent(share)} of the cases are {named(t.positive)} (here {percent(e.here)}), {percent(right)} "
            f"of the cases called {named(t.positive)} would be right, and {percent(other)} of the others."
        )
    ]


def _cost(report: Report, precision: int) -> list[Block]:
    c = report.costs
    assert c is not None
    best = min(c.rivals, key=lambda x: x[1])
    better = c.expected_cost < best[1]
    rows = [("this system", rate(c.expected_cost, precision))]
    rows += [(f"always {label(x)}", rate(v, precision)) for x, v in sorted(c.rivals, key=lambda x: x[1])[:5]]
    rows.append(("guessing with the same margins", rate(c.guessing, precision)))
    return [
        Words(
            f"At costs of {c.text} a case costs {rate(c.expected_cost, precision)} with this system and "
            f"{rate(best[1], precision)} by always answering {named(best[0])}: "
            + ("the system pays." if better else "at these costs it does not pay to use it.")
        ),
        rows_of("Cost a case", ("who decides", "cost"), rows),
    ]
