"""Was the sample big enough, and how big should it be?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from informed.evidence.table import Table
from informed.inference.power import detectable, power, sample_size
from informed.results import Note
from informed.summary.parts import Estimate, Size

PLANNED_UP_TO = 100  # classes: above this no power and size, whose search would take seconds
EFFECTS = (0.05, 0.1, 0.2, 0.3, 0.5)
EFFECT = 0.2  # the informedness of the power curve


def size_of(t: Table, estimates: Sequence[Estimate], level: float) -> Size | None:
    """Power and sample size, asked of the inference."""
    b = next((e for e in estimates if e.measure == "informedness"), None)
    there = t.real_totals > 0
    if b is None or math.isnan(b.value) or t.n < 2 or there.sum() > PLANNED_UP_TO:
        return None
    n = float(t.effective_n)
    world: dict[str, Any] = {"prevalence": (t.real_totals[there] / t.n).tolist(), "level": level}

    note = "Power and size are those of a system that knows so often and otherwise guesses, at this prevalence."
    value = min(max(b.value, 0.0), 1.0)
    needed = tuple((half, float(sample_size(value, width=2 * half, **world).n)) for half in (0.1, 0.05, 0.02))

    most = max(4 * n, 100.0)
    cases = np.unique(np.geomspace(10, most, 25).round())
    curve = power(cases, EFFECT, **world)
    return Size(
        n=n,
        half_width=(b.high - b.low) / 2,
        needed=needed,
        power=tuple((x, float(power(n, x, **world).power)) for x in EFFECTS),
        curve=tuple(zip(cases.tolist(), np.asarray(curve.power).tolist(), strict=True)),
        effect=EFFECT,
        detectable=float(detectable(n, **world).informedness),
        notes=(Note(note, code="planned-at-prevalence"),),
    )
