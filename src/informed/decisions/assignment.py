"""Labels for clusters: which class each cluster stands for, and what that choice is worth.

Naming clusters after the classes they fit best inflates every measure: even random clusters get
the names that suit them. So an assignment carries its chance level, found by dealing the cases out
at random with the same cluster and class sizes and choosing again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, Unpack, get_args

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, ratio
from informed._numbers import percent, pvalue, rate
from informed.errors import TableError, one_of
from informed.evidence import checks as build
from informed.evidence.calls import explained
from informed.evidence.labels import Label
from informed.evidence.labels_by_name import LabelOptions, counted_for
from informed.evidence.table import Table
from informed.inference.given import SEED, checked_draws, generator
from informed.measures import find
from informed.measures.shown import OF_ASSIGNMENT
from informed.results import Records, Result, picked, plain_dict

Method = Literal["one-to-one", "many-to-one"]
Aim = Literal["informedness", "diagonal"]
Places = NDArray[np.int64]  # of the class of each cluster, −1 for none
CELLS = 20_000_000  # drawn at random in all: bounds the work of the chance level


@dataclass(frozen=True, repr=False)
class Assignment(Result):
    """Clusters with the names of classes, and what random clusters would have scored."""

    page = "assignment"

    mapping: dict[Label, Label | None]  # cluster to class; None: no name, an abstention
    table: Table  # the classes, predicted and real; unnamed clusters are abstentions
    informedness: float
    chance: float  # mean informedness of random clusters of the same sizes, named as well
    chance_sd: float
    pvalue: float  # share of the random clusterings that score as much, with one added
    corrected: float  # (informedness − chance) / (1 − chance)
    method: str
    aim: str
    draws: int
    seed: int | None
    clusters: Table  # as given

    @property
    def beside(self) -> dict[str, float]:
        """What users of clustering know, from the same table; no names are needed for these."""
        return {name: float(find(name)(self.clusters)) for name in OF_ASSIGNMENT}

    @property
    def ordered(self) -> Table:
        """The table of the clusters, each in the place of its name; unnamed ones last."""
        t = self.clusters
        places = [len(t.real_labels) if c is None else t.real_labels.index(c) for c in self.mapping.values()]
        order = np.argsort(places, kind="stable")
        return Table.from_counts(
            t.counts[order], predicted_labels=[t.predicted_labels[i] for i in order], real_labels=t.real_labels
        )

    def records(self) -> Records:
        """A row for each cluster: its name, its cases, and what the name gains."""
        t, gain = self.clusters, gains(self.clusters.cells)
        rows = []
        for i, (cluster, name) in enumerate(self.mapping.items()):
            at, size = None if name is None else t.real_labels.index(name), float(t.predicted_totals[i])
            own = (np.nan, np.nan) if at is None else (float(ratio(t.cells[i, at], size)), float(gain[i, at]))
            rows.append((cluster, name, size, *own))
        return Records.of("cluster:label class:label cases:count share gain", rows)

    def to_dict(self) -> dict[str, Any]:
        """The names, what they win, and what naming by itself would have won."""
        found = picked(self, "informedness chance chance_sd pvalue corrected draws")
        table = picked(self.table, "labels counts abstained=unanswered")
        names = {"mapping": self.records().select("cluster", "class")}
        return plain_dict({**picked(self, "method aim"), **names, **found, **table, "beside": self.beside})

    def sentence(self) -> str:
        """What the names win, and what naming by itself would have won."""
        if np.isnan(self.chance):
            chance = "counts are not whole, so that there is no chance level"
        else:
            chance = (
                f"random clusters named as well get {rate(self.chance)} ± {rate(self.chance_sd)} "
                f"(p {pvalue(self.pvalue)}), which leaves {rate(self.corrected)}"
            )
        said = (
            f"Named {self.method} for the greatest {self.aim}, {len(self.mapping)} clusters have "
            f"informedness {rate(self.informedness)}; {chance}."
        )
        if self.table.unanswered is None:
            return said
        covered = percent(float(find("coverage")(self.table)), 1)
        return f"{said} Of the cases, {covered} have a name (coverage); the others win nothing."


@explained
def assign(
    t: Table | None = None,
    method: Method = "one-to-one",
    *,
    real: Any = None,
    predicted: Any = None,
    aim: Aim = "informedness",
    ignore: float | None = None,
    n_draws: int = 999,
    rng: np.random.Generator | int | None = None,
    **counting: Unpack[LabelOptions],
) -> Assignment:
    """Name the rows of a table of clusters after its real classes.

    Parameters
    ----------
    t
        Clusters (predicted) against classes (real), usually rectangular: see
        `Table.from_labels(square=False)`.
    real, predicted
        Classes and clusters of the cases instead of a table, with the options of `Table.from_labels`.
    method
        "one-to-one": each class names at most one cluster and each cluster has at most one name;
        clusters left over abstain. "many-to-one": each cluster takes the class that suits it best.
    aim
        What is made largest: informedness, or the "diagonal" (accuracy).
    ignore
        Clusters whose best gain per case is at most this stay without a name (catch-all clusters).
    n_draws, rng
        Random clusterings for the chance level, and their generator or seed.

    Notes
    -----
    Informedness is Σ W[l, c(l)] with W[l, c] = (p(l, c) − Bias(l)·Prev(c)) / (1 − Prev(c)), so the
    best one-to-one naming is a linear assignment on W, and the best many-to-one naming is each
    row's largest W, which is never negative.

    >>> t = Table.from_counts([[2, 9, 3], [0, 5, 0], [0, 3, 1]], labels=["a", "b", "c"])
    >>> assign(t).mapping
    {'a': 'a', 'b': 'b', 'c': 'c'}
    """
    if t is None:  # clusters have names of their own
        counting.setdefault("square", False)
    t = counted_for(assign, t, real, predicted, counting)
    if t.shape:
        raise TableError(f"This is a stack of the shape {t.shape}; assign one table at a time.")
    if t.unanswered is not None:
        raise TableError("Clusters with abstentions cannot be named.", "take `t.answered`")
    checked_draws(n_draws, 0)
    one_of("method", method, get_args(Method), TableError)
    one_of("aim", aim, get_args(Aim), TableError)
    if (t.real_totals > 0).sum() < 2:
        raise TableError("Every case is of one real class, so names cannot be told apart.")

    naming = partial(_named, method=method, aim=aim, ignore=ignore)
    cells = t.cells[..., None]
    chosen = naming(cells)
    value = float(_of_all(cells, chosen)[0])
    null = _null(t, naming, min(n_draws, max(CELLS // t.cells.size, 19)), generator(rng))
    chance = float(null.mean()) if len(null) else np.nan
    classes = [None if c < 0 else t.real_labels[c] for c in chosen[:, 0]]

    return Assignment(
        mapping=dict(zip(t.predicted_labels, classes, strict=True)),
        table=_labelled(t, chosen[:, 0]),
        informedness=value,
        chance=chance,
        chance_sd=float(null.std(ddof=1)) if len(null) > 1 else np.nan,
        pvalue=(1 + int((null >= value - 1e-12).sum())) / (1 + len(null)) if len(null) else np.nan,
        corrected=float(ratio(value - chance, 1 - chance)),
        method=method,
        aim=aim,
        draws=len(null),
        seed=SEED if rng is None else rng if isinstance(rng, int) else None,
        clusters=t,
    )


def gains(cells: Array) -> Array:
    """W[l, c]: what naming cluster l after class c adds to informedness; (cluster, class, ...)."""
    n = cells.sum(axis=(0, 1))
    real, predicted = cells.sum(axis=0), cells.sum(axis=1)
    return ratio(cells * n - predicted[:, None] * real, n * (n - real))


def _named(cells: Array, method: str, aim: str, ignore: float | None) -> Places:
    """Class of each cluster, ``(cluster, stack)``."""
    worth = gains(cells)
    merit = np.where(np.isfinite(worth), worth, 0.0) if aim == "informedness" else cells
    if method == "many-to-one":
        chosen = merit.argmax(axis=1)
    else:
        chosen = np.stack([_matched(merit[..., i]) for i in range(merit.shape[-1])], axis=-1)
    if ignore is not None:
        share = ratio(cells.sum(axis=1), cells.sum(axis=(0, 1)))
        best = np.take_along_axis(worth, np.maximum(chosen, 0)[:, None], axis=1)[:, 0]
        chosen = np.where(ratio(best, share) > ignore, chosen, -1)
    return np.asarray(chosen)


def _matched(merit: Array) -> Places:
    """One-to-one naming of largest merit; scipy has no stacked form of it."""
    from scipy.optimize import linear_sum_assignment

    at, of = linear_sum_assignment(merit, maximize=True)
    chosen = np.full(len(merit), -1)
    chosen[at] = of
    return chosen


def _of_all(cells: Array, chosen: Places) -> Array:
    """Informedness over all cases of named clusters; one without a name wins nothing."""
    worth = np.take_along_axis(gains(cells), np.maximum(chosen, 0)[:, None], axis=1)[:, 0]
    return np.asarray(np.where(chosen < 0, 0.0, worth).sum(axis=0))


def _labelled(t: Table, chosen: Places) -> Table:
    """The table of classes that the names make; clusters without one are abstentions."""
    named = chosen >= 0

    def added(cells: Array) -> Array:
        made = np.zeros((len(t.real_labels),) * 2)
        np.add.at(made, chosen[named], cells[named])
        return made

    left = t.cells[~named].sum(axis=0)
    made = Table.from_counts(added(t.cells), labels=t.real_labels, abstained=left if left.any() else None)
    if t.squares is not None:
        made = replace(made, squares=build.frozen(added(t.squares)))
    return replace(made, stated=t.stated)


def _null(t: Table, naming: Callable[[Array], Places], draws: int, rng: np.random.Generator) -> Array:
    """Informedness of random clusterings with the same sizes, each named at its best."""
    from scipy.stats import random_table

    if not draws or not (t.cells == np.round(t.cells)).all():
        return np.array([])  # nothing to deal out: fractional counts have no permutations
    sizes = (t.predicted_totals.astype(np.int64), t.real_totals.astype(np.int64))
    values = []
    block = max(1, min(draws, 4_000_000 // t.cells.size))
    for start in range(0, draws, block):
        dealt = random_table(*sizes).rvs(min(block, draws - start), random_state=rng)
        cells = np.moveaxis(np.asarray(dealt, dtype=np.float64), (-2, -1), (0, 1))
        values.append(_of_all(cells, naming(cells)))
    return np.concatenate(values)
