"""Open questions about measures: rankers, weightings, determinants, kappa, V, abstention."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.decisions.assignment import assign
from informed.evidence.table import Table
from informed.papers.questions import Row, question
from informed.papers.register import Trial
from informed.simulation.estimates import MonteCarlo, mean, share, share_of, spread
from informed.simulation.generators import class_levels, population, shares
from informed.simulation.judging import Judged, values
from informed.simulation.two_classes import mixtures, prefers_worse, priced_pairs, random_pairs, same_cases

RANKERS: dict[str, str] = question.grid("rankers")["measures"]


def exactly(t: Table, measure: str) -> MonteCarlo:
    """A measure of a population."""
    return MonteCarlo(float(values(t, measure)))


@question("rankers")
def rankers(trial: Trial) -> Iterator[Row]:
    grid = question.grid("rankers")
    for q, n in product(grid["prevalence"], grid["N"]):
        pair = random_pairs(trial.rng, 5 * trial.size, gap=0.1, prevalence=q)
        better, worse = same_cases(trial.rng, n, *pair)
        yield {"prevalence": q, "N": n, **{short: misled(worse, better, m) for short, m in RANKERS.items()}}


@question("prices")
def prices(trial: Trial) -> Iterator[Row]:
    grid = question.grid("prices")
    for q, price, n in product(grid["prevalence"], grid["price"], grid["N"]):
        weight = price * q / (price * q + 1 - q)
        pair = priced_pairs(trial.rng, 5 * trial.size, gap=0.1, prevalence=q, weight=weight)
        better, worse = same_cases(trial.rng, n, *pair)
        found = {short: misled(worse, better, m) for short, m in RANKERS.items()}
        found["cost"] = misled(worse, better, partial(saved, price=price))
        yield {"prevalence": q, "price": price, "N": n, **found}


def misled(worse: Table, better: Table, measure: Judged) -> MonteCarlo:
    """How often a measure prefers the worse; where it cannot tell, by half."""
    wrong = prefers_worse(worse, better, measure)
    return share_of(float(wrong.sum()), len(wrong))


def saved(t: Table, *, price: float) -> Array:
    """What the errors of a table cost, with its sign, a missed positive costing `price` false alarms."""
    (_, false_alarms), (missed, _) = t.cells
    return np.asarray(-(price * missed + false_alarms))


@question("weightings")
def weightings(trial: Trial) -> Iterator[Row]:
    grid = question.grid("weightings")
    levels = {"constant": np.full(4, 0.5), "falling": class_levels(0.5, 4, 0.4)}
    for (what, level), guess in product(levels.items(), grid["guess"]):
        how: dict[str, Any] = {"prevalence": "geometric", "guess": guess}
        truth, t = population(level, k=4, **how), trial.draw(level, **how)
        for weighting, name in grid["measures"].items():
            aim, x = exactly(truth, name), values(t, name)
            found = {"population": aim, "bias": mean(x - aim.value), "deviation": spread(x)}
            yield {"world": f"{what}, guesses {guess}", "weighting": weighting, **found}


@question("determinant")
def determinant(trial: Trial) -> Iterator[Row]:
    k, law = 4, "informedness_det(exponent='exact')"
    worlds: list[tuple[str, float, Any]] = [
        *(("all alike", x, x) for x in (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0)),
        *(("falling", x, class_levels(x, k)) for x in (0.3, 0.5, 0.7)),
    ]
    for n, (classes, level, each) in product((128, 512), worlds):
        t = trial.draw(each, k=k, n=n)
        r = values(t, law)
        raw = np.linalg.det(t.counts / n) * float(k) ** k  # prevalences are 1/K
        fair = raw * float(n) ** k / np.prod(n - np.arange(k, dtype=float))
        yield {
            "N": n,
            "classes": classes,
            "level": level,
            "law": exactly(population(each, k=k), law),
            "size, 1/(K−1)": mean(np.abs(r)),
            "size, 2/K": mean(np.abs(r) ** (2 * (k - 1) / k)),
            "signed, 1/(K−1)": mean(r),
            "de-biased": mean(np.sign(fair) * np.abs(fair) ** (1 / (k - 1))),
            "its power K−1": mean(fair),
        }


GUESSES = np.concatenate([[0.01], np.arange(0.05, 1, 0.05), [0.99]])


@question("kappa")
def kappa(trial: Trial) -> Iterator[Row]:
    for q, i in product((0.1, 0.3, 0.5), (0, 2, 6, 10, 16, 20)):
        t = mixtures(0.5, q, GUESSES[i])
        found = {short: exactly(t, RANKERS[short]) for short in ("kappa", "MCC")}
        yield {"prevalence": q, "guesses": float(GUESSES[i]), **found}


@question("cramer")
def cramer(trial: Trial) -> Iterator[Row]:
    grid = question.grid("cramer")
    for n, level in product(grid["N"], grid["level"]):
        t = trial.draw(level, n=n)
        means = {short: mean(values(t, m)) for short, m in grid["measures"].items()}
        yield {"N": n, "level": level, **means}


@question("abstention")
def abstention(trial: Trial) -> Iterator[Row]:
    columns = question.grid("abstention")["measures"]
    q = shares("geometric", 3)
    t = population(0.6, k=3, prevalence="geometric").counts
    ways = {"at random": np.full(3, 0.6), "common class": _kept(q, 0), "rare classes": _kept(q, 2)}
    for name, kept in ways.items():
        table = Table.from_counts(t * kept, abstained=(t - t * kept).sum(axis=0))
        yield {"abstains on": name, **{c: exactly(table, m) for c, m in columns.items()}}


def _kept(q: Array, most: int) -> Array:
    """Shares answered of each class, six tenths in all, abstaining mostly on one class."""
    kept = np.full(len(q), 0.6)
    gone = np.minimum(0.9, 0.3 / q[most])
    kept[most] = 1 - gone
    others = np.arange(len(q)) != most
    kept[others] = 1 - (0.4 - gone * q[most]) / q[others].sum()
    return kept


# ------------------------------------------------------------------ naming clusters


@question("naming")
def naming(trial: Trial) -> Iterator[Row]:
    grid = question.grid("naming")
    for (method, clusters, k), n, level in product(grid["naming"], grid["N"], grid["known"]):
        tables = _clusterings(trial, clusters, k, n, level)
        found = [assign(t, method, n_draws=99, rng=trial.rng) for t in tables]
        world = {"naming": method, "clusters": clusters, "classes": k, "N": n, "known": level}
        yield {
            **world,
            "named": mean([f.informedness for f in found]),
            "corrected": mean([f.corrected for f in found]),
            "p ≤ .05": share([f.pvalue <= 0.05 for f in found]),
        }


def _clusterings(trial: Trial, clusters: int, k: int, n: int, level: float) -> list[Table]:
    """Clusters of even sizes without names, which know the class with this probability."""
    p = np.full((clusters, k), (1 - level) / (clusters * k))
    p[np.arange(clusters), np.arange(clusters) % k] += level / clusters
    cells = trial.rng.multinomial(n, p.ravel() / p.sum(), size=max(trial.size // 10, 20))
    names = [f"cluster {i}" for i in range(clusters)]
    return [
        Table.from_counts(c, predicted_labels=names, real_labels=list(range(k))) for c in cells.reshape(-1, clusters, k)
    ]
