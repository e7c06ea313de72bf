"""What to know of probabilities before one trusts what is said of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from informed._arrays import ratio
from informed._numbers import plural
from informed.decisions.curve import Curve
from informed.results import Note, warning

FEW = 10  # of the rarer class, below which the intervals do not hold
SAME = 1e-9
DECISIONS = "These are decisions, 0 or 1, and no probabilities; a table says more of them."


def notes_of(curve: Curve, clip: float | None, clipped: int, bins: Sequence[Any]) -> tuple[Note, ...]:
    """What a careful reader should know."""
    return tuple(_notes(curve, clip, clipped, bins))


def _notes(curve: Curve, clip: float | None, clipped: int, bins: Sequence[Any]) -> Iterator[Note]:
    if curve.why:
        yield warning(f"There are no odds to bet at: {curve.why}.", "one-class")
        return
    yield from _few(curve)
    yield from _kind(curve)
    yield from _certain(curve, clip, clipped)
    for x in bins:
        yield Note(
            f"{x.name} is not 0 for right probabilities: it measures the number of cases and of bins as well, and is "
            "to be read beside its level.",
            code="ece",
        )
    if curve.missing:
        yield warning(f"{curve.missing:,} rows without a label or a probability were left out.", "left-out")
    yield from _units(curve)


def _few(curve: Curve) -> Iterator[Note]:
    rarer = min(curve.sizes)
    if rarer < FEW:
        yield warning(
            f"The rarer class has {plural(rarer, 'case')}; below {FEW} of it the intervals of skill do not hold.",
            "few-a-class",
        )


def _kind(curve: Curve) -> Iterator[Note]:
    p, own = curve.thresholds[1:], np.diff(curve.tp)
    weight = own + np.diff(curve.fp)
    there = weight > 0
    p, own, weight = p[there], own[there], weight[there]
    if len(p) == 1:
        yield Note("Every case has the same probability: nothing is told apart.", code="one-probability")
    elif ((p == 0) | (p == 1)).all():
        yield warning(DECISIONS, "decisions")
    elif (np.abs(p - ratio(own, weight)) < SAME).all():
        yield warning(
            "Each probability is exactly the share of positives among the cases that have it: they were fitted on "
            "these same cases, and say nothing of others.",
            "recalibrated",
        )


def _certain(curve: Curve, clip: float | None, clipped: int) -> Iterator[Note]:
    p, own, other = curve.thresholds[1:], np.diff(curve.tp), np.diff(curve.fp)
    if clip is not None and clipped:
        yield warning(
            f"{plural(clipped, 'probability', 'probabilities')} nearer to 0 or 1 than {clip:g} "
            f"{'was' if clipped == 1 else 'were'} moved there, as was asked.",
            "clipped",
        )
    ruined = float(own[p <= 0].sum() + other[p >= 1].sum())
    if ruined:
        yield warning(
            f"Ruined by {plural(ruined, 'case')}: what really was had been given the probability 0, so that growth and "
            "log skill are −∞. `clip=1e-6` would move such probabilities, and log skill would depend on how far.",
            "ruined",
        )
    sure = float(other[p <= 0].sum() + own[p >= 1].sum())
    if sure and not ruined:
        yield Note(
            f"{plural(sure, 'case')} had the probability 0 or 1: a single one that turns out otherwise is ruin.",
            code="certain",
        )


def _units(curve: Curve) -> Iterator[Note]:
    if curve.units is None:
        return
    yield from curve.units.notes(curve.spread, "the skill")
    if not curve.units.single and not curve.units.given.asked:
        yield warning(
            f"The test of calibration and the levels draw each case by itself: where those of a {curve.units.name} err "
            "together, it finds too much.",
            "calibration-in-units",
        )
