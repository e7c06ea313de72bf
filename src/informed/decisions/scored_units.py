"""Scored cases that belong together: the spread of an area between units.

An area is a mean over each class of what a case adds, and a unit adds the sum of its cases. These
sums vary as the units do, whatever happens inside of them (Obuchowski 1997); what is known of few or
unequal units enters by a leverage and by degrees of freedom. Formulas and evidence: docs/roc.md.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, ratio
from informed._numbers import count, plural
from informed.errors import LabelError
from informed.evidence.cells import Places
from informed.evidence.columns import column, first_rows
from informed.evidence.label_policy import Encoded
from informed.evidence.labels import Label, Labels
from informed.evidence.scores import ScoreColumns
from informed.evidence.unit_counting import alike, in_units, numbers_of, shares, word_of
from informed.evidence.units import sums
from informed.inference.unit_spread import Spread, between_units, unit_shares
from informed.inference.worth import RHO, RHO_ASKED
from informed.results import Note, warning
from informed.systems.fold_designs import READERS

Mask = NDArray[np.bool_]
SAME_CASES = (
    "{}: errors are measured between readers. If several readers read the same cases, this leaves out what the cases "
    "have in common; conclusions about other readers and other cases need an analysis of multiple readers and cases "
    "(MRMC, such as Obuchowski and Rockette's, in the R package MRMCaov)."
)
FEW = 10  # units that bear on a number, below which their spread is poorly known


@dataclass(frozen=True, eq=False)
class ScoredUnits:
    """The unit, the class, the weight and the place on a curve of each scored case."""

    step: Places  # (cases,) between which two thresholds its score lies
    own: Mask  # whether it is really positive
    weight: Array  # in which the answers to one item share its weight, or the first has all if they never differ
    given: UnitColumn
    told: Array | None = None  # weights as they were given

    @property
    def unit(self) -> Places:
        """The unit of each case, numbered from 0."""
        return self.given.unit

    @property
    def name(self) -> str:
        """What a unit is called."""
        return self.given.name

    @cached_property
    def repeated(self) -> bool:
        """Whether the answers to an item never differ, so that each item is one case."""
        return self.given.item is not None and alike(self.given.item, self.step, self.own)

    @cached_property
    def n(self) -> int:
        """Number of units."""
        return int(self.unit.max()) + 1

    @cached_property
    def single(self) -> bool:
        """Whether each unit is one case, or one case several times: then there is nothing to sum."""
        return alike(self.unit, self.step, self.own)

    @cached_property
    def size(self) -> Array:
        """Weight of each unit."""
        return np.asarray(np.bincount(self.unit, self.weight), dtype=np.float64)

    @property
    def kind(self) -> Places:
        """The class of each case, negatives first."""
        return self.own.astype(np.int64)

    def spread(self, of_positives: Array, of_negatives: Array) -> Spread:
        """Of a sum of two means, one over each class, of what a case of each step adds."""
        each = np.where(self.own, of_positives[self.step], of_negatives[self.step])
        return between_units(each, self.kind, self.unit, self.weight)

    def turned(self, steps: int) -> ScoredUnits:
        """The same seen from the other side: negatives as positives, the lowest score first."""
        return replace(self, step=steps - 1 - self.step, own=~self.own)

    def of_tables(self, at: Any, labels: Labels, positive: Label) -> dict[str, Any]:
        """The cells of the tables at these positions of a curve, with their units."""
        shape = np.shape(at)
        table, case = np.divmod(np.arange(np.size(at) * len(self.step)), len(self.step))
        first = labels[0] == positive
        called = self.step[case] < np.ravel(at)[table]
        places = [np.where(held == first, 0, 1) for held in (self.own[case], called)]
        held = Encoded(labels, labels, None, places, np.zeros(len(case), np.bool_))

        one = np.ones(len(case))
        w = one if self.told is None else self.told[case]
        axes = list(zip(np.unravel_index(table, shape), map(range, shape), strict=True)) if shape else []
        groups = {name: x[case] for name, x in self.given.groups.items()}
        how: dict[str, Any] = {"names": dict.fromkeys(groups, self.name), "weighted": bool((w != 1).any())}
        found = in_units(held, (one, w, w * w), axes, groups, **how)
        return {name: found[name] for name in ("cells", "squares", "cases", "units")}

    def held(self) -> tuple[float, float]:
        """Positives and negatives as many as there would be if a unit were one case."""
        shares = unit_shares(self.kind, self.unit, self.weight)
        negatives, positives = (float(x) for x in ratio(1.0, (shares**2).sum(axis=0)))
        return positives, negatives

    def steadied(self, spread: Spread, area: float) -> float:
        """The variance of an area, as far as few errors can say how much alike those of a unit are.

        Near an area of 1 hardly a case is misplaced, and what units add to each other is not seen. Half a case of each
        class that is placed by chance steadies the design effect, as correlated within units as those of a table.
        """
        squares, totals = (np.bincount(self.kind, self.weight**power) for power in (2, 1))
        cases = ratio(totals**2, squares)
        chance = (area - 0.5) ** 2 / 2 / cases**2
        alike = 1 + (cases / self.held()[::-1] - 1) * (RHO_ASKED if self.given.asked else RHO)
        effect = (spread.variance + float((alike * chance).sum())) / (spread.alone + float(chance.sum()))
        return spread.alone * max(1.0, effect)

    def notes(self, spread: Spread, of: str = "the area") -> tuple[Note, ...]:
        """How many units there are, and where too few of them bear on a number."""
        said = f"{plural(self.n, self.name)} with {count(len(self.unit))} scored cases"
        if self.single:
            return (Note(f"{said}, each of one class and one score: every one counts once.", code="units"),)
        if READERS.search(self.name.strip().lower()):
            return (warning(SAME_CASES.format(said), "readers"),)
        said = f"{said}: errors are measured between them, with {spread.df:.1f} degrees of freedom."
        if spread.counting >= FEW:
            return (Note(said, code="units"),)
        rough = "; read it as a rough guess" if spread.counting < FEW / 2 else ", and the interval is wide"
        few = f"Only {spread.counting:.0f} of them bear on {of}; their spread is poorly known{rough}."
        return (Note(f"{said} {few}", code="few-units"),)


def scored_units(step: Places, own: Mask, weight: Array | None, given: UnitColumn) -> ScoredUnits:
    """Units of scored cases; the answers to one item share its weight."""
    w = np.ones(len(own)) if weight is None else weight
    held = ScoredUnits(step, own, w, given, weight)
    if given.item is None:
        return held
    w = w * shares(np.ones(len(own)), given.item)[0]
    if held.repeated:
        of_item = sums(given.item, w, int(given.item.max()) + 1)
        w = sums(first_rows(given.item, len(of_item)), of_item, len(own))
    return replace(held, weight=w)


@dataclass(frozen=True, eq=False)
class UnitColumn:
    """A column of units, numbered, what one of them is called, and the items whose answers share their weight."""

    unit: Places
    name: str = "unit"
    item: Places | None = None

    @property
    def asked(self) -> bool:
        """Whether a unit is one item."""
        return self.item is self.unit

    @property
    def groups(self) -> dict[str, Places]:
        """As tables are told of them."""
        told = {} if self.asked else {"unit": self.unit}
        return told if self.item is None else {**told, "item": self.item}

    def where(self, kept: Any) -> UnitColumn:
        """Of some of the cases, numbered again."""
        _, unit = np.unique(self.unit[kept], return_inverse=True)
        item = unit if self.asked or self.item is None else np.unique(self.item[kept], return_inverse=True)[1]
        return UnitColumn(unit, self.name, None if self.item is None else item)


def named_cases(held: ScoreColumns, unit: Any) -> dict[str, Any]:
    """Real labels, scores and units of columns, a case each; units are called as their column is."""
    cases = held.cases()
    if "unit" not in cases:
        return cases
    units = unit_column(cases["unit"], cases.pop("item", None), len(cases["real"]))
    assert units is not None
    return {**cases, "unit": replace(units, name=word_of(unit, "unit"))}


def unit_column(unit: Any, item: Any, length: int) -> UnitColumn | None:
    """The units of cases: those given, or the items that were asked several times."""
    if unit is None and item is None:
        return None
    if isinstance(unit, UnitColumn):
        return unit
    found = {}
    for name, x in (("unit", unit), ("item", item)):
        held = None if x is None else column(x, name)
        if held is not None and len(held) != length:
            raise LabelError(f"`{name}` has {len(held)} entries for {length} cases; one each is needed.")
        found[name] = None if held is None else numbers_of(held, name)
    own = found["item"] if found["unit"] is None else found["unit"]
    assert own is not None
    return UnitColumn(own, word_of(unit, "item" if unit is None else "unit"), found["item"])
