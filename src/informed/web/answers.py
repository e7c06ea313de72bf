"""Questions and answers as JSON: what was asked is checked, what is not a number is null."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import numpy as np
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from informed._arrays import Array
from informed.errors import InformedError
from informed.evidence.table import Table
from informed.web import Json, limits

BUSY = "Too many ask the lab at the same time; ask again in a moment."


class Refused(InformedError):
    """A question that the lab does not take, with its HTTP status."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


class Busy(Refused):
    """A question that would wait too long; the page asks it again by itself."""

    def __init__(self) -> None:
        super().__init__(BUSY, 503)


def answered(held: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON response; a NaN that was overlooked is an error here, not in the browser."""
    text = json.dumps(held, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Response(text, status, headers, media_type="application/json")


def posted(*questions: Callable[[Request, Json], Awaitable[Response | Json]]) -> list[Route]:
    """The routes of questions, each under its own name: what was sent goes in, a response or an object comes out."""

    def route(ask: Callable[[Request, Json], Awaitable[Response | Json]]) -> Route:
        async def answer(request: Request) -> Response:
            found = await ask(request, await _asked(request))
            return found if isinstance(found, Response) else answered(found)

        return Route(f"/api/{ask.__name__}", answer, methods=["POST"])

    return [route(ask) for ask in questions]


async def _asked(request: Request) -> Json:
    """The JSON object of a question; the guard has limited its size already."""
    try:
        held = json.loads(await request.body())
        json.dumps(held, ensure_ascii=False).encode()  # half a surrogate pair is no text that can be written
    except (ValueError, RecursionError):
        raise Refused("The question is not JSON.") from None
    if not isinstance(held, dict):
        raise Refused("The question is not a JSON object.")
    return held


def counts_of(held: Json) -> Array:
    """The table of a question: square, 2 to 12 classes, finite counts."""
    given = held.get("counts")
    try:
        counts = np.array(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise Refused("`counts` is not a table of numbers.") from None
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1]:
        raise Refused(f"`counts` has shape {counts.shape}; it must be square.")
    if not 2 <= len(counts) <= limits.CLASSES:
        raise Refused(f"The table has {len(counts)} classes; the lab takes 2 to {limits.CLASSES}.")
    if not (np.isfinite(counts).all() and (counts >= 0).all()):
        raise Refused("Counts must be finite and not negative.")
    if counts.max() > limits.LARGEST_COUNT:
        raise Refused(f"A count is above {limits.LARGEST_COUNT:g}.")
    return counts


def table_of(held: Json, counts: Array) -> Table:
    """The counts with the names of a question; of two classes the first is the positive one."""
    labels = _labels(held, len(counts))
    return Table.from_counts(counts, labels=labels, positive=labels[0] if len(labels) == 2 else None)


def cost_of(held: Json) -> tuple[float, float]:
    """What a miss and a false alarm cost."""
    return real_of(held, "miss", 1e-3, 1e3, 1.0), real_of(held, "alarm", 1e-3, 1e3, 1.0)


def _labels(held: Json, k: int) -> list[str]:
    """The names of the classes, as text."""
    given = held.get("labels")
    if given is None:
        return ["+", "−"] if k == 2 else [str(i + 1) for i in range(k)]
    if not (isinstance(given, list) and len(given) == k and all(isinstance(x, str) for x in given)):
        raise Refused(f"`labels` must be {k} names.")
    if any(len(x) > 200 for x in given):
        raise Refused("A label is longer than 200 characters.")
    if len(set(given)) != k:
        raise Refused("Two classes have the same name.")
    return given


def real_of(held: Json, name: str, low: float, high: float, default: float) -> float:
    """A number of a question, between two bounds."""
    value = held.get(name, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        raise Refused(f"`{name}` is {_short(value)}; it must be between {low:g} and {high:g}.")
    return float(value)


def whole_of(held: Json, name: str, low: int, high: int, default: int) -> int:
    value = real_of(held, name, low, high, default)
    if value != int(value):
        raise Refused(f"`{name}` is {value:g}; it must be a whole number.")
    return int(value)


def choice_of(held: Json, name: str, choices: tuple[str, ...], default: str) -> str:
    value = held.get(name, default)
    if value not in choices:
        raise Refused(f"`{name}` is {_short(value)}; it must be one of {', '.join(choices)}.")
    return str(value)


def _short(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) < 40 else shown[:37] + "..."
