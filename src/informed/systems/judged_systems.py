"""`compare.judged`: two or many systems that one judge graded, and people in part."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from informed._numbers import percent, plural, signed, span
from informed.errors import InferenceError
from informed.evidence.labels import Label, some, text
from informed.evidence.shown import system_name
from informed.inference.given import checked_level
from informed.results import Note, Records, Result, plain_dict
from informed.systems.judge_result import saved_note
from informed.systems.judged_columns import GradedSystems, graded_systems, matched, paired_rows
from informed.systems.judged_difference import LARGE, RANDOM, JudgedDifference, JudgeError, pair_notes
from informed.systems.judged_favour import paired_favour
from informed.systems.judged_rates import unpaired_difference
from informed.systems.judged_sorts import paired_difference
from informed.systems.multiplicity import adjusted

DIFFERENT = "Different items: each rate has its own labels, and their limits are combined."


@dataclass(frozen=True, eq=False, repr=False)
class JudgedSystems(Result):
    """Many systems graded by one judge: the difference of every two, or of each against one."""

    page = "judged_systems"

    names: tuple[Hashable, ...]
    differences: tuple[JudgedDifference, ...]
    board: Records  # a row a system, the best first: its true rate with its own interval, and the judge's
    level: float  # at which the intervals of differences hold together
    against: Hashable | None = None
    notes: tuple[Note, ...] = field(default=())

    def __getitem__(self, pair: tuple[Hashable, Hashable]) -> JudgedDifference:
        for one in self.differences:
            if one.names == tuple(pair):
                return one
        raise InferenceError(f"There is no difference of {some(pair)}; the first is {some(self.differences[0].names)}.")

    def records(self) -> Records:
        """One row a difference, with its p-value adjusted by Holm's method."""
        held = Records.together([one.records() for one in self.differences])
        rows = [(*row, one.adjusted) for row, one in zip(held.rows, self.differences, strict=True)]
        kinds = {c.name: c.kind for c in held.columns}
        return Records.of({**kinds, "adjusted": "p"}, rows)

    def to_dict(self) -> dict[str, Any]:
        """Every difference, and each system's rate."""
        held = {"names": self.names, "against": self.against, "level": self.level, "board": self.board}
        return plain_dict({**held, "differences": [one.to_dict() for one in self.differences], "notes": self.notes})

    def sentence(self) -> str:
        """Which differences are told from none, all taken together."""
        told = [one for one in self.differences if not one.low <= 0 <= one.high]
        if not told:
            none = f"None of {plural(len(self.differences), 'difference')} is told from 0"
            return f"{none} at {percent(self.level)} for all{self._favoured()}"
        best = max(told, key=lambda one: abs(one.estimate))
        a, b = (system_name(x) for x in best.names)
        several = plural(len(self.differences), "difference")
        return (
            f"{len(told)} of {several} told from 0 at {percent(self.level)} for all; the largest is {a} minus {b}, "
            f"{signed(best.estimate)} {span(best.low, best.high)}{self._favoured()}"
        )

    def _favoured(self) -> str:
        """Whom the judge favours over others."""
        found = [one for one in self.differences if one.favour.found]
        names = dict.fromkeys(one.names[0] if one.favour.estimate > 0 else one.names[1] for one in found)
        return f"; the judge favours {' and '.join(system_name(x) for x in names)}" if names else ""


def judged_systems(
    verdict: Any,
    gold: Any,
    *,
    positive: Label | None = None,
    against: Hashable | None = None,
    item: Any = None,
    unit: Any = None,
    paired: bool = True,
    labels: Sequence[Label] | None = None,
    normalize: Any = None,
    level: float = 0.95,
) -> JudgedDifference | JudgedSystems:
    """What `compare.judged` does."""
    checked_level(level)
    how = {"item": item, "unit": unit, "paired": paired, "labels": labels, "normalize": normalize}
    held = graded_systems(verdict, gold, positive=positive, **how)
    names = tuple(held.each)
    if against is not None and against not in names:
        raise InferenceError(f"`against` is {text(against)}; the systems are {some(names)}.")
    pairs = [p for p in combinations(names, 2) if against in (None, *p)]
    pairs = [(b, a) if a == against else (a, b) for a, b in pairs]

    each = 1 - (1 - level) / len(pairs)
    found = [_pair(held, one, each, paired) for one in pairs]
    if len(found) == 1:
        return found[0]
    p = adjusted([one.pvalue for one in found], "bonferroni")
    found = [replace(one, adjusted=float(x)) for one, x in zip(found, p, strict=True)]
    said = (
        f"The {len(found)} intervals of differences hold together at {percent(level)} (Bonferroni: {percent(each, 2)} "
        "each), and the p-values are adjusted alike. Rates have an interval each."
    )
    shared = [n for n in dict.fromkeys(n for one in found for n in one.notes) if n.code not in OF_PAIR]
    notes = (Note(said, code="simultaneous"), *shared)
    return JudgedSystems(names, tuple(found), _board(held, level), level, against, notes)


OF_PAIR = ("saving", "saves-nothing")  # codes of notes that differ from pair to pair


def _board(held: GradedSystems, level: float) -> Records:
    """Systems by their true rates."""
    rates = {name: x.rate() for name, x in held.each.items()}
    limits = {name: x.limits(level) for name, x in rates.items()}
    order = sorted(rates, key=lambda name: -limits[name][0])
    judged = sorted(rates, key=lambda name: -rates[name].judged)
    rows = [
        (i + 1, name, *limits[name], x.judged, judged.index(name) + 1, len(x.known), int(x.known.sum()))
        for i, (name, x) in enumerate((name, rates[name]) for name in order)
    ]
    columns = "place:count system:label rate low high judged judged_place:count rows:count labelled:count"
    return Records.of(columns, rows)


def _pair(held: GradedSystems, names: tuple[Hashable, Hashable], level: float, paired: bool) -> JudgedDifference:
    a, b = (held.each[name] for name in names)
    notes, together = list(held.notes), paired
    if paired and not held.beside:
        first, second, left = matched(a, b, names)
        together = len(first.said) > 0
        a, b, notes = (first, second, [*notes, *left]) if together else (a, b, notes)
    rates, pairs = (a.rate(), b.rate()), None
    if together:
        both = paired_rows(a, b)
        found = paired_difference(both, level)
        found["favour"] = paired_favour(both, level)
        notes += pair_notes(both, found, int((a.known ^ b.known).sum()))
        groups, pairs = both.rows, int(both.known.sum())
    else:
        found = unpaired_difference(*rates, level)
        n = int(a.known.sum() + b.known.sum())
        notes += [RANDOM, saved_note(n, found["saving"], found["n_eff"]), Note(DIFFERENT, code="different-items")]
        groups = rates[0].rows
    if groups is not None:
        word = "item" if a.unit is None else held.unit
        notes.append(Note(f"{plural(groups.n, word)}; errors are measured between them.", code="units"))

    error, favour = (JudgeError(**found.pop(name), level=level) for name in ("error", "favour"))
    return JudgedDifference(
        names=names,
        rates=(rates[0].limits(level)[0], rates[1].limits(level)[0]),
        judged_rates=(rates[0].judged, rates[1].judged),
        positive=held.positive,
        n=(len(rates[0].said), len(rates[1].said)),
        labelled=(int(rates[0].known.sum()), int(rates[1].known.sum())),
        paired=together,
        pairs=pairs,
        notes=(*notes, LARGE),
        error=error,
        favour=favour,
        **found,
    )
