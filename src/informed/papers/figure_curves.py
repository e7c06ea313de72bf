"""The curves of the papers' simulated figures: what each shows of a table, from the data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from informed._arrays import Array, ratio
from informed.evidence.table import Table
from informed.papers.point_tests import pvalues_of
from informed.papers.texts import texts
from informed.simulation.judging import statistics, values


@dataclass(frozen=True)
class Curve:
    """What a figure draws of every table; one of `measure`, `size`, `test` and `own` is given."""

    name: str
    colour: str
    mark: str = ""  # "dot", or a line that may be "dashed" or "dotted"
    measure: str = ""
    size: str = ""  # of a measure: without its sign
    dual: bool = False
    test: str = ""
    own: str = ""
    raised: bool = False
    slow: bool = False
    aim: str = "level"  # what it should be

    @property
    def target(self) -> str:
        """ "level", "p" (below .05) or "none"."""
        return "p" if self.test else self.aim

    def __call__(self, t: Table) -> Array:
        """Its values for a stack of tables."""
        t = t.dual if self.dual else t
        if self.test:
            parts = [t[i : i + 50] for i in range(0, len(t), 50)] if self.slow else [t]
            return np.concatenate([np.atleast_1d(pvalues_of(part, self.test)) for part in parts])
        if self.own:
            return OWN[self.own](t)
        return np.abs(values(t, self.size)) if self.size else values(t, self.measure)


def curves(groups: list[str]) -> list[Curve]:
    """The curves of these groups, in their order."""
    held = texts("figures")["curves"]
    return [Curve(name, **spec) for group in groups for name, spec in held[group].items()]


def _root_det(t: Table) -> Array:
    shares = ratio(t.counts, np.asarray(t.n)[..., None, None])
    return np.asarray(np.abs(np.linalg.det(shares)) ** (1 / t.k))


def _geometric(shares: Array) -> Array:
    return np.asarray(np.exp(np.log(np.maximum(shares, 1e-300)).mean(axis=-1)))


def _v_of_g(t: Table) -> Array:
    return np.asarray(np.sqrt(ratio(statistics(t, "g"), np.asarray(t.n) * (t.k - 1))))


def _difference(t: Table) -> Array:
    long, short = (np.abs(values(t, f"informedness_det(exponent='{e}')")) for e in ("1/(3K-2)", "2/K"))
    return np.asarray(long - short)


OWN: dict[str, Callable[[Table], Array]] = {
    "root of the determinant": _root_det,
    "geometric prevalence": lambda t: _geometric(t.prevalence),
    "geometric bias": lambda t: _geometric(t.bias),
    "V of G": _v_of_g,
    "difference of the determinants": _difference,
}
