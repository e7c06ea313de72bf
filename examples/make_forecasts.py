"""Made-up forecasts for the documentation of probabilities: ``python examples/make_forecasts.py``.

600 days at 60 stations: whether it rained, the probability that three systems gave to that (`new` knows and is right,
`old` knows and exaggerates, `almanac` knows the season only), and what the sky was, with a column for each kind.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
SKIES = ("clear", "cloudy", "rainy")
SEASONS = {"winter": 0.5, "spring": 0.2, "summer": -0.9, "autumn": 0.1}


def softmax(x: Any) -> Any:
    p = np.exp(x - x.max(axis=1, keepdims=True))
    return p / p.sum(axis=1, keepdims=True)


def main() -> None:
    rng = np.random.default_rng(23)
    n = 600
    station = np.repeat(np.arange(60), 10)
    season = np.array(list(SEASONS))[rng.integers(0, 4, n)]
    wet = np.array([SEASONS[x] for x in season]) - 0.8
    damp = rng.normal(0, 0.7, 60)[station] + rng.normal(0, 1.3, n)
    rain = rng.random(n) < 1 / (1 + np.exp(-wet - damp))
    new, old, almanac = (1 / (1 + np.exp(-x)) for x in (wet + damp, 2.2 * (wet + damp) + 0.3, 1.1 * wet))

    odds = np.column_stack([-damp, np.full(n, 0.4), damp + wet + 0.6]) + rng.normal(0, 0.5, (n, 3))
    sky = np.array(SKIES)[(rng.random(n)[:, None] > np.cumsum(softmax(odds), axis=1)[:, :-1]).sum(axis=1)]
    thousandths = np.round(1000 * softmax(1.1 * odds)).astype(int)
    thousandths[:, 1] += 1000 - thousandths.sum(axis=1)

    head = ["day", "station", "season", "rain", "new", "old", "almanac", "sky", *(f"sky_{x}" for x in SKIES)]
    given = [[f"{x:.4f}" for x in p] for p in (new, old, almanac)]
    skies = [[f"{x / 1000:.3f}" for x in column] for column in thousandths.T]
    first = [range(1, n + 1), [f"s{x:02d}" for x in station], season, np.where(rain, "yes", "no")]
    rows = zip(*first, *given, sky, *skies, strict=True)
    with (HERE / "forecasts.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *rows])


if __name__ == "__main__":
    main()
