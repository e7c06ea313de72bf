"""How often each test really rejects a true null, in words that are made from measured rates.

docs/make_sizes.py (`make study`) measures them and writes sizes.json. `worlds` are percent rejected at a
nominal 5 %: mean, least and most, for two classes exactly, over every table of 17 worlds of guessing
(32, 64 and 128 cases, each margin expecting 5 or more), and for more classes by simulation of 36
worlds (3, 5 and 10 classes, 4, 8 and 32 cases a class, even and 10:1 margins, guesses that match them
or do not), 10,000 tables each. `two`, `slow` and `several` are multiples of four nominal levels, by side, in
worlds where a class or label may be rare, and `weighted` and `units` those of weighted cases and of cases in units, by
the number of classes. The tests of the project measure some of them again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

LEVELS = (5, 1, 0.1, 0.01)  # percent, of the multiples
SIMULATED = 3  # of the levels: a simulation says too little of the smallest


@cache
def measured() -> dict[str, Any]:
    """All that was measured."""
    found: dict[str, Any] = json.loads(Path(__file__).with_name("sizes.json").read_text("utf-8"))
    return found


def calibration_of(
    method: str,
    classes: int,
    alternative: str = "two-sided",
    rates: dict[str, Any] | None = None,
    *,
    weighted: bool = False,
) -> str:
    """The measured error rates of a test, in words, or others in their place; nothing where there are none.

    >>> calibration_of("kb", 2)
    'rejects a true null 0.2 % of the time at a nominal 5 % (0.0 to 0.6 % over worlds of 2 classes)'
    """
    rates = measured() if rates is None else rates
    kind = "units" if method in rates["units"] else "weighted" if weighted else ""
    if kind:
        found = rates[kind].get(method, {}).get(alternative, {})
        alike = {k: at for k, at in found.items() if (k == "2") == (classes == 2)}
        what = {"units": "cases in units", "weighted": "weighted cases"}[kind]
        return _at_most(alike, SIMULATED, f"{alternative}; {what}, {_span(alike)} classes, simulated") if alike else ""
    at_five = _at_five(rates, method, classes) if alternative == "two-sided" else ""
    parts = [at_five, _tail(rates, method, classes, alternative)]
    return "; ".join(part for part in parts if part)


def _at_five(data: dict[str, Any], method: str, classes: int) -> str:
    rates = data["worlds"].get(method, [])
    at = 0 if classes == 2 else 1
    if len(rates) <= at:
        return ""
    mean, least, most = rates[at]
    return (
        f"rejects a true null {mean:.1f} % of the time at a nominal 5 % "
        f"({least:.1f} to {most:.1f} % over worlds of {'2' if classes == 2 else '3 to 10'} classes)"
    )


def _tail(data: dict[str, Any], method: str, classes: int, alternative: str) -> str:
    """How often at worst, at each level, where classes and labels may be rare."""
    parts = [data["two"], data["slow"]] if classes == 2 else [data["several"]]
    found = next((p[method][alternative] for p in parts if alternative in p.get(method, {})), None)
    if found is None:
        return ""
    count = len(LEVELS) if classes == 2 else SIMULATED
    where = f"2 classes, {_span(found)} cases" if classes == 2 else f"{_span(found)} classes, simulated"
    return _at_most(found, count, f"{alternative}; {where}, rare classes and labels among them")


def _at_most(found: dict[str, Any], count: int, where: str) -> str:
    """The worst of what was found, at the first levels."""
    worst = [max(at["most"][i] for at in found.values()) for i in range(count)]
    return (
        f"at {_list(f'{x:g}' for x in LEVELS[:count])} % it rejects at most "
        f"{_list(f'{x:.2f}' if x < 10 else f'{x:.0f}' for x in worst)} times as often as it should ({where})"
    )


def _span(found: Iterable[str]) -> str:
    """From the smallest number to the largest."""
    sizes = sorted(map(int, found))
    return f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"


def _list(words: Iterable[str]) -> str:
    """Numbers in a sentence."""
    *most, last = words
    return f"{', '.join(most)} and {last}"
