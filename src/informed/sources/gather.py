"""Groups that an engine has counted, as a Table, a Paired or Scores."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from informed._numbers import count
from informed.errors import LabelError, SourceError
from informed.evidence.counting import Fields, counted, tabulate
from informed.evidence.label_policy import Held, LabelPolicy
from informed.evidence.labels import text
from informed.evidence.paired import Paired
from informed.evidence.scores import ScoreColumns, Scores
from informed.evidence.table import Table
from informed.sources.engine import ROW_THERE, Engine
from informed.sources.request import Request, check_labels, cleaned
from informed.sources.same_items import paired
from informed.sources.scores import scores
from informed.sources.unit_groups import grouped_units, in_memory_units, needed

Gathered: TypeAlias = Table | Paired | Scores | ScoreColumns


def gather(engine: Engine, asked: Request) -> Gathered:
    """The counts that were asked for."""
    scored = asked.score if isinstance(asked.score, tuple) else (asked.score,)
    named = [*asked.by, asked.real, *asked.predicted, asked.item, asked.unit, asked.weights, *scored, *asked.keep]
    engine.check([name for name in named if name is not None])
    if asked.keep and asked.item is None and len(asked.predicted) < 2:
        raise SourceError("`keep` is for several systems on the same items; give `item`.")
    try:
        if asked.score is not None:
            return _with_unlabelled(scores(engine, asked), engine)
        if len(asked.predicted) > 1 or (asked.item is not None and asked.by and not asked.tables):
            return _with_unlabelled(paired(engine, asked), engine)
        return _with_unlabelled(table(engine, asked), engine)
    except LabelError as error:
        raise LabelError(f"{engine.shown}: {error.said}", *error.ways) from None


def _with_unlabelled(found: Gathered, engine: Engine) -> Gathered:
    """What was counted, with the answers that a join left out because they have no real label."""
    n = sum(engine.unlabelled.values())
    if not n:
        return found
    if isinstance(found, Scores):
        return replace(found, missing=found.missing + n, rows=found.rows + n)
    if isinstance(found, ScoreColumns):
        return replace(found, missing=found.missing + n)
    each = ((count(n), name) for name, n in engine.unlabelled.items())
    who = ", ".join(many if name is None else f"{many} of {text(name)}" for many, name in each)
    said = f"Predictions without a real label are left out: {who}."
    remarks = (*found.remarks, said)
    if isinstance(found, Paired):
        return replace(found, unlabelled=dict(engine.unlabelled), remarks=remarks)
    return replace(found, unlabelled=n, remarks=remarks)


def table(engine: Engine, asked: Request) -> Table:
    """A table of two columns, or a stack of them by others."""
    names = needed(asked)
    held = engine.in_memory(names) if asked.weights is None and not asked.strip else None
    policy = LabelPolicy(
        asked.labels,
        asked.abstain,
        asked.missing,
        asked.square,
        typed=True,
        normalize=asked.normalize,
        rows=None if engine.joins else engine.lacking,
    )
    if asked.unit is not None or asked.item is not None:
        made = grouped_units(engine, asked, policy) if held is None else in_memory_units(held, asked, policy)
    else:
        made = _grouped(engine, asked, policy) if held is None else counted(held, list(map(str, names)), policy)
    found = Table(**made)
    if asked.positive is None:
        return found
    return found.with_positive(Held(found.real_labels)(policy.canonical(asked.positive)))


def _grouped(engine: Engine, asked: Request, policy: LabelPolicy) -> Fields:
    """Counts of the groups `(*by, real, predicted, n[, w, w2, …])` of an engine."""
    by, weighted = len(asked.by), asked.weights is not None
    pair = [asked.real, *asked.predicted]
    joins = engine.joins and asked.missing != "error"
    keys = [*asked.by, *pair, *([ROW_THERE] if joins else [])]
    rows = cleaned(engine.grouped(keys, asked.weights), len(keys), asked, engine)
    gone = None
    if joins:  # what was not run keeps its place by any label
        gone = [not row[by + 2] for row in rows]
        rows = [(*row[: by + 1], row[by + 1] if row[by + 2] else row[by], *row[by + 3 :]) for row in rows]
    for side, what in ((by, "real"), (by + 1, "predicted")):
        check_labels((row[side] for row in rows), what, engine)
    return tabulate(
        [row[: by + 3 + 2 * weighted] for row in rows],
        policy,
        by=by,
        weighted=weighted,
        frequency=asked.frequency,
        levels=[engine.levels(name) for name in pair],
        names=list(map(str, pair)),
        gone=gone,
    )
