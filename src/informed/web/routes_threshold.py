"""The Threshold panel's questions: a curve, and its best threshold for costs."""

from __future__ import annotations

import asyncio

import numpy as np
from starlette.requests import Request
from starlette.responses import Response

from informed.decisions.curve import Curve
from informed.decisions.rejection import chow
from informed.web import limits
from informed.web.answers import Refused, answered, asked, cost_of, posted, real_of
from informed.web.curves import FILE, example, kept
from informed.web.numbers import Json, number

MOST = 600  # points that are drawn and slid over


async def curve(request: Request) -> Response:
    """The whole curve once, then only what the costs decide."""
    held = await asked(request)
    cost = cost_of(held)
    prevalence = real_of(held, "prevalence", 1e-6, 1 - 1e-6, 0.5) if "prevalence" in held else None
    abstain = real_of(held, "abstain", 0, 1e3, 0.1) if "abstain" in held else None
    key = held.get("id")
    folder = request.app.state.lab.results.get(key) if isinstance(key, str) else None
    if key is not None and (folder is None or not (folder / FILE).is_file()):
        raise Refused("That curve is not here any more; read the file again.", 404)

    def work() -> Json:
        made = example() if folder is None else kept(folder)
        found = chosen(made, cost, prevalence, abstain)
        return {**found, "curve": whole(made)} if held.get("whole") is True else found

    async with request.app.state.slow:
        return answered(await asyncio.wait_for(asyncio.to_thread(work), limits.ANSWER))


def whole(made: Curve) -> Json:
    """Points, area and histogram; of very many points an even selection, each exact."""
    at = np.unique(np.linspace(0, len(made.thresholds) - 1, MOST).round().astype(int))
    area = made.interval()
    hull = made.hull()
    return {
        "thresholds": [number(x) for x in made.thresholds[at]],
        "tp": made.tp[at].tolist(),
        "fp": made.fp[at].tolist(),
        "hull": [[float(f), float(r)] for f, r in zip(hull.fallout, hull.recall, strict=True)],
        "labels": [str(made.positive), str(made.negative)],
        "auc": {"value": number(made.auc), "low": number(area.low), "high": number(area.high)},
        "notes": list(map(str, made.notes)),
    }


def chosen(made: Curve, cost: tuple[float, float], prevalence: float | None, abstain: float | None) -> Json:
    """The threshold of least cost, and the two between which it pays not to answer."""
    best = made.best(cost=cost, prevalence=prevalence)
    found: Json = {
        "best": {
            "threshold": number(best.threshold),
            "recall": number(best.recall),
            "fallout": number(best.fallout),
            "c": number(best.c),
        }
    }
    if abstain is not None:
        r = chow(made, cost=cost, abstain=abstain, prevalence=prevalence)
        found["reject"] = {
            "upper": number(r.upper),
            "lower": number(r.lower),
            "cost": number(r.cost),
            "without": number(r.without),
            "coverage": number(r.coverage),
        }
    return found


routes = posted(curve)
