"""Which methods compare two systems on the same items, for which measures, and the default."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from informed._arrays import Limits
from informed.results import Note, warning
from informed.systems import mover as _mover
from informed.systems import paired_alternatives as others
from informed.systems import powers_rules as _powers_rules
from informed.systems.paired_arc import PairedContrast, arc_distances, arc_limits
from informed.systems.tails import ComparisonMethod, ComparisonOptions, inverted, quantile, tails

ARC_CELLS = 800_000  # cells of a stack up to which arcs take less than about half a minute
NUMERIC_CELLS = 20_000  # the same where slopes are found by differences


def smooth(s: PairedContrast) -> bool:
    """Whether the measure has slopes everywhere."""
    return s.m.smooth(len(s.joint.labels))


def _has_arcs(s: PairedContrast) -> bool:
    """Whether the measure, or what it is the geometric mean of, has slopes."""
    return smooth(s) or s.m.facts.factors is not None


def default(s: PairedContrast) -> str:
    """The arc, unless there are too many of them; MOVER for what has no slopes at 0."""
    if not _has_arcs(s):
        return "bootstrap"
    if not smooth(s):
        return "mover"
    return "arc" if s.raw.size <= (ARC_CELLS if s.f.exact else NUMERIC_CELLS) else "smoothed-delta"


def _mover_limits(s: PairedContrast, level: float, _: ComparisonOptions) -> Limits:
    z = quantile(level, s.freedom)
    return _mover.paired_limits(s, np.full(s.estimate.shape, z))


def _mover_tails(s: PairedContrast, null: float, _: ComparisonOptions) -> Limits:
    found = inverted(lambda z: _mover.paired_limits(s, z), s.estimate, null)
    return tails(found, s.freedom)


def _mcnemar(mid: bool) -> ComparisonMethod:
    name = "mid-p" if mid else "exact"
    return ComparisonMethod(
        lambda s, level, _: others.tango_limits(s, quantile(level)),
        lambda s, null, _: others.mcnemar_tails(s, null, mid=mid),
        others.is_share,
        note=Note(f"The p-value is McNemar's {name}, the interval Tango's.", code="two-methods"),
    )


METHODS: Mapping[str, ComparisonMethod] = {
    "arc": ComparisonMethod(
        lambda s, level, _: arc_limits(s, quantile(level, s.freedom)),
        lambda s, null, _: tails(arc_distances(s, null), s.freedom),
        smooth,
    ),
    "smoothed-delta": ComparisonMethod(
        lambda s, level, _: others.smoothed_limits(s, quantile(level, s.freedom)),
        lambda s, null, _: tails(others.smoothed_distances(s, null), s.freedom),
        smooth,
    ),
    "mover": ComparisonMethod(_mover_limits, _mover_tails, _has_arcs),
    "delta": ComparisonMethod(
        lambda s, level, _: others.delta_limits(s, quantile(level, s.freedom)),
        lambda s, null, _: tails(others.delta_distances(s, null), s.freedom),
        smooth,
        note=warning("Plain delta: measured coverage of a 95 % interval .87 on average, down to .13.", "too-short"),
    ),
    "tango": ComparisonMethod(
        lambda s, level, _: others.tango_limits(s, quantile(level)),
        lambda s, null, _: tails(others.tango_distances(s, null)),
        others.is_share,
    ),
    "mcnemar": ComparisonMethod(
        lambda s, level, _: others.tango_limits(s, quantile(level)),
        lambda s, null, _: tails(others.tango_distances(s, null)),
        others.is_share,
        note=Note("McNemar's statistic is Tango's at no difference; the interval is Tango's.", code="two-methods"),
    ),
    "mcnemar-exact": _mcnemar(mid=False),
    "mcnemar-midp": _mcnemar(mid=True),
    "bootstrap": ComparisonMethod(
        others.bootstrap_limits,
        others.bootstrap_tails,
        lambda s: True,
        note=warning(
            "Percentiles of resampled joint tables: measured coverage .84, down to .33, for 40 items.", "too-short"
        ),
    ),
    "swap": ComparisonMethod(
        others.no_limits,
        others.swap_tails,
        lambda s: True,
        note=Note(
            "A test that the two systems are exchangeable, not that their measures are equal: with equal informedness "
            "and different bias it rejects up to .18 of the time at .05. It has no interval.",
            code="other-hypothesis",
        ),
        hypothesis="the systems are exchangeable: swapping their answers within items changes nothing",
    ),
    **_powers_rules.METHODS,
}
