"""Two systems compared, as a page: the verdict, the differences, margins and gates."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from informed._numbers import count, of_many, percent, probability, pvalue_text, span
from informed.documents.blocks import Block, Range, Section, Words, drawing, grid_of, label, rows_of
from informed.documents.charts.forest import differences, differing
from informed.documents.charts.marks import around
from informed.documents.document import Document
from informed.documents.paging import page_of, plain_page
from informed.documents.references import Statement, methods_section
from informed.evidence.joint import Joint
from informed.evidence.shown import system_name
from informed.evidence.table import Table
from informed.inference.method_names import COMPARISONS
from informed.measures import MeasureLike, find
from informed.measures.titles import in_words, spoken, titled
from informed.results import Records, warning
from informed.summary.measure_names import with_titles
from informed.systems.board import sign_of
from informed.systems.class_differences import never_of_classes, of_classes
from informed.systems.comparison import CASE_CONTROL, Comparison
from informed.systems.difference import Difference, Equivalence
from informed.systems.gates import scalar
from informed.systems.scale import SCALES

RULES = {
    "significant": "{b}'s value lies outside {a}'s interval",
    "power": "{a}'s value lies outside {b}'s interval",
    "mutual": "both",
    "directed": "{b}'s value lies outside {a}'s interval at X = 1.65 (a directed claim)",
    "directed_mutual": "both, at X = 1.65",
}
INVERTED = (
    "arc",
    "circle",
    "mover",
    "plus-four",
    "smoothed-delta",
    "tango",
)  # whose p-values are those of their limits
CHOSEN_SIZES = warning(
    "The class sizes were chosen (case-control design): differences of precision, NPV, accuracy, F1 and other measures "
    "that depend on the prevalence would describe that choice, and are not shown.",
    "case-control",
)
RATES_NEED = "recall, precision and likelihood ratios need a positive class: `positive=` compares them, too."


@page_of(Comparison)
def comparison_page(
    c: Comparison, *, measure: MeasureLike | None = None, margin: float | None = None, key: str = ""
) -> Document:
    """Two systems: what differs, by how much, and whether that may be luck; first of all in informedness, which has no
    ratio."""
    if c.stacked:
        return plain_page(c)
    measure = measure or next(iter(c.measures), "informedness")
    first = scalar(c, measure)
    others = [m for m in c.measures if m != first.measure]
    measures = [first.measure, *others]
    a, b = (label(name, 40) for name in c.names)
    data = c.to_dict(measures)

    sections = []
    if first.scale == "ratio":
        ratios = [c[m] for m in measures if c[m].scale == "ratio"]
        sections.append(_ratios(ratios, c, f"{key}ratio"))
    if even := [m for m in measures if c[m].scale == "difference"]:
        reach = margin if first.scale == "difference" else None
        sections.append(_differences([c[m] for m in even], c, f"{key}differences", reach))
    alone = c.answered
    if c.over_all and not c.relative_only and c.method == "auto" and np.min(alone.n) > 0:
        whole = c.paired and float(alone.n) == round(float(alone.n))
        title = "Of what both answered" if c.paired else "Of the answered cases"
        title = f"Of the {count(alone.n)} items that both answered" if whole else title
        sections.append(_differences([alone[m] for m in alone.measures], alone, f"{key}answered", None, title))
    classes = of_classes(alone if c.over_all else c)
    if len(classes):
        sections.append(_classes(classes, c, a, b, key))
        data["classes"] = classes.dicts()
    if first.claims:
        sections.append(_rules([c[m] for m in measures], a, b, key))
    if margin is not None:
        tests = [way(measure, margin=margin) for way in (c.equivalence, c.noninferiority)]
        sections.append(margins(tests, a, b, margin, key))
        both = zip(("equivalence", "noninferiority"), tests, strict=True)
        data |= {name: test.to_dict() for name, test in both}
    if plans := c.plans(measure):
        sections.append(_power(c, first, plans, key))
        data["power"] = plans
    used: dict[str, list[str]] = {}
    for m in measures:
        used.setdefault(c[m].method, []).append(in_words(m))
    named = [(COMPARISONS[name], titles) for name, titles in used.items() if name in COMPARISONS]
    more: list[Statement] = []
    if used and all(name in INVERTED for name in used):
        more.append(("Each p-value is 1 minus the confidence level at which a limit reaches no difference", ()))
    if margin is not None and (by := tests[-1].method) in COMPARISONS:
        more.append((f"Tests with a margin invert the {COMPARISONS[by].title}", COMPARISONS[by].refs))
    cited = methods_section(named, (), percent(c.level), key, more)
    sections += [] if cited is None else [cited]
    items = "the same items" if c.paired else "different items"
    chosen = (CHOSEN_SIZES,) if c.sampling == CASE_CONTROL else ()
    said = [*chosen, *never_of_classes(c), *(() if first.claims else first.notes), *c.notes]
    told: dict[str, Any] = {"notes": tuple(dict.fromkeys(said)), "data": data, "records": c.records(measures)}
    if margin is None and first.pvalue >= 1 - first.level:
        far = 1.1 if first.scale == "ratio" else 0.05
        told["steps"] = (f"not told apart is not the same: `margin={far}` asks whether they differ by less than that.",)
    if c.relative_only and c.tables[0].positive is None and len(c.tables[0].labels) == 2:
        told["steps"] = (RATES_NEED, *told.get("steps", ()))
    return Document.of(c, f"{a} and {b} on {items}", *sections, answer=verdict(first, c), **told)


def _classes(held: Records, c: Comparison, a: str, b: str, key: str) -> Section:
    """The recall of each class by both systems, and by how much they differ."""
    titles = {"a": f"recall, {a}", "b": f"recall, {b}", "estimate": "difference", "pvalue": "p", "real": "cases"}
    titles |= {"predicted_a": f"{a} predicts", "predicted_b": f"{b} predicts"}
    grid = grid_of(held, f"Recall of each class, {a} − {b}, the most frequent first", titles=titles)
    said = f"Intervals ({percent(c.level)}) and p-values hold for all {len(held)} classes together (Bonferroni)."
    return Section(f"{key}classes", "Classes", (grid, Words(said, "note")))


def verdict(d: Difference, c: Comparison) -> str:
    """Who is better, in one sentence."""
    a, b = (system_name(name) for name in c.names)
    if c.paired:
        items = f"on the same {_sample(c.n, c.joint, c.thing)}"
    else:
        each = [_sample(n, t, "case") if t.units else f"{n:,g}" for n, t in zip(c.n, c.tables, strict=True)]
        items = f"on different items ({each[0]} and {each[1]})"
    shown = f"{d.shown()} times as large" if d.scale == "ratio" else d.shown()
    told = "" if c.relative_only else f"{spoken(d.measure, c.silent)} "
    value = f"{told}{shown} {span(d.low, d.high)}".strip()
    found = f"{value}, {probability(d.pvalue)}, {items}"
    if d.hypothesis != SCALES[d.scale].hypothesis:
        found += f" (the test is of another null: {d.hypothesis})"
    if math.isnan(d.estimate):
        what = "0, infinite or undefined" if d.scale == "ratio" else "undefined"
        return f"{a} and {b} cannot be compared by {spoken(d.measure)}, which is {what} for one of them"
    by = f" by {spoken(d.measure, c.silent)}" if c.relative_only else ""
    if not d.pvalue < 1 - d.level:
        return f"{a} and {b} cannot be told apart{by}: {found}"
    if c.relative_only:  # which is about this measure, and says nothing of who is better
        larger = "larger" if d.estimate > 1 else "smaller"
        return f"{titled(d.measure, c.silent)} of {a} is {larger} than that of {b}: {found}"
    return f"{a} is {'better' if good(d) > 0 else 'worse'} than {b}: {found}"


def _sample(n: float, held: Joint | Table | None, thing: str) -> str:
    """How many items there are, what they weigh, and what they were sampled in."""
    assert held is not None
    units = held.units
    asked = units is not None and units.of == "item"
    each = "item" if asked else "case" if units is not None else thing
    if held.squares is None or (asked and abs(n - round(n)) < 1e-6):
        words = several(round(n, 6), each)
    elif units is not None and units.name == "item":
        words = f"{several(float(units.n), each)} (weight {count(n)})"
    elif held.cases is not None and not asked:
        words = f"{several(float(held.cases.sum()), each)} (weighted)"
    else:
        words = f"{each}s (weight {count(n)})"
    return words if units is None or units.name == "item" else f"{words} of {several(float(units.n), units.name)}"


def several(n: float, word: str) -> str:
    return f"{n:,g} {word if n == 1 else of_many(word)}"


def good(d: Difference) -> int:
    """1 where the difference speaks for the first beyond luck, −1 for the second, else 0."""
    if math.isnan(d.estimate) or not d.pvalue < 1 - d.level:
        return 0
    return int(np.sign(d.lead) * sign_of(find(d.measure)))


# ---------------------------------------------------------------------- sections


def gaps(
    held: Records,
    title: str,
    caption: str,
    *names: str,
    said: Sequence[str],
    verdicts: Sequence[int],
    titles: Mapping[str, str],
    **how: Any,
) -> tuple[Block, ...]:
    """Differences as a forest and as a grid of these columns; the forest shows adjusted p-values where there are."""
    each = list(zip(held["low"], held["estimate"], held["high"], strict=True))
    known = [x for limits in each for x in limits if not math.isnan(x)]
    ticks = around(min([0.0, *known]), max([0.0, *known]))
    pictures = ["" if math.isnan(x) else Range(low, x, high, 0.0, ticks[0], ticks[-1]) for low, x, high in each]

    p_values = "adjusted" if "adjusted" in names else "pvalue"
    rows = [
        differing(name, x, low, high, good, probability(p))
        for name, (low, x, high), good, p in zip(said, each, verdicts, held[p_values], strict=True)
    ]
    return (
        drawing(title, differences(rows, title, **how), caption=True),
        grid_of(held, caption, *names, titles=titles, pictures=pictures),
    )


def _differences(
    shown: Sequence[Difference], c: Comparison, key: str, margin: float | None, title: str = "Differences"
) -> Section:
    a, b = (label(name) for name in c.names)
    measures = [d.measure for d in shown]
    methods = ", ".join(dict.fromkeys(d.method for d in shown))
    blocks = gaps(
        with_titles(c.records(measures), c.silent and c.count != "answered"),
        f"{title}, {a} − {b}",
        f"{a} − {b}, with {percent(c.level)} intervals ({methods})",
        *("measure", "a", "b", "estimate", "low", "high", "pvalue"),
        said=[titled(m, c.silent and c.count != "answered") for m in measures],
        verdicts=[good(d) for d in shown],
        titles={"a": a, "b": b, "estimate": "difference", "pvalue": "p"},
        ends=_ends(shown, a, b),
        margin=margin,
    )
    apart = disagreement(shown, c) if key.endswith("differences") else ""
    return Section(key, title, (*([Words(apart)] if apart else []), *blocks))


def disagreement(shown: Sequence[Difference], c: Comparison) -> str:
    """Why measures of one comparison part ways, and which of them leads; empty where none do, or a note says it."""
    if any(note.code == "prevalence-differs" for note in c.notes):
        return ""
    known = [d for d in shown if not math.isnan(d.pvalue)]
    apart = [d for d in known if good(d) != good(known[0])]
    if not apart:
        return ""
    first = known[0]
    names = [system_name(name, 40) for name in c.names]
    told = [f"{spoken(d.measure, c.silent)} {_found(d, names)}" for d in (first, *apart)]
    asked = [f"{spoken(m)} asks {m.facts.asks}" for m in (find(d.measure) for d in (first, *apart)) if m.facts.asks]
    return (
        f"The measures disagree: {'; '.join(told)}. They answer different questions{': ' if asked else ''}"
        f"{'; '.join(asked)}. The headline is {spoken(first.measure, c.silent)}; to pick another because of its p "
        "would be to pick by luck."
    )


def _found(d: Difference, names: Sequence[str]) -> str:
    who = {0: "shows no difference", 1: f"finds {names[0]} better", -1: f"finds {names[1]} better"}[good(d)]
    return f"{who} ({probability(d.pvalue)})"


def _ratios(shown: Sequence[Difference], c: Comparison, key: str) -> Section:
    """Ratios: the first system's over the second's."""
    a, b = (label(name) for name in c.names)
    methods = ", ".join(dict.fromkeys(d.method for d in shown))
    held = Records.of(
        "measure:label a b ratio low high p:p",
        [(titled(d.measure), d.a, d.b, d.estimate, d.low, d.high, d.pvalue) for d in shown],
    )
    caption = f"{a} / {b}, with {percent(c.level)} intervals ({methods}); 1 is no difference"
    return Section(key, f"Ratio{'s' * (len(shown) > 1)}, {a} / {b}", (grid_of(held, caption, titles={"a": a, "b": b}),))


def _ends(shown: Sequence[Difference], a: str, b: str) -> tuple[str, str]:
    """Who is better to the left and to the right of 0, where all measures agree on that."""
    signs = {sign_of(find(d.measure)) for d in shown}
    if len(signs) > 1:
        return "", ""
    return (b, a) if 1 in signs else (a, b)


def _power(c: Comparison, d: Difference, plans: Records, key: str) -> Section:
    """What as many items would show, and how many items it takes."""
    those = of_many(c.sampled)
    said = (
        f"As many {those} again would show the {d.scale} that was found ({d.shown()}) with a chance of "
        f"{percent(float(c.power(d.measure)))}: a plan for a repetition, no evidence on these {those}."
    )
    caption = f"Power of these {those} for a true {d.scale} of {spoken(d.measure)}, and {those} for a power of 80 %"
    titles = {d.scale: f"true {d.scale}", **dict.fromkeys(("items", "units"), f"{those} needed")}
    grid = grid_of(plans, caption, titles=titles)
    return Section(f"{key}power", "Power", (grid, Words(said, "note")))


def margins(
    tests: Sequence[Equivalence], a: str, b: str, margin: float, key: str, measure: str | None = None
) -> Section:
    """Whether two systems differ by less than a margin; the measure may have a name of its own."""
    by = SCALES[tests[0].scale].said(margin)
    claims = (f"they differ by less than {by}", f"{a} is worse than {b} by less than {by}")
    rows = [
        (x, "shown" if t.shown else "not shown", pvalue_text(float(t.pvalue)), span(float(t.low), float(t.high)))
        for x, t in zip(claims, tests, strict=True)
    ]
    caption = f"{measure or titled(tests[0].measure)}, one-sided tests at {1 - tests[0].level:.3g} ({tests[0].method})"
    grid = rows_of(caption, ("claim", "verdict|", "p", f"{percent(tests[0].interval_level)} CI|"), rows)
    return Section(f"{key}margin", f"Within a margin of {by}", (grid,))


def _rules(shown: Sequence[Difference], a: str, b: str, key: str) -> Section:
    """What the papers' rules claim of each measure that they are for."""
    rows = (
        (rule.replace("_", ", "), *("yes" if d.claims[rule] else "no" for d in shown), because.format(a=a, b=b))
        for rule, because in RULES.items()
    )
    columns = ("claim", *(f"{titled(d.measure)}|" for d in shown), "because|")
    grid = rows_of("What the papers' rules claim of each measure", columns, rows)
    error = tuple(Words(str(note), "warning") for note in shown[0].notes[:1])
    return Section(f"{key}rules", "The papers' rules", (*error, grid))
