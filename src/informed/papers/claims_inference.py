"""Claims about intervals, significance and comparison."""

from __future__ import annotations

from itertools import product

import numpy as np

from informed._arrays import Array
from informed.evidence.table import Table
from informed.inference.intervals import interval
from informed.papers.claims import Numbers, claim, exact
from informed.papers.published import ahead, bands, error_of, half_width, outside, rejects
from informed.papers.register import HONEST, PAPERS, READINGS, Trial
from informed.simulation.estimates import MonteCarlo, mean, quotient, share
from informed.simulation.experiment import LEVELS
from informed.simulation.judging import judged, pvalues, statistics, values

NOMINAL = 0.05


def off_nominal(found: MonteCarlo) -> MonteCarlo:
    """How far a share is from the nominal .05."""
    return MonteCarlo(abs(found.value - NOMINAL), found.standard_error)


# ------------------------------------------------------------------ bands


@claim("bands-hold")
def bands_hold(trial: Trial) -> Numbers:
    found: Numbers = {}
    for (k, n), reading in product(((4, 16), (5, 128)), READINGS):

        def within(t: Table, level: float, n: int = n) -> Array:
            off = np.abs(values(t, "informedness") - level)
            return np.stack([off <= band for band in bands(t, level, n)])

        inside = trial.along(within, reading, k=k, n=n)
        found[f"within CI_B1, K = {k}, N = {n}, {reading}"] = share(inside[0])
        by_level = inside.reshape(2, len(LEVELS), -1)
        for level, which in product((0.5, 0.9) if n == 128 else (), (1, 2)):
            held = by_level[which - 1, LEVELS.index(level)]
            found[f"within CI_B{which} at {level:g}, K = {k}, {reading}"] = share(held)
    return found


@claim("lower-band")
def lower_band(trial: Trial) -> Numbers:
    def above(t: Table, level: float) -> Array:
        return np.asarray(values(t, "informedness") >= level - np.maximum(*bands(t, level, 16)))

    found = exact({"share of which 110 are as likely as not all": 0.5 ** (1 / 110)})
    return found | {f"above the band, {r}": share(trial.along(above, r, n=16)) for r in READINGS}


@claim("upside-downside")
def upside_downside(trial: Trial) -> Numbers:
    found: Numbers = {}
    for reading, level in product(READINGS, (0.5, 0.9)):
        t = trial.draw(level, reading)
        b, (one, two) = values(t, "informedness"), bands(t, level, 128)
        found |= {
            f"above 1 − |B| at {level:g}, {reading}": share(b > level + two),
            f"below 1 − |B| at {level:g}, {reading}": share(b < level - two),
            f"below the weighted mean at {level:g}, {reading}": share(b < level - one),
            f"outside the weighted mean at {level:g}, {reading}": share(abs(b - level) > one),
        }
    return found


@claim("bars-meet")
def bars_meet(trial: Trial) -> Numbers:
    found = exact({
        "by SE = √(sse/(N − 1)), N = 16, X = 2": 2 / np.sqrt(15),
        "by (66), N = 15, X = 2, even margins": 2 / np.sqrt(2 * 14),
        "N at which (66) meets": 1 + 4 / (2 * 0.25),
    })  # fmt: skip
    for reading in PAPERS:  # whose margins are never empty, so that there is an evenness
        t = trial.draw(0.5, reading, n=16)
        found[f"by (66), N = 16, X = 1.96, {reading}"] = mean(half_width(t, 16))
    return found


@claim("markedness-outside")
def markedness_outside(trial: Trial) -> Numbers:
    found: Numbers = {}
    for reading in READINGS:
        t = trial.draw(0.5, reading)
        band, _ = bands(t, 0.5, 128)
        for short, m in (("B", "informedness"), ("M", "markedness")):
            found[f"{short} outside, {reading}"] = share(np.abs(values(t, m) - 0.5) > band)
    return found


@claim("evenness-factor")
def evenness_factor(trial: Trial) -> Numbers:
    found: Numbers = {}
    for q, b in ((0.5, 0.5), (0.2, 0.2), (0.1, 0.5), (0.5, 0.1)):
        t = trial.draw(0.0, k=2, n=256, prevalence=q, guess=b)
        x = values(t, "informedness")
        square, said = mean((x - x.mean()) ** 2), mean(half_width(t, 256, x=1) ** 2)
        found[f"prevalence {q:g}, bias {b:g}"] = quotient(square, said)
    return found


# ------------------------------------------------------------------ tests


@claim("small-significance")
def small_significance(trial: Trial) -> Numbers:
    grid = claim.grid("small-significance")
    found: Numbers = {}
    for reading in READINGS:
        drawn = {level: trial.draw(level, reading, n=16, size=trial.few) for level in LEVELS}
        every = Table.from_counts(np.concatenate([t.counts for t in drawn.values()]))
        found[f"Fisher, point, all levels, {reading}"] = rejects(every, "fisher-point")
        some = Table.from_counts(np.concatenate([t.counts[: max(trial.size // 400, 1)] for t in drawn.values()]))
        cumulative = np.concatenate([pvalues(some[i : i + 50], "fisher") for i in range(0, len(some), 50)])
        for words, p in (("", NOMINAL), (", p < .1", 0.1)):
            found[f"Fisher, cumulative, all levels{words}, {reading}"] = share(cumulative < p)
        for (name, method), level in product(grid["tests"].items(), grid["level"]):
            found[f"{name} at {level:g}, {reading}"] = rejects(drawn[level], method)
    return found


@claim("k-family")
def k_family(trial: Trial) -> Numbers:
    methods = ("kb", "kbm", "pearson", "g", "permutation-z")
    found: Numbers = {}
    for reading in READINGS:
        chance = trial.draw(0.0, reading, k=2, n=64, size=4 * trial.size)
        known = trial.draw(0.3, reading, k=2, n=64)
        sizes = {m: rejects(chance, m) for m in methods}
        found |= {f"size of {m}, {reading}": x for m, x in sizes.items()}
        found |= {f"{m} off the nominal, {reading}": off_nominal(x) for m, x in sizes.items()}
        found |= {f"power of {m}, {reading}": rejects(known, m) for m in methods}
    return found


@claim("g-preferred")
def g_preferred(trial: Trial) -> Numbers:
    found: Numbers = {}
    for (k, n), reading in product(((2, 16), (4, 32), (8, 64)), READINGS):
        t = trial.draw(0.0, reading, k=k, n=n)
        sizes = {name: rejects(t, method) for name, method in (("χ²", "pearson"), ("G²", "g"))}
        found |= {f"size of {name}, K = {k}, N = {n}, {reading}": x for name, x in sizes.items()}
        found |= {f"{name} off the nominal, K = {k}, N = {n}, {reading}": off_nominal(x) for name, x in sizes.items()}
    return found


@claim("intervals-more-reliable")
def intervals_more_reliable(trial: Trial) -> Numbers:
    found: Numbers = {}
    for reading in READINGS:
        t = trial.draw(0.0, reading, k=2, n=64)
        shares = {}
        for method in ("powers-0", "powers-1", "powers-2", "arc"):
            i = judged(t, "informedness", 0.0, method=method)
            shares[f"0 outside {method}"] = share(i.below | i.above)
        shares |= {f"{name} rejects": rejects(t, m) for name, m in (("χ²", "pearson"), ("G²", "g"))}
        found |= {f"{name}, {reading}": x for name, x in shares.items()}
        for name in ("0 outside powers-1", "0 outside powers-2", "χ² rejects", "G² rejects"):
            found[f"{name}, off the nominal, {reading}"] = off_nominal(shares[name])
    return found


@claim("families-alike")
def families_alike(_: Trial) -> Numbers:
    from scipy.special import chdtrc

    return exact({"p of K = 8, 3 df": chdtrc(3, 8), "p of X = 24, 9 df": chdtrc(9, 24)})


@claim("fisher-inappropriate")
def fisher_inappropriate(trial: Trial) -> Numbers:
    found: Numbers = {}
    for n in (32, 64):
        drawn = {level: trial.draw(level, HONEST, k=2, n=n, prevalence=0.3) for level in (0.0, 0.3)}
        for m in ("fisher", "fisher-midp", "pearson-n1"):
            found |= {f"size of {m}, N = {n}": rejects(drawn[0.0], m), f"power of {m}, N = {n}": rejects(drawn[0.3], m)}
        fixed = rejects(_both_margins_fixed(trial, n, round(0.3 * n)), "fisher")
        found |= {
            f"fisher off the nominal, N = {n}": off_nominal(found[f"size of fisher, N = {n}"]),
            f"size of fisher, N = {n}, margins fixed": fixed,
            f"fisher off the nominal, N = {n}, margins fixed": off_nominal(fixed),
        }
    return found


def _both_margins_fixed(trial: Trial, n: int, positives: int) -> Table:
    """Tables of chance with as many positive labels as positive cases, both fixed beforehand."""
    hits = trial.rng.hypergeometric(positives, n - positives, positives, size=trial.size)
    wrong = positives - hits
    return Table.from_counts(np.stack([[hits, wrong], [wrong, n - positives - wrong]]).transpose(2, 0, 1))


@claim("single-class-conservative")
def single_class_conservative(trial: Trial) -> Numbers:
    found: Numbers = {}
    for reading in READINGS:
        for level in (0.0, 0.3):
            t = trial.draw(level, reading, k=2, n=64)
            found |= {f"{m} at {level:g}, {reading}": rejects(t, m) for m in ("plus-p", "g-plus-p", "kb", "fisher")}
            found[f"χ² at {level:g}, {reading}"] = rejects(t, "pearson")
    return found


# ------------------------------------------------------------------ two systems and many


@claim("value-outside")
def value_outside(trial: Trial) -> Numbers:
    i, j = (interval(trial.draw(0.5, k=2, n=200), "informedness", method="wald") for _ in range(2))
    (first, second), apart = outside(i, j), np.abs(ahead(i, j))
    bars_together = error_of(i) + error_of(j)
    return {
        "b's value outside a's interval": share(first),
        "each outside the other's": share(first & second),
        "1.96 SE bars do not overlap": share(apart > 1.96 * bars_together),
        "1 SE bars do not overlap": share(apart > bars_together),
        "z of the difference": share(apart > 1.96 * error_of(i, j)),
    }


@claim("directed-bar")
def directed_bar(trial: Trial) -> Numbers:
    a, b = (interval(trial.draw(0.5, k=2, n=200), "informedness", method="wald") for _ in range(2))
    return {"first declared better": share(ahead(a, b) > 1.65 * error_of(a))}


@claim("many-systems")
def many_systems(trial: Trial) -> Numbers:
    t = trial.draw(0.0, k=2, n=128, size=trial.few * 20)
    differs = (pvalues(t, "permutation-z") < NOMINAL).reshape(-1, 20)
    up = values(t, "informedness").reshape(-1, 20) > 0
    found = {"any improvement": share((differs & up).any(axis=1)), "any": share(differs.any(axis=1))}
    return found | exact({"1 − (1 − α/2)^20": 1 - 0.975**20, "1 − (1 − α)^20": 1 - 0.95**20})


@claim("difference-of-statistics")
def difference_of_statistics(trial: Trial) -> Numbers:
    from scipy.special import chdtrc

    found: Numbers = {}
    for k in (2, 5):
        a, b = (statistics(trial.draw(0.6, k=k, n=128 * k), "kbm") for _ in range(2))
        found[f"K = {k}"] = share(chdtrc(k - 1, np.abs(a - b)) < NOMINAL)
    return found
