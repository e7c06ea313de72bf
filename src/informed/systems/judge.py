"""`judge`: the true rate behind a judge's verdicts, by where the gold labels come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, overload

import numpy as np

from informed.errors import InferenceError, one_of
from informed.evidence.calls import explained
from informed.evidence.labels import Label, some
from informed.evidence.likeness import Normalize
from informed.evidence.table import Table
from informed.inference.given import checked_level, standard_normal
from informed.results import Note, warning
from informed.systems.judge_batch import JudgedBatch, judged_batch
from informed.systems.judge_both import DRIFTED, BothPlaces
from informed.systems.judge_columns import batch_of_columns, batch_of_table
from informed.systems.judge_elsewhere import JudgedElsewhere, Needed, judged_elsewhere
from informed.systems.judge_input import check_calibration
from informed.systems.judge_result import DESIGNS, Design, Judged
from informed.systems.judge_strata import TARGETS, Target

Method = Literal["score", "wilson", "clopper-pearson", "mid-p"]
ASKED = (
    'Where are the labelled cases from? `design="same batch"`: they are part of the batch that was judged, and '
    '`apparent` counts the verdicts of all of it. `design="elsewhere"`: they are other cases, and `apparent` is what '
    'the judge says of the new ones. `design="both"`: `elsewhere=` has more labels of the same judge.'
)


@overload
def judge(
    *,
    verdict: Any,
    gold: Any,
    positive: Label | None = ...,
    unit: Any = ...,
    labels: Sequence[Label] | None = ...,
    normalize: Normalize = ...,
    elsewhere: Table | None = ...,
    target: Target = ...,
    level: float = ...,
) -> JudgedBatch: ...
@overload
def judge(
    calibration: Table,
    apparent: Any,
    n: float | None = ...,
    *,
    design: Literal["elsewhere"],
    level: float = ...,
    known: bool = ...,
    method: Method = ...,
) -> JudgedElsewhere: ...
@overload
def judge(
    calibration: Table,
    apparent: Any,
    *,
    design: Literal["same batch", "both"],
    elsewhere: Table | None = ...,
    target: Target = ...,
    level: float = ...,
) -> JudgedBatch: ...
@overload
def judge(
    calibration: Table,
    apparent: Any,
    n: float | None = ...,
    *,
    known: Literal[True],
    level: float = ...,
    method: Method = ...,
) -> JudgedElsewhere: ...
@explained
def judge(
    calibration: Any = None,
    apparent: Any = None,
    n: float | None = None,
    *,
    verdict: Any = None,
    gold: Any = None,
    positive: Label | None = None,
    unit: Any = None,
    labels: Sequence[Label] | None = None,
    normalize: Normalize = None,
    design: Design | None = None,
    elsewhere: Any = None,
    target: Target = "system",
    level: float = 0.95,
    known: bool = False,
    method: Method = "score",
) -> Judged:
    """The true rate behind the verdicts of a judge, of which people checked some.

    Parameters
    ----------
    verdict
        What the judge said of every case of a batch: labels, grades or nothing. Of several judges a mapping
        from their names, or a data frame; cases are then sorted by how many of them call it good.
    gold
        What people found; None, NaN or empty text where they did not look. The labelled cases are a random part
        of all, or of each verdict.
    positive
        The label whose rate is wanted; of more than two, against all others.
    unit
        Cases that belong together (an item asked several times, a passage); errors are measured between units.
    labels, normalize
        As for `Table.from_labels`.
    calibration
        Instead of columns, the judge's verdicts (predictions) against the truth, where both are known.
    apparent
        With a table, what the judge said of all cases of the batch, labelled ones included: the count of each
        verdict. With ``design="elsewhere"`` that of the new cases, or the share called positive.
    n
        With ``design="elsewhere"``, the number of new, independent cases; None where `apparent` is counts, or is known
        without error.
    design
        Where the labelled cases of a table are from: "same batch", "elsewhere" (other cases, on which the judge has
        the same recall and fallout: Rogan and Gladen 1978), or "both".
    elsewhere
        More labels of the same judge on other cases, a Table. They are used unless the judge has drifted.
    target
        The rate of the "system" that made the cases, or of this "batch".
    known
        The calibration is the judge's true recall and fallout, and only `apparent` is uncertain.
    method
        Elsewhere: "score" carries both uncertainties. With `known`, "wilson" (the same there),
        "clopper-pearson" and "mid-p" carry that of `apparent` over.

    Raises
    ------
    InferenceError
        Where there are fewer than two gold labels; elsewhere, where the judge may be guessing.

    Notes
    -----
    Same batch: rates of each verdict in the verdicts' sizes, with the mid-P limits of each carried over (MOVER).
    Labels here and elsewhere: profile likelihood, and a likelihood-ratio test that the judge is the same.

    >>> found = judge(verdict=[1, 1, 1, 0, 0] * 40, gold=[1, 1, None, 0, None] * 40)
    >>> round(found.estimate, 3), found.labelled, round(found.saving, 2)
    (0.6, 120, 0.96)
    """
    checked_level(level)
    one_of("target", target, TARGETS, InferenceError)
    columns = verdict is not None or gold is not None
    if columns and calibration is not None:
        raise InferenceError("Give columns (`verdict=`, `gold=`) or a table (`calibration`), not both.")
    if calibration is None:
        if verdict is None:
            raise InferenceError(
                "`verdict` is missing: what the judge said of every case, beside `gold=`; or give a table."
            )
        _only_batch(n, known, method, design, apparent)
        how: dict[str, Any] = {"positive": positive, "labels": labels, "normalize": normalize, "unit": unit}
        found = judged_batch(batch_of_columns(verdict, gold, **how), level, target)
        return found if elsewhere is None else with_elsewhere(found, elsewhere)

    for name, given in (("positive", positive), ("unit", unit), ("labels", labels), ("normalize", normalize)):
        if given is not None:
            raise InferenceError(f"`{name}` is for columns (`verdict=`, `gold=`); a table has its own.")
    return _of_table(calibration, apparent, n, design, elsewhere, target, level, known, method)


def _of_table(
    t: Any, apparent: Any, n: Any, design: Any, elsewhere: Any, target: Any, level: float, known: bool, method: str
) -> Judged:
    if not isinstance(t, Table):
        check_calibration(t, level)
    if apparent is None:
        raise InferenceError("`apparent` is missing: how many cases of the batch have each verdict?")
    if design is None and elsewhere is not None:
        design = "both"
    if design is None and known:
        design = "elsewhere"
    if design is None:
        raise InferenceError(ASKED)
    one_of("design", design, DESIGNS, InferenceError)
    if (design == "both") != (elsewhere is not None):
        raise InferenceError('`elsewhere=`, a Table of more labels of the same judge, goes with `design="both"`.')
    if design == "elsewhere":
        if target != "system":
            raise InferenceError('`target="batch"` is for labels of the same batch.')
        return judged_elsewhere(t, apparent, n, level, known, method)
    _only_batch(n, known, method, None, None)
    found = judged_batch(batch_of_table(t, apparent), level, target)
    return found if elsewhere is None else with_elsewhere(found, elsewhere)


def _only_batch(n: Any, known: bool, method: str, design: Any, apparent: Any) -> None:
    """Refuse what has no meaning where labels are of the same batch."""
    given = {"n": n is not None, "known": known, "method": method != "score", "apparent": apparent is not None}
    for name, is_given in given.items():
        if is_given:
            raise InferenceError(
                f'`{name}` is for a judge that was calibrated elsewhere: a table with `design="elsewhere"`.'
            )
    if design not in (None, "same batch", "both"):
        raise InferenceError(f"Columns `verdict=` and `gold=` are of the same batch; `design` is {design!r}.")


# ---------------------------------------------------------------------- labels here and elsewhere


def with_elsewhere(found: JudgedBatch, there: Any) -> JudgedBatch:
    """The rate by labels here and elsewhere, unless the judge has drifted."""
    b = found.batch
    check_calibration(there, found.level)
    if b.positive is None or b.said is None or len(b.cases) != 2 or (b.said < 0).any():
        raise InferenceError(
            "Labels here and elsewhere go together for two classes and a judge that says one of them of every case."
        )
    if b.unit is not None or there.units is not None or there.squares is not None or found.target != "system":
        raise InferenceError(
            "Labels elsewhere are added to single cases without weights, for the rate of the system; leave "
            "`elsewhere=` out where there are units, weights or a target batch."
        )
    if set(there.labels) != set(b.labels):
        raise InferenceError(f"Elsewhere the labels are {some(there.labels)}, here {some(b.labels)}.")

    gold = [b.labels.index(b.positive), 1 - b.labels.index(b.positive)]
    order = np.argsort(b.said != gold[0])
    here = b.gold[order][:, gold]
    away = [there.labels.index(b.labels[g]) for g in gold]
    unlabelled = (b.cases - b.labelled)[order]
    drift = BothPlaces(here, unlabelled, np.asarray(there.cells, float)[away][:, away]).found(found.level)
    if drift.found:
        said = f"{drift.sentence()}: this is the rate of the same batch."
        return replace(found, drift=drift, notes=(*found.notes, warning(said, "drifted")))

    spread = (drift.high - drift.low) / (2 * standard_normal(found.level))
    said = f'{drift.sentence()}. A drift of {DRIFTED:g} is often missed: without it, `design="same batch"` is safer.'
    kept = tuple(x for x in found.notes if x.code not in ("saving", "saves-nothing"))
    return replace(
        found,
        estimate=drift.estimate,
        low=drift.low,
        high=drift.high,
        method="likelihood",
        design="both",
        n_eff=drift.estimate * (1 - drift.estimate) / spread**2 if spread > 0 else found.n_eff,
        drift=drift,
        notes=(*kept, Note(said, code="drift")),
    )


__all__ = ["Judged", "JudgedBatch", "JudgedElsewhere", "Needed", "judge"]
