"""What a report says in words: the answer, the warnings, the guidance."""

from __future__ import annotations

import math
from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from informed._numbers import count, percent, percents, plural, pvalue, rate, span
from informed._wording import listed as in_words
from informed.errors import InformedError
from informed.evidence.label_order import between
from informed.evidence.labels import Label
from informed.evidence.likeness import said_respelled
from informed.evidence.shown import shown
from informed.evidence.table import Table
from informed.measures import find
from informed.measures.diagnosis import no_information_rate
from informed.measures.overlap import f1 as f1_of
from informed.measures.titles import uncapitalised
from informed.summary.counted import two_truths
from informed.summary.design import CASE_CONTROL
from informed.summary.score_words import another_number, gaps, own_number
from informed.systems.guards import MOST

if TYPE_CHECKING:
    from informed.summary.parts import Estimate
    from informed.summary.report import Report

LOOKS_GOOD = 0.7  # accuracy or F that a reader would call good
IS_POOR = 0.5  # informedness that is not
CONDITIONAL = (
    "The test is conditional on both margins of the table and the interval is not, so that this close to the limit "
    "they can disagree and neither is proof."
)
LITTLE = ("few-units", "large-unit", "unseen-weight")  # codes of notes where units or weights say little


def named(label: Label, widest: int = 40) -> str:
    """A label in a sentence: in quotes, on one line, cut where it is long."""
    return f"“{shown(label, widest)}”"


def listed(labels: Sequence[Label], most: int = 3) -> str:
    """Several labels in a sentence.

    >>> listed(["a", "b"]), listed(list("abcdef"))
    ('“a” and “b”', '“a”, “b”, “c” and 3 more')
    """
    shown = [named(x) for x in labels[:most]]
    if len(labels) > most:
        return ", ".join(shown) + f" and {len(labels) - most} more"
    return in_words(shown)


def answer(report: Report) -> tuple[str, ...]:
    """The answer: how much, how sure, beyond chance or not, and which classes carry it."""
    return (*(() if report.name is not None else report.table.unfinished), *_answer(report))


def _answer(report: Report) -> tuple[str, ...]:
    """The same of a run that is whole."""
    t = report.table
    if report.systems:
        return tuple(g.answer[0] for g in report.groups)
    try:
        b = report.headline
    except InformedError:
        return (
            f"This table has {len(t.predicted_labels)} predicted labels for {len(t.real_labels)} "
            "real classes, so no prediction is right or wrong yet: `informed assign` matches "
            "clusters to classes. The measures below need no match.",
        )
    if not t.n and not report.over_all:
        return ("The table is empty: there is nothing to say.",)
    if math.isnan(b.value):
        return (
            f"On {report.counted.on} informedness cannot be said: {b.why}. A test needs cases "
            "of at least two classes to show that something was recognised.",
        )
    carriers = _carriers(report) if len(t.real_labels) > 2 else []
    return tuple(
        filter(None, (*_new_group(report), _headline(report, b), _significance(b, t), *_scored(report), *carriers))
    )


def _new_group(report: Report) -> Iterable[str]:
    """What to expect of a group that was not seen, where the groups are enough to tell."""
    o = report.overview
    if o is not None and o.new is not None:
        yield (
            f"For a new group like these {len(report.groups):,}, the expected informedness is {rate(o.new.value)} "
            f"({percent(o.new.level)} interval {rate(o.new.low)} to {rate(o.new.high)}; random effects)."
        )


def _headline(report: Report, b: Estimate) -> str:
    many = len(report.groups)
    who = "this model" if report.tool else "this classifier"
    if many:
        who = f"these {many:,} groups together" if many > 1 else "this one group"
    if report.name is not None:
        who = named(report.name)
    s, is_ = ("", "are") if many > 1 else ("s", "is")
    cases = f"{report.counted.on}{_sampled_in(report.table)}"
    sure = "" if math.isnan(b.low) else f" ({percent(b.level)} interval {percents(b.low, b.high)})"
    lucky = b.low <= 0 <= b.high and not b.pvalue < 1 - b.level
    if b.value <= 0 or lucky:
        how = "worse than guessing" if b.beyond_chance < 0 else "no better than guessing"
        if lucky and b.value > 0:
            how = "not told from guessing"
        return (
            f"On {cases} {who} {is_} {how}: informedness is {percent(b.value)}{sure}, where "
            f"0 % is guessing and 100 % is knowing{_no_bet(report)}."
        )
    if b.value == 1:
        return f"On {cases} {who} made no error: informedness {percent(1.0)}{sure}."
    return (
        f"On {cases} {who} make{s} an informed decision {percent(b.value)} of the time{sure}; "
        f"the rest is as good as guessing{_no_bet(report)}."
    )


def _sampled_in(t: Table) -> str:
    """What its cases were sampled in, where they belong together: " of 60 patients"."""
    units = t.units
    told = units is not None and units.name != "item" and not units.single
    return f" of {plural(float(units.n), units.name)}" if units is not None and told else ""


def _no_bet(report: Report) -> str:
    silent = report.counted.silent
    if not silent or not report.over_all:
        return ""
    return f", and {report.counted.unanswered} {'counts' if silent == 1 else 'count'} as no bet"


def _scored(report: Report) -> Iterable[str]:
    """The score, as its tool reports it, and what was answered; where that is not all."""
    s, t = report.score, report.table
    if s is None:
        return
    left_out = tuple(gaps(s, dict(report.states), report.tool, report.count))
    if report.over_all or left_out or report.tool:
        limits = "" if math.isnan(s.low) else f" {span(s.low, s.high)}"
        own = own_number(s, report.tool)
        whose = f" ({s.name})" if own or (report.tool and s.name != "score") else ""
        yield f"Score {rate(s.value)}{limits}{own}{whose}."
    yield from left_out
    if report.over_all and t.n:
        b, accuracy = (float(find(m)(t.answered)) for m in ("informedness", "accuracy"))
        yield f"Of the {report.counted.those_answered}: informedness {rate(b)}, accuracy {rate(accuracy)}."


def _opposite(b: Estimate) -> bool:
    """Whether it does worse than guessing, and not by chance."""
    return b.value < 0 and b.pvalue < 1 - b.level


def _significance(b: Estimate, t: Table) -> str:
    if math.isnan(b.pvalue):
        return ""
    p = f"p {pvalue(b.pvalue)}"
    if b.pvalue >= 1 - b.level:
        if b.beyond_chance:
            return f"The test against chance does not reject ({p}), although the interval excludes 0. {CONDITIONAL}"
        return f"Chance alone could explain it ({p})."
    if b.value > 0:
        near = f", although the interval reaches 0. {CONDITIONAL}" if b.low <= 0 else "."
        return f"That is beyond chance ({p}){near}"
    if len(t.real_labels) == 2:
        one, other = map(named, t.real_labels)
        return (
            f"That is beyond chance ({p}): it knows, and says the opposite. Swap its labels ({one} for {other}, or a "
            f"score the other way round) and informedness is {percent(-b.value)}; then look where they were swapped."
        )
    return (
        f"That is beyond chance ({p}): it knows, and says something else. Look at the confusions below for labels "
        "that were swapped, or numbered in another order."
    )


def _carriers(report: Report) -> Iterable[str]:
    """Which classes carry the result, and which are guessed or worse."""
    known = [c for c in report.classes if not math.isnan(c["informedness"].value)]
    ranked = sorted(known, key=lambda c: -c["informedness"].value)
    verdicts = ("informed", "guessed", "worse than guessed")
    informed, guessed, worse = ([c.label for c in ranked if c.verdict == verdict] for verdict in verdicts)

    if informed and len(informed) == len(report.classes):
        best, least = ranked[0]["informedness"].value, ranked[-1]["informedness"].value
        most = f", {named(informed[0])} best and {named(informed[-1])} least" if least < best else ""
        yield f"Every class is recognised beyond guessing{most}."
    elif informed:
        yield f"{listed(informed)} {_verb(informed, 'carries', 'carry')} it."

    if guessed and len(guessed) == len(report.classes):
        yield "No class is told from guessing: every interval includes 0."
    elif guessed:
        include = _verb(guessed, "interval includes", "intervals include")
        yield f"{listed(guessed)} {_verb(guessed, 'is', 'are')} not told from guessing: the {include} 0."

    if worse:
        yield f"{listed(worse)} {_verb(worse, 'does', 'do')} worse than guessing."
    silent = dict(zip(report.table.real_labels, report.table.abstained.tolist(), strict=True))
    absent = [c.label for c in report.classes if not c.real and not silent[c.label]]
    if absent:
        these = _verb(absent, "this class", "these classes")
        yield f"Of {listed(absent)} nothing can be said: no case is really of {these}."
    if unsaid := [c.label for c in report.classes if not c.real and silent[c.label]]:
        these = _verb(unsaid, "this class", "these classes")
        yield f"Of {listed(unsaid)} nothing can be said: no case that is really of {these} got an answer."


def _verb(subjects: Sequence[Any], one: str, many: str) -> str:
    return one if len(subjects) == 1 else many


# ---------------------------------------------------------------------- warnings


def warnings(report: Report) -> tuple[str, ...]:
    """Sentences that a careful reader must not overlook; none where there is nothing to fear."""
    t = report.table
    if not t.n or not t.is_square:
        return ()
    if report.systems:
        return tuple(_misranked(report))
    if dict(report.context).get(CASE_CONTROL):
        return (*_chosen_sizes(report), *_thin(report), *_unusual(report))
    return (*_flattering(report), *_one_sided(report), *_thin(report), *_unusual(report), *_misranked(report))


def _chosen_sizes(report: Report) -> Iterable[str]:
    """Where class sizes were chosen, what is not shown."""
    there = report.elsewhere is not None and report.elsewhere.there
    how = "they are shown at the prevalence that was given" if there else "give the prevalence of the field to see them"
    yield (
        "The class sizes were chosen (case-control design): precision, NPV, accuracy, F1 and other measures that "
        f"depend on the prevalence would describe that choice; {how}."
    )
    if (report.table.real_totals > 0).sum() > 2:
        yield (
            "With more than two classes, informedness depends on the chosen class sizes, too; `informedness_trace` "
            "does not."
        )


def _flattering(report: Report) -> Iterable[str]:
    """Accuracy or F looks good and informedness does not: the papers' point."""
    t, b = report.table, report["informedness"]
    nir = float(no_information_rate(t))
    common = t.real_labels[int(t.real_totals.argmax())]
    held = {e.measure: e for e in report.estimates}
    accuracy = held.get("accuracy")
    poor = b.value < IS_POOR

    if accuracy and poor and accuracy.value >= LOOKS_GOOD:
        yield (
            f"Accuracy looks good and is not: of {percent(accuracy.value)}, guessing with the same "
            f"margins gets {percent(accuracy.chance)} and always answering {named(common)} gets "
            f"{percent(nir)}. Informedness is {rate(b.value)}."
        )
    elif accuracy and accuracy.value < nir and not _opposite(b):
        yield (
            f"Always answering {named(common)} would be right more often ({percent(nir)}) than this system "
            f"({percent(accuracy.value)}). That is what accuracy rewards, and the reason not to choose by it."
        )

    f1 = held.get("f1")
    if f1 and poor and f1.value >= LOOKS_GOOD and t.positive is not None:
        always = t.from_counts([[float(t.rp), float(t.rn)], [0, 0]], labels=["+", "−"], positive="+")
        yield (
            f"F1 looks good and is not: always answering {named(t.positive)} would score "
            f"{rate(float(f1_of(always)))}, this system scores {rate(f1.value)}, and its "
            f"informedness is {rate(b.value)}. F ignores the true negatives."
        )


def _one_sided(report: Report) -> Iterable[str]:
    b, m = report["informedness"], report["markedness"]
    if not (math.isnan(b.value) or math.isnan(m.value)) and abs(b.value - m.value) >= 0.3:
        if b.value > m.value:
            yield (
                f"Informedness ({rate(b.value)}) is far above markedness ({rate(m.value)}): "
                "reality is well recognised, and a single prediction still cannot be trusted that "
                "far, because some predicted class is rare or over-predicted."
            )
        else:
            yield (
                f"Markedness ({rate(m.value)}) is far above informedness ({rate(b.value)}): "
                "predictions can be trusted where they are made, and much of reality is missed."
            )
    t = report.table
    if t.positive is not None and not t.tn and t.fp and t.fn:
        yield (
            "There is not one true negative. If they were not counted, as in retrieval or entity "
            "matching, then informedness, accuracy, specificity and every chance level are "
            "meaningless here: only precision and recall can be said."
        )


def _between(t: Table, strange: Sequence[Label]) -> str:
    """What to do with predictions between two grades."""
    if t.stated is not None or not {*strange} & {*between([x for x in t.labels if x not in strange], t.labels)}:
        return ""
    return " Between two grades a prediction is a grade of its own: round such predictions first."


def _thin(report: Report) -> Iterable[str]:
    t = report.table
    sizes = t.real_totals if t.cases is None or report.counted.unit == "items" else t.cases.sum(axis=0)
    few = [(float(n), c.label) for n, c in zip(sizes, report.classes, strict=False) if 0 < n < 5]
    if few:
        least, which = min(few, key=lambda x: x[0])
        what = "items" if report.counted.unit == "items" else "cases"
        yield (
            f"{plural(len(few), 'class has', 'classes have')} fewer than 5 real {what} ({named(which)}: "
            f"{count(least)}): what is said of {'it' if len(few) == 1 else 'them'} is a guess."
        )
    yield from (note.text for note in report["informedness"].notes if note.code == "large-case")
    if never := [c.label for c in report.classes if not c.predicted and c.real]:
        yield f"{listed(never)} {_verb(never, 'was', 'were')} never predicted."
    real = t.real_totals + t.abstained  # a case without an answer has its real class, too
    if strange := [c.label for c, n in zip(report.classes, real, strict=False) if c.predicted and not n]:
        was, is_ = _verb(strange, "was", "were"), _verb(strange, "is", "are")
        yield f"{listed(strange)} {was} predicted and never {is_} the truth.{_between(t, strange)}"
    if t.squares is not None and t.units is None and (worth := t.effective_n(report.headline.measure)) < 0.5 * t.rows:
        yield (
            f"The weights are uneven: {plural(report.counted.n, 'case')} are worth {count(round(worth))} equally "
            f"weighted ones for {report.headline.measure}, and the intervals say so."
        )
    yield from map(str, (x for x in report.headline.notes if x.code in LITTLE))
    if t.units is not None and t.units.of == "case" and t.units.single:
        yield f"Every {t.units.name} has one case: nothing belongs together."


def _unusual(report: Report) -> Iterable[str]:
    t = report.table
    if t.missing > MOST["not-run"] * t.rows:
        share = f"{count(t.missing)} of {plural(t.rows, 'row')} ({percent(t.missing / t.rows)})"
        yield (
            f"{share} are left out because a label or an answer is missing. If the real label is known of some "
            "cases only, `informed verify` corrects for how these were chosen."
        )
    if t.respelled is not None and (cases := float(t.respelled.sum())):
        yield said_respelled(cases)
    yield from t.remarks
    if t.doubt is not None:
        yield t.doubt.text
    if t.derived:
        yield f"This table was not observed, it was computed ({t.derived}): it cannot be tested for significance."
    if two := two_truths(t):
        said = f"{plural(two, 'item has', 'items have')} more than one real label"
        yield f"{said}: answers to an item share its truth, and cases that only belong together have a unit."
    if report.counted.answered:
        found = float(find("informedness_of_all")(t)) if t.is_square else math.nan
        over = "" if math.isnan(found) else f" Over all cases informedness is {rate(found)}."
        is_ = "is" if report.counted.silent == 1 else "are"
        yield f"{report.counted.left_out} and {is_} left out.{over}"
    if another := another_number(report.score, report.tool, report.count):
        yield another


def _misranked(report: Report) -> Iterable[str]:
    """Two groups that F or accuracy rank one way and informedness the other."""
    measures = (
        ("accuracy_of_all",) if any(g.over_all for g in report.groups) else ("f1", 'f1(average="macro")', "accuracy")
    )
    for measure in measures:
        try:
            rated = [(named(g.name), g[measure], g.headline) for g in report.groups]
        except InformedError:
            continue
        several, pair = _swapped([(float(f.value), float(b.value)) for _, f, b in rated])
        if pair is not None:
            (x, fx, bx), (y, fy, by) = (rated[i] for i in pair)
            more = f" ({several:,} pairs {'of systems' if report.systems else 'of groups'} disagree so.)"
            more = more if several > 1 else ""
            unsettled = bx.high >= by.low and by.high >= bx.low
            noise = " Their intervals overlap, so neither order is settled." if unsettled else ""
            yield (
                f"{fx.title} ranks {x} ({rate(fx.value)}) above {y} ({rate(fy.value)}); informedness ranks them the "
                f"other way round ({rate(bx.value)} and {rate(by.value)}).{noise}{more}"
            )
            return


def _swapped(values: Sequence[tuple[float, float]]) -> tuple[int, tuple[int, int] | None]:
    """How many pairs two numbers rank in opposite orders, and the places of the pair that the second puts furthest
    apart: first the one that the first number ranks higher. Thousands of groups have millions of pairs.

    >>> _swapped([(0.9, 0.1), (0.8, 0.3), (0.7, 0.2), (0.7, 0.4)])
    (4, (0, 3))
    """
    order = sorted((i for i, x in enumerate(values) if not any(map(math.isnan, x))), key=lambda i: values[i][0])
    below: list[float] = []  # the second numbers of those that the first ranks lower, in order
    several, apart = 0, []
    for _, tied in groupby(order, key=lambda i: values[i][0]):
        places = list(tied)
        for i in places:
            several += len(below) - bisect_right(below, values[i][1])
            if below and below[-1] > values[i][1]:
                apart.append((below[-1] - values[i][1], i))
        for i in places:
            insort(below, values[i][1])
    if not apart:
        return 0, None
    most = max(gap for gap, _ in apart)
    first = min(i for gap, i in apart if gap == most)
    x, y = values[first]
    return several, (first, min(j for j in order if values[j][0] < x and values[j][1] - y == most))


def disagreement(report: Report) -> str:
    """Where a p-value and the interval beside it part ways over chance, and why; empty where none do."""
    apart = [uncapitalised(e.title) for e in report.estimates if _disagrees(e)]
    many = report.classes if len(report.table.real_labels) > 2 else ()
    if classes := [c.label for c in many if any(map(_disagrees, c.estimates))]:
        apart.append(f"{_verb(classes, 'class', 'classes')} {listed(classes)}")
    if not apart:
        return ""
    return (
        f"At {percent(report.level)}, p and the interval disagree about chance ({', '.join(apart)}): p shuffles the "
        "predictions with both margins as they are, the interval lets them vary. So near the edge neither is proof."
    )


def _disagrees(e: Estimate) -> bool:
    """Whether the test rejects chance where the interval holds it, or the other way round."""
    fixed = isinstance(find(e.measure).facts.chance, (int, float))
    known = fixed and not any(math.isnan(x) for x in (e.pvalue, e.low, e.high, e.value))
    return known and (e.pvalue < 1 - e.level) != (e.beyond_chance != 0)
