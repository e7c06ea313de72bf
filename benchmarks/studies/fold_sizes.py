"""How often do tests over folds and seeds find a difference between two learners that are equally good?

Each learner sees its own half of the features, which tell the classes equally well, so that both are equal in
expectation. 10 × 10 folds of 100 cases; all data sets are learnt at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
from scipy.special import expit
from scipy.stats import ttest_1samp, wilcoxon
from study import Part, Row, Study, bare

from informed.evidence.paired import paired
from informed.systems.folds import folds
from informed.systems.rank_tests import rank_tests

N, FOLDS, REPEATS, FEATURES, SEED = 100, 10, 10, 4, 11
Learner = Callable[[Any, Any, Any], Any]  # features (sets, cases, features), classes, which cases to learn from


def centroid(x: Any, y: Any, known: Any) -> Any:
    """Nearest of two class means."""
    away = []
    for k in (0, 1):
        w = known & (y == k)
        mean = np.einsum("dn,dnf->df", w, x) / w.sum(axis=1)[:, None]
        away.append(((x - mean[:, None]) ** 2).sum(axis=2))
    return (away[1] < away[0]).astype(int)


def ridge(x: Any, y: Any, known: Any) -> Any:
    """The sign of a ridge regression on the classes."""
    held = np.concatenate([np.ones((*x.shape[:2], 1)), x], axis=2)
    learnt = held * known[:, :, None]
    beta = np.linalg.solve(
        learnt.swapaxes(1, 2) @ held + np.eye(held.shape[2]), learnt.swapaxes(1, 2) @ (2.0 * y - 1)[:, None]
    )
    return ((held @ beta)[..., 0] > 0).astype(int)


def neighbour(x: Any, y: Any, known: Any) -> Any:
    """The class of the nearest case: it changes with every case that it learns from."""
    squares = (x**2).sum(axis=2)
    away = squares[:, None, :] - 2 * x @ x.swapaxes(1, 2)
    return y[np.where(known[:, None, :], away, np.inf).argmin(axis=2)]


LEARNERS: dict[str, Learner] = {"nearest centroid": centroid, "ridge": ridge, "nearest neighbour": neighbour}


def learnt(learn: Learner, rng: np.random.Generator, runs: int, of: int = FOLDS) -> tuple[Any, Any, Any]:
    """Real classes; answers ``(runs, repeats, cases, 2)`` to held-out cases, and the fold of each."""
    real = np.arange(N) % 2
    x = rng.normal(size=(runs, N, 2 * FEATURES)) + 0.4 * (2 * real[:, None] - 1)
    part = rng.permuted(np.broadcast_to(np.arange(N) % of, (runs, REPEATS, N)), axis=2)
    said = np.empty((runs, REPEATS, N, 2), dtype=int)
    for repeat, k in product(range(REPEATS), range(of)):
        test = part[:, repeat] == k
        for s in (0, 1):
            own = x[:, :, s * FEATURES : (s + 1) * FEATURES]
            said[:, repeat, :, s][test] = learn(own, real, ~test)[test]
    return real, said, part


def decided(real: Any, said: Any, part: Any) -> dict[str, bool]:
    """One data set: which tests find a difference at 5 %."""
    fold = (np.arange(REPEATS)[:, None] * FOLDS + part).ravel()
    item = np.tile(np.arange(N), REPEATS)
    several = paired(np.tile(real, REPEATS), said.reshape(-1, 2), item=item)
    many = folds(several, fold=fold, measure="accuracy")
    once = folds(paired(real, said[0]), fold=part[0], measure="accuracy")
    assert many.pairs is not None
    assert once.pairs is not None
    assert once.cautious is not None

    d = many.scores[:, 0] - many.scores[:, 1]
    ranks, of_one = (rank_tests(x.scores, 0.95, "") for x in (many, once))
    return {
        "corrected t": bool(many.pairs.pvalue[0, 1] < 0.05),
        "plain t": bool(ttest_1samp(d, 0).pvalue < 0.05),
        "signed ranks": bool(np.any(d) and wilcoxon(d).pvalue < 0.05),
        "Friedman": ranks.friedman.pvalue < 0.05,
        "Nemenyi": bool(ranks.nemenyi[0, 1] < 0.05),
        "one partition: items": bool(once.pairs.pvalue[0, 1] < 0.05),
        "its corrected t": bool(once.cautious.pvalue[0, 1] < 0.05),
        "its Friedman": of_one.friedman.pvalue < 0.05,
    }


def sizes(runs: int) -> Iterator[Row]:
    for name, learn in LEARNERS.items():
        real, said, part = learnt(learn, np.random.default_rng(SEED), runs)
        found = [decided(real, *one) for one in zip(said, part, strict=True)]
        yield {"learner": name, **{test: float(np.mean([x[test] for x in found])) for test in found[0]}}


def repeats(runs: int) -> Iterator[Row]:
    """Scores of folds without their items, with the number of repeats and taken for the folds of one partition."""
    of = 5
    for name, learn in LEARNERS.items():
        real, said, part = learnt(learn, np.random.default_rng([SEED, of]), runs, of)
        right = (said == real[:, None]).astype(float)  # (runs, repeats, cases, systems)
        scores = np.stack([right[part == k].reshape(runs, REPEATS, N // of, 2).mean(axis=2) for k in range(of)], axis=2)
        for times in (2, 3, 4, REPEATS):
            every = scores[:, :times].reshape(runs, times * of, 2)
            asked: tuple[dict[str, Any], ...] = ({"repeat": times}, {"design": "partition"})
            found = [[folds(x, measure="accuracy", **how).pairs for how in asked] for x in every]
            shares = np.mean([[pairs.pvalue[0, 1] < 0.05 for pairs in both if pairs] for both in found], axis=0)
            names = ("with `repeat=`", "taken for one partition")
            yield {"learner": name, "folds": f"{times} × {of}", **dict(zip(names, map(float, shares), strict=True))}


def seeds(runs: int) -> Iterator[Row]:
    """Two systems that are trained anew for each seed, equally good on the whole; items of their own difficulty."""
    items = 200
    for several, spread in product((3, 5, 10), (0.0, 0.4)):
        rng, found = np.random.default_rng([SEED, several, round(10 * spread)]), []
        item, seed = np.tile(np.arange(items), several), np.repeat(np.arange(several), items)
        for _ in range(runs):
            real = rng.integers(0, 2, items)
            easy = rng.normal(1.2, 1.0, items)[item, None]
            skill = spread * rng.normal(size=(several, 2))[seed]
            right = rng.random((len(item), 2)) < expit(easy + skill)
            said = np.where(right, real[item, None], 1 - real[item, None])
            p = paired(real[item], said, item=item)
            crossed = folds(p, fold=seed, measure="accuracy", design="training-seeds").pairs
            as_items = folds(p, fold=seed, measure="accuracy", design="decoding-seeds").pairs
            assert crossed is not None
            assert as_items is not None
            found.append([x.pvalue[0, 1] < 0.05 for x in (crossed, as_items)])
        both = map(float, np.mean(found, axis=0))
        names = ("items crossed with seeds", "seeds taken for fixed")
        yield {"seeds": several, "spread of seeds": bare(spread), **dict(zip(names, both, strict=True))}


STUDY = Study(
    "fold_sizes",
    {
        "sizes": Part(
            "Tests at 5 % of two learners that are equally good, 100 cases; the first five over 10 × 10 folds:",
            sizes,
            "leaderboards.md",
            runs=1000,
            errors=((0.05, 1.0),),
        ),
        "repeats": Part(
            "Scores of repeated cross-validation without their items, two learners that are equally good, 100 cases. "
            "How often a difference is found at 5 %, with the number of repeats and without:",
            repeats,
            "leaderboards.md",
            runs=1000,
            errors=((0.05, 1.0),),
        ),
        "seeds": Part(
            "Two systems that are trained anew with each seed and equally good on the whole, 200 items; the spread of "
            "seeds is that of the logit of the share that is right. How often a difference is found at 5 %:",
            seeds,
            "leaderboards.md",
            runs=1000,
            errors=((0.05, 1.0),),
        ),
    },
)

if __name__ == "__main__":
    STUDY.main()
