"""Open questions about two systems and more: rules, degrees of freedom, false discoveries."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from informed._arrays import Array
from informed.evidence.table import Table
from informed.inference.intervals import interval
from informed.papers.published import ahead, error_of, outside
from informed.papers.questions import COARSE, Row, question
from informed.papers.register import Trial
from informed.simulation.estimates import correlation, mean, share
from informed.simulation.judging import statistics
from informed.simulation.whole_tables import draw_cells
from informed.systems.compare import compare
from informed.systems.multiplicity import adjusted


def joint_shares(k: int, levels: tuple[float, float], shared: float) -> Array:
    """Cells (real, a, b) of two mixtures on the same cases, even classes, guesses apart.

    In a share `shared` of the cases one uniform number decides for both whether they know (so that
    the better one knows whatever the other knows); elsewhere each has its own.

    >>> joint_shares(2, (0.5, 0.5), 1.0)[0].tolist()  # both right: ½·(.5 + .5·¼)
    [[0.3125, 0.0625], [0.0625, 0.0625]]
    """
    eye, guess = np.eye(k), np.full((k, k), 1 / k)  # of (real, said)

    def both(know_a: Array, know_b: Array) -> Array:
        return np.asarray(np.einsum("ra,rb->rab", know_a, know_b))

    a, b = levels
    least, most = min(a, b), max(a, b)
    ahead = both(eye, guess) if a > b else both(guess, eye)
    together = least * both(eye, eye) + (most - least) * ahead + (1 - most) * both(guess, guess)
    apart = both(a * eye + (1 - a) * guess, b * eye + (1 - b) * guess)
    return np.asarray((shared * together + (1 - shared) * apart) / k)


def drawn_pairs(
    trial: Trial, size: int, n: int, k: int, levels: tuple[float, float], shared: float | None
) -> tuple[Table, Table, Array | None]:
    """Tables of two systems, and their joint counts where the cases are the same."""
    if shared is None:
        a, b = (trial.draw(g, k=k, n=n, size=size) for g in levels)
        return a, b, None
    p = joint_shares(k, levels, shared)
    joint = draw_cells(trial.rng, n, p.ravel(), size).reshape(size, k, k, k).astype(np.float64)
    a, b = (Table.from_counts(joint.sum(axis=other).swapaxes(-1, -2)) for other in (3, 2))
    return a, b, joint


def pvalue_of_difference(a: Table, b: Table, joint: Array | None) -> Array:
    """By `informed.compare`, paired where the cases are the same; in its closed form."""
    smoothed = joint is not None
    found = compare.paired(joint=joint, method="smoothed-delta") if smoothed else compare(a, b, method="plus-four")
    return np.asarray(found.pvalue("informedness"))


def _cases(shared: float | None) -> str:
    return "independent" if shared is None else f"same, shared knowing {shared:g}"


@question("outside")
def value_outside(trial: Trial) -> Iterator[Row]:
    for shared in (None, 0.0, 0.5, 1.0):
        a, b, joint = drawn_pairs(trial, trial.size, 200, 2, (0.5, 0.5), shared)
        i, j = (interval(t, "informedness", method="wald") for t in (a, b))
        first, second = outside(i, j)
        yield {
            "cases": _cases(shared),
            "correlation": correlation(i.estimate, j.estimate),
            "b outside a's": share(first),
            "each outside the other's": share(first & second),
            "unpaired z": share(np.abs(ahead(i, j)) > 1.96 * error_of(i, j)),
            "compare": share(pvalue_of_difference(a, b, joint) < 0.05),
        }


# ------------------------------------------------------------------ degrees of freedom


def wanted_freedoms(statistic: Array) -> float:
    """Degrees of freedom whose χ² has its 95 % point where these statistics have theirs."""
    from scipy.optimize import brentq
    from scipy.special import chdtri

    at = float(np.quantile(statistic, 0.95))
    if at < chdtri(0.01, 0.05):
        return 0.0
    return float(brentq(lambda r: chdtri(r, 0.05) - at, 0.01, 1e5))


@question("freedoms")
def freedoms(trial: Trial) -> Iterator[Row]:
    from scipy.special import chdtrc

    classes, each = ((2, 5), (32,)) if trial.size < COARSE else ((2, 3, 5, 10), (32, 128))
    for k, m, level, shared in product(classes, each, (0.0, 0.3, 0.6, 0.9), (None, 1.0)):
        a, b, joint = drawn_pairs(trial, trial.size, m * k, k, (level, level), shared)
        cases = "independent" if shared is None else "same"
        row: Row = {"K": k, "N": m * k, "informedness": level, "cases": cases}
        for method, name, df in (("kbm", "K − 1", k - 1), ("xbm", "(K − 1)²", (k - 1) ** 2)):
            away = np.abs(statistics(a, method) - statistics(b, method))
            row[f"{method}, {name}"] = share(chdtrc(df, away) < 0.05)
            row[f"df wanted by {method}"] = round(wanted_freedoms(away), 2)
        yield {**row, "compare": share(pvalue_of_difference(a, b, joint) < 0.05)}


# ------------------------------------------------------------------ false discoveries

COMPARISONS, TRUE = 40, 10  # pairs of systems in a study, and those that really differ


@question("discoveries")
def discoveries(trial: Trial) -> Iterator[Row]:
    studies = max(trial.size // 10, 20)
    real = np.arange(COMPARISONS) < TRUE
    for shared in (None, 0.5, 1.0):
        pairs = [drawn_pairs(trial, studies * m, 200, 2, g, shared)
                 for m, g in ((TRUE, (0.6, 0.4)), (COMPARISONS - TRUE, (0.5, 0.5)))]  # fmt: skip
        for method in ("arc", "wald", "powers-0", "powers-1", "compare"):
            own = method == "compare"
            found = [pvalue_of_difference(*p) if own else _published(p, method) for p in pairs]
            p = np.concatenate([f.reshape(studies, -1) for f in found], axis=1)
            said = np.stack([np.asarray(adjusted(one, "bh")) for one in p]) < 0.05
            false = (said & ~real).sum(axis=1) / np.maximum(said.sum(axis=1), 1)
            yield {
                "cases": _cases(shared),
                "intervals": "none: informed.compare" if own else method,
                "false discoveries": mean(false),
                "found of the true": mean(said[:, real]),
            }


def _published(pair: tuple[Table, Table, Array | None], method: str) -> Array:
    """Two-sided p of the difference, from what a paper prints of each system."""
    from scipy.special import ndtr

    i, j = (interval(t, "informedness", method=method) for t in pair[:2])
    return np.asarray(2 * ndtr(-np.abs(ahead(i, j)) / error_of(i, j)))
