"""What a test is asked, what it answers, and the tails that turn a statistic into a p-value; what
that is worth as a probability."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from informed._arrays import Array, Floats, plain
from informed.errors import InferenceError
from informed.evidence.calls import explained
from informed.evidence.table import Table
from informed.inference.given import SEED, Rng, generator
from informed.inference.possible_tables import random_tables
from informed.inference.proportions import clopper_pearson
from informed.measures import Measure
from informed.results import Note, Result

SIDES = ("two-sided", "greater", "less")
When: TypeAlias = Literal["small", "cells", "all", "never"]  # where Yates' correction is made


@dataclass(frozen=True)
class Asked:
    """The question beside the table."""

    method: str
    measure: Measure | None  # None: of the whole table
    alternative: str
    rng: Rng
    n_draws: int
    when: When

    def generator(self) -> tuple[np.random.Generator, str]:
        """Random numbers, and how they were begun, in words."""
        given = isinstance(self.rng, np.random.Generator)
        seed = SEED if self.rng is None else self.rng
        return generator(self.rng), "the generator given" if given else f"seed {seed}"


@dataclass(frozen=True)
class Outcome:
    """Statistic and p-value, with whatever there is to say about them."""

    statistic: Any
    pvalue: Any
    df: Any = np.nan
    notes: tuple[Note, ...] = ()
    low: Any = None
    high: Any = None


def tail(below: Callable[[Array], Array], x: Array, alternative: str) -> Array:
    """Probability beyond x of a symmetric distribution, of which `below` is what lies below."""
    if alternative == "two-sided":
        return np.asarray(2 * below(-np.abs(x)))
    return np.asarray(below(-x if alternative == "greater" else x))


def normal_tail(z: Array, alternative: str) -> Array:
    """Probability that a standard normal number lies beyond z."""
    from scipy.special import ndtr

    return tail(ndtr, z, alternative)


def chi2_tail(x: Any, df: Any) -> Array:
    """Probability that χ² with these degrees of freedom exceeds x; 1 with none."""
    from scipy.special import chdtrc

    df = np.asarray(df, dtype=np.float64)
    return np.where(df > 0, chdtrc(np.maximum(df, 1), x), 1.0)


def between(x: Array) -> str:
    """A number, or the least and the largest of several, in words."""
    least, most = float(np.min(x)), float(np.max(x))
    return f"{least:.4g}" if least == most else f"{least:.4g} to {most:.4g}"


def one_way(sign: Array, two_sided: Array, alternative: str) -> Array:
    """A two-sided p-value of one degree of freedom, read in one direction."""
    if alternative == "two-sided":
        return two_sided
    towards = sign > 0 if alternative == "greater" else sign < 0
    return np.where(sign == 0, 0.5, np.where(towards, two_sided / 2, 1 - two_sided / 2))


def by_draws(
    margins: tuple[Array, Array],
    asked: Asked,
    observed: float,
    statistic: Callable[[Array], Array],
    extreme: Callable[[Array], Any],
) -> Outcome:
    """The share of random tables with these margins whose statistics are as extreme, never 0."""
    rng, begun = asked.generator()
    drawn = random_tables(*margins, asked.n_draws, rng)
    hits = np.count_nonzero(extreme(np.concatenate([statistic(cells) for cells in drawn])))
    low, high = map(float, clopper_pearson(np.asarray(hits), np.asarray(asked.n_draws), 0.95))
    notes = [Note(f"{asked.n_draws} tables with these margins were drawn ({begun})", code="drawn")]
    if hits == 0:
        said = f"none of them was as extreme, so that all that is known is p < {high:.2g}"
        notes.append(Note(said, code="none-drawn"))
    return Outcome(observed, (hits + 1) / (asked.n_draws + 1), np.nan, tuple(notes), low, high)


def by_counting(pvalue: float, tables: float, observed: float) -> Outcome:
    """The p-value from all tables with the same margins."""
    note = Note(f"exact: all {tables:.0f} tables with these margins were counted", code="counted")
    return Outcome(observed, min(pvalue, 1.0), np.nan, (note,))


def is_whole(t: Table) -> bool:
    """Whether these are counts of equally weighted cases."""
    return t.squares is None and not (t.cells != np.rint(t.cells)).any()


def refuse_parts(t: Table, method: str) -> None:
    """Refuse counts that are not counts of equally weighted cases."""
    if t.squares is not None:
        raise InferenceError(
            f"{method!r} counts cases, and these are weighted: test informedness by the default or independence by "
            "'pearson-n1', which work with the effective sample size."
        )
    if not is_whole(t):
        raise InferenceError(
            f"{method!r} counts cases, so counts must be whole numbers; this table holds "
            f"{t.cells[t.cells != np.rint(t.cells)][0]:g}. Test informedness by the default, or independence by "
            "'pearson-n1'."
        )


def square(t: Table, method: str) -> int:
    """The number of classes, where both sides have the same."""
    if not t.is_square:
        raise InferenceError(
            f"{method!r} compares predictions with reality label by label, and this table has "
            "different labels on its two sides."
        )
    return t.k


def table_by_table(t: Table, one: Callable[[Table], Outcome]) -> Outcome:
    """The answers of a method that takes one table at a time, for a (short) stack of them."""
    if not t.shape:
        return one(t)
    each = [one(t[tuple(map(int, at))]) for at in np.ndindex(t.shape)]

    def shaped(name: str) -> Array | None:
        values = [getattr(answer, name) for answer in each]
        if all(value is None for value in values):
            return None
        exact = [a.pvalue if v is None else v for a, v in zip(each, values, strict=True)]
        return np.array(exact, dtype=np.float64).reshape(t.shape)

    notes = tuple(dict.fromkeys(note for answer in each for note in answer.notes))
    return Outcome(shaped("statistic"), shaped("pvalue"), np.nan, notes, shaped("low"), shaped("high"))


def single(t: Table, method: str, why: str, limit: int = 1) -> None:
    """Refuse a stack that is too long for a method of one table at a time."""
    tables = int(np.prod(t.shape))
    if tables > limit:
        raise InferenceError(
            f"{method!r} takes {'one table' if limit == 1 else f'at most {limit} tables'} at a "
            f"time ({why}) and was given {tables}; the default takes a million."
        )


@dataclass(frozen=True, repr=False)
class AlphaBeta(Result):
    """Least probability of the null hypothesis, and the rest, given even odds before."""

    alpha: Floats
    beta: Floats


@explained
def posterior_alpha_beta(p: Any) -> AlphaBeta:
    """At least this probable is the null after a p-value, if it was even odds before it.

    Sellke, Bayarri and Berger's bound, equations (36)-(38) of Powers (2011): with
    L = −e·p·ln p below p = 1/e and 1 above, alpha = L/(1 + L) and beta = 1/(1 + L).

    >>> found = posterior_alpha_beta(0.05)
    >>> round(found.alpha, 4), round(found.beta, 4)
    (0.2893, 0.7107)
    """
    p = np.asarray(p, dtype=np.float64)
    if not np.all((p > 0) & (p <= 1)):
        raise InferenceError("a p-value must lie above 0 and be at most 1.")
    odds = np.where(p < np.exp(-1), -math.e * p * np.log(p), 1.0)
    return AlphaBeta(plain(odds / (1 + odds)), plain(1 / (1 + odds)))
