"""Units of which only sums of products are known: too many to be held one by one.

All that a measure asks of units are sums of squares of what each adds to it, and those are quadratic forms
of the Gram matrix Σ W Wᵀ of what units hold of the cells. Maps of the cells map the matrix. What needs single
units (which are the same in two tables, resampling them) is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from informed._arrays import Array, Floats, plain
from informed._numbers import plural
from informed.errors import TableError
from informed.evidence.units import Ints, Units

SAID: dict[str, Any] = {"of": "case", "name": "unit", "asked": False, "apart": False}
ENTRIES = ("row", "cell", "weight", "table", "mult")


class GramUnits(Units):
    """The sums of products of units, of one table or of the classes of one against the rest.

    >>> units = GramUnits(np.array([[4.0, 2.0], [2.0, 5.0]]), np.array([5.0, 13.0, 35.0, 97.0]), 2)
    >>> units.n, units.mapped(np.array([0, 0])).gram.tolist()
    (2.0, [[13.0]])
    """

    gram: Array  # Σ W Wᵀ, (cells, cells, *stack)
    sizes: Array  # Σ n_g, Σ n_g² to Σ n_g⁴ of what units hold in all, (4, *stack)
    several: float  # how many units there are

    def __init__(self, gram: Array, sizes: Array, several: float, *, shape: tuple[int, ...] = (), **said: Any) -> None:
        held = {"gram": gram, "sizes": sizes, "several": several, "shape": shape, "ids": None, "each": None}
        for name, x in (held | SAID | said).items():
            object.__setattr__(self, name, x)

    def __getattr__(self, name: str) -> Any:
        if name in ENTRIES:
            self._refuse()
        raise AttributeError(f"units have no {name!r}")

    def __repr__(self) -> str:
        return f"GramUnits({plural(float(self.several), self.name)}, {len(self.gram)} cells)"

    @property
    def n(self) -> Floats:
        return plain(np.full(self.shape, float(self.several)))

    @property
    def single(self) -> bool:
        return bool((self.sizes[1] == self.sizes[0]).all() and (self.sizes[0] == self.several).all())

    def squared(self, slopes: Array) -> Array:
        x = slopes[: len(self.gram)]
        return np.asarray(np.einsum("i...,ij...,j...->...", x, self.gram, x))

    def products(self, slopes: Array) -> Array:
        x = slopes[: len(self.gram)]
        return np.asarray(np.einsum("ci...,cd...,dj...->...ij", x, self.gram, x))

    def same(self, other: Units | None) -> bool:
        if not isinstance(other, GramUnits) or any(getattr(self, x) != getattr(other, x) for x in ("shape", *SAID)):
            return False
        pairs = (self.gram, other.gram), (self.sizes, other.sizes)
        return self.several == other.several and all(a.shape == b.shape and np.allclose(a, b) for a, b in pairs)

    def mapped(self, to: Ints) -> GramUnits:
        """Each cell at its new place. Sizes stay those of whole units, and units of which nothing is left count."""
        place = np.asarray(to, np.int64)[: len(self.gram)]
        size = int(np.max(place, initial=-1)) + 1
        onto = (place == np.arange(size)[:, None]).astype(np.float64)
        return self._with(np.einsum("ai,ij...,bj->ab...", onto, self.gram, onto), self.sizes, self.shape)

    def against(self, maps: Sequence[Ints]) -> GramUnits:
        several = [self.mapped(to).gram for to in maps]
        sizes = np.stack([self.sizes] * len(several), axis=-1)
        return self._with(np.stack(several, axis=-1), sizes, (*self.shape, len(several)))

    def taken(self, tables: Any) -> GramUnits:
        at = np.asarray(tables, np.int64)
        gram, sizes = (x.reshape(*x.shape[: x.ndim - len(self.shape)], -1)[..., at] for x in (self.gram, self.sizes))
        return self._with(gram, sizes, at.shape)

    def per_table(self, each: Array) -> Array:
        self._refuse()

    def pooled(self, to: Any, shape: tuple[int, ...]) -> Units:
        self._refuse()

    def together(self, other: Units) -> Units:
        self._refuse()

    def plus(self, other: Units) -> Units:
        self._refuse()

    def merged(self) -> Units:
        self._refuse()

    def _with(self, gram: Array, sizes: Array, shape: tuple[int, ...]) -> GramUnits:
        said = {name: getattr(self, name) for name in SAID}
        return GramUnits(gram, sizes, self.several, shape=shape, **said)

    def _refuse(self) -> NoReturn:
        raise TableError(
            f"Of {plural(float(self.several), self.name)} only sums of products are held, and this needs each of them; "
            "count fewer, or leave them out: `without_units()`."
        )
