"""Margins by the names that the rows of claims and questions give them: what a generator takes."""

from __future__ import annotations

from typing import Any

_REVERSED = {"prevalence": "geometric", "guess": "reversed"}
_EVENLY = {"prevalence": "geometric", "guess": "even"}

MARGINS: dict[str, dict[str, Any]] = {
    "even": {},
    "10:1": {"prevalence": "geometric"},
    "10:1, guessed alike": {"prevalence": "geometric"},
    "10:1, reversed": _REVERSED,
    "10:1, guessed in reverse": _REVERSED,
    "10:1, evenly": _EVENLY,
    "10:1, guessed evenly": _EVENLY,
    "even, 10:1": {"guess": "geometric"},
    "even, guessed 10:1": {"guess": "geometric"},
    "long-tailed, guessed alike": {"prevalence": "long-tailed"},
}
