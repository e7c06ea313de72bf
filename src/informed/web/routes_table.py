"""The Table panel's questions: a table after a move, three ratios, a report of it."""

from __future__ import annotations

import asyncio

import numpy as np
from starlette.requests import Request

import informed
from informed._arrays import Array
from informed.evidence.cells import mixture
from informed.evidence.table import Table
from informed.measures.shown import IN_LAB
from informed.web import Json, limits, moves
from informed.web.answers import Refused, choice_of, cost_of, counts_of, posted, real_of, table_of, whole_of
from informed.web.evaluate import numbers, plane
from informed.web.results import saved
from informed.web.turns import slowly

PEOPLE = 1000  # of the opening page
SAYS = np.linspace(0, 1, 101)  # how often a guess says yes
TOLD = ("accuracy", "f1", "informedness")


async def table(request: Request, held: Json) -> Json:
    """Move the table if that is asked, and say everything about what it is then."""
    counts = counts_of(held)
    focus = whole_of(held, "focus", 0, len(counts) - 1, 0)
    cost = cost_of(held)
    t = table_of(held, moved(held, counts, focus))
    state = request.app.state
    async with asyncio.timeout(limits.ANSWER):
        found = await (state.batcher.ask(t.counts) if held.get("quick") is True else state.full_batcher.ask(t))
    return {**found, "plane": plane(found, focus, cost)}


def moved(held: Json, counts: Array, focus: int) -> Array:
    """The counts after what was typed, dragged or slid."""
    keep = choice_of(held, "keep", moves.KEEPS, "nothing")
    move = held.get("move")
    if move is None:
        return counts
    if not isinstance(move, dict):
        raise Refused("`move` is not a JSON object.")
    kind = choice_of(move, "kind", ("cell", "point", "ratio"), "")
    last = len(counts) - 1
    if kind == "cell":
        row, column = (whole_of(move, name, 0, last, -1) for name in ("row", "column"))
        value = real_of(move, "value", 0, limits.LARGEST_COUNT, -1)
        return moves.set_cell(counts, row, column, value, keep)
    if kind == "point":
        recall, fallout = (real_of(move, name, 0, 1, -1) for name in ("recall", "fallout"))
        return moves.drag(counts, focus, recall, fallout, keep)
    name = choice_of(move, "name", ("prevalence", "bias", "informedness"), "")
    value = real_of(move, "value", -1 if name == "informedness" else 0, 1, -2)
    return moves.set_ratio(counts, focus, name, value, keep)


async def guessing(request: Request, held: Json) -> Json:
    """Tests that know so often, and else say yes so often: all of the latter at once, to slide over."""
    ill = real_of(held, "prevalence", 0.001, 0.999, 0.02)
    knows = real_of(held, "knows", 0, 1, 0)
    t = guessers(ill, knows)
    return {"says": SAYS.tolist(), "counts": t.counts.tolist()} | {
        name: numbers(np.asarray(informed.find(name)(t))) for name in TOLD
    }


def guessers(prevalence: float, knows: float) -> Table:
    """A table for each share of `SAYS`; a guess of a share is that mixture of always and never saying yes."""
    real = np.array([prevalence, 1 - prevalence])
    always, never = (mixture(knows, real, guess) for guess in np.eye(2))
    says = SAYS[:, None, None]
    return Table.from_counts(PEOPLE * (says * always + (1 - says) * never), labels=["ill", "well"], positive="ill")


async def solve(request: Request, held: Json) -> Json:
    """The tables that have three measures."""
    three = held.get("three")
    if not isinstance(three, dict) or not all(name in IN_LAB for name in three):
        raise Refused(f"`three` must name three of {', '.join(IN_LAB)}.")
    values = {name: real_of(three, name, -1, 1, -2) for name in three}
    n = real_of(held, "n", 1, limits.LARGEST_COUNT, 100)
    found = await slowly(request, lambda: informed.solve(n=n, **values))
    tables = found.counts if found.shape else found.counts[None]
    return {"tables": tables[:12].tolist()}


async def report(request: Request, held: Json) -> Json:
    """The report of a table, in every format."""
    t = table_of(held, counts_of(held))
    key, folder = request.app.state.lab.new_result()
    await slowly(request, lambda: saved(informed.report(t).document(), folder))
    return {"id": key}


routes = posted(table, guessing, solve, report)
