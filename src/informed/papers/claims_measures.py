"""Claims about measures and about the recipes that make tables."""

from __future__ import annotations

from itertools import product

import numpy as np

from informed._arrays import Array
from informed.evidence.table import Table
from informed.papers.claims import Numbers, Verdict, claim, exact, verdict
from informed.papers.register import BOTH, HONEST, PAPER, Trial
from informed.simulation.estimates import MonteCarlo, correlation, mean, quotient, rms, share, spread
from informed.simulation.experiment import LEVELS
from informed.simulation.generators import Cells, outer, population, random_shares, scattered
from informed.simulation.judging import values
from informed.simulation.two_classes import random_pairs

DET = "informedness_det(exponent='{}')"


@claim("tracking")
def tracking(trial: Trial, found: Numbers) -> Verdict:
    measures = claim.grid("tracking")["measures"]

    def off(t: Table, level: float) -> Array:
        return np.stack([values(t, m) - level for m in measures.values()])

    good = []
    for recipe in BOTH:
        errors = [rms(x) for x in trial.along(off, recipe)]
        found |= {f"{m}, {recipe}": e for m, e in zip(measures, errors, strict=True)}
        deep = max(e.value for e in errors[:4])
        good.append(deep < 0.1 and min(e.value for e in errors[4:]) > 1.5 * deep)
    return verdict(*good)


@claim("determinant-2-over-k")
def determinant_2_over_k(trial: Trial, found: Numbers) -> Verdict:
    for recipe, level in product(BOTH, (0.0, 0.5, 1.0)):
        t = trial.draw(level, recipe)
        found[f"2/K at {level:g}, {recipe}"] = mean(np.abs(values(t, DET.format("2/K"))))
        if level == 0.5:
            found[f"1/(K − 1) at 0.5, {recipe}"] = mean(values(t, DET.format("exact")))

    def good(recipe: str) -> bool:
        low, middle, high = (found[f"2/K at {x}, {recipe}"].value for x in ("0", "0.5", "1"))
        return low < 0.15 and high > 0.9 and middle < 0.4

    return verdict(good(PAPER), good(HONEST))


@claim("determinant-alternate")
def determinant_alternate(trial: Trial, found: Numbers) -> Verdict:
    exponents = ("2/K", "1/(3K-2)")

    def sizes(t: Table, level: float) -> Array:
        return np.stack([np.abs(values(t, DET.format(e))) for e in exponents])

    good = []
    for recipe in BOTH:
        x = trial.along(sizes, recipe).reshape(2, len(LEVELS), -1)
        for level in (0.0, 0.9):
            found[f"1/(3K − 2) at {level:g}, {recipe}"] = mean(x[1, LEVELS.index(level)])
        both = [rms(one - np.array(LEVELS)[:, None]) for one in x]
        found |= {f"rms {e}, {recipe}": one for e, one in zip(exponents, both, strict=True)}
        good.append(both[1].value < 1.2 * both[0].value)
    return verdict(*good)


@claim("determinant-perfect")
def determinant_perfect(trial: Trial, found: Numbers) -> Verdict:
    def apart(t: Table, level: float) -> Array:
        b, det = (np.abs(values(t, m)) for m in ("informedness", DET.format("2/K")))
        return np.asarray(det - b)

    worlds = product((2, 4), BOTH)
    found |= {f"K = {k}, {r}": rms(trial.along(apart, r, k=k)) for k, r in worlds}
    return verdict(*(found[f"K = 4, {r}"].value < 0.02 for r in BOTH))


@claim("cramers-v")
def cramers_v(trial: Trial, found: Numbers) -> Verdict:
    for recipe in BOTH:
        for level in (0.0, 0.5, 0.9):
            t = trial.draw(level, recipe)
            found[f"V − {level:g}, {recipe}"] = mean(values(t, "cramers_v") - level)
            if level == 0:
                found[f"corrected V − 0, {recipe}"] = mean(values(t, "cramers_v_corrected"))
        small = trial.draw(0.5, recipe, n=8)
        found[f"V − .5 at N = 8, {recipe}"] = mean(values(small, "cramers_v") - 0.5)
    return Verdict.CONTRADICTS


@claim("correction-falls-with-k")
def correction_falls_with_k(trial: Trial, found: Numbers) -> Verdict:
    for each, k in product((2, 32), (2, 8, 32)):
        n = each * k
        cells = _chance(trial, max(trial.size // k, 50), k, n, "absolute-normal")
        off = np.abs(np.rint(cells).sum(axis=(1, 2)) - n)
        found[f"N/K = {each}, K = {k}"] = mean(off / n)
    few, many = (found[f"N/K = {each}, K = 32"].value < found[f"N/K = {each}, K = 2"].value for each in (2, 32))
    return verdict(few and many)


def _chance(trial: Trial, size: int, k: int, n: int, cells: Cells) -> Array:
    """Cells of chance tables, scattered around what random margins expect."""
    q, b = (random_shares(trial.rng, size, k) for _ in range(2))
    return scattered(trial.rng, n, outer(b, q), cells)


@claim("level-is-informedness")
def level_is_informedness(trial: Trial, found: Numbers) -> Verdict:
    for level in (0.3, 0.5, 0.7):
        u, q, b = (random_shares(trial.rng, trial.size, 4) for _ in range(3))
        mixed = level * u[:, None, :] * np.eye(4) + (1 - level) * outer(b, q)
        found[f"spread at {level:g}"] = spread(values(Table.from_counts(mixed), "informedness"))
    return verdict(min(e.value for e in found.values()) > 0.005)


@claim("uniform-is-broader")
def uniform_is_broader(trial: Trial, found: Numbers) -> Verdict:
    recipes = ("uniform-cells", "premarginal", HONEST)
    found |= {r: spread(values(trial.draw(0.0, r), "informedness")) for r in recipes}
    wide, *rest = (e.value for e in found.values())
    return verdict(wide > 1.3 * max(rest))


@claim("last-cell")
def last_cell(trial: Trial, found: Numbers) -> Verdict:
    for k in (2, 4, 8):
        t = trial.draw(0.0, "uniform-cells", k=k, n=16 * k * k, total="last")
        found[f"K = {k}"] = quotient(spread(t.cells[-1, -1]), spread(t.cells[0, 0]))
    return verdict(found["K = 8"].value > 1.5 * found["K = 4"].value)


@claim("top-overshoots")
def top_overshoots(trial: Trial, found: Numbers) -> Verdict:
    found |= {r: mean(values(trial.draw(1.0, r), "informedness") - 1) for r in BOTH}
    paper, honest = found.values()
    return verdict(paper.value < -4 * paper.standard_error, honest.value < 0)


@claim("integrality")
def integrality(trial: Trial, found: Numbers) -> Verdict:
    for n, cells in product((128, 16), ("whole", "real")):
        t = trial.draw(0.5, "premarginal", n=n, real_valued=cells == "real")
        b = values(t, "informedness")
        world = f"N = {n}, {cells}"
        found |= {f"mean, {world}": mean(b), f"deviation, {world}": spread(b)}
    large, small = (abs(found[f"mean, N = {n}, real"].value - found[f"mean, N = {n}, whole"].value) for n in (128, 16))
    return verdict(large < 0.015 < small)


@claim("copula")
def copula(trial: Trial, found: Numbers) -> Verdict:
    kinds = ("absolute-normal", "inverse-cdf", "binomial", "normal")
    for cells in kinds:
        b = values(trial.draw(0.5, "premarginal", cells=cells), "informedness")
        found |= {f"deviation, {cells}": spread(b), f"mean, {cells}": mean(b)}
    apart = max(abs(found[f"mean, {c}"].value - 0.5) for c in kinds)
    deviations = [found[f"deviation, {c}"].value for c in kinds]
    return verdict(apart < 0.01 and max(deviations) < 1.25 * min(deviations))


@claim("binornd")
def binornd(trial: Trial, found: Numbers) -> Verdict:
    total = found["mean total / N"] = mean(_chance(trial, trial.size, 4, 128, "binomial").sum(axis=(1, 2)) / 128)
    return verdict(total.value < 0.98)


@claim("margins-too-uniform")
def margins_too_uniform(trial: Trial, found: Numbers) -> Verdict:
    recipes = ("premarginal", PAPER, "uniform-cells", "noise-everywhere", HONEST)
    found |= {r: _b_and_m(trial.draw(0.5, r)) for r in recipes}
    reverse = trial.draw(0.5, prevalence="geometric", guess="reversed")
    found["multinomial, guesses reversed"] = _b_and_m(reverse)
    even = found[HONEST].value
    return verdict(found["premarginal"].value < even and even > 0.95)


def _b_and_m(t: Table) -> MonteCarlo:
    return correlation(values(t, "informedness"), values(t, "markedness"))


@claim("perfect-agreement")
def perfect_agreement(_: Trial, found: Numbers) -> Verdict:
    shifts = [np.roll(np.eye(4), i, axis=0) for i in range(4)]
    tables = {
        "I = 1": population(1.0, k=4, prevalence="long-tailed"),
        "uniform margins": Table.from_counts(np.tensordot((5.0, 2.0, 2.0, 1.0), shifts, 1)),
        "bias = prevalence": Table.from_counts([[8, 2, 1], [2, 20, 3], [1, 3, 60]]),
    }
    four = ("informedness", "markedness", "correlation", "cohen_kappa")
    found |= exact({name: np.ptp([values(t, m) for m in four]) for name, t in tables.items()})
    return verdict(max(found[name].value for name in ("I = 1", "uniform margins")) < 1e-12)


@claim("kappa-conservative")
def kappa_conservative(_: Trial, found: Numbers) -> Verdict:
    for guess in (0.3, 0.8, 0.99):
        t = population(0.5, k=2, prevalence=0.3, guess=guess)
        found |= exact(
            {f"{m}, guesses {guess:g}": values(t, m) for m in ("informedness", "correlation", "cohen_kappa")}
        )
    return verdict(found["cohen_kappa, guesses 0.99"].value < 0.4)


@claim("misleading-at-15")
def misleading_at_15(_: Trial, found: Numbers) -> Verdict:
    for level in (0.15, -0.15):
        t = population(level, k=2, prevalence=0.7, guess=0.8)
        found |= exact({f"{m} at {level:g}": values(t, m) for m in ("informedness", "accuracy", "f1")})
    return verdict(found["f1 at -0.15"].value > 0.6)


@claim("recovers")
def recovers(trial: Trial, found: Numbers) -> Verdict:
    apart = max(
        abs(float(values(population(g, k=4, prevalence=q, guess=b), "informedness")) - g)
        for g in LEVELS
        for q in ("even", "geometric", "sparse")
        for b in ("prevalence", "even", "reversed")
    )
    t = trial.draw(0.5, prevalence="geometric", guess="reversed")
    bias = mean(values(t, "informedness") - 0.5)
    found |= exact({"largest |B − G|, population": apart}) | {"bias at .5, N = 128": bias}
    return verdict(apart < 1e-12 and abs(bias.value) < 0.01)


@claim("prevalence-free")
def prevalence_free(_: Trial, found: Numbers) -> Verdict:
    two = np.array([[80.0, 30], [20, 70]])
    three = np.array([[40.0, 10, 5], [8, 20, 9], [2, 10, 16]])
    for k, counts, scale in ((2, two, [5, 1]), (3, three, [1, 5, 0.3])):
        for m in ("informedness", "informedness_trace"):
            before, after = (values(Table.from_counts(x), m) for x in (counts, counts * scale))
            found |= exact({f"change of {m}, K = {k}": after - before})
    return verdict(abs(found["change of informedness, K = 3"].value) < 1e-9)


@claim("ranks")
def ranks(trial: Trial, found: Numbers) -> Verdict:
    better, worse = random_pairs(trial.rng, trial.size, gap=0.1)
    found |= {
        m: share(values(worse, m) > values(better, m) + 1e-12)
        for m in ("informedness", "matthews", "cohen_kappa", "accuracy", "f1")
    }
    wrong = min(found[m].value for m in ("accuracy", "f1"))
    return verdict(found["informedness"].value == 0 and wrong > 0.1)
