"""What claims and questions share: texts and runs that meet by their id, and where a run draws."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np

from informed._arrays import Array
from informed.errors import InferenceError
from informed.evidence.table import Table
from informed.papers.texts import texts
from informed.simulation.experiment import LEVELS
from informed.simulation.generators import GENERATORS

HONEST = "multinomial"
MARGINS: dict[str, dict[str, Any]] = texts("generators")["margins"]
READINGS: dict[str, dict[str, Any]] = texts("generators")["readings"]  # of what the papers tell of their tables
PAPERS = tuple(name for name in READINGS if name != HONEST)

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Register(Generic[F]):
    """Texts by id, and the runs that a decorator adds to them: ``@claim("ranks")``."""

    what: str
    texts: Mapping[str, Mapping[str, Any]]
    full: int = 0  # tables for an entry
    quick: int = 0
    least: int = 0
    runs: dict[str, F] = field(default_factory=dict)

    def __call__(self, name: str) -> Callable[[F], F]:
        assert name in self.texts, f"the {self.what} {name} has no text"
        assert name not in self.runs, f"the {self.what} {name} is run twice"

        def add(run: F) -> F:
            self.runs[name] = run
            return run

        return add

    def grid(self, name: str) -> Any:
        """What is run: the values of each axis, beside the text that tells of them."""
        return self.texts[name]["grid"]

    def trials(self, names: Iterable[str] | None, size: int | None, quick: bool, seed: int) -> list[tuple[str, Trial]]:
        """What is asked for, by default all in the order of the texts, each with its own random stream."""
        wanted = list(self.texts if names is None else names)
        for name in wanted:
            if name not in self.texts:
                raise InferenceError(f"There is no {self.what} {name!r}; there are {', '.join(self.texts)}.")
        tables = self.tables(size, quick)
        return [(name, Trial.of(name, seed, tables)) for name in wanted]

    def tables(self, size: int | None, quick: bool) -> int:
        """How many tables an entry takes."""
        tables = size or (self.quick if quick else self.full)
        if tables < self.least:
            raise InferenceError(f"`size` is {tables}; a {self.what} needs {self.least} tables at least.")
        return tables


@dataclass(frozen=True)
class Trial:
    """Where a run draws its tables: a random stream of its own, and how many tables it takes."""

    rng: np.random.Generator
    size: int

    @classmethod
    def of(cls, name: str, seed: int, size: int) -> Trial:
        """The stream comes from seed and name: one run alone gives what it gives among others."""
        stream = np.random.SeedSequence(seed, spawn_key=(zlib.crc32(name.encode()),))
        return cls(np.random.default_rng(stream), size)

    @property
    def few(self) -> int:
        """A fifth of the tables, where there are many levels or a test is slow."""
        return max(self.size // 5, 20)

    def part(self, share: float) -> int:
        """This share of the tables, and 40 at least."""
        return max(round(self.size * share), 40)

    def draw(
        self, level: Any, recipe: str = HONEST, *, k: int = 4, n: int = 128, size: int | None = None, **options: Any
    ) -> Table:
        """Tables of a recipe or a reading, as many as the run takes unless told otherwise."""
        held = READINGS.get(recipe, {"recipe": recipe}) | options
        draw = GENERATORS[held.pop("recipe")].draw
        return draw(self.rng, level, k=k, n=n, size=size or self.size, **held)

    def along(self, what: Callable[[Table, float], Any], recipe: str, *, k: int = 4, n: int = 128) -> Array:
        """What is computed of few tables at each of the eleven levels, side by side."""
        found = [what(self.draw(x, recipe, k=k, n=n, size=self.few), x) for x in LEVELS]
        return np.concatenate(found, axis=-1)
