"""Claims about measures: what follows the truth, what is alike, what ranks wrongly."""

from __future__ import annotations

from itertools import product

import numpy as np

from informed._arrays import Array
from informed.evidence.table import Table
from informed.papers.claims import Numbers, claim, exact
from informed.papers.published import geometric_mean, root_of_determinant
from informed.papers.register import HONEST, MARGINS, PAPERS, READINGS, Trial
from informed.simulation.estimates import MonteCarlo, correlation, mean, rms, share
from informed.simulation.experiment import LEVELS
from informed.simulation.generators import population
from informed.simulation.judging import values
from informed.simulation.two_classes import mixtures, random_pairs, random_systems, same_cases, sampled

DET = "informedness_det(exponent='{}')"


@claim("tracking")
def tracking(trial: Trial) -> Numbers:
    measures = claim.grid("tracking")["measures"]
    found: Numbers = {}

    def off(t: Table, level: float) -> Array:
        b, c = (values(t, m) for m in ("informedness", "correlation"))
        return np.stack([values(t, "cohen_kappa") - c, *(values(t, m) - b for m in measures.values())])

    for reading in READINGS:
        names = ["kappa from C", *(f"{m} from B" for m in measures)]
        apart = trial.along(off, reading)
        found |= {f"{name}, {reading}": rms(x) for name, x in zip(names, apart, strict=True)}
    return found


# ------------------------------------------------------------------ determinants


@claim("determinant-2-over-k")
def determinant_2_over_k(trial: Trial) -> Numbers:
    found: Numbers = {}
    for reading, level in product(READINGS, (0.0, 0.5, 1.0)):
        t = trial.draw(level, reading)
        off = mean(np.abs(values(t, DET.format("2/K"))) - level)
        found[f"off at {level:g}, {reading}"] = MonteCarlo(abs(off.value), off.standard_error)
        if level == 0.5:
            found[f"1/(K − 1) at 0.5, {reading}"] = mean(values(t, DET.format("exact")))
    return found


@claim("determinant-alternate")
def determinant_alternate(trial: Trial) -> Numbers:
    exponents = ("2/K", "1/(3K-2)")
    found: Numbers = {}

    def off(t: Table, level: float) -> Array:
        return np.stack([np.abs(values(t, DET.format(e))) - level for e in exponents])

    for reading in READINGS:
        short, long = trial.along(off, reading).reshape(2, len(LEVELS), -1)
        found |= {
            f"1/(3K − 2), levels .8 to 1, {reading}": rms(long[8:]),
            f"1/(3K − 2), levels 0 to .3, {reading}": rms(long[:4]),
            f"2/K, levels .4 to .6, {reading}": rms(short[4:7]),
            f"2/K, all levels, {reading}": rms(short),
            f"1/(3K − 2), all levels, {reading}": rms(long),
        }
    return found


@claim("determinant-perfect")
def determinant_perfect(trial: Trial) -> Numbers:
    def apart(t: Table, level: float) -> Array:
        b, c, squared = (np.abs(values(t, m)) for m in ("informedness", "correlation", DET.format("2/K")))
        root = np.sqrt(squared)  # (det/∏Prev)^(1/K)
        both = root_of_determinant(t) / np.sqrt(geometric_mean(t.prevalence) * geometric_mean(t.bias))
        return np.stack([root - b, both - c, squared - b])

    found: Numbers = {}
    for k, reading in product((4, 2), READINGS):
        of_prevalence, of_both, squared = (rms(x) for x in trial.along(apart, reading, k=k))
        found |= {
            f"K-th roots, from B, K = {k}, {reading}": of_prevalence,
            f"K-th roots of both margins, from C, K = {k}, {reading}": of_both,
            f"exponent 2/K, from B, K = {k}, {reading}": squared,
        }
    return found


# ------------------------------------------------------------------ Cramér's V


@claim("cramers-v")
def cramers_v(trial: Trial) -> Numbers:
    found: Numbers = {}
    for reading, level in product(READINGS, claim.grid("cramers-v")["level"]):
        t = trial.draw(level, reading)
        off = mean(values(t, "cramers_v") - level)
        found[f"V − {level:g}, {reading}"] = off
        found[f"size of V − {level:g}, {reading}"] = MonteCarlo(abs(off.value), off.standard_error)
    return found


@claim("cramers-v-inflated")
def cramers_v_inflated(trial: Trial) -> Numbers:
    found: Numbers = {}
    for reading in READINGS:
        for n, level in ((128, 0.0), (128, 0.5), (128, 0.9), (8, 0.5)):
            t = trial.draw(level, reading, n=n)
            found[f"V − {level:g}, N = {n}, {reading}"] = mean(values(t, "cramers_v") - level)
        t = trial.draw(0.0, reading)
        found[f"corrected V − 0, N = 128, {reading}"] = mean(values(t, "cramers_v_corrected"))
    return found


@claim("uneven-v")
def uneven_v(trial: Trial) -> Numbers:
    found: Numbers = {}
    for level, margins in product((0.2, 0.5), claim.texts["uneven-v"]["readings"]):
        truth = population(level, k=4, **MARGINS[margins])
        found |= exact({f"V − {level:g} in the population, {margins}": values(truth, "cramers_v") - level})
        t = trial.draw(level, **MARGINS[margins])
        found[f"V − {level:g} at N = 128, {margins}"] = mean(values(t, "cramers_v") - level)
    return found


# ------------------------------------------------------------------ kappa, correlation, information


@claim("perfect-agreement")
def perfect_agreement(_: Trial) -> Numbers:
    shifts = [np.roll(np.eye(4), i, axis=0) for i in range(4)]
    tables = {
        "I = 1": population(1.0, k=4, prevalence="long-tailed"),
        "uniform margins": Table.from_counts(np.tensordot((5.0, 2.0, 2.0, 1.0), shifts, 1)),
        "bias = prevalence": Table.from_counts([[8, 2, 1], [2, 20, 3], [1, 3, 60]]),
    }
    four = ("informedness", "markedness", "correlation", "cohen_kappa")
    return exact({name: np.ptp([values(t, m) for m in four]) for name, t in tables.items()})


@claim("kappa-conservative")
def kappa_conservative(_: Trial) -> Numbers:
    found: Numbers = {}
    for guess, m in product((0.01, 0.3, 0.99), ("informedness", "correlation", "cohen_kappa")):
        t = population(0.5, k=2, prevalence=0.3, guess=guess)
        found |= exact({f"{m}, guesses {guess:g}": values(t, m)})
    return found


@claim("kappa-for-two")
def kappa_for_two(trial: Trial) -> Numbers:
    g, q = trial.rng.random(trial.size), trial.rng.uniform(0.05, 0.95, trial.size)
    guesses = {"guesses as prevalence": q, "guesses anywhere": trial.rng.random(trial.size)}
    found: Numbers = {}
    for name, b in guesses.items():
        t = sampled(trial.rng, 128, mixtures(g, q, b))
        found[name] = rms(values(t, "cohen_kappa") - values(t, "informedness"))
        found[f"sampling error of B, {name}"] = rms(values(t, "informedness") - g)
    return found


@claim("kappa-never")
def kappa_never(trial: Trial) -> Numbers:
    level, truth = random_systems(trial.rng, trial.size)
    kappa, c = (values(truth, m) for m in ("cohen_kappa", "matthews"))
    better, worse = random_pairs(trial.rng, trial.size, gap=0.1)
    right = {m: values(better, m) > values(worse, m) + 1e-12 for m in ("cohen_kappa", "matthews")}
    return {
        "kappa nearer to the level": share(np.abs(kappa - level) < np.abs(c - level) - 1e-9),
        "correlation nearer to the level": share(np.abs(c - level) < np.abs(kappa - level) - 1e-9),
        "only kappa ranks rightly": share(right["cohen_kappa"] & ~right["matthews"]),
        "only correlation ranks rightly": share(right["matthews"] & ~right["cohen_kappa"]),
    }


@claim("information-and-correlation")
def information_and_correlation(trial: Trial) -> Numbers:
    from scipy.stats import rankdata

    _, a = random_systems(trial.rng, trial.size)
    _, b = random_systems(trial.rng, trial.size)
    (c, d), (mi, mj) = ([values(t, m) for t in (a, b)] for m in ("matthews", "mutual_information"))
    little = population(0.05, k=2, prevalence=0.3, guess=0.4)
    apart = np.abs(c - d) > 0.1
    return {
        "rank correlation of MI and C": correlation(rankdata(mi), rankdata(np.abs(c))),
        "pairs that they order differently": share((mi > mj) != (np.abs(c) > np.abs(d))),
        "of those .1 apart in C": share(((mi > mj) != (c > d))[apart]),
        **exact(
            {"2·MI/C², informedness .05": 2 * values(little, "mutual_information") / values(little, "matthews") ** 2}
        ),
    }


@claim("bias-maximises-correlation")
def bias_maximises_correlation(_: Trial) -> Numbers:
    guesses = np.linspace(0.01, 0.99, 99)
    t = mixtures(0.5, 0.3, guesses)
    c, alike = values(t, "matthews"), mixtures(0.5, 0.3, 0.3)
    three = [values(alike, m) for m in ("informedness", "markedness", "matthews")]
    return exact({
        "C, guesses as prevalence": values(alike, "matthews"),
        "largest C": c.max(),
        "what the largest C gains on it": c.max() - values(alike, "matthews"),
        "guesses of the largest C": guesses[c.argmax()],
        "B, M and C apart, guesses as prevalence": np.ptp(three),
    })  # fmt: skip


@claim("margins-too-uniform")
def margins_too_uniform(trial: Trial) -> Numbers:
    found = {f"even margins, K = {k}, N = {n}": _b_and_m(trial.draw(0.5, k=k, n=n)) for k, n in ((4, 128), (8, 64))}
    found |= {f"B and M, {r}": _b_and_m(trial.draw(0.5, r)) for r in PAPERS}
    found["uniform-cells"] = _b_and_m(trial.draw(0.5, "uniform-cells"))
    found["honest, guesses reversed"] = _b_and_m(trial.draw(0.5, HONEST, prevalence="geometric", guess="reversed"))
    return found


def _b_and_m(t: Table) -> MonteCarlo:
    return correlation(values(t, "informedness"), values(t, "markedness"))


# ------------------------------------------------------------------ what informedness is


@claim("misleading-at-15")
def misleading_at_15(_: Trial) -> Numbers:
    found: Numbers = {}
    for level, m in product((0.15, -0.15), ("informedness", "accuracy", "f1")):
        t = population(level, k=2, prevalence=0.7, guess=0.8)
        found |= exact({f"{m} at {level:g}": values(t, m)})
    return found


@claim("recovers")
def recovers(trial: Trial) -> Numbers:
    apart = max(
        abs(float(values(population(g, k=4, prevalence=q, guess=b), "informedness")) - g)
        for g in LEVELS
        for q in ("even", "geometric", "sparse")
        for b in ("prevalence", "even", "reversed")
    )
    t = trial.draw(0.5, prevalence="geometric", guess="reversed")
    bias = mean(values(t, "informedness") - 0.5)
    return exact({"largest |B − G|, population": apart}) | {
        "bias at .5, N = 128": bias,
        "size of that bias": MonteCarlo(abs(bias.value), bias.standard_error),
    }


@claim("prevalence-free")
def prevalence_free(_: Trial) -> Numbers:
    two = np.array([[80.0, 30], [20, 70]])
    three = np.array([[40.0, 10, 5], [8, 20, 9], [2, 10, 16]])
    found: Numbers = {}
    for k, counts, scale in ((2, two, [5, 1]), (3, three, [1, 5, 0.3])):
        for m in ("informedness", "informedness_trace"):
            before, after = (values(Table.from_counts(x), m) for x in (counts, counts * scale))
            found |= exact({f"change of {m}, K = {k}": abs(after - before)})
    return found


@claim("ranks")
def ranks(trial: Trial) -> Numbers:
    pair = random_pairs(trial.rng, trial.size, gap=0.1)
    seen = same_cases(trial.rng, 1000, *pair)
    found: Numbers = {}
    for m in claim.grid("ranks")["measures"]:
        for where, (better, worse) in {"in the population": pair, "of 1000 cases": seen}.items():
            found[f"{m}, {where}"] = share(values(worse, m) > values(better, m) + 1e-12)
    return found
