"""`probabilities`: what would a bettor gain who trusted them, and are they right?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from informed._arrays import Array
from informed.decisions.forecast import Probabilities
from informed.decisions.probability_draws import Bins, Told
from informed.decisions.roc import curve_of_cases, scored_cases
from informed.errors import InferenceError, LabelError
from informed.evidence.calls import explained
from informed.evidence.label_policy import Missing
from informed.evidence.labels import Label, text
from informed.inference.given import Rng, checked_draws, checked_level, is_number

ECE = re.compile(r"ece(?:\((?:bins=)?(\d+)\))?")
MOST_CLIP = 0.5


class _Probabilities:
    """Probabilities judged by what a bettor gains: `probabilities(…)`, and several with `.compare`."""

    @explained
    def __call__(
        self,
        *,
        real: Any = None,
        probability: Any = None,
        positive: Label | None = None,
        weights: ArrayLike | None = None,
        unit: Any = None,
        item: Any = None,
        by: Any = None,
        level: float = 0.95,
        missing: Missing = "error",
        clip: float | None = None,
        cost: Any = (),
        also: Sequence[str] | str = (),
        n_draws: int | None = None,
        rng: Rng = None,
        progress: Told | None = None,
    ) -> Probabilities:
        """What would a bettor gain at fair odds who trusted these probabilities, and are they right?

        Parameters
        ----------
        real, probability
            Labels of two classes, and the probability of the positive one for each case.
        positive
            The class that the probabilities are of.
        weights
            One non-negative weight a case.
        unit, item
            What each case belongs to, or the item that was asked several times: errors are measured between these.
        by
            The group of each case: `found.groups` has the same of each.
        level
            Of the intervals.
        missing
            What a missing label or probability does: raise, or "drop" the case.
        clip
            Move probabilities that are nearer to 0 or 1 than this; nothing is moved unless it is asked for.
        cost
            FN:FP, or several: what the probabilities are worth there, "5:1" for a miss that costs five false alarms.
        also
            "ece(bins=15)": the expected calibration error, beside its level where the probabilities are right.
        n_draws, rng
            Draws of right probabilities, by default 999 and fewer of many cases, and where they come from; with 0
            there are no levels, no test and no band.
        progress
            Called with the share of the draws that is done.

        >>> p = [0.89, 0.84, 0.17, 0.76, 0.66, 0.43, 0.07, 0.2]
        >>> found = probabilities(real=[1, 0, 0, 1, 0, 1, 0, 0], probability=p)
        >>> round(found.brier_skill.estimate, 4), round(found.brier.dsc, 4), round(found.brier.mcb, 4)
        (0.1415, 0.1094, 0.0762)
        """
        asked = {"level": checked_level(level), "rng": rng, "bins": bins_of(also), "costs": costs_asked(cost)}
        checked_draws(n_draws, 0)
        given = _given(real, probability, positive, weights, unit, item, missing)
        given["values"], moved = clipped(given["values"], checked_clip(clip))
        shared: dict[str, Any] = {**asked, "clip": clip, "n_draws": n_draws, "told": progress}
        groups = {} if by is None else _groups(given, by, shared)
        return Probabilities(curve_of_cases(**given), clipped=moved, groups=groups, **shared)


probabilities = _Probabilities()


def _given(
    real: Any,
    probability: Any,
    positive: Label | None,
    weights: ArrayLike | None,
    unit: Any,
    item: Any,
    missing: Missing,
) -> dict[str, Any]:
    """The cases, refused where they have no probabilities."""
    if real is None or probability is None:
        raise LabelError("`real` and `probability` are both needed, one of each for every case.")
    given = scored_cases(real, probability, positive, weights, unit, item, missing, "probability")
    refuse_scores(given["values"])
    return given


def refuse_scores(p: Array) -> None:
    """Refuse what lies outside of 0 and 1."""
    low, high = float(p.min()), float(p.max())
    if low < 0 or high > 1:
        raise LabelError(
            f"`probability` runs from {low:g} to {high:g}: these are scores, and no probabilities.",
            "use `informed.roc`, which takes any score",
            "recalibrate them on other cases",
        )


def checked_clip(clip: Any) -> float | None:
    """How far from 0 and 1 probabilities must be, refused where that is none."""
    if clip is not None and not (is_number(clip) and 0 < clip < MOST_CLIP):
        raise LabelError(f"`clip` is {clip!r}; it must lie between 0 and 0.5, such as 1e-6.")
    return clip  # type: ignore[no-any-return]  # a number


def clipped(p: Array, clip: float | None) -> tuple[Array, int]:
    """Probabilities at least so far from 0 and 1, and how many were moved."""
    if clip is None:
        return p, 0
    moved = np.clip(p, clip, 1 - clip)
    return moved, int((moved != p).sum())


def bins_of(also: Sequence[str] | str) -> tuple[Bins, ...]:
    """What else is asked for by name.

    >>> bins_of("ece(bins=20)")
    (Bins(name='ece(bins=20)', number=20),)
    """
    found = []
    for asked in [also] if isinstance(also, str) else also:
        known = ECE.fullmatch(str(asked).replace(" ", ""))
        number = int(known[1] or 15) if known else 0
        if not number:
            raise InferenceError(f"`also` holds {text(asked)}; it can be 'ece(bins=15)'.")
        found.append(Bins(f"ece(bins={number})", number))
    return tuple(found)


def costs_asked(cost: Any) -> tuple[Any, ...]:
    """One cost, or several; a pair of numbers is one."""
    if cost is None:
        return ()
    if isinstance(cost, str) or is_number(cost):
        return (cost,)
    held = tuple(cost)
    return (held,) if len(held) == 2 and all(map(is_number, held)) else held


def _groups(given: Mapping[str, Any], by: Any, shared: Mapping[str, Any]) -> dict[Any, Probabilities]:
    """The same of the cases of each group."""
    from informed.evidence.columns import column
    from informed.evidence.label_order import ordered
    from informed.evidence.labels import canonical

    held = column(by, "by").dense()
    if len(held) != len(given["values"]):
        raise LabelError(
            f"`by` has {len(held):,} entries for {len(given['values']):,} cases; each needs one."
            + (" Give `by` and the cases without those that are left out." if given["missing"] else "")
        )
    names = [canonical(x) for x in held.names or ()]
    found = {}
    for name in ordered(names):
        own = held.codes == names.index(name)
        part: dict[str, Any] = {x: None if given[x] is None else given[x][own] for x in ("values", "own", "w")}
        units = None if given["given"] is None else given["given"].where(own)
        rest = {x: given[x] for x in ("labels", "positive")}
        found[name] = Probabilities(curve_of_cases(**part, given=units, **rest), **{**shared, "told": None})
    return found
