"""What is refused before any work starts, with the sentence that says why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from informed.errors import InferenceError, one_of
from informed.evidence.table import Table
from informed.inference.given import checked_level
from informed.simulation.generators import GENERATORS, Generator
from informed.simulation.own import check_stream, own_generator, own_measures
from informed.simulation.sums import chunk_sums

if TYPE_CHECKING:
    from informed.simulation.experiment import Experiment


def check(e: Experiment) -> None:
    """Refuse what cannot be simulated, with the sentence that says why."""
    _check_recipe(e)
    _check_numbers(e)
    _check_levels(e)
    if not (e.measures or e.intervals or e.tests):
        raise InferenceError("Nothing is to be judged: name measures, intervals or tests.")

    if not isinstance(e.generator, str):
        check_stream(e.recipe, e.levels[0], k=e.k, n=e.n, **e.options)
    object.__setattr__(e, "measures", own_measures(e.measures, lambda: _drawn(e)))

    # two tables through everything: what cannot be computed is refused now
    chunk_sums(e, np.random.default_rng(0), 2)


def _drawn(e: Experiment, each: int = 8) -> Table:
    """A few tables of a low, a middle and a high level, on which a function is tried."""
    levels = sorted(e.levels)
    some = dict.fromkeys((levels[0], levels[len(levels) // 2], levels[-1]))
    rng = np.random.default_rng(0)
    drawn = [e.recipe.draw(rng, level, k=e.k, n=e.n, size=each, **e.options).counts for level in some]
    return Table.from_counts(np.concatenate(drawn))


def _check_recipe(e: Experiment) -> None:
    if callable(e.generator):
        object.__setattr__(e, "generator", own_generator(e.generator))
    if not isinstance(e.generator, Generator):
        one_of("generator", e.generator, GENERATORS, InferenceError)
    unknown = set(e.options) - set(e.recipe.options)
    if unknown:
        takes = ", ".join(e.recipe.options) or "none"
        raise InferenceError(f"{e.recipe.name} has no option {', '.join(sorted(unknown))}; it takes {takes}.")


def _check_numbers(e: Experiment) -> None:
    for name, least in (("k", 2), ("n", 1), ("replicates", 2), ("seed", 0)):
        object.__setattr__(e, name, whole(name, getattr(e, name), least=least))
    if e.chunk is not None:
        whole("chunk", e.chunk, least=2)
    checked_level(e.level)

    fewest = e.recipe.least * e.k
    if e.n < fewest:
        raise InferenceError(f"{e.n} cases cannot fill {e.k} classes: {e.recipe.name} needs at least {fewest}.")


def whole(name: str, given: object, *, least: int) -> int:
    if isinstance(given, bool) or not isinstance(given, (int, np.integer)) or given < least:
        raise InferenceError(f"`{name}` is {given!r}; it must be a whole number from {least}.")
    return int(given)


def _check_levels(e: Experiment) -> None:
    if not e.levels:
        raise InferenceError("There is no level; give one at least, such as `levels=(0, 0.5, 1)`.")
    try:
        levels = tuple(float(x) for x in e.levels)
    except (TypeError, ValueError):
        raise InferenceError(f"The levels are {e.levels!r}; they must be numbers.") from None

    least = -1 if e.k == 2 and e.recipe.perverse else 0
    for level in levels:
        if not least <= level <= 1:
            room = "[−1, 1]" if least else "[0, 1] (it can be negative for two classes only)"
            raise InferenceError(f"The level {level:g} is outside {room}.")
    object.__setattr__(e, "levels", levels)
