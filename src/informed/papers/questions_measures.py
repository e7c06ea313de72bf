"""Open questions about measures: rankers, weightings, determinants, kappa, V, abstention."""

from __future__ import annotations

from typing import Any

import numpy as np

from informed._arrays import Array
from informed.decisions.assignment import Method, assign
from informed.evidence.table import Table
from informed.papers.question import Answer, Row, Rows, question
from informed.papers.register import Trial
from informed.papers.two_classes import mixtures, random_pairs
from informed.simulation.estimates import MonteCarlo, mean, share, spread
from informed.simulation.generators import class_levels, population, shares
from informed.simulation.judging import values

RANKERS = {
    "informedness": "informedness",
    "MCC": "matthews",
    "kappa": "cohen_kappa",
    "F1": "f1",
    "accuracy": "accuracy",
}


def exactly(t: Table, measure: str) -> MonteCarlo:
    """A measure of a population."""
    return MonteCarlo(float(values(t, measure)))


@question("rankers")
def rankers(trial: Trial) -> Answer:
    rows: Rows = []
    for q in (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95):
        better, worse = random_pairs(trial.rng, trial.size, gap=0.1, prevalence=q)
        wrong = {short: share(_misled(worse, better, short)) for short in RANKERS}
        rows.append({"prevalence": q, **wrong})
    return Answer(rows, _maps(trial, 100 * trial.size))


def _misled(worse: Table, better: Table, short: str) -> Any:
    """Whether a measure prefers the worse."""
    measure = RANKERS[short]
    return values(worse, measure) > values(better, measure) + 1e-12


def _maps(trial: Trial, pairs: int, steps: int = 24) -> dict[str, dict[str, Any]]:
    """How often each measure is misled, by prevalence (across) and by the gap in bias (up)."""
    q = trial.rng.uniform(0.02, 0.98, pairs)
    worse = trial.rng.uniform(0, 0.9, pairs)
    b, c = trial.rng.uniform(0.02, 0.98, (2, pairs))
    first, second = mixtures(worse + 0.1, q, b), mixtures(worse, q, c)

    across = np.minimum(((q - 0.02) / 0.96 * steps).astype(int), steps - 1)
    up = np.minimum(((c - b + 0.96) / 1.92 * steps).astype(int), steps - 1)
    cell = up * steps + across
    seen = np.maximum(np.bincount(cell, minlength=steps**2), 1)

    found = {}
    for short in ("accuracy", "F1", "kappa", "MCC", "informedness"):
        wrong = _misled(second, first, short)
        counts = np.bincount(cell, weights=wrong, minlength=steps**2)
        found[short] = {"share": wrong.mean(), "map": (counts / seen).reshape(steps, steps)}
    return found


WEIGHTINGS = {
    "prevalence (default)": "informedness",
    "bias (2003)": "informedness(weighting='bias')",
    "uniform": "informedness(weighting='uniform')",
    "evenness": "informedness(weighting='evenness')",
    "trace": "informedness_trace",
    "determinant": "informedness_det(exponent='exact')",
}


@question("weightings")
def weightings(trial: Trial) -> Answer:
    rows: Rows = []
    for what, level in (("constant", np.full(4, 0.5)), ("falling", class_levels(0.5, 4, 0.4))):
        for guess in ("prevalence", "reversed"):
            how: dict[str, Any] = {"prevalence": "geometric", "guess": guess}
            truth, t = population(level, k=4, **how), trial.draw(level, **how)
            for weighting, name in WEIGHTINGS.items():
                aim, x = exactly(truth, name), values(t, name)
                world: Row = {"world": f"{what}, guesses {guess}", "weighting": weighting}
                bias = mean(x - aim.value)
                rows.append(world | {"population": aim, "bias": bias, "deviation": spread(x)})
    return Answer(rows)


@question("determinant")
def determinant(trial: Trial) -> Answer:
    k, law = 4, "informedness_det(exponent='exact')"
    worlds: list[tuple[str, float, Any]] = [
        *(("all alike", x, x) for x in (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0)),
        *(("falling", x, class_levels(x, k)) for x in (0.3, 0.5, 0.7)),
    ]
    rows: Rows = []
    for n in (128, 512):
        for classes, level, each in worlds:
            t = trial.draw(each, k=k, n=n)
            r = values(t, law)
            raw = np.linalg.det(t.counts / n) * float(k) ** k  # prevalences are 1/K
            fair = raw * float(n) ** k / np.prod(n - np.arange(k, dtype=float))
            world: Row = {"N": n, "classes": classes, "level": level}
            found = {
                "law": exactly(population(each, k=k), law),
                "size, 1/(K−1)": mean(np.abs(r)),
                "size, 2/K": mean(np.abs(r) ** (2 * (k - 1) / k)),
                "signed, 1/(K−1)": mean(r),
                "de-biased": mean(np.sign(fair) * np.abs(fair) ** (1 / (k - 1))),
                "its power K−1": mean(fair),
            }
            rows.append(world | found)
    return Answer(rows)


@question("kappa")
def kappa(trial: Trial) -> Answer:
    guesses = np.concatenate([[0.01], np.arange(0.05, 1, 0.05), [0.99]])
    rows: Rows = []
    curves = {}
    for q in (0.1, 0.3, 0.5):
        t = mixtures(0.5, q, guesses)
        both = {"kappa": values(t, "cohen_kappa"), "MCC": values(t, "matthews")}
        curves[q] = (guesses, *both.values())
        for i in (0, 2, 6, 10, 16, 20):
            found = {name: MonteCarlo(float(x[i])) for name, x in both.items()}
            rows.append({"prevalence": q, "guesses": float(guesses[i]), **found})
    return Answer(rows, curves)


@question("cramer")
def cramer(trial: Trial) -> Answer:
    names = {"V": "cramers_v", "corrected V": "cramers_v_corrected", "B": "informedness",
             "C": "correlation", "R_K": "matthews"}  # fmt: skip
    rows: Rows = []
    for n in (16, 128):
        for level in (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9):
            t = trial.draw(level, n=n)
            means = {short: mean(values(t, m)) for short, m in names.items()}
            rows.append({"N": n, "level": level, **means})
    return Answer(rows)


@question("abstention")
def abstention(trial: Trial) -> Answer:
    columns = {
        "coverage": "coverage",
        "answered": "informedness",
        "discounted": "informedness_discounted",
        "of all": "informedness_of_all",
    }
    q = shares("geometric", 3)
    t = population(0.6, k=3, prevalence="geometric").counts
    rows: Rows = []
    for name, kept in (("at random", np.full(3, 0.6)), ("common class", _kept(q, 0)),
                       ("rare classes", _kept(q, 2))):  # fmt: skip
        table = Table.from_counts(t * kept, abstained=(t - t * kept).sum(axis=0))
        rows.append({"abstains on": name, **{c: exactly(table, m) for c, m in columns.items()}})
    return Answer(rows)


def _kept(q: Array, most: int) -> Array:
    """Shares answered of each class, six tenths in all, abstaining mostly on one class."""
    kept = np.full(len(q), 0.6)
    gone = np.minimum(0.9, 0.3 / q[most])
    kept[most] = 1 - gone
    others = np.arange(len(q)) != most
    kept[others] = 1 - (0.4 - gone * q[most]) / q[others].sum()
    return kept


# ------------------------------------------------------------------ naming clusters

NAMINGS: tuple[tuple[Method, int, int], ...] = (
    ("one-to-one", 2, 2),
    ("one-to-one", 5, 5),
    ("one-to-one", 10, 10),
    ("many-to-one", 5, 5),
    ("many-to-one", 20, 5),
)


@question("naming")
def naming(trial: Trial) -> Answer:
    rows: Rows = []
    for method, clusters, k in NAMINGS:
        for n in (50, 500):
            for level in (0.0, 0.5):
                tables = _clusterings(trial, clusters, k, n, level)
                found = [assign(t, method, n_draws=99, rng=trial.rng) for t in tables]
                world: Row = {"naming": method, "clusters": clusters, "classes": k, "N": n}
                rows.append(world | {
                    "known": level,
                    "named": mean([f.informedness for f in found]),
                    "corrected": mean([f.corrected for f in found]),
                    "p ≤ .05": share([f.pvalue <= 0.05 for f in found]),
                })  # fmt: skip
    return Answer(rows)


def _clusterings(trial: Trial, clusters: int, k: int, n: int, level: float) -> list[Table]:
    """Clusters of even sizes without names, which know the class with this probability."""
    p = np.full((clusters, k), (1 - level) / (clusters * k))
    p[np.arange(clusters), np.arange(clusters) % k] += level / clusters
    cells = trial.rng.multinomial(n, p.ravel() / p.sum(), size=max(trial.size // 10, 20))
    names = [f"cluster {i}" for i in range(clusters)]
    return [
        Table.from_counts(c, predicted_labels=names, real_labels=list(range(k)))
        for c in cells.reshape(-1, clusters, k)
    ]
