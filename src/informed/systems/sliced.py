"""Systems by slices: what is said of them, from estimates of each slice and how these vary together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed._numbers import plural
from informed.errors import InformedError
from informed.evidence.labels import some
from informed.evidence.shown import system_name
from informed.inference.answers import Interval, Test
from informed.inference.heterogeneity import Heterogeneity
from informed.results import Note, Records, Result, along, picked, plain_dict, warning
from informed.systems.multiplicity import adjusted

TESTS = {"cochran-q": "cochran-heterogeneity", "exact-rates": "exact-rates"}  # that the groups share one value
DIFFERENCES = "slice:label a:label b:label estimate:signed low:signed high:signed pvalue:p adjusted:p"


@dataclass(frozen=True, eq=False, repr=False)
class Slices(Result):
    """Systems by slices: pooled, stratified, and how much the slices differ."""

    page = "folds"

    systems: tuple[Hashable, ...]
    slices: tuple[Hashable, ...]
    measure: str
    called: str  # the measure in words that say of which cases it is
    level: float
    estimate: Array  # (systems, slices), NaN where undefined
    standard_error: Array
    low: Array  # limits of each slice by itself
    high: Array
    share: Array  # of the cases of each slice, all systems alike where they answered alike
    pooled: Array  # of all cases together
    stratified: Array  # mean over the slices, by their size
    stratified_low: Array
    stratified_high: Array
    new: Array  # mean over slices like these, of three or more (random effects)
    new_low: Array
    new_high: Array
    predicted_low: Array  # where one new slice may lie
    predicted_high: Array
    heterogeneity: Test  # one statistic and p-value a system
    reversals: tuple[tuple[Hashable, Hashable], ...]  # (a, b): a leads the pool, b every slice
    notes: tuple[Note, ...] = ()
    differences: Records = field(default_factory=lambda: Records.of(DIFFERENCES, ()))  # of two systems in each slice

    def records(self) -> Records:
        """One row a system and slice."""
        where = along((("system", self.systems), ("slice", self.slices)))
        values = ("estimate", "standard_error", "low", "high", "share")
        return Records.beside(where | {name: ("number", getattr(self, name)) for name in values})

    def systems_records(self) -> Records:
        """One row a system: pooled, stratified, and whether its slices differ."""
        values = "system:label=systems pooled stratified low=stratified_low high=stratified_high"
        values += " new new_low new_high predicted_low predicted_high"
        return Records.picked(self, f"{values} statistic=heterogeneity.statistic pvalue=heterogeneity.pvalue")

    def to_dict(self) -> dict[str, Any]:
        """The systems with their slices, and where the pool contradicts these."""
        systems = []
        for row, each in zip(self.systems_records(), self.estimate, strict=True):
            tested = {name: row.pop(name) for name in ("statistic", "pvalue")}
            systems.append({**row, "heterogeneity": tested, "each": each})
        held = picked(self, "measure slices reversals") | {"systems": systems, "notes": self.notes}
        if len(self.differences):
            held["differences"] = self.differences
        return plain_dict(held)

    def with_differences(self, held: Mapping[Hashable, Any]) -> Slices:
        """The same with the difference of two systems in each slice, whose p-values are adjusted for the slices
        (Holm); a slice in which they cannot be compared has none, and is named."""
        known = {name: d for name, d in held.items() if not isinstance(d, InformedError)}
        p = adjusted([float(d.pvalue) for d in known.values()])
        numbers = ((float(getattr(d, x)) for x in ("estimate", "low", "high", "pvalue")) for d in known.values())
        rows = [(name, *d.names, *each, float(q)) for (name, d), each, q in zip(known.items(), numbers, p, strict=True)]
        lost = [name for name in held if name not in known]
        said = f"The systems cannot be compared in {plural(len(lost), 'slice')} ({some(lost, 6)})."
        notes = (*self.notes, warning(said, "uncompared-slices")) if lost else self.notes
        return replace(self, differences=Records.of(DIFFERENCES, rows), notes=notes)


def sliced(
    names: tuple[tuple[Hashable, ...], tuple[Hashable, ...]],
    measure: tuple[str, str],
    level: float,
    alone: Sequence[Interval],
    numbers: tuple[Any, Any, Any],
    together: Heterogeneity,
    sign: int = 1,
) -> Slices:
    """Systems and slices, the measure and what it is called, intervals of the slices by themselves; their errors,
    sizes and the pooled values; and what they are together."""
    systems, parts = names
    shape = (len(systems), len(parts))
    each, low, high = (
        np.reshape([getattr(x, name) for x in alone], shape).astype(np.float64) for name in ("estimate", "low", "high")
    )
    error, n, pooled = np.reshape(numbers[0], shape), np.reshape(numbers[1], shape), np.atleast_1d(numbers[2])
    size = np.where(np.isnan(each), 0.0, n)
    reversals = _reversals(sign * each, sign * pooled, systems)
    notes = [
        *_undefined(each, parts),
        *(note for x in alone for note in x.notes if len(alone) > 1 or x.method == "none"),
    ]
    for a, b in reversals:
        said = (
            f"{system_name(a)} is ahead of {system_name(b)} in the pool and behind in every slice (Simpson's paradox): "
        )
        notes.append(warning(f"{said}compare them within slices, or stratified.", "simpson"))

    statistic, pvalue, df = (np.atleast_1d(x) for x in (together.statistic, together.pvalue, together.df))
    null = "the measure is the same in every slice"
    return Slices(
        systems=systems,
        slices=parts,
        measure=measure[0],
        called=measure[1],
        level=level,
        estimate=each,
        standard_error=error,
        low=low,
        high=high,
        share=ratio(size, size.sum(axis=1, keepdims=True)),
        pooled=pooled,
        stratified=np.atleast_1d(together.estimate),
        stratified_low=np.atleast_1d(together.low),
        stratified_high=np.atleast_1d(together.high),
        new=np.atleast_1d(together.new_estimate),
        new_low=np.atleast_1d(together.new_low),
        new_high=np.atleast_1d(together.new_high),
        predicted_low=np.atleast_1d(together.predicted_low),
        predicted_high=np.atleast_1d(together.predicted_high),
        heterogeneity=Test(statistic, pvalue, df, TESTS[together.method], null, measure[0]),
        reversals=reversals,
        notes=tuple(dict.fromkeys(notes)),
    )


def compared_in_slices(parts: Mapping[Hashable, Any], compared: Callable[[Any], Any]) -> dict[Hashable, Any]:
    """The comparison in each slice, or the error that says why there is none."""
    found: dict[Hashable, Any] = {}
    for name, part in parts.items():
        try:
            found[name] = compared(part)
        except InformedError as error:
            found[name] = error
    return found


def _undefined(each: Array, parts: tuple[Hashable, ...]) -> list[Note]:
    lost = np.isnan(each).any(axis=0)
    if not lost.any():
        return []
    named = ", ".join(repr(parts[i]) for i in np.flatnonzero(lost))
    return [Note(f"Undefined, and left out, in the slice(s) {named}.", code="undefined-slices")]


def _reversals(each: Array, pooled: Array, systems: tuple[Hashable, ...]) -> tuple[tuple[Hashable, Hashable], ...]:
    """Pairs (a, b) in which a leads the pool although b leads every slice."""
    shared = ~np.isnan(each)
    both = shared[:, None] & shared[None]
    behind = ((each[:, None] < each[None]) | ~both).all(axis=-1) & both.any(axis=-1)
    found = np.argwhere((pooled[:, None] > pooled) & behind)
    return tuple((systems[a], systems[b]) for a, b in found)
