"""From what was found to a verdict: the rule of a claim is data, and judging it a pure function.

A rule has a part for each thing that the sentence says, and stands beside it in ``data/claims_*.toml``::

    quote = ">95% of Bookmaker estimates are within the confidence bands as required"

    [[bands-hold.rule]]
    says = ">95% … within the confidence bands"
    of = "within CI_B1, K = 4, N = 16, {reading}"
    above = 0.95

`of` is a result, or several of which each must do (with ``some = true`` one is enough). `above` and
`below` are numbers, or other results times `times`. ``{reading}`` is each way in which what the
sentence is about can be read or drawn. A part is judged in each reading by itself: it is so, or it
is not, or the result is too close to the threshold to tell, within three Monte Carlo errors.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from informed.papers.texts import estimate
from informed.simulation.estimates import MonteCarlo

READING = ", {reading}"
ERRORS = 3  # Monte Carlo errors within which a result is too close to a threshold


class Verdict(StrEnum):
    """What came out, in the words of the page."""

    HOLDS = "holds"
    PARTLY = "partly"
    FAILS = "fails"
    OPEN = "too close to tell"  # of too few tables


@dataclass(frozen=True)
class Part:
    """A part of a rule, with the readings in which it is so, is not, and cannot be told."""

    says: str
    of: str
    wanted: str
    met: tuple[str, ...]
    missed: tuple[str, ...]
    close: tuple[str, ...]

    def data(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {name: list(x) if isinstance(x, tuple) else x for name, x in vars(self).items()}


def judged(text: Mapping[str, Any], found: Mapping[str, Any]) -> tuple[Verdict, list[Part]]:
    """What the rule of a claim says of these results.

    >>> text = {"readings": ["theirs", "ours"], "rule": [{"says": "is high", "of": "x, {reading}", "above": 0.5}]}
    >>> judged(text, {"x, theirs": 0.7, "x, ours": 0.3})[0]
    <Verdict.PARTLY: 'partly'>
    """
    parts = [_part(rule, text.get("readings", ()), found) for rule in text["rule"]]
    met, missed = (any(getattr(p, side) for p in parts) for side in ("met", "missed"))
    if met and missed:
        return Verdict.PARTLY, parts
    return Verdict.HOLDS if met else Verdict.FAILS if missed else Verdict.OPEN, parts


def _part(rule: Mapping[str, Any], readings: Sequence[str], found: Mapping[str, Any]) -> Part:
    names = named(rule["of"])
    each = readings if any(READING in n for n in (*names, *limits(rule).values()) if isinstance(n, str)) else ("",)
    so = {reading: is_so(rule, found, reading) for reading in each}
    return Part(
        says=rule["says"],
        of="; ".join(n.replace(READING, "") for n in names),
        wanted=_wanted(rule),
        met=tuple(r for r, met in so.items() if met),
        missed=tuple(r for r, met in so.items() if met is False),
        close=tuple(r for r, met in so.items() if met is None),
    )


def is_so(rule: Mapping[str, Any], found: Mapping[str, Any], reading: str = "") -> bool | None:
    """Whether a part is so in a reading; None where that is too close to tell."""
    each = [_within(rule, found, name, reading) for name in named(rule["of"])]
    enough = bool(rule.get("some"))  # one that is so is enough; else one that is not
    if enough in each:
        return enough
    return None if None in each else not enough


def _within(rule: Mapping[str, Any], found: Mapping[str, Any], name: str, reading: str) -> bool | None:
    """Whether a result is between the thresholds."""
    result, gaps = _found(found, name, reading), []
    for side in limits(rule):
        limit = bound(rule, side, found, reading)
        room = ERRORS * math.hypot(result.standard_error, limit.standard_error)
        gap = (result.value - limit.value) * (1 if side == "above" else -1)
        gaps.append(None if room and abs(gap) < room else gap > 0)
    return False if False in gaps else None if None in gaps else True


def named(of: str | Sequence[str]) -> list[str]:
    """The results that a part is about."""
    return [of] if isinstance(of, str) else list(of)


def limits(rule: Mapping[str, Any]) -> dict[str, Any]:
    """The thresholds of a part: `above`, `below`, or both."""
    return {side: rule[side] for side in ("above", "below") if side in rule}


def bound(rule: Mapping[str, Any], side: str, found: Mapping[str, Any], reading: str = "") -> MonteCarlo:
    """A threshold as a number, with the error of the result that it is."""
    limit = rule[side]
    if isinstance(limit, str):
        return _found(found, limit, reading).times(_times(rule, side))
    return MonteCarlo(float(limit))


def _times(rule: Mapping[str, Any], side: str) -> float:
    """The multiple of another result: of both sides alike, or of each."""
    times = rule.get("times", 1)
    return float(times[side] if isinstance(times, Mapping) else times)


def _found(found: Mapping[str, Any], name: str, reading: str) -> MonteCarlo:
    result = estimate(found[name.replace("{reading}", reading)])
    if math.isnan(result.value):
        raise ValueError(f"{name!r} has no value, so that nothing can be said of it")
    return result


def _wanted(rule: Mapping[str, Any]) -> str:
    """The thresholds as the page writes them: ``above 1.3 × premarginal``; of several results, ``each above .5``."""
    said = []
    for side, limit in limits(rule).items():
        times = _times(rule, side)
        factor = f"{_plain(times)} × " if isinstance(limit, str) and times != 1 else ""
        words = f"“{limit.replace(READING, '')}”" if isinstance(limit, str) else _plain(limit)
        said.append(f"{side} {factor}{words}")
    several = len(named(rule["of"])) > 1
    return ("one of them " if rule.get("some") else "each ") * several + ", ".join(said)


def _plain(x: float) -> str:
    """A threshold with no more places than it has.

    >>> _plain(0.05), _plain(-0.5), _plain(1.5), _plain(0.0)
    ('.05', '−.5', '1.5', '0')
    """
    digits = f"{abs(x):g}"
    digits = digits.removeprefix("0") if digits.startswith("0.") else digits
    return f"−{digits}" if x < 0 else digits


def by_reading(
    found: Mapping[str, MonteCarlo], readings: Sequence[str]
) -> tuple[dict[str, dict[str, MonteCarlo]], dict[str, MonteCarlo]]:
    """Results that were found in each reading, by what they are of; and all others."""
    several: dict[str, dict[str, MonteCarlo]] = {}
    others: dict[str, MonteCarlo] = {}
    for name, value in found.items():
        reading = max((r for r in readings if name.endswith(f", {r}")), key=len, default="")
        if reading:
            several.setdefault(name.removesuffix(f", {reading}"), {})[reading] = value
        else:
            others[name] = value
    return several, others
