"""What `verify`, and whoever reads verdicts beside gold labels, does with columns of a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from informed.errors import SourceError


def judged_difference(file: str, verdict: Sequence[str], gold: Sequence[str], opening: Any, **how: Any) -> Any:
    """Systems whose verdicts and gold labels are columns, in the same order; each is called by its verdicts."""
    from informed import compare
    from informed.sources.columns import columns

    if len(verdict) != len(gold) or len(verdict) < 2 or len({*verdict, *gold}) < 2 * len(verdict):
        raise SourceError(
            "Each system has a --verdict and a --gold of its own, in the same order: "
            "--verdict judge_a --gold people_a --verdict judge_b --gold people_b."
        )
    unit = how.pop("unit")
    held = columns(file, [*verdict, *gold, *([unit] if unit else [])], **opening)
    given: dict[str, Any] = {"verdict": {v: held[v] for v in verdict}}
    given["gold"] = {v: held[g] for v, g in zip(verdict, gold, strict=True)}
    return compare.judged(**given, unit=held[unit] if unit else None, **how)


def judged_by(
    file: str, by: str, item: str | None, verdict: str, gold: str, opening: Any, *, unit: str | None, **how: Any
) -> Any:
    """Systems whose rows stand below each other, told apart by a column; of the same items where that is named."""
    from informed import compare
    from informed.sources.columns import columns

    others = [x for x in (item, unit) if x]
    held = columns(file, [by, verdict, gold, *others], **opening)
    if None in held[by]:
        raise SourceError(f"{by!r} is empty in {held[by].count(None):,} rows; it says which system a row is of.")
    at: dict[Any, list[int]] = {}
    for i, name in enumerate(held[by]):
        at.setdefault(name, []).append(i)
    each = {
        x: {name: [held[x][i] for i in rows] for name, rows in sorted(at.items())} for x in (verdict, gold, *others)
    }
    given: dict[str, Any] = {"verdict": each[verdict], "gold": each[gold], "unit": each[unit] if unit else None}
    return compare.judged(**given, item=each[item] if item else None, paired=item is not None, **how)


def verified_table(
    file: str, predicted: str, gold: str, judge: str | None, strata: str | None, opening: Any, **how: Any
) -> Any:
    """A system's table whose gold labels are a column with blanks."""
    from informed import verified
    from informed.sources.columns import columns

    asked = {"predicted": predicted, "gold": gold, "judge": judge, "strata": strata, "unit": how.pop("unit")}
    named = {key: name for key, name in asked.items() if name}
    sides = [named[key] for key in ("predicted", "gold", "judge") if key in named]
    if len(set(sides)) < len(sides):
        raise SourceError("--predicted, --gold and --judge are different columns.")
    held = columns(file, list(dict.fromkeys(named.values())), **opening)
    given: dict[str, Any] = {key: held[name] for key, name in named.items()}
    return verified(**given, **how)
