"""How often the rates behind a judge's verdicts are held, where cases come in units."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import unit_worlds as worlds
from study import Part, Row, Study, bare

from informed import judge
from informed.errors import InferenceError

SEED = 2027
SKILL = 0.85


def judges(runs: int) -> Iterator[Row]:
    """Calibrations by documents, 3000 new verdicts; the first outcome's rate is held or not."""
    for k, (units, size), alike in product((2, 3), ((40, 6), (20, 6), (80, 3)), (0.3, 0.8)):
        rng = np.random.default_rng([SEED, k, units, round(10 * alike)])
        shares = np.array([0.1, 0.9]) if k == 2 else np.array([0.5, 0.3, 0.2])
        verdicts = SKILL * np.eye(k) + (1 - SKILL) * np.roll(np.eye(k), 1, axis=0)
        unit = np.repeat(np.arange(units), size)
        real = rng.integers(0, k, (runs, len(unit)))
        luck = np.where(rng.random(real.shape) < alike, rng.random((runs, units))[:, unit], rng.random(real.shape))
        stack = worlds.stack_of(real, np.where(luck < SKILL, real, (real + 1) % k), k, unit=unit)
        apparent = rng.multinomial(3000, verdicts @ shares, size=runs)
        found = [_held(stack[i], apparent[i], float(shares[0])) for i in range(runs)]
        answered = [x for x in found if x is not None]
        told, blind = map(float, np.mean(answered, axis=0))
        said = {"outcomes": k, "documents × cases": f"{units} × {size}", "alike": bare(alike)}
        yield {**said, "holds": told, "units not told": blind, "refused": 1 - len(answered) / runs}


def _held(calibration: Any, apparent: Any, truth: float) -> list[bool] | None:
    """None where the judge may be guessing."""
    try:
        both = [judge(t, apparent, design="elsewhere") for t in (calibration, calibration.without_units())]
    except InferenceError:
        return None
    return [bool(np.ravel(x.low)[0] <= truth <= np.ravel(x.high)[0]) for x in both]


STUDY = Study(
    "rate_coverage",
    {
        "judges": Part(
            "How often the 95 % interval holds the true rate, where a judge with recalls of .85 was calibrated on "
            'documents; "alike" is the share of verdicts that a document decides, 3000 new verdicts:',
            judges,
            "judges.md",
            runs=1000,
        )
    },
)

if __name__ == "__main__":
    STUDY.main()
