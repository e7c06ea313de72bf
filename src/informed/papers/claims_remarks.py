"""Claims that stand in the running text: examples, rules of thumb, remarks on statistics."""

from __future__ import annotations

from itertools import product

import numpy as np

from informed.evidence.table import Table
from informed.inference.intervals import interval
from informed.papers.claims import Numbers, Verdict, claim, exact, verdict
from informed.papers.examples import MEASURES, TABLE_2, twelve_classes
from informed.papers.published import ahead, bands, error_of, rejects
from informed.papers.register import BOTH, HONEST, MARGINS, Trial
from informed.simulation.estimates import mean, rms, share
from informed.simulation.judging import pvalues, statistics, values
from informed.simulation.two_classes import mixtures, sampled

UNEVEN = ("even", "10:1", "10:1, reversed", "10:1, guessed evenly")


@claim("runs-counter")
def runs_counter(_: Trial, found: Numbers) -> Verdict:
    first, second = TABLE_2.values()
    found |= exact({m: values(first, m) - values(second, m) for m in MEASURES["table-2"]})
    others = [e.value for m, e in found.items() if m != "informedness"]
    return verdict(found["informedness"].value < 0 < min(others))


@claim("table-2-significance")
def table_2_significance(_: Trial, found: Numbers) -> Verdict:
    for name, t in TABLE_2.items():
        for method in ("fisher", "pearson", "plus-p", "kb"):
            found |= exact({f"{method}, {name}": pvalues(t, method)})
        one_sided = pvalues(t, "fisher", alternative="greater")
        found |= exact({f"fisher, one-sided, {name}": one_sided})
    said = [found[f"fisher, {n}"].value < 0.05 < found[f"pearson, {n}"].value for n in TABLE_2]
    return verdict(all(said))


@claim("twelve-classes")
def twelve(_: Trial, found: Numbers) -> Verdict:
    classes = twelve_classes()
    b = float(classes["B"] @ classes["prevalence"])
    found |= exact({"of the classified": b, "in all": 0.34 * b})
    return verdict(abs(b - 0.86) < 0.01)


@claim("apart-without-limit")
def apart_without_limit(_: Trial, found: Numbers) -> Verdict:
    for n in (10, 1000):
        t = Table.from_counts([[1e6, n], [0, 1]])
        found |= exact({f"{m}, n = {n}": values(t, m) for m in ("informedness", "markedness", "recall", "precision")})
    b, *rest = (e.value for e in list(found.values())[4:])
    return verdict(b < 0.01 and min(rest) > 0.99)


@claim("kappa-for-two")
def kappa_for_two(trial: Trial, found: Numbers) -> Verdict:
    g, q = trial.rng.random(trial.size), trial.rng.uniform(0.05, 0.95, trial.size)
    guesses = {"guesses as prevalence": q, "guesses anywhere": trial.rng.random(trial.size)}
    for name, b in guesses.items():
        t = sampled(trial.rng, 128, mixtures(g, q, b))
        found[name] = rms(values(t, "cohen_kappa") - values(t, "informedness"))
    alike, anywhere = (e.value for e in found.values())
    return verdict(alike < anywhere / 2)


@claim("markedness-outside")
def markedness_outside(trial: Trial, found: Numbers) -> Verdict:
    for recipe in ("premarginal", HONEST):
        t = trial.draw(0.5, recipe)
        band, _ = bands(t, 0.5, 128)
        for short, m in (("B", "informedness"), ("M", "markedness")):
            found[f"{short}, {recipe}"] = share(np.abs(values(t, m) - 0.5) > band)
    return verdict(*(found[f"M, {r}"].value > 0.05 for r in ("premarginal", HONEST)))


@claim("directed-bar")
def directed_bar(trial: Trial, found: Numbers) -> Verdict:
    a, b = (interval(trial.draw(0.5, k=2, n=200), "informedness", method="wald") for _ in range(2))
    better = found["first declared better"] = share(ahead(a, b) > 1.65 * error_of(a))
    return verdict(better.value < 0.07)


@claim("single-class-conservative")
def single_class_conservative(trial: Trial, found: Numbers) -> Verdict:
    for level in (0.0, 0.3):
        t = trial.draw(level, k=2, n=64)
        found |= {f"{m} at {level:g}": rejects(t, m) for m in ("plus-p", "g-plus-p", "fisher")}
    return verdict(found["plus-p at 0.3"].value < found["fisher at 0.3"].value * 0.8)


@claim("uneven-inflates")
def uneven_inflates(trial: Trial, found: Numbers) -> Verdict:
    found |= {name: mean(statistics(trial.draw(0.0, **MARGINS[name]), "b")) for name in UNEVEN}
    return verdict(found["10:1"].value > 1.2 * found["even"].value)


@claim("uneven-v")
def uneven_v(trial: Trial, found: Numbers) -> Verdict:
    found |= {m: mean(values(trial.draw(0.5, **MARGINS[m]), "cramers_v") - 0.5) for m in UNEVEN}
    even, *rest = (e.value for e in found.values())
    return verdict(max(rest) > even + 0.02)


@claim("conservative-with-size")
def conservative_with_size(trial: Trial, found: Numbers) -> Verdict:
    for recipe, level in product(BOTH, (0.2, 0.5, 0.9)):
        t = trial.draw(level, recipe)
        found[f"{level:g}, {recipe}"] = mean(statistics(t, "bm") / statistics(t, "pearson"))
    return verdict(*(found[f"0.9, {r}"].value < found[f"0.2, {r}"].value for r in BOTH))


@claim("difference-of-statistics")
def difference_of_statistics(trial: Trial, found: Numbers) -> Verdict:
    from scipy.special import chdtrc

    for k in (2, 5):
        a, b = (statistics(trial.draw(0.6, k=k, n=128 * k), "kbm") for _ in range(2))
        found[f"K = {k}"] = share(chdtrc(k - 1, np.abs(a - b)) < 0.05)
    return verdict(max(e.value for e in found.values()) < 0.07)
