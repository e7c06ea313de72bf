"""A judged batch of which people labelled a part: columns or counts, sorted by verdict."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from informed._numbers import count, percent, plural, rate
from informed.errors import InferenceError, LabelError
from informed.evidence.labels import Label, guess_positive, some, text
from informed.evidence.likeness import Normalize, refuse_spellings
from informed.evidence.table import Table
from informed.evidence.unit_counting import word_of
from informed.evidence.units import Ints, sums
from informed.results import Note
from informed.systems.graded_columns import graded_columns, never_said, positive_of, strata_of
from informed.systems.judge_input import counts_of
from informed.systems.judged_batch import Batch
from informed.systems.rated import unmeasured
from informed.systems.row_units import of_several_rows
from informed.systems.verification import VerifiedRows

# ---------------------------------------------------------------------- tables


def batch_of_table(t: Any, whole: Any) -> Batch:
    """Labelled cases as a table, and how many cases of the whole batch have each verdict."""
    if not isinstance(t, Table):
        raise InferenceError(
            f"`calibration` is a {type(t).__name__}; a Table of the judge's verdicts against the truth is needed, or "
            "columns: `judge(verdict=, gold=)`."
        )
    if t.shape:
        raise InferenceError(f"`calibration` is a stack of shape {t.shape}; one table is needed.")
    if t.units is not None or t.squares is not None or t.unanswered is not None:
        what = "units" if t.units is not None else "weights" if t.squares is not None else "cases without a verdict"
        raise InferenceError(
            f"The calibration has {what}, which counts of the batch do not tell; give the columns of the whole batch: "
            "`judge(verdict=, gold=, unit=)`."
        )
    if np.ndim(whole) == 0 and not isinstance(whole, Mapping):
        raise InferenceError(
            f"`apparent` is {text(whole)}; of the same batch, give how many cases of all have each verdict, labelled "
            "ones included, such as {'good': 1227, 'bad': 773}."
        )
    cases = counts_of(t.predicted_labels, whole)
    n = np.asarray(t.cells.sum(axis=1))
    for verdict, all_, some_ in zip(t.predicted_labels, cases, n, strict=True):
        if all_ < some_:
            raise InferenceError(
                f"{count(some_)} cases called {text(verdict)} are labelled, but the whole batch has {count(all_)} of "
                "them; count the labelled ones, too."
            )
    said = np.arange(len(t.labels)) if t.is_square else None
    two = len(t.real_labels) == 2
    positive = (t.real_labels[t.plus] if t.is_square else guess_positive(t.real_labels)) if two else None
    return Batch(t.predicted_labels, t.real_labels, cases, np.asarray(t.cells, float), said, positive)


# ---------------------------------------------------------------------- columns


def batch_of_columns(
    verdict: Any,
    gold: Any,
    *,
    positive: Label | None = None,
    labels: Sequence[Label] | None = None,
    normalize: Normalize = None,
    unit: Any = None,
) -> Batch:
    """Verdicts on every case, of one judge or by the name of each, and gold labels with blanks."""
    if hasattr(verdict, "columns") and hasattr(verdict, "__getitem__"):  # a data frame
        verdict = {name: verdict[name] for name in verdict.columns}
    several = dict(verdict) if isinstance(verdict, Mapping) else {"verdict": verdict}
    several, gold = {name: _measured(x) for name, x in several.items()}, _measured(gold)
    if not several:
        raise InferenceError("`verdict` names no judge; at least one column of verdicts is needed.")
    _check_gold(several, gold)
    if len(several) > 1:
        return _panel(several, gold, positive=positive, labels=labels, normalize=normalize, unit=unit)
    [said] = several.values()
    return _one_judge(said, gold, positive=positive, labels=labels, normalize=normalize, unit=unit)


def _one_judge(verdict: Any, gold: Any, *, positive: Any, labels: Any, normalize: Any, unit: Any) -> Batch:
    stratum, names = strata_of(verdict, "verdict", normalize=normalize)
    joint = _same_labels(names, strata_of(gold, "gold", None)[1], labels)
    if not joint and normalize is None:
        refuse_spellings([x for x in names if x is not None], "`verdict` has")
    given = {"verdict": verdict, "gold": gold} if joint else {"gold": gold}
    held = graded_columns(given, list(given), labels=labels, normalize=normalize, unit=unit)
    if len(stratum) != len(held.places["gold"]):
        raise LabelError(f"`verdict` has {len(stratum):,} values, and `gold` {len(held.places['gold']):,}.")

    notes = list(held.notes)
    if joint:
        place = held.places["verdict"]
        used, stratum = np.unique(np.where(place < 0, len(held.labels), place), return_inverse=True)
        names = [held.labels[i] if i < len(held.labels) else None for i in used]
        said: Ints | None = np.where(used < len(held.labels), used, -1).astype(np.int64)
        notes += never_said(held, ["verdict"], "gold") if labels is None else ()
    else:
        said = None
    stratum, names, said, ordered = _in_order(np.asarray(stratum, np.int64), names, said, labels)
    if None in names:
        silent = int((stratum == names.index(None)).sum())
        missing = f"{plural(silent, 'case')} without a verdict are a sort of their own; they are not left out."
        notes.append(Note(missing, code="no-verdict"))
    return _counted(held, stratum, names, said, positive, unit, ordered, tuple(notes))


def _counted(
    held: Any, stratum: Ints, names: list[Any], said: Any, positive: Any, unit: Any, ordered: bool, notes: Any
) -> Batch:
    classes, g = held.labels, held.places["gold"]
    if positive is not None or len(classes) == 2:
        positive = positive_of(classes, positive)
    if len(classes) < 2 and positive is None:
        raise InferenceError(
            f"Every gold label is {some(classes)}; name the other class, too: `labels=`, in their order."
        )
    if positive is not None and len(classes) != 2:
        at = classes.index(positive)
        g = np.where(g < 0, -1, (g != at).astype(np.int64))
        said = None if said is None else np.where(said < 0, -1, (said != at).astype(np.int64))
        classes = (positive, f"not {positive}")
    k = len(classes)
    gold = sums((stratum * k + g)[g >= 0], None, len(names) * k).reshape(-1, k)
    together = of_several_rows(held.unit)
    lone = np.arange(len(g)) if together is None else together
    rows = VerifiedRows(stratum, np.asarray(g, np.int64), lone)
    cases = sums(stratum, None, len(names))
    name = None if together is None else word_of(unit, "unit")
    return Batch(tuple(names), classes, cases, gold, said, positive, rows, name, ordered, None, notes)


def _measured(values: Any) -> Any:
    """Numbers with fractions as a list in which all that are missing are one value; anything else as it is."""
    held = unmeasured(values)
    if held is values:
        return values
    return named([None if x != x else x for x in held], getattr(values, "name", None))


class Named(list[Any]):
    """A column as a list that knows what it is called."""

    name: Any = None


def named(values: Sequence[Any], name: Any) -> Named:
    """These values as a column of this name."""
    found = Named(values)
    found.name = name
    return found


def _same_labels(verdicts: list[Any], gold: list[Any], labels: Any) -> bool:
    """Whether verdicts are meant as gold classes: grades from 1 to 5 beside 0 and 1 are not."""
    v, g = ({_bare(x) for x in names if x is not None} for names in (verdicts, gold))
    if labels is not None:
        return v <= {_bare(x) for x in labels}
    words = not any(isinstance(x, float) for x in v)
    return bool(v & g) and (len(v) <= max(2, len(g)) or (words and g <= v))


def _bare(x: Any) -> Any:
    """A label without its spelling: a number, or small letters."""
    try:
        return float(x)
    except (TypeError, ValueError):
        return str(x).strip().casefold()


def _in_order(stratum: Ints, names: list[Any], said: Any, labels: Any) -> tuple[Ints, list[Any], Ints | None, bool]:
    """Verdicts in their order, where they have one: numbers, or classes whose order was given."""
    known = [x for x in names if x is not None]
    numbers = len(known) > 2 and all(isinstance(_bare(x), float) for x in known)
    ordered = (numbers or (labels is not None and said is not None and len(known) > 2)) and len(known) == len(names)
    if not (numbers and ordered):
        return stratum, names, said, ordered
    order = sorted(range(len(names)), key=lambda i: _bare(names[i]))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return place[stratum], [names[i] for i in order], None if said is None else said[order], True


# ---------------------------------------------------------------------- panels


def _panel(several: Mapping[Hashable, Any], gold: Any, *, positive: Any, unit: Any, **how: Any) -> Batch:
    """Several judges: cases by how many of them call it good."""
    each = {name: _one_judge(x, gold, positive=positive, unit=unit, **how) for name, x in several.items()}
    first = next(iter(each.values()))
    for name, b in each.items():
        if b.said is None or b.positive is None:
            raise InferenceError(
                f"The verdicts of {text(name)} are no gold classes, or `positive=` is missing; a panel is counted by "
                "how many of its judges call a case good."
            )
        assert b.rows is not None
        assert first.rows is not None
        if len(b.rows.gold) != len(first.rows.gold):
            raise LabelError(f"{text(name)} has {len(b.rows.gold):,} verdicts, others {len(first.rows.gold):,}.")

    assert first.rows is not None
    plus = first.labels.index(first.positive)
    passes = np.zeros(len(first.rows.gold), np.int64)
    for b in each.values():
        assert b.rows is not None
        assert b.said is not None
        own = b.labels.index(b.positive)
        passes += (b.said == own)[b.rows.stratum]
    known, stratum = np.unique(passes, return_inverse=True)
    k, g = len(first.labels), first.rows.gold
    gold_counts = sums((stratum * k + g)[g >= 0], None, len(known) * k).reshape(-1, k)
    said = np.where(known * 2 > len(each), plus, 1 - plus).astype(np.int64)
    rows = VerifiedRows(np.asarray(stratum, np.int64), g, first.rows.unit)
    notes = [x for b in each.values() for x in b.notes if x.code != "no-verdict"]
    if any(None in b.verdicts for b in each.values()):
        notes.append(Note("A missing verdict of a panel's judge counts as no pass.", code="no-verdict"))
    names = tuple(f"{i} of {len(each)}" for i in known)
    cases = sums(stratum, None, len(known))
    return Batch(
        *(names, first.labels, cases, gold_counts, said, first.positive, rows, first.unit, len(known) > 2, each),
        tuple(dict.fromkeys(notes)),
    )


# ---------------------------------------------------------------------- without gold


def _check_gold(several: Mapping[Hashable, Any], gold: Any) -> None:
    """Two labels at least, or the reason why nothing can be said."""
    name = str(getattr(gold, "name", None) or "gold")
    known = np.zeros(0, bool)
    if gold is not None:
        codes, names = strata_of(gold, "gold", None)
        for judge, said in several.items():
            if hasattr(said, "__len__") and len(said) != len(codes):
                raise LabelError(
                    f"`{judge}` has {len(said):,} values, and `{name}` {len(codes):,}; they must be as many."
                )
        known = codes != names.index(None) if None in names else np.ones(len(codes), bool)
    if known.sum() >= 2:
        return
    if known.sum() == 1:
        raise InferenceError(f"`{name}` has one label; two at least are needed.")
    raise InferenceError(
        f"{'There are no gold labels' if gold is None else f'`{name}` has no label'}: from verdicts alone the true "
        "rate cannot be known, because a judge's errors look like its finds and judges that agree may err alike; "
        f"have people label 50 cases drawn at random.{disagreement(several)}"
    )


def disagreement(several: Mapping[Hashable, Any]) -> str:
    """The one sure thing about judges without gold: two that disagree cannot both be right."""
    codes = {name: _spelled(x, str(name)) for name, x in several.items()}
    pairs = [(a, b) for a, b in combinations(codes, 2) if len(codes[a]) == len(codes[b])]
    found = [(float(np.mean([x != y for x, y in zip(codes[a], codes[b], strict=True)])), a, b) for a, b in pairs]
    if not found or not (most := max(found, key=lambda x: x[0]))[0]:
        return ""
    share, a, b = most
    return (
        f" Sure is only that {text(a)} and {text(b)}, who disagree on {percent(share)} of the cases, are not both more "
        f"than {rate(1 - share / 2)} accurate."
    )


def _spelled(values: Any, name: str) -> list[Any]:
    codes, names = strata_of(values, name)
    return [_bare(names[i]) if names[i] is not None else None for i in codes]
