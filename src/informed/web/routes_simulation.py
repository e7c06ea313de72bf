"""The Monte Carlo panel: an experiment whose picture builds while its chunks come in."""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import AsyncIterator, Callable, Sequence

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from informed.measures.shown import CORRECTED
from informed.papers.figures import FIGURES, STILL, Figure, reproduce
from informed.results import plain
from informed.simulation.experiment import Experiment, parsed_levels, run_chunk
from informed.simulation.generators import GENERATORS
from informed.simulation.sums import Sums, plus, tidy
from informed.web import Json, limits
from informed.web.answers import Refused, choice_of, posted, whole_of
from informed.web.lab import Lab
from informed.web.results import DRAWINGS, keep_stem

MEASURES = (*CORRECTED, "accuracy")
PICTURES = 25  # of one run, at most
SHARES = ("even", "rare", "geometric", "long-tailed", "sparse")  # of the classes
GUESSES = ("prevalence", *SHARES, "reversed")  # how often each is guessed
STEPS = (20, 50, 100, 200, 500, 1000)  # runs a level at which a figure of the papers is shown


def described() -> list[Json]:
    return [{"name": name, "summary": g.summary, "margins": "guess" in g.options} for name, g in GENERATORS.items()]


async def simulate(request: Request, held: Json) -> Response:
    """Check the experiment, then stream what its tables say so far."""
    request.app.state.runs.check()
    generator = choice_of(held, "generator", tuple(GENERATORS), "multinomial")
    k = whole_of(held, "k", 2, limits.SIMULATED_CLASSES, 4)
    n = whole_of(held, "n", 2, limits.SIMULATED_CASES, 128)

    text = held.get("levels", "0:1:0.1")
    if not isinstance(text, str) or len(text) > 200:
        raise Refused("`levels` must be a text such as 0:1:0.1.")
    if ":" in text:
        _few_enough(text)
    levels = parsed_levels(text)
    if len(levels) > limits.LEVELS:
        raise Refused(f"There are {len(levels)} levels; the lab takes up to {limits.LEVELS}.")

    shares = choice_of(held, "prevalence", SHARES, "even"), choice_of(held, "guess", GUESSES, "prevalence")
    margins = {x: y for x, y in zip(("prevalence", "guess"), shares, strict=True) if x in GENERATORS[generator].options}

    most = limits.TABLES // max(1, len(levels))
    replicates = whole_of(held, "replicates", 2, most, min(most, 1000))

    made = await asyncio.wait_for(
        asyncio.to_thread(
            Experiment,
            generator=generator,
            k=k,
            n=n,
            levels=levels,
            replicates=replicates,
            measures=MEASURES,
            options=margins,
            seed=whole_of(held, "seed", 0, 2**31, 7),
            chunk=max(2, min(2000, math.ceil(replicates / PICTURES))),
        ),
        limits.ANSWER,
    )
    return StreamingResponse(run(request, made), media_type="application/x-ndjson")


def _few_enough(text: str) -> None:
    """Refuse a step so small that the list itself would be the problem."""
    try:
        first, last, step = (float(x) for x in text.split(":"))
        many = (last - first) / step > limits.LEVELS
    except (ValueError, ZeroDivisionError):
        return  # `parsed_levels` says what is wrong
    if many:
        raise Refused(f"There are too many levels; the lab takes up to {limits.LEVELS}.")


async def paced(request: Request, steps: Sequence[int], work: Callable[[int], Json]) -> AsyncIterator[str]:
    """One line for each step. It ends when nobody listens, or when it takes too long."""
    async with request.app.state.runs.turn():
        end = time.monotonic() + limits.SIMULATION
        for step in steps:
            if await request.is_disconnected():
                return
            if time.monotonic() > end:
                yield json.dumps({"error": "That took too long and was stopped here."}) + "\n"
                return
            yield json.dumps(plain(await asyncio.to_thread(work, step)), allow_nan=False) + "\n"


def run(request: Request, e: Experiment) -> AsyncIterator[str]:
    """A line for each chunk: the summary of all tables so far."""
    total: Sums | None = None

    def work(index: int) -> Json:
        nonlocal total
        sums = run_chunk(e, index)
        total = sums if total is None else plus(total, sums)
        done = sum(e.size(i) for i in range(index + 1)) * len(e.levels)
        return {"done": done, "of": e.replicates * len(e.levels), "rows": rows(e, total)}

    return paced(request, range(e.chunks), work)


def rows(e: Experiment, total: Sums) -> list[Json]:
    """For each measure and level its mean and standard deviation."""
    found: dict[tuple[str, float], Json] = {}
    for row in tidy(e, total):
        if row["subject"] == "measure" and row["statistic"] in ("truth", "mean", "variance"):
            at = found.setdefault((row["measure"], row["level"]), {"measure": row["measure"], "level": row["level"]})
            at[row["statistic"]] = row["value"]
    for at in found.values():
        variance = at.pop("variance", None)
        at["sd"] = None if variance is None else math.sqrt(variance)
    return list(found.values())


# ---------------------------------------------------------------------- the papers' figures


def figures() -> list[dict[str, str]]:
    return [{"name": name, **{x: held[x] for x in ("called", "title")}} for name, held in FIGURES.items()]


async def figure(request: Request, held: Json) -> Response:
    """A figure of the papers, as `informed reproduce` draws it."""
    request.app.state.runs.check()
    name = choice_of(held, "name", tuple(FIGURES), "")
    seed = whole_of(held, "seed", 0, 2**31, 2011)
    replicates = whole_of(held, "replicates", 20, limits.FIGURE_RUNS, 2000)
    lines = drawn(request, name, seed, replicates)
    return StreamingResponse(lines, media_type="application/x-ndjson")


def drawn(request: Request, name: str, seed: int, replicates: int) -> AsyncIterator[str]:
    """The paper's picture at once; the distribution behind it from more and more tables."""
    steps = [*(n for n in STEPS if n < replicates), replicates]
    if name in STILL:
        steps = steps[-1:]

    def work(runs: int) -> Json:
        made = reproduce(name, seed=seed, replicates=runs)
        line = {"done": runs, "of": replicates, "still": name in STILL, "title": made.title}
        if runs == steps[0]:
            line["paper"] = made.paper
        if runs == replicates:
            line["id"] = _kept(request.app.state.lab, name, made)
        return {**line, "modern": made.modern}

    return paced(request, steps, work)


def _kept(lab: Lab, name: str, made: Figure) -> str:
    """Write the figure where it can be downloaded, and give its id."""
    key, folder = lab.new_result()
    for file, text in zip(DRAWINGS, (made.paper, made.modern, made.csv()), strict=True):
        (folder / file).write_text(text, encoding="utf-8")
    keep_stem(folder, name)
    return key


routes = posted(simulate, figure)
