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
from informed.evidence.columns import column
from informed.evidence.label_policy import Encoded
from informed.evidence.labels import Label, Labels
from informed.evidence.unit_counting import in_units, numbers_of, shares, word_of
from informed.inference.unit_spread import Spread, between_units, unit_shares
from informed.inference.worth import RHO, RHO_ASKED
from informed.results import Note

Mask = NDArray[np.bool_]
FEW = 10  # units that bear on a number, below which their spread is poorly known


@dataclass(frozen=True, eq=False)
class ScoredUnits:
    """The unit, the class, the weight and the place on a curve of each scored case."""

    step: Places  # (cases,) between which two thresholds its score lies
    own: Mask  # whether it is really positive
    weight: Array
    unit: Places  # numbered from 0
    name: str = "unit"
    item: bool = False  # whether the answers to one item share its weight

    @cached_property
    def n(self) -> int:
        """Number of units."""
        return int(self.unit.max()) + 1

    @cached_property
    def single(self) -> bool:
        """Whether each unit is one case, or one case several times: then there is nothing to sum."""
        kind = self.step * 2 + self.own
        first = np.zeros(self.n, kind.dtype)
        first[self.unit] = kind
        return bool((first[self.unit] == kind).all())

    @cached_property
    def size(self) -> Array:
        """Weight of each unit."""
        return np.asarray(np.bincount(self.unit, self.weight), dtype=np.float64)

    @property
    def share(self) -> Any:
        """Of its item's weight that each case has."""
        return shares(np.ones(len(self.unit)), self.unit)[0] if self.item else 1.0

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

        weight = self.weight / self.share
        one, w = np.ones(len(case)), weight[case]
        axes = list(zip(np.unravel_index(table, shape), map(range, shape), strict=True)) if shape else []
        units, named = {"item" if self.item else "unit": self.unit[case]}, {"unit": self.name, "item": "item"}
        found = in_units(held, (one, w, w * w), axes, units, named, weighted=bool((weight != 1).any()))
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
        alike = 1 + (cases / self.held()[::-1] - 1) * (RHO_ASKED if self.item else RHO)
        effect = (spread.variance + float((alike * chance).sum())) / (spread.alone + float(chance.sum()))
        return spread.alone * max(1.0, effect)

    def notes(self, spread: Spread, of: str = "the area") -> tuple[Note, ...]:
        """How many units there are, and where too few of them bear on a number."""
        said = f"{plural(self.n, self.name)} with {count(len(self.unit))} scored cases"
        if self.single:
            return (Note(f"{said}, each of one class and one score: every one counts once.", code="units"),)
        said = f"{said}: errors are measured between them, with {spread.df:.1f} degrees of freedom."
        if spread.counting >= FEW:
            return (Note(said, code="units"),)
        rough = "; read it as a rough guess" if spread.counting < FEW / 2 else ", and the interval is wide"
        few = f"Only {spread.counting:.0f} of them bear on {of}; their spread is poorly known{rough}."
        return (Note(f"{said} {few}", code="few-units"),)


def scored_units(step: Places, own: Mask, weight: Array | None, given: UnitColumn) -> ScoredUnits:
    """Units of scored cases; the answers to one item share its weight."""
    w = np.ones(len(own)) if weight is None else weight
    found = ScoredUnits(step, own, w, given.unit, given.name, given.item)
    return replace(found, weight=w * found.share)


@dataclass(frozen=True, eq=False)
class UnitColumn:
    """A column of units, numbered, and what one of them is called."""

    unit: Places
    name: str = "unit"
    item: bool = False

    def where(self, kept: Any) -> UnitColumn:
        """Of some of the cases, numbered again."""
        _, unit = np.unique(self.unit[kept], return_inverse=True)
        return UnitColumn(unit, self.name, self.item)


def unit_column(unit: Any, item: Any, length: int) -> UnitColumn | None:
    """The units of cases: those given, or the items that were asked several times."""
    if unit is None and item is None:
        return None
    if isinstance(unit, UnitColumn):
        return unit
    if unit is not None and item is not None:
        raise LabelError("Give `unit` or `item` for a score; the spread is between the one that is given.")
    name = "item" if unit is None else "unit"
    held = column(item if unit is None else unit, name)
    if len(held) != length:
        raise LabelError(f"`{name}` has {len(held)} entries for {length} cases; one each is needed.")
    return UnitColumn(numbers_of(held, name), word_of(unit, name), unit is None)
