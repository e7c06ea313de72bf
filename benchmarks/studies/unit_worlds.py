"""Worlds in which cases belong together or are weighted, each drawn many times at once.

A world is drawn as arrays ``(runs, cases)`` and counted into one stack of tables that carries its units.
Reality and answers are correlated within units by a shared normal number (probit).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np
from scipy.special import ndtri

from informed import Table
from informed._arrays import Array
from informed.evidence.joint import Joint
from informed.evidence.units import Ints, Units

RECALL = (0.8, 0.7, 0.75, 0.65)  # of each class
SHARES = {2: (0.4, 0.6), 4: (0.4, 0.3, 0.2, 0.1)}


@dataclass(frozen=True)
class Drawn:
    """Runs of a world, and the table that the truth is measured on."""

    stack: Table
    truth: Table


def stack_of(
    real: Ints,
    said: Ints,
    k: int,
    *,
    unit: Ints | None = None,
    weight: Array | None = None,
    item: bool = False,
    group: Ints | None = None,
) -> Table:
    """A table a run, of cases ``(runs, cases)``; a case of weight 0 is not there. Groups of cases have a table
    each, and know the units that they share."""
    held = _counted(said * k + real, k**2, unit=unit, weight=weight, item=item, group=group)
    counts = held.pop("cells").reshape(k, k, *held["shape"])
    t = Table.from_counts(np.moveaxis(counts, (0, 1), (-2, -1)), positive=None if k > 2 else "+")
    return replace(t, **_shaped(held, (k, k)))


def joint_of(real: Ints, a: Ints, b: Ints, *, unit: Ints | None = None, item: bool = False) -> Joint:
    """A joint table a run, of two classes and two systems on the same cases."""
    held = _counted(real * 4 + a * 2 + b, 8, unit=unit, item=item)
    counts = held.pop("cells").reshape(2, 2, 2, *held["shape"])
    joint = Joint.from_counts(np.moveaxis(counts, -1, 0), positive="+")
    return replace(joint, **_shaped(held, (2, 2, 2)))


def _shaped(held: dict[str, Any], cells: tuple[int, ...]) -> dict[str, Any]:
    shape = held.pop("shape")
    return {name: x if name == "units" else x.reshape(*cells, *shape) for name, x in held.items()}


def _counted(
    cell: Ints,
    cells: int,
    *,
    unit: Ints | None,
    weight: Array | None = None,
    item: bool = False,
    group: Ints | None = None,
) -> dict[str, Any]:
    """Sums over cases ``(runs, cases)`` by cell, table by table, with their units."""
    shape = (len(cell),) if group is None else (len(cell), int(group.max()) + 1)
    of_run = np.arange(len(cell))[:, None] * prod(shape[1:])
    there = np.ones(cell.shape, dtype=bool) if weight is None else np.broadcast_to(weight, cell.shape) > 0
    table = np.broadcast_to(of_run if group is None else of_run + group, cell.shape)[there]
    held = np.ones(len(table)) if weight is None else np.broadcast_to(weight, cell.shape)[there].astype(np.float64)
    at = cell[there] * prod(shape) + table

    found: dict[str, Any] = {"shape": shape, "units": None}
    if unit is not None:
        own = np.broadcast_to(unit, cell.shape)[there]
        if item:
            place = table * (int(own.max()) + 1) + own
            held = held / np.bincount(place, held)[place]
        named: dict[str, Any] = {"of": "item", "name": "item", "asked": True} if item else {"name": "document"}
        linked = group is not None
        found["units"] = Units.gathered(own, cell[there], held, table=table, shape=shape, linked=linked, **named)

    sums = {"cells": held} if weight is None and not item else {"cells": held, "squares": held**2, "cases": held > 0}
    return found | {name: np.bincount(at, x, minlength=cells * prod(shape)) + 0.0 for name, x in sums.items()}


def expected(shares: Any, recalls: Any) -> Table:
    """The table of a system with these recalls, whose errors go evenly to the other labels."""
    share, hit = np.asarray(shares, dtype=float), np.asarray(recalls, dtype=float)
    k = len(share)
    cells = np.where(np.eye(k, dtype=bool), hit, (1 - hit) / (k - 1)) * share
    return Table.from_counts(cells * 1e6, positive=None if k > 2 else "+")


def classes(rng: np.random.Generator, runs: int, unit: Ints, shares: Any, rho: float) -> Ints:
    """Real classes of cases, correlated within units; with ρ = 1 a unit is of one class."""
    u, e = rng.standard_normal((runs, int(unit.max()) + 1)), rng.standard_normal((runs, len(unit)))
    latent = np.sqrt(rho) * u[:, unit] + np.sqrt(1 - rho) * e
    return np.asarray(np.searchsorted(ndtri(np.cumsum(shares)[:-1]), latent), dtype=np.int64)


def answers(rng: np.random.Generator, real: Ints, unit: Ints, recalls: Any, rho: float, u: Array | None = None) -> Ints:
    """Answers that are right as often as the recall of the class says, correlated within units."""
    runs, n = real.shape
    k = len(recalls)
    shared = rng.standard_normal((runs, int(unit.max()) + 1)) if u is None else u
    latent = np.sqrt(rho) * np.take_along_axis(shared, np.broadcast_to(unit, (runs, n)), 1)
    latent = latent + np.sqrt(1 - rho) * rng.standard_normal((runs, n))
    right = latent < ndtri(np.asarray(recalls, dtype=float))[real]
    other = (real + rng.integers(1, k, real.shape)) % k
    found: Ints = np.where(right, real, other)
    return found


def sizes(units: int, n: int, *, even: bool) -> Ints:
    """Cases of each unit: as many each, or by 1/rank."""
    if even:
        return np.full(units, n // units)
    share = 1 / np.arange(1, units + 1)
    return np.asarray(np.maximum(1, np.rint(n * share / share.sum())), dtype=np.int64)


def documents(
    rng: np.random.Generator, runs: int, units: int, *, even: bool, k: int, reality: float, rho: float
) -> Drawn:
    """Units of several cases each."""
    unit = np.repeat(np.arange(units), sizes(units, max(200, 4 * units), even=even))
    real = classes(rng, runs, unit, SHARES[k], reality)
    said = answers(rng, real, unit, RECALL[:k], rho)
    return Drawn(stack_of(real, said, k, unit=unit), expected(SHARES[k], RECALL[:k]))


def epochs(
    rng: np.random.Generator, runs: int, items: int, asked: int, rho: float, recalls: Any = (0.8, 0.7), how: str = "all"
) -> Drawn:
    """Items of one real class each that are asked several times; `how` often: "all", "random", "hard" ones more."""
    unit = np.repeat(np.arange(items), asked)
    one = np.arange(items)
    real = classes(rng, runs, one, SHARES[2], 0.0)[:, unit]
    shared = rng.standard_normal((runs, items))
    said = answers(rng, real, unit, recalls, rho, shared)
    attempt = np.tile(np.arange(asked), items)
    times = np.full((runs, items), asked)
    if how == "random":
        times = rng.integers(1, asked + 1, (runs, items))
    if how == "hard":
        times = np.where(shared > 0, asked, 1)
    weight = (attempt < times[:, unit]).astype(np.float64)
    return Drawn(stack_of(real, said, 2, unit=unit, weight=weight, item=True), expected(SHARES[2], recalls))


def weighted(rng: np.random.Generator, runs: int, n: int, how: str) -> Drawn:
    """Cases of which some were more likely to be taken, weighted by the inverse of that chance."""
    unit = np.arange(n)
    shares, recalls = (0.2, 0.8), (0.75, 0.9)
    truth = expected(shares, recalls)
    real = classes(rng, runs, unit, shares, 0.0)
    said = answers(rng, real, unit, recalls, 0.0)
    if how == "two-phase":
        chance = np.where(said == 0, 1.0, 0.1)
    elif how == "positives weigh 10":
        weight = np.where(real == 0, 10.0, 1.0)
        return Drawn(stack_of(real, said, 2, weight=weight), expected((2.0 / 2.8, 0.8 / 2.8), recalls))
    elif how == "by class":
        chance = np.where(real == 0, 1 / 1.1, 1 / 15)
    elif how == "unrelated":
        chance = np.exp(-rng.uniform(0, np.log(15), real.shape))
    else:  # strata of different difficulty
        stratum = np.broadcast_to(unit % 3, real.shape)
        weight = np.array([1.0, 3, 8])[stratum]
        hit = np.array([[0.85, 0.95], [0.75, 0.9], [0.65, 0.85]])[stratum, real]
        said = np.where(rng.random(real.shape) < hit, real, 1 - real)
        mean = np.array([1.0, 3, 8]) @ np.array([[0.85, 0.95], [0.75, 0.9], [0.65, 0.85]]) / 12
        return Drawn(stack_of(real, said, 2, weight=weight), expected(shares, mean))
    taken = rng.random(real.shape) < chance
    return Drawn(stack_of(real, said, 2, weight=np.where(taken, 1 / chance, 0.0)), truth)


def weighted_documents(rng: np.random.Generator, runs: int) -> Drawn:
    """40 units of 8 cases that weigh 1 to 5."""
    unit = np.repeat(np.arange(40), 8)
    real = classes(rng, runs, unit, SHARES[2], 0.3)
    said = answers(rng, real, unit, RECALL[:2], 0.3)
    weight = rng.uniform(1, 5, real.shape)
    return Drawn(stack_of(real, said, 2, unit=unit, weight=weight), expected(SHARES[2], RECALL[:2]))


Draw = Callable[[np.random.Generator, int], Drawn]
