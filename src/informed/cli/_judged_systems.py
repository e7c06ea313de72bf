"""What `verify` does with columns of a file: verdicts beside gold labels, or answers of which some were verified."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from informed.errors import SourceError

EACH = (
    "Each system has a --verdict and a --gold of its own, in the same order: --verdict judge_a --gold people_a "
    "--verdict judge_b --gold people_b."
)


def called(columns: Sequence[str]) -> list[str]:
    """Names of systems: their columns without the words that all have in common at an end.

    >>> called(["atlas_judge", "birch_judge"]), called(["judge_a", "judge_b"]), called(["old", "older"])
    (['atlas', 'birch'], ['a', 'b'], ['old', 'older'])
    """
    words = [re.split(r"([_.\-\s:/]+)", name) for name in columns]
    while min(map(len, words)) > 1 and len({tuple(w[:2]) for w in words}) == 1:
        words = [w[2:] for w in words]
    while min(map(len, words)) > 1 and len({tuple(w[-2:]) for w in words}) == 1:
        words = [w[:-2] for w in words]
    found = ["".join(w) for w in words]
    return found if len(set(found)) == len(found) and all(found) else list(columns)


def judged_of(file: str, opening: Any, options: dict[str, Any]) -> Any:
    """Systems that one judge, or a panel, graded: beside each other, or below each other by a column."""
    from informed import compare

    read = _below if options["by"] else _beside
    how = {name: options[name] for name in ("against", "positive", "labels", "normalize", "level")}
    return compare.judged(**read(file, opening, options), **how)


def _beside(file: str, opening: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Systems whose verdicts and gold labels are columns, in the same order."""
    from informed.sources.columns import columns
    from informed.systems.judge_columns import named

    verdict, gold = options["verdict"], options["gold"]
    twice = [x for i, x in enumerate(gold) if x in gold[:i]]
    if twice:
        raise SourceError(
            f"--gold {twice[0]} is given twice: one column of labels cannot be of two systems' answers. Several judges "
            "of one system are `informed judge`; systems below each other are told apart by --by."
        )
    judges, rest = divmod(len(verdict), len(gold))
    if rest or not judges or len(gold) < 2 or len({*verdict, *gold}) < len(verdict) + len(gold):
        raise SourceError(EACH)
    panels = [verdict[i * judges : (i + 1) * judges] for i in range(len(gold))]
    names = called([panel[0] for panel in panels] if judges == 1 else list(gold))
    others = {name: options[name] for name in ("unit", "item") if options[name]}
    held = columns(file, list(dict.fromkeys([*verdict, *gold, *others.values()])), **opening)
    said: dict[str, Any] = {}
    for name, panel in zip(names, panels, strict=True):
        said[name] = held[panel[0]] if judges == 1 else {f"judge {i + 1}": held[x] for i, x in enumerate(panel)}
    given: dict[str, Any] = {"verdict": said, "gold": {n: named(held[g], g) for n, g in zip(names, gold, strict=True)}}
    return given | {name: held[x] for name, x in others.items()}


def _below(file: str, opening: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Systems whose rows stand below each other, told apart by a column; of the same items where that is named."""
    from informed.sources.columns import columns

    by, item, unit, verdict = (options[name] for name in ("by", "item", "unit", "verdict"))
    if len(options["gold"]) > 1:
        raise SourceError("With --by there is one --gold; several --verdict are a panel of judges.")
    [gold] = options["gold"]
    others = [x for x in (item, unit) if x]
    held = columns(file, list(dict.fromkeys([by, *verdict, gold, *others])), **opening)
    if None in held[by]:
        raise SourceError(f"{by!r} is empty in {held[by].count(None):,} rows; it says which system a row is of.")
    at: dict[Any, list[int]] = {}
    for i, name in enumerate(held[by]):
        at.setdefault(name, []).append(i)
    if len(at) < 2:
        raise SourceError(
            f"{by!r} names one system, {next(iter(at), '')!r}; two are compared, one is `informed judge`."
        )

    def each(x: str) -> dict[Any, list[Any]]:
        return {name: [held[x][i] for i in rows] for name, rows in sorted(at.items(), key=lambda pair: str(pair[0]))}

    said: dict[Any, Any] = each(verdict[0])
    if len(verdict) > 1:
        panel = {x: each(x) for x in verdict}
        said = {name: {x: panel[x][name] for x in verdict} for name in said}
    given: dict[str, Any] = {"verdict": said, "gold": each(gold), "unit": each(unit) if unit else None}
    return given | {"item": each(item) if item else None, "paired": item is not None}


def verified_of(file: str, opening: Any, options: dict[str, Any]) -> Any:
    """A system's table whose gold labels are a column with blanks; of two systems, their difference."""
    from informed import verified
    from informed.sources.columns import columns
    from informed.systems.judge_columns import named
    from informed.systems.verified import verified_two

    predicted, judge, gold = options["predicted"], options["judge"], options["gold"]
    if len(gold) > 1:
        raise SourceError("What is true of a case has one --gold.")
    if len(predicted) > 2:
        raise SourceError("One --predicted is a table, two are compared; compare more of them two by two.")
    if options["measure"] and len(predicted) < 2:
        raise SourceError("--measure is what two --predicted are compared by; one has the usual measures.")
    given = [*predicted, *judge, *gold]
    if len(set(given)) < len(given):
        raise SourceError("--predicted, --gold and --judge are different columns.")
    others = {name: options[name] for name in ("strata", "probability", "unit", "item") if options[name]}
    held = columns(file, list(dict.fromkeys([*given, *others.values()])), **opening)

    how = {name: options[name] for name in ("positive", "labels", "normalize", "level")}
    how |= {name: held[x] for name, x in others.items()}
    if judge:
        how["judge"] = held[judge[0]] if len(judge) == 1 else {x: held[x] for x in judge}
    truth = named(held[gold[0]], gold[0])
    if len(predicted) == 1:
        return verified(predicted=held[predicted[0]], gold=truth, **how)
    answers = {x: held[x] for x in predicted}
    return verified_two(answers, gold=truth, measure=options["measure"] or "informedness", **how)


def gates_of(
    found: Any, fail_under: Sequence[str], fail_over: Sequence[str], decide: Sequence[str], undecided: Any
) -> tuple[Any, ...]:
    """Whether what was found reaches its bars."""
    from informed.summary.checks import check
    from informed.summary.decide import decide_parts, decided
    from informed.systems.judged_systems import JudgedSystems

    asked = [decided(text) for text in decide]
    if isinstance(found, JudgedSystems):
        return tuple(gate for d in found.differences for gate in decide_parts(d, asked, undecided))
    bars = check(found, fail_under, fail_over) if fail_under or fail_over else ()
    return (*bars, *decide_parts(found, asked, undecided))
