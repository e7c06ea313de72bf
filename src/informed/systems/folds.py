"""Systems over folds, seeds or data sets, each with the headline that its design calls for."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed.errors import InferenceError, one_of
from informed.evidence.calls import explained
from informed.evidence.checks import frozen
from informed.evidence.paired import Paired
from informed.evidence.table import Table
from informed.inference.answers import Interval
from informed.inference.given import Rng, checked_level
from informed.inference.intervals import interval
from informed.measures import Measure, MeasureLike, find
from informed.measures.headline import COUNTS, Count, headline
from informed.measures.titles import spoken
from informed.results import Note, Records, Result, finite, flat_numbers, metric_name, picked, plain_dict
from informed.systems.board import GAP, MOST_SYSTEMS, Pairs, sign_of
from informed.systems.fold_designs import (
    Design,
    Parts,
    design_of,
    is_splitter,
    leading,
    notes_of,
    parts_of,
    parts_of_scores,
    values_of,
)
from informed.systems.fold_pairs import by_item, corrected_pairs, crossed_pairs, item_pairs, seed_pairs
from informed.systems.fold_scores import checked_scores, fold_scores, named_systems
from informed.systems.guards import answered_by_all, left_out_notes
from informed.systems.rank_tests import RankTests, rank_tests
from informed.systems.ranks import mean_ranks, tie_groups
from informed.systems.scale import subtracted

SCORE = "score"  # what is compared where it is given, and nothing is known of it


@dataclass(frozen=True, eq=False, repr=False)
class Folds(Result):
    """Systems over the same folds (or seeds, or data sets): means, ranks, and what they are worth."""

    page = "folds"

    names: tuple[Hashable, ...]
    folds: tuple[Hashable, ...]
    measure: str
    called: str  # the measure in words that say of which cases it is
    level: float
    design: Design
    method: str  # of the headline
    scores: Array  # (folds, systems)
    pairs: Pairs | None  # the headline: differences of every two systems; None for data sets
    cautious: Pairs | None  # beside the items of one partition: the corrected t of its folds
    ranks: RankTests | None  # of several data sets only: folds are no sample of independent scores
    pooled: Interval | None  # of each system over all items, each of which counts once
    each: str = "item"  # what counts once: an item, or a row where nothing names the items
    notes: tuple[Note, ...] = ()

    @property
    def sign(self) -> int:
        """−1 for a measure of which less is better."""
        return 1 if self.measure == SCORE else sign_of(find(self.measure))

    @cached_property
    def mean_rank(self) -> Array:
        """Of each system over the folds; 1 is best."""
        return mean_ranks(self.sign * self.scores)

    @property
    def groups(self) -> tuple[tuple[Hashable, ...], ...]:
        """Who cannot be told apart, best mean rank first."""
        if self.ranks is not None:
            apart = np.abs(np.subtract.outer(self.mean_rank, self.mean_rank)) > self.ranks.critical_difference
        else:
            assert self.pairs is not None
            apart = self.pairs.adjusted <= 1 - self.level
        return tuple(tuple(self.names[s] for s in group) for group in tie_groups(self.order, apart))

    @property
    def order(self) -> NDArray[np.int64]:
        """Systems from the best mean rank to the worst."""
        return np.argsort(self.mean_rank, kind="stable")

    @property
    def mean(self) -> Array:
        """Mean score of each system."""
        return np.asarray(self.scores.mean(axis=0))

    def records(self) -> Records:
        """One row a system, best mean rank first."""
        rows = [(self.names[s], self.mean_rank[s], self.mean[s]) for s in self.order]
        if self.pooled is None:
            return Records.of("system:label mean_rank mean", rows)
        held = [np.asarray(x) for x in (self.pooled.estimate, self.pooled.low, self.pooled.high)]
        every = [(*row, *(float(x[s]) for x in held)) for row, s in zip(rows, self.order, strict=True)]
        return Records.of("system:label mean_rank mean pooled low high", every)

    def folds_records(self) -> Records:
        """One row a system and fold, best mean rank first."""
        rows = [(self.names[s], fold, self.scores[i, s]) for s in self.order for i, fold in enumerate(self.folds)]
        return Records.of("system:label fold:label score", rows)

    def pairs_records(self, first: int | None = None) -> Records:
        """One row for every two systems, the better one first; or of so many systems only."""
        at = list(combinations(self.order[:first].tolist(), 2))
        if self.ranks is not None:
            apart = [(self.mean_rank[b] - self.mean_rank[a], self.ranks.nemenyi[a, b]) for a, b in at]
            rows: list[Any] = [(self.names[a], self.names[b], *x) for (a, b), x in zip(at, apart, strict=True)]
            return Records.of("a:label b:label ranks_apart nemenyi:p", rows)
        assert self.pairs is not None
        rows = [(self.names[a], self.names[b], *self.pairs.at((a, b))) for a, b in at]
        if self.cautious is None:
            return Records.of(GAP, rows)
        every = [(*row, float(self.cautious.adjusted[at_])) for row, at_ in zip(rows, at, strict=True)]
        return Records.of(f"{GAP} corrected_t:p", every)

    def metrics(self) -> dict[str, float]:
        """The mean of each system, and the differences of the first systems with their limits and p-values.

        Of two systems these are called after the measure, such as `informedness_difference_low`; of more after both
        systems, too.
        """
        found = flat_numbers(self.records())
        for row in self.pairs_records(MOST_SYSTEMS):
            pair = f"{row['a']}/{row['b']}"
            name = f"{self.measure}_difference" if len(self.names) == 2 else f"{pair}/{self.measure}_difference"
            own = {"" if key == "estimate" else f"_{key}": x for key, x in row.items() if key not in ("a", "b")}
            found |= finite({f"{metric_name(name)}{key}": x for key, x in own.items()})
        if self.ranks is not None:
            found |= {
                f"{name}_pvalue": float(getattr(self.ranks, name).pvalue) for name in ("friedman", "iman_davenport")
            }
        return found

    def to_dict(self) -> dict[str, Any]:
        """The design and its headline, the systems by mean rank, and the pairs of the first of them."""
        held = {**picked(self, "measure design method level groups"), "folds": len(self.folds)}
        if self.ranks is not None:
            tests = {
                name: picked(getattr(self.ranks, name), "statistic pvalue") for name in ("friedman", "iman_davenport")
            }
            held |= tests | picked(self.ranks, "critical_difference")
        held |= {"systems": self.records(), "pairs": self.pairs_records(MOST_SYSTEMS)}
        return plain_dict({**held, "notes": self.notes})


@explained
def folds(
    scores: Any,
    *,
    fold: Any = None,
    repeat: Any = None,
    design: Design | None = None,
    method: str = "auto",
    names: Sequence[Hashable] | None = None,
    measure: MeasureLike = "informedness",
    level: float = 0.95,
    test_share: float | None = None,
    adjust: str = "auto",
    rng: Rng = None,
    count: Count = "tool",
) -> Folds:
    """Compare systems over folds, seeds or data sets, each of which all systems saw.

    Parameters
    ----------
    scores
        The answers themselves (what `read(item=, keep=)` gives) with `fold`; or a stack of tables
        ``(systems, folds)``; or one score for each fold and system, ``(folds, systems)``, higher better: an
        array, a mapping from each system's name to its scores (or to what scikit-learn's `cross_validate` returned
        for the system), or a data frame with a column for each system.
    fold, repeat
        Of answers: the fold of each, and which repeat of cross-validation it belongs to (values, or the
        name of a column that was kept). Of tables and scores: `repeat` alone, which is the number of repeats, the
        repeat of each fold, or scikit-learn's splitter, such as `RepeatedStratifiedKFold(n_splits=5, n_repeats=10)`.
    design
        "partition": each item in one fold. "repeated": cross-validation several times. "training-seeds",
        "decoding-seeds": every item again with another seed. "data-sets": each fold is a data set of its
        own. By default what items and repeats show; up to 10 scores alone pass for a partition, with a warning, and
        for more you are asked what they are.
    method
        "auto" leads with what answers the question: items ("items") of one partition and of seeds of decoding,
        the corrected resampled t of Nadeau and Bengio ("corrected-t") of repeats, items crossed with seeds
        ("crossed") of training, Friedman and Nemenyi ("friedman") of data sets, and of nothing else.
    test_share
        Share of the cases that each fold tests on; by default one over the folds of a partition.
    count
        Where some cases got no answer, informedness and accuracy are those over all cases that count: no
        answer is no bet, and not right. "answered" compares what every system answered, and so do
        other measures.

    >>> found = folds([[3, 2, 1], [3, 1, 2], [3, 2, 1], [3, 2, 1]], names="abc", design="data-sets")
    >>> found.mean_rank.tolist()
    [1.0, 2.25, 2.75]
    """
    checked_level(level)
    one_of("count", count, COUNTS, InferenceError)
    held = _held(scores, fold, repeat, names, measure, count)
    x, parts = held.scores, held.parts
    known = design_of(design, parts, test_share)
    leads = leading(known, method, held.answers is not None)
    share = parts.share if test_share is None else test_share
    whole = None if known == "data-sets" else held.pooled
    cautious = leads == "items" and known == "partition"

    return Folds(
        **{name: getattr(held, name) for name in ("names", "measure", "called", "scores", "each")},
        folds=parts.names,
        level=level,
        design=known,
        method=leads,
        pairs=_pairs(held, leads, share, level, adjust, rng),
        cautious=corrected_pairs(x, test_share=share, level=level, adjust=adjust) if cautious else None,
        ranks=rank_tests(held.sign * x, level, held.measure) if leads == "friedman" else None,
        pooled=None if whole is None else interval(whole, held.m, level=level),
        notes=(*held.notes, *notes_of(known, leads, parts, design is not None)),
    )


def _pairs(held: _Held, leads: str, test_share: float, level: float, adjust: str, rng: Rng) -> Pairs | None:
    """Differences of every two systems by the method that leads; of ranks there are none."""
    if leads == "corrected-t":
        return corrected_pairs(held.scores, test_share=test_share, level=level, adjust=adjust)
    if leads == "seeds-t":
        return seed_pairs(held.scores, level=level, adjust=adjust)
    if held.answers is not None and leads == "items":
        return item_pairs(held.answers, held.m, level=level, adjust=adjust, rng=rng)
    if held.answers is not None and held.parts.at is not None and leads == "crossed":
        return crossed_pairs(held.answers, held.parts.at, held.m, level=level, adjust=adjust)
    return None


@dataclass(frozen=True, eq=False)
class _Held:
    """Scores of systems over folds, and what is known of the items behind them."""

    scores: Array  # (folds, systems)
    names: tuple[Hashable, ...]
    parts: Parts
    m: Measure
    called: str = SCORE
    pooled: Table | None = None  # each item once, by system
    answers: Paired | None = None  # with the item of each answer as its unit
    notes: tuple[Note, ...] = ()

    @property
    def each(self) -> str:
        return "item" if self.answers is None else self.answers.thing

    @property
    def measure(self) -> str:
        return SCORE if self.called == SCORE else str(self.m)

    @property
    def sign(self) -> int:
        return 1 if self.measure == SCORE else sign_of(self.m)


def _held(
    scores: Any, fold: Any, repeat: Any, names: Sequence[Hashable] | None, measure: MeasureLike, count: Count
) -> _Held:
    if isinstance(scores, Paired):
        if fold is None:
            raise InferenceError("`fold` is missing; it says which fold (or seed) each answer belongs to.")
        return _of_answers(scores, fold, repeat, measure, count)
    if is_splitter(fold) and repeat is None:
        fold, repeat = None, fold
    if fold is not None:
        raise InferenceError("`fold` goes with the answers themselves; tables and scores are of folds already.")
    if not isinstance(scores, Table):
        read = fold_scores(scores, repeat, names)
        return _Held(read.values, read.names, read.parts, find(measure))

    if len(scores.shape) != 2:
        raise InferenceError(f"The stack has shape {scores.shape}; (systems, folds) is needed.")
    silent = bool(scores.abstained.any())
    m = subtracted(headline(measure, count, silent), "folds")
    t = scores if m.facts.abstentions else scores.answered
    x = checked_scores(np.asarray(m(t)).T)
    parts = parts_of_scores(t.axes[1] or range(len(x)), repeat)
    return _Held(x, named_systems(names or t.axes[0], x), parts, m, spoken(m, silent), _once(t, parts.repeats))


def _of_answers(p: Paired, fold: Any, repeat: Any, measure: MeasureLike, count: Count) -> _Held:
    """Scores of the answers in each fold, to the items that count in every system."""
    notes = left_out_notes(p)
    own: dict[Hashable, tuple[Any, ...]] = {
        name: tuple(values_of(p, x, name)) for name, x in (("fold", fold), ("repeat", repeat)) if x is not None
    }
    p = replace(p, kept={**p.kept, **own}).counted
    silent = bool((p.codes == -1).any())
    m = subtracted(headline(measure, count, silent), "folds")
    if silent and not m.facts.abstentions:
        p, said = answered_by_all(p)
        notes = (*notes, said)
    if not len(p):
        raise InferenceError("No item counts in every system; there is nothing to compare.")

    p, item = by_item(p)
    parts = parts_of(p, "fold", "repeat" if repeat is not None else None, item)
    assert parts.at is not None
    t = replace(p, unit=None).tables_by([parts.names[i] for i in parts.at])
    column = fold.strip().lower() if isinstance(fold, str) else ""
    parts = replace(parts, names=tuple(t.axes[1] or ()), column=column)
    return _Held(checked_scores(np.asarray(m(t)).T), p.names, parts, m, spoken(m, silent), p.tables, p, notes)


def _once(t: Table, repeats: int) -> Table:
    """All folds together, as if each item had been predicted once."""
    whole = t.sum(1)
    return whole if repeats == 1 else replace(whole, squares=frozen(whole.cells * repeats))
