"""Claims about intervals, significance and comparison."""

from __future__ import annotations

import numpy as np

from informed._arrays import Array
from informed.evidence.table import Table
from informed.inference.intervals import interval
from informed.inference.tests import test
from informed.measures import find
from informed.papers.claims import FAILS, HOLDS, Found, claim, verdict
from informed.papers.claims_measures import HONEST, PAPER, draw, values
from informed.papers.point_tests import continuity_pvalue, point_probability
from informed.simulation.estimates import Estimate, mean, quotient, share
from informed.simulation.experiment import LEVELS

Rng = np.random.Generator


def bands(t: Table, level: float, n: int, x: float = 1.96) -> dict[str, Array]:
    """Half-widths of the papers' bands around a level, with each table's own evenness."""
    e = np.asarray(find("evenness_factor")(t))
    scale = x / np.sqrt(2 * np.maximum(e, 1e-12) * (n - 1))
    return {"1": scale * (1 - 2 * level + 2 * level**2), "2": scale * (1 - level)}


@claim(
    "bands-hold",
    says="More than 95 % of the estimates lie within the bands",
    where="000, text of Figs 6 and 7",
    ran="share of |B − level| within CI_B1 over the eleven levels, and within CI_B1 and CI_B2 at "
    ".5 and .9; K = 4, N = 16 and K = 5, N = 128",
    comment="Their tables are noisy only in the chance part, which is weighed by 1 − I: the shape "
    "of CI_B2 is that of the recipe. Noise on every cell or honest sampling undoes it.",
)
def _bands(rng: Rng, size: int) -> Found:
    found: dict[str, Estimate] = {}
    good = []
    for name in (PAPER, "noise-everywhere", HONEST):
        for k, n in ((4, 16), (5, 128)):
            inside = []
            for level in LEVELS:
                t = draw(rng, max(size // 5, 20), level, name, k=k, n=n)
                off = np.abs(values(t, "informedness") - level)
                band = bands(t, level, n)
                inside.append(off <= band["1"])
                if n == 128 and level in (0.5, 0.9):
                    for which in ("1", "2"):
                        label = f"CI_B{which} at {level:g}, K = {k}, {name}"
                        found[label] = share(off <= band[which])
            found[f"CI_B1, all levels, K = {k}, N = {n}, {name}"] = share(np.concatenate(inside))
        good.append(found[f"CI_B1 at 0.5, K = 5, {name}"].value > 0.93)
    return found, verdict(good[0], good[2])


@claim(
    "lower-band",
    says="All estimates lie above the more conservative lower band",
    where="000, text of Fig. 6",
    ran="share of B above level − max(CI_B1, CI_B2) over eleven levels, K = 4, N = 16",
    comment="Nearly all of them with the papers' recipe; with honest sampling one in thirty or "
    "more lies below.",
)
def _lower(rng: Rng, size: int) -> Found:
    found = {}
    for name in (PAPER, HONEST):
        above = []
        for level in LEVELS:
            t = draw(rng, max(size // 5, 20), level, name, n=16)
            band = bands(t, level, 16)
            above.append(values(t, "informedness") >= level - np.maximum(band["1"], band["2"]))
        found[name] = share(np.concatenate(above))
    return found, verdict(found[PAPER].value > 0.985, found[HONEST].value > 0.985)


@claim(
    "upside-downside",
    says="1 − |B| is conservative above and a little broad below; the weighted mean is too "
    "conservative for high B",
    where="003, text of Fig. 2",
    ran="share of estimates beyond each band, K = 4, N = 128, at .5 and .9",
    comment="So it is in the papers' recipe. In honest samples 1 − |B| is far too narrow at .9, on "
    "both sides; the weighted mean is indeed too wide there.",
)
def _sides(rng: Rng, size: int) -> Found:
    found = {}
    for name in (PAPER, HONEST):
        for level in (0.5, 0.9):
            t = draw(rng, size, level, name)
            b, band = values(t, "informedness"), bands(t, level, 128)
            found[f"above 1 − |B| at {level:g}, {name}"] = share(b > level + band["2"])
            found[f"below 1 − |B| at {level:g}, {name}"] = share(b < level - band["2"])
            outside = np.abs(b - level) > band["1"]
            found[f"outside the weighted mean at {level:g}, {name}"] = share(outside)
    good = [
        all(found[f"above 1 − |B| at {x:g}, {name}"].value < 0.05 for x in (0.5, 0.9))
        for name in (PAPER, HONEST)
    ]
    return found, verdict(*good)


@claim(
    "bars-meet",
    says="The bars on B = 0 and B = 1 meet at N = 16",
    where="000, text of Fig. 6; 003, section 3",
    ran="half-width at N = 16, X = 2: by (63) with even margins, with the evenness of simulated "
    "tables, and without the factor 2; they meet at .5",
    comment="Only without the 2E of (63): the formula as printed gives .37 for even margins and "
    "meets at N = 9.",
)
def _meet(rng: Rng, size: int) -> Found:
    t = draw(rng, size, 0.5, PAPER, n=16)
    e = np.asarray(find("evenness_factor")(t))
    found = {
        "by (63), even margins": Estimate(2 / np.sqrt(2 * 15)),
        "by (63), simulated margins": mean(2 / np.sqrt(2 * e * 15)),
        "without the factor 2": Estimate(2 / np.sqrt(15)),
        "N at which (63) meets": Estimate(1 + 4 / (2 * 0.25)),
    }
    return found, HOLDS if found["by (63), simulated margins"].value > 0.48 else FAILS


@claim(
    "small-significance",
    says="At N = 16 Fisher is significant almost everywhere, G² from B > .6, χ² from B > .8",
    where="000, text of Fig. 6",
    ran="K = 4, N = 16, recipe of the figure: share of p < .05 at levels 0, .5, .7 and .9, and the "
    "same in honest samples for Fisher",
    comment="What is called Fisher there is a point probability: it is below .05 nearly always, "
    "even where nothing is known, so it tells nothing. G² as said; χ² from .6 rather than .8, and "
    "with the author's own continuity correction hardly at all below 1.",
)
def _small(rng: Rng, size: int) -> Found:
    found = {}
    for name in (PAPER, HONEST):
        for level in (0.0, 0.5, 0.7, 0.9):
            t = draw(rng, max(size // 5, 20), level, name, n=16)
            for method in ("fisher-point", "g", "pearson", "χ², corrected", "permutation-z"):
                if name == HONEST and method not in ("fisher-point", "permutation-z"):
                    continue
                own = {"fisher-point": point_probability, "χ², corrected": continuity_pvalue}
                p = own[method](t) if method in own else np.asarray(test(t, method=method).pvalue)
                found[f"{method} at {level:g}, {name}"] = share(p < 0.05)
    said = [found[f"fisher-point at 0, {name}"].value < 0.2 for name in (PAPER, HONEST)]
    return found, verdict(*said)


@claim(
    "k-family",
    says="χ²_KB, χ²_KM and χ²_KBM are more reliable than the traditional χ² and G²",
    where="000, exploration",
    ran="K = 2 and 4, N = 64: share of p < .05 at B = 0 (wanted .05), and power at B = .3",
    comment="They are a fraction of Pearson's χ² read with its distribution: they hardly ever "
    "reject what is false to reject, and lose most of the power with it.",
)
def _family(rng: Rng, size: int) -> Found:
    found = {}
    for k in (2, 4):
        for level, what in ((0.0, "size"), (0.3, "power")):
            t = draw(rng, size, level, HONEST, k=k, n=64)
            for method in ("kb", "kbm", "pearson", "g", "permutation-z"):
                p = np.asarray(test(t, method=method).pvalue)
                found[f"{what} of {method}, K = {k}"] = share(p < 0.05)
    better = found["size of kb, K = 2"].value > 0.03
    return found, HOLDS if better else FAILS


@claim(
    "intervals-more-reliable",
    says="The papers' intervals seem more reliable than χ² and G²",
    where="000, exploration",
    ran="B = 0, K = 2, N = 64: how often 0 lies outside the interval around B (wanted .05)",
    comment="CI_B1 excludes a true 0 six times as often as it should; Pearson's test is right.",
)
def _reliable(rng: Rng, size: int) -> Found:
    t = draw(rng, size, 0.0, HONEST, k=2, n=64)
    found = {}
    for method in ("powers-0", "powers-1", "powers-2", "arc"):
        i = interval(t, "informedness", method=method)
        found[f"0 outside {method}"] = share((i.low > 0) | (i.high < 0))
    found["Pearson rejects"] = share(np.asarray(test(t, method="pearson").pvalue) < 0.05)
    off = abs(found["0 outside powers-1"].value - 0.05)
    return found, HOLDS if off <= abs(found["Pearson rejects"].value - 0.05) else FAILS


@claim(
    "families-alike",
    says="The difference between the K and the X statistics is always slight",
    where="000, text of Fig. 4",
    ran="p of χ²_K = 8 at K = 4 with 3 degrees of freedom, and of χ²_X = 24 with 9",
    comment="One is ten times the other.",
    exact=True,
)
def _alike(rng: Rng, size: int) -> Found:
    from scipy.special import chdtrc

    del rng, size
    found = {
        "p of K = 8, 3 df": Estimate(float(chdtrc(3, 8))),
        "p of X = 24, 9 df": Estimate(float(chdtrc(9, 24))),
    }
    small, large = sorted(e.value for e in found.values())
    return found, HOLDS if large < 1.5 * small else FAILS


@claim(
    "evenness-factor",
    says="E = PrevG·BiasG·K² takes the margins into account",
    where="000, generalization of confidence",
    ran="K = 2, N = 256, B = 0: true variance of B divided by that of (63), which is 1/(2E(N − 1))",
    comment="Right would be 1. It is 2 for even margins and moves from .4 to 3.4 as prevalence and "
    "bias part: the variance is Bias·IBias/(Prev·IPrev·N), which a product cannot follow.",
)
def _evenness(rng: Rng, size: int) -> Found:
    found = {}
    for q, b in ((0.5, 0.5), (0.2, 0.2), (0.1, 0.5), (0.5, 0.1)):
        t = draw(rng, size, 0.0, HONEST, k=2, n=256, prevalence=q, guess=b)
        x = values(t, "informedness")
        square = mean((x - x.mean()) ** 2)
        said = mean(1 / (2 * np.asarray(find("evenness_factor")(t)) * 255))
        found[f"prevalence {q:g}, bias {b:g}"] = quotient(square, said)
    ratios = [e.value for e in found.values()]
    return found, HOLDS if max(ratios) < 1.3 * min(ratios) else FAILS


@claim(
    "fisher-inappropriate",
    says="Fisher's test is inappropriate because bias and prevalence are not fixed beforehand",
    where="000, significance, and exploration",
    ran="K = 2, nothing known, both margins free: share of p < .05 for N = 32 and 64",
    comment="Its error rate stays below the nominal with free margins: it is cautious because "
    "tables are few, not invalid; mid-p gives back most of it (open questions, 8).",
)
def _fisher(rng: Rng, size: int) -> Found:
    found = {}
    for n in (32, 64):
        t = draw(rng, max(size // 5, 20), 0.0, HONEST, k=2, n=n, prevalence=0.3)
        for method in ("fisher", "fisher-midp", "pearson-n1"):
            p = np.asarray(test(t, method=method).pvalue)
            found[f"{method}, N = {n}"] = share(p < 0.05)
    return found, HOLDS if found["fisher, N = 64"].value > 0.055 else FAILS


@claim(
    "value-outside",
    says="For two systems it is enough that one's value is outside the other's 1.96 SE interval",
    where="003, section 3; 000, exploration",
    ran="two equal systems on independent data, B = .5, K = 2, N = 200: how often the rule finds a "
    "difference; likewise for intervals that do not overlap, of 1.96 and of 1 SE",
    comment="It finds one in six where there is none: 1.96/√2 standard errors of a difference. "
    "Asking for both, as 'mutual significance', changes little. As the paper says, non-overlap at "
    "1.96 is too strict and at 1 too lax.",
)
def _outside(rng: Rng, size: int) -> Found:
    a, b = (draw(rng, size, 0.5, HONEST, k=2, n=200) for _ in range(2))
    i, j = (interval(t, "informedness", method="wald") for t in (a, b))
    x, y = np.asarray(i.estimate), np.asarray(j.estimate)
    first, second = (y < i.low) | (y > i.high), (x < j.low) | (x > j.high)
    half_i, half_j = (i.high - i.low) / 2, (j.high - j.low) / 2
    apart = np.abs(x - y)
    found = {
        "b's value outside a's interval": share(first),
        "each outside the other's": share(first & second),
        "1.96 SE bars do not overlap": share(apart > half_i + half_j),
        "1 SE bars do not overlap": share(apart > (half_i + half_j) / 1.96),
        "z of the difference": share(apart > np.hypot(half_i, half_j)),
    }
    return found, HOLDS if found["b's value outside a's interval"].value < 0.07 else FAILS


@claim(
    "many-systems",
    says="A spurious improvement is likely once about 1/α approaches are tried",
    where="003, section 3",
    ran="20 systems that know nothing, K = 2, N = 128, α = .05: any significant above chance?",
    comment="1 − .975²⁰ = .40 for improvements alone, .64 for any significant result.",
)
def _many(rng: Rng, size: int) -> Found:
    runs = max(size // 5, 20)
    t = draw(rng, runs * 20, 0.0, HONEST, k=2, n=128)
    p = np.asarray(test(t, method="permutation-z").pvalue).reshape(runs, 20) < 0.05
    up = values(t, "informedness").reshape(runs, 20) > 0
    found = {"any improvement": share((p & up).any(axis=1)), "any": share(p.any(axis=1))}
    return found, HOLDS if found["any improvement"].value > 0.3 else FAILS
