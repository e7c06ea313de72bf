"""What a reader should know of units and weights: how much they are worth, and where they say little."""

from __future__ import annotations

from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed._numbers import of_many, percent, plural
from informed.evidence.cells import is_sparse
from informed.evidence.labels import text
from informed.evidence.units import Units
from informed.inference.cautions import of_tables
from informed.inference.hypothesis import between
from informed.inference.sample import Sample
from informed.inference.worth import Worth
from informed.measures.headline import called
from informed.results import Note, warning

FEW, VERY_FEW, HARDLY = 10, 5, 2  # units that count, below which their spread is poorly known
LARGE = 0.4  # share of what a measure rests on that one unit holds
SHOWN_FROM = 1.05  # design effect


def worth_notes(s: Sample) -> list[Note]:
    """What the cases of this sample are worth to its measure, where they repeat or are weighted."""
    w = s.worth
    if w is None:
        return [*_items(s), *_apart(s)]
    if s.units is None:
        said = f"Weighted cases are worth {_about(s.effective_read)} equally weighted ones for {_called(s)}."
        return [Note(said, code="weighted"), *_heavy(s), *_unseen(s, w.unseen)]
    few = few_units(w.counting, s.units, _called(s))
    return [_worth(s), *_items(s), *_apart(s), *few, *_large(s, w.largest), *_unseen(s, w.unseen)]


def difference_notes(w: Worth, units: Units | None, answers: Any, of: str) -> list[Note]:
    """What units or weights leave of the items for a difference of systems, and where that says little.

    `answers` are those of each system, None where they are told elsewhere.
    """
    if units is None:
        worth = _about(w.effective_n, 1)
        return [Note(f"Weighted items are worth {worth} equally weighted ones for {of}.", code="weighted")]
    held, alone = (" of each system", "items asked once") if units.of == "item" else ("", "independent cases")
    said = _several(units.n, units.name)
    if answers is not None:
        said += f" with {_several(answers, 'answer' if held else 'case')}{held}"
    said += f"; for {of} they are worth {_about(w.effective_n, 0)} {alone}"
    known = f" with {_about(w.df, 0)} degrees of freedom" if (np.rint(w.df) < np.asarray(units.n) - 1).all() else ""
    return [Note(f"{said}{known}.", code="units"), *few_units(w.counting, units, of)]


def few_units(counting: Array, units: Units, of: str) -> list[Note]:
    """Where so few units bear on a number that their spread is poorly known."""
    where = of_tables(counting < FEW)
    if where is None:
        return []
    least = float(counting.min())
    several = max(1, round(least))
    said = f"{where}Only {plural(several, units.name)} bear{'s' * (several == 1)} on {of}; "
    if least < HARDLY:
        return [warning(f"{said}how much they differ is not known, and the interval is a guess.", "few-units")]
    how = ", and the interval is wide." if least >= VERY_FEW else "; read it as a rough guess."
    return [warning(f"{said}their spread is poorly known{how}", "few-units")]


def _worth(s: Sample) -> Note:
    """Units, their cases, and how many independent ones these are worth.

    Degrees of freedom are told where they are fewer than those of the units: there are more where units are so
    small that what they can be off is bounded, and as many as one likes where each is one case.
    """
    w = s.worth
    assert w is not None
    assert s.units is not None
    asked = s.units.of == "item" and s.t.cases is not None
    held, alone = ("answer", "items asked once") if asked else ("case", "independent cases")
    said = f"{_several(s.units.n, s.units.name)} with {_several(s.rows, held)}; for {_called(s)} they are worth "
    said += f"{_about(s.effective_n, 0)} {alone}"
    if not asked and (w.uncapped >= SHOWN_FROM).any():
        said += f" (design effect {_about(ratio(s.rows, s.effective_n), 1)})"
    if (np.rint(w.df) < np.asarray(s.units.n) - 1).all():
        said += f" with {_about(w.df, 0)} degrees of freedom"
    return Note(f"{said}.", code="units")


def _items(s: Sample) -> list[Note]:
    """That each item counts once; how many there are is known where they are the units, or nothing else weighs."""
    held = s.t.units
    if held is None or held.of != "item" or s.t.cases is None:
        return []
    each = held.answers
    answers = _several(s.rows, "answer") if each is None else f"{_several(each[np.isfinite(each)], 'answer')} each"
    items = np.asarray(held.n if held.name == "item" else s.n)
    several = f"{_several(items, 'item')}, " if np.allclose(items, np.rint(items), rtol=0, atol=1e-6) else ""
    return [Note(f"Each item counts once: {several}{answers}.", code="items")]


def _apart(s: Sample) -> list[Note]:
    """That tables were added, which have forgotten who their units are."""
    held = s.t.units
    if held is None or not held.apart:
        return []
    said = f"Tables were added: their {of_many(held.name)} are taken as different. A Tally knows those that they share."
    return [Note(said, code="units-apart")]


def _large(s: Sample, largest: Array) -> list[Note]:
    where = of_tables(largest > LARGE)
    if where is None or s.units is None:
        return []
    most = percent(float(largest.max()))
    return [warning(f"{where}One {s.units.name} holds {most} of what {_called(s)} rests on.", "large-unit")]


def _heavy(s: Sample) -> list[Note]:
    """Classes of several cases in which one weighs nearly as much as all: Σw²/(Σw)² is the least that it can hold."""
    t = s.t
    if t.squares is None or t.cases is None or is_sparse(t.cells):
        return []
    total, squares, cases = (x.sum(axis=0) for x in (t.cells, t.squares, t.cases))
    share = np.where((total > 0) & (cases >= VERY_FEW), ratio(squares, total**2), 0.0)
    where = of_tables((share > LARGE).any(axis=0))
    if where is None:
        return []
    of = text(t.real_labels[int(np.argwhere(share == share.max())[0, 0])])
    said = (
        f"One case holds at least {percent(float(share.max()))} of the weight of the class {of}: what is said of this "
    )
    return [warning(f"{where}{said}class rests on that case, and the intervals are too short.", "large-case")]


def _unseen(s: Sample, unseen: Array) -> list[Note]:
    where = of_tables(unseen > 0)
    if where is None:
        return []
    said = f"No case was seen where {_called(s)} would weigh one most; one would weigh {_about(unseen[unseen > 0])}."
    return [warning(f"{where}{said}", "unseen-weight")]


def _about(x: Any, digits: int | None = None) -> str:
    """A number or the range of several, to three digits or to so many places."""
    ends = sorted({_rounded(float(np.min(x)), digits), _rounded(float(np.max(x)), digits)}, key=float)
    return " to ".join(ends)


def _rounded(x: float, digits: int | None) -> str:
    return f"{x:.3g}" if digits is None else f"{x:.{digits}f}"


def _several(n: Any, word: str) -> str:
    least, most = float(np.min(n)), float(np.max(n))
    return plural(most, word) if least == most else f"{between(np.asarray(n))} {plural(most, word).split(' ', 1)[1]}"


def _called(s: Sample) -> str:
    """The measure, and of which cases it is where that is not plain from its name."""
    return called(s.m) if s.m.facts.abstentions else s.m.name
