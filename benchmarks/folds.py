"""How often do tests over folds find a difference between two learners that are equally good?

Each learner sees its own half of the features, which tell the classes equally well, so that both are equal in
expectation. 10 × 10 folds of 100 cases; nearest centroid and ridge, all data sets of a run at once.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from scipy.stats import ttest_1samp, wilcoxon

from informed.evidence.paired import paired
from informed.systems.folds import folds

N, FOLDS, REPEATS, FEATURES = 100, 10, 10, 4


def centroid(x: Any, y: Any, new: Any) -> Any:
    """Nearest of two class means."""
    means = [x[y == k].mean(axis=0) for k in (0, 1)]
    away = [((new - mean) ** 2).sum(axis=1) for mean in means]
    return (away[1] < away[0]).astype(int)


def ridge(x: Any, y: Any, new: Any) -> Any:
    """The sign of a ridge regression on the classes."""
    held = np.column_stack([np.ones(len(x)), x])
    beta = np.linalg.solve(held.T @ held + np.eye(held.shape[1]), held.T @ (2 * y - 1))
    return (np.column_stack([np.ones(len(new)), new]) @ beta > 0).astype(int)


def run(learn: Any, rng: np.random.Generator) -> dict[str, bool]:
    """One data set: which tests find a difference at 5 %."""
    real = np.arange(N) % 2
    x = rng.normal(size=(N, 2 * FEATURES)) + 0.4 * (2 * real[:, None] - 1)
    codes, fold, item = [], [], []
    for repeat in range(REPEATS):
        part = rng.permutation(N) % FOLDS
        said = np.empty((N, 2), dtype=int)
        for k in range(FOLDS):
            test = part == k
            for s, own in enumerate((slice(0, FEATURES), slice(FEATURES, None))):
                said[test, s] = learn(x[~test, own], real[~test], x[test, own])
        codes.append(said)
        fold.append(repeat * FOLDS + part)
        item.append(np.arange(N))

    p = paired(np.tile(real, REPEATS), np.concatenate(codes), item=np.concatenate(item))
    many = folds(p, fold=np.concatenate(fold), measure="accuracy")
    once = folds(paired(real, codes[0]), fold=fold[0], measure="accuracy")
    assert many.pairs is not None
    assert once.pairs is not None
    assert once.cautious is not None
    d = many.scores[:, 0] - many.scores[:, 1]
    return {
        "corrected t, 10 x 10": bool(many.pairs.pvalue[0, 1] < 0.05),
        "items of one partition": bool(once.pairs.pvalue[0, 1] < 0.05),
        "corrected t of one partition": bool(once.cautious.pvalue[0, 1] < 0.05),
        "plain t, 10 x 10": bool(ttest_1samp(d, 0).pvalue < 0.05),
        "signed ranks, 10 x 10": bool(np.any(d) and wilcoxon(d).pvalue < 0.05),
    }


def main(runs: int = 200) -> None:
    for learn in (centroid, ridge):
        rng = np.random.default_rng(11)
        found = [run(learn, rng) for _ in range(runs)]
        sizes = ", ".join(f"{name} {np.mean([x[name] for x in found]):.3f}" for name in found[0])
        print(f"{learn.__name__}: {sizes} ({runs} data sets)")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
