"""A measure or a generator of one's own: a plain function, tried on a few tables before any work starts."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.errors import InferenceError, InformedError
from informed.evidence.table import Table
from informed.measures import ALIASES, MEASURES, Measure, find
from informed.simulation.functions import declared_function, identity, name_of, said
from informed.simulation.generators import GENERATORS, Generator
from informed.simulation.judging import Judged

GIVEN = ("level", "k", "n", "rng")  # what a generator is called with, in this order


@dataclass(frozen=True)
class OwnMeasure:
    """A function of a table that says nothing more of itself: no facts, no interval, no test."""

    name: str
    function: Callable[[Table], Any]
    alone: bool = False  # asked table by table, as it cannot take a stack

    def __call__(self, t: Table) -> Array:
        if self.alone and t.shape:
            return np.array([self.asked(t[i]) for i in np.ndindex(t.shape)]).reshape(t.shape)
        return self.asked(t)

    def __str__(self) -> str:
        return self.name

    def asked(self, t: Table) -> Array:
        """Its value of this table, or its values of this stack; where it divides by 0 it is undefined."""
        try:
            with np.errstate(all="ignore"):
                found = self.function(t)
        except ZeroDivisionError:
            found = np.nan if not t.shape else None
        except Exception as problem:  # whatever it is, it is theirs
            raise InferenceError(f"{self.name} fails on {_described(t)}: {said(problem)}.") from problem
        return self.number(found, t)

    def number(self, found: Any, t: Table) -> Array:
        """What it gave, if that is a number for each table."""
        if found is None:
            raise InferenceError(f"{self.name} gives None for {_described(t)}; it must return a number.")
        held = np.asarray(found)
        if held.dtype.kind not in "biuf":
            what = "complex numbers" if held.dtype.kind == "c" else f"{type(found).__name__}, no number,"
            raise InferenceError(f"{self.name} gives {what} for {_described(t)}; it must return a real number.")
        if held.shape != t.shape:
            raise InferenceError(
                f"{self.name} gives an array of shape {held.shape} for {_described(t)}; "
                "it must return one number a table."
            )
        return held.astype(np.float64)


def _described(t: Table) -> str:
    k = len(t.real_labels)
    return f"a stack of {t.shape} tables of {k} classes" if t.shape else f"a table of {k} classes"


def own_measures(given: Sequence[Any], probe: Callable[[], Table]) -> tuple[str | OwnMeasure, ...]:
    """Measures by name, and functions that were tried on some tables; what cannot be judged is refused."""
    found = tuple(_known(m) for m in given)
    if all(isinstance(m, str) for m in found):
        return found
    tables = probe()
    made = tuple(m if isinstance(m, str) else own_measure(m, tables) for m in found)
    for m in made:
        if isinstance(m, OwnMeasure) and [str(x) for x in made].count(m.name) > 1:
            raise InferenceError(f"Two of the measures are called {m.name}: give each a name of its own, with def.")
    return made


def _known(measure: Any) -> Any:
    """A measure of the catalogue by its name, and a function as it is."""
    if isinstance(measure, Measure):
        return str(measure)
    name = getattr(measure, "__name__", "")
    if name in MEASURES and MEASURES[name].function is measure:
        return str(name)
    return measure


def own_measure(function: Judged | OwnMeasure, tables: Table) -> OwnMeasure:
    """A function as a measure, tried on a stack of tables: on all at once if it can, else one by one."""
    if isinstance(function, OwnMeasure):
        return function
    if not callable(function):
        raise InferenceError(f"A measure is {function!r}; it must be a name, or a function of a table.")
    name = name_of(function)
    if name in MEASURES or name in ALIASES:
        raise InferenceError(f"There is a measure called {name} already: give your function another name.")

    single = OwnMeasure(name, function, alone=True)
    values = single(tables)
    if not _same(values, single(tables)):
        raise InferenceError(
            f"{name} gives two values for one table: it must depend on nothing but the table, not on chance."
        )
    if np.isnan(values).all():
        raise InferenceError(f"{name} is undefined (NaN) for every one of {len(values)} tables that were drawn.")

    at_once = OwnMeasure(name, function)
    try:
        return at_once if _same(at_once(tables), values) else single
    except InformedError:
        return single


def _same(a: Array, b: Array) -> bool:
    return bool(np.allclose(a, b, rtol=1e-9, atol=1e-12, equal_nan=True))


# ------------------------------------------------------------------ generators


@dataclass(frozen=True)
class OwnDraw:
    """A function of (level, k, n, rng) that gives counts, one table at a time unless it takes `size`."""

    name: str
    function: Callable[..., Any]
    stacked: bool

    def __call__(self, rng: np.random.Generator, level: float, *, k: int, n: int, size: int, **options: Any) -> Table:
        if self.stacked:
            counts = self._asked(level, k, n, rng, size=size, **options)
        else:
            counts = [self._asked(level, k, n, rng, **options) for _ in range(size)]
        return self._table(counts, (size, k, k), level)

    def _asked(self, *given: Any, **options: Any) -> Any:
        try:
            found = self.function(*given, **options)
        except Exception as problem:  # whatever it is, it is theirs
            level, k, n, _ = given
            raise InferenceError(
                f"{self.name} fails at level {level:g}, k = {k}, n = {n}: {said(problem)}."
            ) from problem
        return found.counts if isinstance(found, Table) else found

    def _table(self, counts: Any, wanted: tuple[int, ...], level: float) -> Table:
        try:
            held = np.asarray(counts)
        except ValueError:  # tables of several shapes
            held = np.empty(0)
        if held.shape != wanted or held.dtype.kind not in "biuf":
            each = wanted if self.stacked else wanted[1:]
            seen = held.shape if self.stacked else np.shape(counts[0])
            kind = "" if held.dtype.kind in "biuf" else f" and type {held.dtype}"
            raise InferenceError(
                f"{self.name} gives an array of shape {seen}{kind}; it must return counts of shape {each}, "
                "predictions in rows and real classes in columns."
            )
        try:
            return Table.from_counts(held)
        except InformedError as problem:
            raise InferenceError(f"{self.name} gives no table at level {level:g}: {problem}") from None


def own_generator(function: Callable[..., Any]) -> Generator:
    """A function as a generator: what it takes beside level, k, n, rng and size are its options."""
    name = name_of(function)
    if name in GENERATORS:
        raise InferenceError(f"There is a generator called {name} already: give your function another name.")
    try:
        taken = inspect.signature(function).parameters
    except (TypeError, ValueError):
        raise InferenceError(f"{name} does not say what it takes; a generator takes level, k, n and rng.") from None

    places = [p.name for p in taken.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    many = any(p.kind == p.VAR_POSITIONAL for p in taken.values())
    if tuple(places[:4]) != GIVEN and not many:
        raise InferenceError(
            f"{name} takes {', '.join(places) or 'nothing'}; a generator takes level, k, n and rng, in this order, "
            "then `size` if it draws that many tables at once, then its options."
        )
    own = tuple(p for p in taken if p not in (*GIVEN, "size"))
    return Generator(name, OwnDraw(name, function, "size" in taken), least=0, options=own)


def check_stream(g: Generator, level: float, **how: Any) -> None:
    """Refuse a generator that draws from elsewhere than the stream that it is given."""
    one, two = (g.draw(np.random.default_rng(0), level, size=3, **how) for _ in range(2))
    if not np.array_equal(one.counts, two.counts):
        raise InferenceError(
            f"{g.name} gives other tables for the same random stream: it must draw from its `rng` and nothing else."
        )


def identities(g: Generator, measures: Sequence[str | OwnMeasure]) -> dict[str, str]:
    """What the functions of an experiment are, by name; those of our own are known by their names."""
    held = {m.name: identity(m.function) for m in measures if isinstance(m, OwnMeasure)}
    for name in {find(m).name for m in measures if isinstance(m, str)}:
        if (function := declared_function(name)) is not None:
            held[name] = identity(function)
    if GENERATORS.get(g.name) is not g:
        draw = g.draw.function if isinstance(g.draw, OwnDraw) else g.draw
        held[g.name] = identity(draw) if g.population is None else f"{identity(draw)} of {identity(g.population)}"
    return held
