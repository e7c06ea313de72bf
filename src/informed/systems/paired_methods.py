"""Which methods compare two systems on the same items, for which measures, and the default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from informed._arrays import Limits
from informed.results import Note, warning
from informed.systems import mover, powers_rules
from informed.systems import paired_alternatives as others
from informed.systems.paired_arc import PairedContrast, arc_distances, arc_limits
from informed.systems.tails import ComparisonMethod, ComparisonOptions, in_errors, of_error, of_limits, plain_error
from informed.systems.unpaired import UnpairedContrast

ARC_CELLS = 800_000  # cells of a stack up to which arcs take less than about half a minute
GUARDED = "arc-tango"
NUMERIC_CELLS = 20_000  # the same where slopes are found by differences


def smooth(s: PairedContrast) -> bool:
    """Whether the measure has slopes everywhere."""
    return s.m.smooth(len(s.joint.labels))


def _has_arcs(s: PairedContrast) -> bool:
    """Whether the measure, or what it is the geometric mean of, has slopes."""
    return smooth(s) or s.m.facts.factors is not None


def default(s: PairedContrast) -> str:
    """The arc, unless there are too many of them; MOVER for what has no slopes at 0, but of the factors that it has."""
    if not smooth(s):
        return "mover"
    return "arc" if s.raw.size <= (ARC_CELLS if s.f.exact else NUMERIC_CELLS) else "smoothed-delta"


def for_margins(s: PairedContrast) -> str:
    """The default of one-sided tests and margins.

    Of shares of right answers, a test by Tango's statistic must agree with the arc, which alone rejects too often far
    from no difference.
    """
    chosen = default(s)
    return GUARDED if chosen == "arc" and others.is_share(s) else chosen


TANGO = in_errors(others.tango_limits, others.tango_distances, others.is_share)


def _mcnemar(mid: bool) -> ComparisonMethod:
    said = f"The p-value is McNemar's {'mid-p' if mid else 'exact'}, the interval Tango's."
    return replace(
        TANGO, tails=lambda s, null, _: others.mcnemar_tails(s, null, mid=mid), note=Note(said, code="two-methods")
    )


def _nothing(s: PairedContrast | UnpairedContrast, _: float, __: ComparisonOptions) -> Limits:
    unknown = np.full(s.estimate.shape, np.nan)
    return unknown, unknown


NO_METHOD = ComparisonMethod(_nothing, _nothing, lambda s: True)  # of measures of which no interval covers
METHODS: Mapping[str, ComparisonMethod] = {
    "arc": in_errors(arc_limits, arc_distances, smooth),
    "smoothed-delta": of_error(lambda s: s.closed_form, smooth),
    "mover": of_limits(mover.paired_limits, _has_arcs),
    "delta": of_error(
        plain_error,
        smooth,
        warning("Plain delta: measured coverage of a 95 % interval .87 on average, down to .13.", "too-short"),
    ),
    GUARDED: ComparisonMethod(others.guarded_limits, others.guarded_tails, lambda s: others.is_share(s) and smooth(s)),
    "tango": TANGO,
    "mcnemar": replace(
        TANGO,
        note=Note("McNemar's statistic is Tango's at no difference; the interval is Tango's.", code="two-methods"),
    ),
    "mcnemar-exact": _mcnemar(mid=False),
    "mcnemar-midp": _mcnemar(mid=True),
    "weighted-score": in_errors(
        arc_limits,
        others.weighted_score_distances,
        others.is_predictive,
        Note("The p-value is of Kosinski's weighted generalised score, the interval the arc's.", code="two-methods"),
    ),
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
    **powers_rules.METHODS,
}
