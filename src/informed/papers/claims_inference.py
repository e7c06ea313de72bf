"""Claims about intervals, significance and comparison."""

from __future__ import annotations

from itertools import product

import numpy as np

from informed._arrays import Array
from informed.evidence.table import Table
from informed.inference.intervals import interval
from informed.papers.claims import Numbers, Verdict, claim, exact, verdict
from informed.papers.published import ahead, bands, error_of, half_width, outside, pvalues_of, rejects
from informed.papers.register import BOTH, HONEST, PAPER, Trial
from informed.simulation.estimates import mean, quotient, share
from informed.simulation.experiment import LEVELS
from informed.simulation.judging import judged, values


@claim("bands-hold")
def bands_hold(trial: Trial, found: Numbers) -> Verdict:
    for recipe, (k, n) in product((PAPER, "noise-everywhere", HONEST), ((4, 16), (5, 128))):

        def within(t: Table, level: float, n: int = n) -> Array:
            off = np.abs(values(t, "informedness") - level)
            return np.stack([off <= band for band in bands(t, level, n)])

        inside = trial.along(within, recipe, k=k, n=n)
        by_level = inside.reshape(2, len(LEVELS), -1)
        for level, which in product((0.5, 0.9) if n == 128 else (), (1, 2)):
            held = by_level[which - 1, LEVELS.index(level)]
            found[f"CI_B{which} at {level:g}, K = {k}, {recipe}"] = share(held)
        found[f"CI_B1, all levels, K = {k}, N = {n}, {recipe}"] = share(inside[0])
    return verdict(*(found[f"CI_B1 at 0.5, K = 5, {recipe}"].value > 0.93 for recipe in BOTH))


@claim("lower-band")
def lower_band(trial: Trial, found: Numbers) -> Verdict:
    def above(t: Table, level: float) -> Array:
        return np.asarray(values(t, "informedness") >= level - np.maximum(*bands(t, level, 16)))

    found |= {recipe: share(trial.along(above, recipe, n=16)) for recipe in BOTH}
    return verdict(*(e.value > 0.985 for e in found.values()))


@claim("upside-downside")
def upside_downside(trial: Trial, found: Numbers) -> Verdict:
    good = []
    for recipe in BOTH:
        for level in (0.5, 0.9):
            t = trial.draw(level, recipe)
            b, (one, two) = values(t, "informedness"), bands(t, level, 128)
            found |= {
                f"above 1 − |B| at {level:g}, {recipe}": share(b > level + two),
                f"below 1 − |B| at {level:g}, {recipe}": share(b < level - two),
                f"outside the weighted mean at {level:g}, {recipe}": share(abs(b - level) > one),
            }
        good.append(all(found[f"above 1 − |B| at {x}, {recipe}"].value < 0.05 for x in (0.5, 0.9)))
    return verdict(*good)


@claim("bars-meet")
def bars_meet(trial: Trial, found: Numbers) -> Verdict:
    found |= exact({"by (63), even margins": 2 / np.sqrt(2 * 15)})
    simulated = found["by (63), simulated margins"] = mean(half_width(trial.draw(0.5, PAPER, n=16), 16, x=2))
    found |= exact({"without the factor 2": 2 / np.sqrt(15), "N at which (63) meets": 1 + 4 / (2 * 0.25)})
    return verdict(simulated.value > 0.48)


@claim("small-significance")
def small_significance(trial: Trial, found: Numbers) -> Verdict:
    methods = {
        PAPER: ("fisher-point", "g", "pearson", "χ², corrected", "permutation-z"),
        HONEST: ("fisher-point", "permutation-z"),
    }
    for recipe, level in product(methods, (0.0, 0.5, 0.7, 0.9)):
        t = trial.draw(level, recipe, n=16, size=trial.few)
        found |= {f"{m} at {level:g}, {recipe}": rejects(t, m) for m in methods[recipe]}
    return verdict(*(found[f"fisher-point at 0, {recipe}"].value < 0.2 for recipe in BOTH))


@claim("k-family")
def k_family(trial: Trial, found: Numbers) -> Verdict:
    methods = ("kb", "kbm", "pearson", "g", "permutation-z")
    for k, (level, what) in product((2, 4), ((0.0, "size"), (0.3, "power"))):
        t = trial.draw(level, k=k, n=64)
        found |= {f"{what} of {m}, K = {k}": rejects(t, m) for m in methods}
    return verdict(found["size of kb, K = 2"].value > 0.03)


@claim("intervals-more-reliable")
def intervals_more_reliable(trial: Trial, found: Numbers) -> Verdict:
    t = trial.draw(0.0, k=2, n=64)
    for method in ("powers-0", "powers-1", "powers-2", "arc"):
        i = judged(t, "informedness", 0.0, method=method)
        found[f"0 outside {method}"] = share(i.below | i.above)
    pearson = found["Pearson rejects"] = rejects(t, "pearson")
    off = abs(found["0 outside powers-1"].value - 0.05)
    return verdict(off <= abs(pearson.value - 0.05))


@claim("families-alike")
def families_alike(_: Trial, found: Numbers) -> Verdict:
    from scipy.special import chdtrc

    found |= exact({"p of K = 8, 3 df": chdtrc(3, 8), "p of X = 24, 9 df": chdtrc(9, 24)})
    small, large = sorted(e.value for e in found.values())
    return verdict(large < 1.5 * small)


@claim("evenness-factor")
def evenness_factor(trial: Trial, found: Numbers) -> Verdict:
    for q, b in ((0.5, 0.5), (0.2, 0.2), (0.1, 0.5), (0.5, 0.1)):
        t = trial.draw(0.0, k=2, n=256, prevalence=q, guess=b)
        x = values(t, "informedness")
        square, said = mean((x - x.mean()) ** 2), mean(half_width(t, 256, x=1) ** 2)
        found[f"prevalence {q:g}, bias {b:g}"] = quotient(square, said)
    ratios = [e.value for e in found.values()]
    return verdict(max(ratios) < 1.3 * min(ratios))


@claim("fisher-inappropriate")
def fisher_inappropriate(trial: Trial, found: Numbers) -> Verdict:
    for n in (32, 64):
        t = trial.draw(0.0, k=2, n=n, size=trial.few, prevalence=0.3)
        found |= {f"{m}, N = {n}": rejects(t, m) for m in ("fisher", "fisher-midp", "pearson-n1")}
    return verdict(found["fisher, N = 64"].value > 0.055)


@claim("value-outside")
def value_outside(trial: Trial, found: Numbers) -> Verdict:
    i, j = (interval(trial.draw(0.5, k=2, n=200), "informedness", method="wald") for _ in range(2))
    (first, second), apart = outside(i, j), np.abs(ahead(i, j))
    bars_together = error_of(i) + error_of(j)
    found |= {
        "b's value outside a's interval": share(first),
        "each outside the other's": share(first & second),
        "1.96 SE bars do not overlap": share(apart > 1.96 * bars_together),
        "1 SE bars do not overlap": share(apart > bars_together),
        "z of the difference": share(apart > 1.96 * error_of(i, j)),
    }
    return verdict(found["b's value outside a's interval"].value < 0.07)


@claim("many-systems")
def many_systems(trial: Trial, found: Numbers) -> Verdict:
    t = trial.draw(0.0, k=2, n=128, size=trial.few * 20)
    differs = (pvalues_of(t, "permutation-z") < 0.05).reshape(-1, 20)
    up = values(t, "informedness").reshape(-1, 20) > 0
    found |= {"any improvement": share((differs & up).any(axis=1)), "any": share(differs.any(axis=1))}
    return verdict(found["any improvement"].value > 0.3)
