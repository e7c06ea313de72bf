"""Random contingency tables whose informedness is known: the papers' recipes and honest sampling.

Every generator is a pure function ``(rng, level, *, k, n, size, …) -> Table``, a stack of `size`
tables of `k` classes and about `n` cases. `level` is the informedness aimed at. The papers describe
their recipes in prose; each docstring says what the prose says and how it is read here.

`multinomial` is the reference: cases are drawn one by one from a system that knows the answer with
probability `level` and guesses otherwise, which is what a test set is. `GENERATORS` names them all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypedDict, Unpack, get_args

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed.errors import TableError, one_of
from informed.evidence.cells import mixture
from informed.evidence.table import Table
from informed.simulation.whole_tables import draw_cells, fill_margins, to_total

Rng: TypeAlias = np.random.Generator
Shares: TypeAlias = str | float | Sequence[float] | Array
Totals: TypeAlias = Literal["leave", "repair", "renormalise", "last"]
Cells: TypeAlias = Literal["normal", "binomial", "inverse-cdf", "absolute-normal", "absolute-normal-shifted"]

Level: TypeAlias = float | Sequence[float] | Array  # one for all classes, or one for each


class Scatter(TypedDict, total=False):
    """How cells scatter around their expectation, and whether they stay reals: the papers'."""

    cells: Cells
    real_valued: bool


# ------------------------------------------------------------------ shares of the classes


def shares(kind: Shares, k: int, *, prevalence: Array | None = None) -> Array:
    """Shares of the classes by name or as given; a number is the share of the first class.

    ``"even"``; ``"geometric"`` (most to least common 10:1); ``"long-tailed"`` (Zipf, 1/rank);
    ``"sparse"`` (half of the classes share a twentieth of the cases); ``"rare"`` (the first class
    has a twentieth). For guesses also ``"prevalence"`` (matched) and ``"reversed"`` (the rarest
    class is guessed most).

    >>> shares("long-tailed", 3).round(3).tolist()
    [0.545, 0.273, 0.182]
    """
    if isinstance(kind, str):
        if prevalence is not None and kind in _GUESSES:
            return _GUESSES[kind](prevalence)
        if kind not in _SHAPES:
            known = ", ".join([*_SHAPES, *(_GUESSES if prevalence is not None else ())])
            raise TableError(f"The shares are {kind!r}; they must be numbers or one of {known}.")
        raw = _SHAPES[kind](k)
    elif np.ndim(kind) == 0:
        first = float(kind)  # type: ignore[arg-type]
        raw = np.concatenate([[first], np.full(k - 1, (1 - first) / max(k - 1, 1))])
    else:
        raw = np.asarray(kind, dtype=np.float64)

    if raw.shape != (k,) or not np.all(np.isfinite(raw) & (raw >= 0)) or raw.sum() <= 0:
        raise TableError(f"The shares are {kind!r}; they must be {k} non-negative numbers, one for each class.")
    return np.asarray(raw / raw.sum())


def _reversed(p: Array) -> Array:
    """The same shares, the largest where the smallest was."""
    order = np.argsort(p, kind="stable")
    out = np.empty_like(p)
    out[order] = p[order[::-1]]
    return out


def _sparse(k: int) -> Array:
    common = k - k // 2
    return np.concatenate([np.full(common, 0.95 / common), np.full(k // 2, 0.05 / max(k // 2, 1))])


_GUESSES: Mapping[str, Callable[[Array], Array]] = {"prevalence": lambda q: q, "reversed": _reversed}
_SHAPES: Mapping[str, Callable[[int], Array]] = {
    "even": lambda k: np.ones(k),
    "geometric": lambda k: 10.0 ** -np.linspace(0, 1, k),
    "long-tailed": lambda k: 1 / np.arange(1.0, k + 1),
    "sparse": _sparse,
    "rare": lambda k: np.concatenate([[0.05], np.full(k - 1, 0.95 / max(k - 1, 1))]),
}


# ------------------------------------------------------------------ honest sampling


def population(level: Level, *, k: int, prevalence: Shares = "even", guess: Shares = "prevalence") -> Table:
    """The table of proportions of a system that knows with probability `level`, else guesses.

    One level for each class makes informedness depend on the class. For two classes a negative
    level is a system that knows, and then says the opposite.

    >>> population(0.15, k=2, prevalence=0.7, guess=0.8).counts.round(3).tolist()
    [[0.581, 0.204], [0.119, 0.096]]
    """
    q = shares(prevalence, k)
    b = shares(guess, k, prevalence=q)
    return Table.from_counts(mixture(np.asarray(level, dtype=np.float64), q, b))


def class_levels(level: float, k: int, spread: float = 0.3) -> Array:
    """Levels that fall evenly from the first class to the last, `spread` up and down of `level`.

    >>> class_levels(0.5, 3).tolist()
    [0.8, 0.5, 0.2]
    """
    reach = min(spread, level, 1 - level)
    return np.asarray(level + reach * np.linspace(1, -1, k))


def multinomial(rng: Rng, level: Level, *, k: int, n: int, size: int, **margins: Shares) -> Table:
    """Cases drawn one by one: the reference, and ours (the papers do not have it).

    N independent cases from G·diag(q) + (1 − G)·b·q′, with prevalences q and guesses b.

    >>> t = multinomial(np.random.default_rng(1), 0.5, k=3, n=60, size=1000)
    >>> t.shape, float(t.total.min()), round(float(t.hits.sum(axis=0).mean() / 60), 1)
    ((1000,), 60.0, 0.7)
    """
    p = population(level, k=k, **margins).counts
    return Table.from_counts(draw_cells(rng, n, p.ravel(), size).reshape(size, k, k))


def class_specific(rng: Rng, level: float, *, k: int, spread: float = 0.3, **how: Any) -> Table:
    """As `multinomial`, some classes better known than others (`class_levels`)."""
    return multinomial(rng, class_levels(level, k, spread), k=k, **how)


def fixed_classes(rng: Rng, level: Level, *, k: int, n: int, size: int, **margins: Shares) -> Table:
    """Class sizes chosen beforehand, labels drawn within each: a stratified test set.

    Sizes are N·prevalence rounded to whole cases by largest remainders, at least one each.
    """
    p = population(level, k=k, **margins).counts
    sizes = whole_sizes(p.sum(axis=0), n)
    columns = [rng.multinomial(m, p[:, c] / p[:, c].sum(), size=size) for c, m in enumerate(sizes)]
    return Table.from_counts(np.stack(columns, axis=-1))


def whole_sizes(q: Array, n: int) -> NDArray[np.int64]:
    """Whole class sizes with total n, each at least 1, nearest to n·q.

    >>> whole_sizes(np.array([0.5, 0.3, 0.2]), 7).tolist()
    [4, 2, 1]
    """
    exact = q * n
    sizes = np.maximum(np.floor(exact + 1e-9), 1).astype(int)
    if sizes.sum() > n:  # too few cases to give each class one and keep the shares
        exact = 1 + q * (n - len(q))
        sizes = np.floor(exact + 1e-9).astype(int)
    sizes[np.argsort(sizes - exact, kind="stable")[: n - sizes.sum()]] += 1
    return sizes


# ------------------------------------------------------------------ the papers' recipes


def uniform_cells(rng: Rng, level: float, *, k: int, n: int, size: int, total: Totals = "repair") -> Table:
    """Chance without margins: every cell is drawn alike.

    The paper: the uniform variant models events that hit any cell with equal probability, K² − 1
    freedoms; random numbers will not add up to N, so leave the total as it comes, or change random
    cells by one until it is N, or renormalise reals; letting the last cell absorb the difference is
    named and rejected, its deviation being O(K) larger.

    Read here: cells are uniform on [0, 2N/K²], rounded unless they are renormalised. The level is
    reached as in the paper's other recipe, level·perfect + (1 − level)·chance, with a perfect table
    whose diagonal is the real margin of the chance table.
    """
    one_of("total", total, get_args(Totals), TableError)
    chance = rng.uniform(0, 2 * n / k**2, size=(size, k, k))
    if total == "renormalise":
        chance *= n / _totals(chance)
    elif total == "last":
        chance = np.rint(chance)
        chance[:, -1, -1] = 0
        chance[:, -1, -1] = np.maximum(n - chance.sum(axis=(1, 2)), 0)
    elif total == "repair":
        chance = to_total(rng, np.rint(chance).astype(np.int64), n).astype(np.float64)

    mixed = _mixed(level, chance.sum(axis=1), chance)
    if total == "renormalise":
        return Table.from_counts(mixed)
    return _whole(rng, mixed, None if total == "leave" else n)


def premarginal(rng: Rng, level: float, *, k: int, n: int, size: int, **scatter: Unpack[Scatter]) -> Table:
    """Margins first: bias and prevalence drawn separately, then cells around their expectation.

    The paper: margins from a uniform distribution, then a conventional distribution around the
    expected value of each cell: normal, binomial (drawn directly, O(N)), binomial by inverse
    distribution function (copula), or "the absolute value of the normal distribution shifted by
    (plus) the binomial standard deviation". Figures 2, 3 and 5–7 are said to be "pre-marginalised,
    discretised absolute normal", post-processed so that cells are non-negative integers, margins
    positive and the total N.

    Read here: shares are uniform numbers divided by their sum; each cell has mean N·bias·prev and
    the standard deviation of a binomial; level·diag(N·prev) + (1 − level)·chance is rounded, then
    repaired. Only the chance part is noisy: that is why the spread falls as 1 − level.
    ``cells="absolute-normal"`` has no shift, ``"absolute-normal-shifted"`` has it before the absolute
    value is taken; the papers do not say which of the two their figures have.
    """
    q, b = (random_shares(rng, size, k) for _ in range(2))
    return _around_margins(rng, level, n, n * q, outer(b, q), **scatter)


def perfect_plus_chance(rng: Rng, level: float, *, k: int, n: int, size: int, **scatter: Unpack[Scatter]) -> Table:
    """A random perfect table and a random chance table, mixed: the recipe told before Figure 3.

    The paper: the diagonal of a random perfect table with N expected entries is uniform; a chance
    table gets its margins independently from a random "binormal" (read: binomial) distribution and
    its cells scattered around their expected values; the two are added with weights I and 1 − I,
    and random cells are changed by one until the total is N.

    Read here: the diagonal is N times uniform numbers divided by their sum; margins are shares of
    binomial(N, 1/K) counts; cells as in `premarginal`. The perfect table has a prevalence of its
    own, so that the level is not exactly the informedness (it scatters by about .02 at K = 4).
    """
    diagonal = n * random_shares(rng, size, k)
    q, b = (np.maximum(rng.binomial(n, 1 / k, size=(size, k)), 1).astype(float) for _ in range(2))
    q, b = (x / x.sum(axis=1, keepdims=True) for x in (q, b))
    return _around_margins(rng, level, n, diagonal, outer(b, q), **scatter)


def noise_everywhere(rng: Rng, level: float, *, k: int, n: int, size: int) -> Table:
    """The papers' margins with noise on every cell: a control, ours.

    As `premarginal`, but the absolute normal scatter is around the cells of the mixture, not of its
    chance part. Whatever a claim owes to noiseless knowing disappears here.
    """
    q, b = (random_shares(rng, size, k) for _ in range(2))
    return _whole(rng, scattered(rng, n, _mixed(level, q, outer(b, q)), "absolute-normal"), n)


def _around_margins(
    rng: Rng,
    level: float,
    n: int,
    diagonal: Array,
    p: Array,
    cells: Cells = "absolute-normal",
    real_valued: bool = False,
) -> Table:
    """A perfect table with this diagonal, mixed with chance that scatters around n·p."""
    mixed = _mixed(level, diagonal, scattered(rng, n, p, cells))
    if real_valued:  # integrality relaxed, as the paper tries
        return Table.from_counts(mixed * (n / _totals(mixed)))
    return _whole(rng, mixed, n)


def scattered(rng: Rng, n: int, p: Array, cells: Cells) -> Array:
    """Counts scattered independently around n·p, each with the binomial's mean and deviation.

    ``"absolute-normal-shifted"`` has its mean one binomial deviation higher.
    """
    one_of("cells", cells, get_args(Cells), TableError)
    if cells == "binomial":
        return rng.binomial(n, p).astype(np.float64)
    if cells == "inverse-cdf":
        from scipy.stats import binom

        return np.asarray(binom.ppf(rng.random(p.shape), n, p), dtype=np.float64)
    mean, deviation = n * p, np.sqrt(n * p * (1 - p))
    drawn = rng.normal(mean + deviation if cells == "absolute-normal-shifted" else mean, deviation)
    return np.maximum(drawn, 0.0) if cells == "normal" else np.abs(drawn)


def random_shares(rng: Rng, size: int, k: int) -> Array:
    """Uniform numbers divided by their sum, for each table."""
    raw = rng.random((size, k)) + 1e-12
    return np.asarray(raw / raw.sum(axis=1, keepdims=True))


def outer(b: Array, q: Array) -> Array:
    """Shares of the cells where predictions and classes are independent, for each table."""
    return np.asarray(b[:, :, None] * q[:, None, :])


def _totals(cells: Array) -> Array:
    return np.asarray(np.maximum(cells.sum(axis=(1, 2), keepdims=True), 1e-300))


def _mixed(level: float, diagonal: Array, chance: Array) -> Array:
    """level·diag + (1 − level)·chance; a negative level of two classes uses the other diagonal."""
    eye = np.eye(chance.shape[-1])
    perfect = diagonal[:, None, :] * (eye if level >= 0 else eye[::-1])
    return np.asarray(abs(level) * perfect + (1 - abs(level)) * chance)


def _whole(rng: Rng, cells: Array, n: int | None) -> Table:
    whole = np.rint(np.maximum(cells, 0)).astype(np.int64)
    if n is not None:
        whole = to_total(rng, whole, n)
    return Table.from_counts(fill_margins(rng, whole, keep_total=n is not None))


# ------------------------------------------------------------------ the list


@dataclass(frozen=True)
class Generator:
    """A recipe by name, with what it needs to be checked before any work starts."""

    name: str
    draw: Callable[..., Table]
    population: Callable[..., Table] | None = None  # what is sampled; None: the level is the truth
    least: int = 1  # fewest cases for each class; two fill every margin
    options: tuple[str, ...] = ()
    perverse: bool = True  # two classes can be negatively informed

    @property
    def honest(self) -> bool:
        """Whether cases are drawn one by one, so that the population is known."""
        return self.population is not None

    @property
    def summary(self) -> str:
        """What is drawn, in a sentence."""
        return (self.draw.__doc__ or "").split("\n", 1)[0]

    def truth(self, level: float, *, k: int, n: int, **options: Any) -> Table | None:
        """The table that an honest generator samples from; None where there is none."""
        return self.population(level, k=k, n=n, **options) if self.population else None


def _sampled(level: Level, *, k: int, n: int, **margins: Shares) -> Table:
    return population(level, k=k, **margins)


def _stratified(level: Level, *, k: int, n: int, **margins: Shares) -> Table:
    """With the class sizes that were chosen, in whole cases."""
    table = population(level, k=k, **margins)
    sizes = whole_sizes(table.prevalence, n)
    return Table.from_counts(table.counts / table.prevalence * sizes / n)


def _by_class(level: float, *, k: int, spread: float = 0.3, **how: Any) -> Table:
    return _sampled(class_levels(level, k, spread), k=k, **how)


_MARGINS, _CELLS = ("prevalence", "guess"), ("cells", "real_valued")

GENERATORS: dict[str, Generator] = {
    g.name: g
    for g in (
        Generator("multinomial", multinomial, _sampled, options=_MARGINS),
        Generator("fixed-classes", fixed_classes, _stratified, options=_MARGINS),
        Generator("class-specific", class_specific, _by_class, options=(*_MARGINS, "spread"), perverse=False),
        Generator("uniform-cells", uniform_cells, least=2, options=("total",)),
        Generator("premarginal", premarginal, least=2, options=_CELLS),
        Generator("perfect-plus-chance", perfect_plus_chance, least=2, options=_CELLS),
        Generator("noise-everywhere", noise_everywhere, least=2),
    )
}
