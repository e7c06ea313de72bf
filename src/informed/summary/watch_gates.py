"""What a watched run has shown, as a gate: the verdict on its bar, or whether the rule that stops it is met."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from informed._numbers import plural, rate, signed, span
from informed.errors import InferenceError, one_of
from informed.inference.items_to_go import to_go
from informed.inference.stop_rules import Rules, parse
from informed.inference.watch import Watch
from informed.inference.watch_words import name_of
from informed.results import Gate

WORDS = {"pass": "above", "fail": "below"}


def gate_of_verdict(w: Watch, undecided: str | None = None) -> Gate:
    """Pass, fail or undecided of the bar, valid at every look; of an undecided one how many items would decide."""
    name = f"decide {w.settings.measure}={w.against:g}"
    told = _numbers(w) | {"wanted": w.against}
    found = _found(w)
    if w.verdict in WORDS:
        said = f"{found}, shown to be {WORDS[w.verdict]} {w.against:g}: {w.verdict}."
        return Gate(name, w.verdict == "pass", said, **told, verdict=w.verdict)

    enough = _enough(parse("pass or fail"), w)
    gate = Gate(name, False, f"{found}, the bar is {w.against:g}: undecided; {_more(enough)}.", **told)
    gate = replace(gate, verdict="undecided", enough=enough)
    if undecided is None:
        return gate
    one_of("undecided", undecided, ("pass", "fail"), InferenceError)
    said = f"{gate.sentence[:-1]}; it counts as a {undecided}."
    return replace(gate, sentence=said, passed=undecided == "pass", counts_as=undecided)


def gate_of_rule(rules: Rules, w: Watch, met: str | None) -> Gate:
    """Whether the rule is met, its opposite was shown, or neither."""
    name, told, found = f"stop {rules}", _numbers(w), _found(w)
    if met is not None:
        return Gate(name, True, f"{found}: the rule {met!r} is met.", **told)
    if rules.opposed(w):
        return Gate(name, False, f"{found}: the opposite of the rule '{rules}' was shown.", **told)
    enough = _enough(rules, w)
    said = f"{found}: neither the rule '{rules}' nor its opposite was shown; {_more(enough)}."
    return Gate(name, False, said, **told, verdict="undecided", enough=enough)


def _numbers(w: Watch) -> dict[str, Any]:
    held = w.interval
    return {"seen": float(held.estimate), "low": float(held.low), "high": float(held.high), "pvalue": float(w.pvalue)}


def _found(w: Watch) -> str:
    held, number = w.interval, signed if w.settings.paired else rate
    shown = f"{number(float(held.estimate))} {span(float(held.low), float(held.high))}".strip()
    return f"After {plural(w.n, 'item')} {name_of(w.settings)} is {shown}"


def _enough(rules: Rules, w: Watch) -> float:
    """Items in all that would do, to two digits."""
    left = to_go(rules, w, most=w.settings.size)
    if not math.isfinite(left):
        return left
    n = w.n + left
    digits = 10 ** max(0, math.floor(math.log10(max(n, 1))) - 1)
    return float(math.ceil(n / digits - 1e-9) * digits)


def _more(enough: float) -> str:
    """How many would do, if all goes on as it did."""
    if math.isnan(enough):
        return "how many more items would do is not known"
    if math.isinf(enough):
        return "as it goes, no number of items would do"
    return f"about {enough:,.0f} items in all would do, if it goes on as it did"
