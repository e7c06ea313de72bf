"""The Threshold panel's questions: a curve, and its best threshold for costs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from starlette.requests import Request

from informed.decisions.curve import Curve
from informed.decisions.rejection import chow
from informed.decisions.threshold import threshold as choose
from informed.measures.shown import CORE, OF_TWO
from informed.results import picked, plain_dict
from informed.web import Json
from informed.web.answers import Refused, cost_of, posted, real_of
from informed.web.curves import FILE, example, kept
from informed.web.evaluate import estimates
from informed.web.results import stem
from informed.web.turns import slowly

MOST = 600  # points that are drawn and slid over
LARGEST = 1e300  # a threshold
DRAWS = 200  # that correct the expected cost: it is asked for while a slider moves


async def curve(request: Request, held: Json) -> Json:
    """The whole curve once, then only what the costs decide."""
    cost = cost_of(held)
    prevalence = real_of(held, "prevalence", 1e-6, 1 - 1e-6, 0.5) if "prevalence" in held else None
    abstain = real_of(held, "abstain", 0, 1e3, 0.1) if "abstain" in held else None
    made_of, name = curve_of(request, held)

    def work() -> Json:
        made = made_of()
        found = chosen(made, cost, prevalence, abstain)
        return plain_dict({**found, "curve": whole(made), "stem": name} if held.get("whole") is True else found)

    return await slowly(request, work)


async def threshold(request: Request, held: Json) -> Json:
    """What the measures are where a line is drawn, with intervals between the units of the cases."""
    at = held.get("at")
    threshold = np.inf if at is None else real_of(held, "at", -LARGEST, LARGEST, 0)
    made_of, _ = curve_of(request, held)

    def work() -> Json:
        t = made_of().table_at(threshold)
        return plain_dict({"measures": estimates(t, (*CORE, *OF_TWO))})

    return await slowly(request, work)


def curve_of(request: Request, held: Json) -> tuple[Callable[[], Curve], str]:
    """The curve of a file that was counted and what its files are called, or the example, which has none."""
    key = held.get("id")
    folder = request.app.state.lab.results.get(key) if isinstance(key, str) else None
    if key is not None and (folder is None or not (folder / FILE).is_file()):
        raise Refused("That curve is not here any more; read the file again.", 404)
    return example if folder is None else lambda: kept(folder), stem(folder)


def whole(made: Curve) -> Json:
    """Points, area and histogram; of very many points an even selection, each exact."""
    at = np.unique(np.linspace(0, len(made.thresholds) - 1, MOST).round().astype(int))
    area = made.interval()
    hull = made.hull()
    return {
        "thresholds": made.thresholds[at],
        "tp": made.tp[at],
        "fp": made.fp[at],
        "hull": np.stack([hull.fallout, hull.recall], axis=1),
        "labels": [str(made.positive), str(made.negative)],
        "auc": {"value": made.auc, "low": area.low, "high": area.high},
        "notes": made.notes,
        "unit": None if made.units is None else made.units.name,
    }


def chosen(made: Curve, cost: tuple[float, float], prevalence: float | None, abstain: float | None) -> Json:
    """The threshold of least cost, and the two between which it pays not to answer."""
    found = {"best": picked(made.best(cost=cost, prevalence=prevalence), "threshold recall fallout c")}
    choice = choose(made, "cost", cost=cost, prevalence=prevalence, n_draws=DRAWS)
    found["cost"] = picked(choice.cost, "expected_cost low high apparent level")
    if abstain is not None:
        reject = chow(made, cost=cost, abstain=abstain, prevalence=prevalence)
        found["reject"] = picked(reject, "upper lower expected_cost without coverage")
    return found


routes = posted(curve, threshold)
