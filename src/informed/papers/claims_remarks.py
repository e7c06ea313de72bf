"""Claims that stand in the running text: examples, rules of thumb, remarks on statistics."""

from __future__ import annotations

from typing import Any

import numpy as np

from informed.evidence.table import Table
from informed.inference.tests import test
from informed.measures import find
from informed.papers.claims import FAILS, HOLDS, Found, claim, verdict
from informed.papers.claims_inference import bands
from informed.papers.claims_measures import HONEST, PAPER, draw, values
from informed.papers.figure_tables import MEASURES_2, TABLE_2
from informed.simulation.estimates import Estimate, mean, rms, share

Rng = np.random.Generator


@claim(
    "runs-counter",
    says="All other measures rise, some considerably, while informedness falls",
    where="000, Table 2 and its text",
    ran="the two tables of N = 100: every measure of the first less that of the second",
    comment="So it is for the nine that are listed; inverse F falls too, from .57 to .43.",
    exact=True,
)
def _counter(rng: Rng, size: int) -> Found:
    del rng, size
    first, second = TABLE_2.values()
    found = {m: Estimate(float(find(m)(first)) - float(find(m)(second))) for m in MEASURES_2}
    others = [e.value for m, e in found.items() if m != "informedness"]
    return found, HOLDS if found["informedness"].value < 0 < min(others) else FAILS


@claim(
    "table-2-significance",
    says="Fisher's test is significant at .05 for both examples of Table 2, χ² for neither",
    where="000, significance, after Table 2",
    ran="p of the two tables: Fisher's exact test two-sided and one-sided, Pearson's χ², (30) and "
    "(47)",
    comment="Fisher only one-sided (two-sided the second has .063), and Pearson's χ² is "
    "significant for both; it is (30) and (47) that are not.",
    exact=True,
)
def _both(rng: Rng, size: int) -> Found:
    del rng, size
    found: dict[str, Estimate] = {}
    for name, t in TABLE_2.items():
        for method in ("fisher", "pearson", "plus-p", "kb"):
            found[f"{method}, {name}"] = Estimate(float(test(t, method=method).pvalue))
        one = test(t, method="fisher", alternative="greater")
        found[f"fisher, one-sided, {name}"] = Estimate(float(one.pvalue))
    said = all(found[f"fisher, {n}"].value < 0.05 < found[f"pearson, {n}"].value for n in TABLE_2)
    return found, HOLDS if said else FAILS


@claim(
    "twelve-classes",
    says="Where a classification into 12 classes is made it is informed 86 % of the time, 29 % in "
    "all",
    where="002, last table and its text",
    ran="informedness of the only counts that fit the printed table, weighted by class; and times "
    "the 34 % that were classified",
    comment="The margins were interchanged: 33 %, and 11 % in all (docs/twelve-classes.md).",
    exact=True,
)
def _twelve(rng: Rng, size: int) -> Found:
    from informed.papers.figure_tables import twelve

    data, _, _ = twelve(rng, size)
    b, q = np.asarray(data["B"]), np.asarray(data["prevalence"])
    found = {"of the classified": Estimate(float(b @ q)), "in all": Estimate(float(b @ q) * 0.34)}
    return found, HOLDS if abs(found["of the classified"].value - 0.86) < 0.01 else FAILS


@claim(
    "apart-without-limit",
    says="Informedness can be driven near 0 while markedness, recall and precision are near 1",
    where="000, generalization of association",
    ran="[[10⁶, n], [0, 1]] for n = 10 and 1000",
    comment="One negative of a thousand recognised, no positive lost: M is then near precision.",
    exact=True,
)
def _apart(rng: Rng, size: int) -> Found:
    del rng, size
    found: dict[str, Estimate] = {}
    for n in (10, 1000):
        t = Table.from_counts([[1e6, n], [0, 1]])
        for m in ("informedness", "markedness", "recall", "precision"):
            found[f"{m}, n = {n}"] = Estimate(float(find(m)(t)))
    rest = [found[f"{m}, n = 1000"].value for m in ("markedness", "recall", "precision")]
    good = found["informedness, n = 1000"].value < 0.01 and min(rest) > 0.99
    return found, HOLDS if good else FAILS


@claim(
    "kappa-for-two",
    says="Kappa approximates informedness reasonably for two classes, especially where bias tracks "
    "prevalence",
    where="001, conclusions",
    ran="K = 2, N = 128, informedness uniform on [0, 1], prevalence uniform on [.05, .95]: root "
    "mean square of kappa − B with guesses as prevalence, and with guesses anywhere",
    comment="Where bias tracks prevalence they differ by .03, less than half the sampling error of "
    "either; else by .11, and by more where classes are uneven.",
)
def _two(rng: Rng, size: int) -> Found:
    from informed.papers.questions_measures import mixtures

    g, q = rng.random(size), rng.uniform(0.05, 0.95, size)
    found: dict[str, Estimate] = {}
    for name, b in (("guesses as prevalence", q), ("guesses anywhere", rng.random(size))):
        cells = rng.multinomial(128, mixtures(g, q, b).counts.reshape(size, 4))
        t = Table.from_counts(cells.reshape(size, 2, 2))
        found[name] = rms(values(t, "cohen_kappa") - values(t, "informedness"))
    good = found["guesses as prevalence"].value < found["guesses anywhere"].value / 2
    return found, HOLDS if good else FAILS


@claim(
    "markedness-outside",
    says="Markedness lies outside the bounds attached to informedness more often than β",
    where="000, text after Fig. 6",
    ran="share of M outside level ± CI_B1 (wanted .05 for B), K = 4, N = 128, level .5",
    comment="In the papers' margins M scatters more than B; in honest samples with even classes "
    "both lie outside equally often, and far more than .05.",
)
def _outside(rng: Rng, size: int) -> Found:
    found: dict[str, Estimate] = {}
    more = []
    for name in ("premarginal", HONEST):
        t = draw(rng, size, 0.5, name)
        band = bands(t, 0.5, 128)["1"]
        for short, m in (("B", "informedness"), ("M", "markedness")):
            found[f"{short}, {name}"] = share(np.abs(values(t, m) - 0.5) > band)
        more.append(found[f"M, {name}"].value > 0.05)
    return found, verdict(*more)


@claim(
    "directed-bar",
    says="If a system is predicted to be better, a 1.65 SE bar that leaves out the other's mean is "
    "enough",
    where="003, section 3; 000, significance",
    ran="two equal systems on independent data, B = .5, K = 2, N = 200: how often the first is "
    "above the second by more than 1.65 SE of one of them (wanted .05)",
    comment="One in eight: the bar is 1.65/√2 standard errors of a difference.",
)
def _directed(rng: Rng, size: int) -> Found:
    from informed.inference.intervals import interval

    a, b = (interval(draw(rng, size, 0.5, HONEST, k=2, n=200), "informedness", method="wald")
            for _ in range(2))  # fmt: skip
    ahead = np.asarray(a.estimate) - np.asarray(b.estimate)
    error = (a.high - a.low) / (2 * 1.959964)
    found = {"first declared better": share(ahead > 1.65 * error)}
    return found, HOLDS if found["first declared better"].value < 0.07 else FAILS


@claim(
    "single-class-conservative",
    says="Goodness of fit of one class is much more conservative than Fisher's test",
    where="000, significance",
    ran="K = 2, N = 64: share of p < .05 at B = 0 and B = .3 for χ²+P, G+P and Fisher",
    comment="They use a part of the table and read it as if it were all: about half the power.",
)
def _single(rng: Rng, size: int) -> Found:
    found: dict[str, Estimate] = {}
    for level in (0.0, 0.3):
        t = draw(rng, size, level, HONEST, k=2, n=64)
        for method in ("plus-p", "g-plus-p", "fisher"):
            found[f"{method} at {level:g}"] = share(
                np.asarray(test(t, method=method).pvalue) < 0.05
            )
    good = found["plus-p at 0.3"].value < found["fisher at 0.3"].value * 0.8
    return found, HOLDS if good else FAILS


UNEVEN: dict[str, dict[str, Any]] = {
    "even": {},
    "10:1": {"prevalence": "geometric"},
    "10:1, reversed": {"prevalence": "geometric", "guess": "reversed"},
    "10:1, guessed evenly": {"prevalence": "geometric", "guess": "even"},
}


@claim(
    "uneven-inflates",
    says="Where margins are uneven, (53)–(55) can lead to inflated statistics",
    where="000, text after (55)",
    ran="K = 4, N = 128: mean of χ²_B, (53), where nothing is known, with even margins and 10:1 "
    "guessed alike, in reverse and evenly (wanted: 1, the degrees of freedom that it has)",
    comment="By 1.7 where guesses match prevalence, which is the usual case; halved where they are "
    "reversed.",
)
def _inflates(rng: Rng, size: int) -> Found:
    found = {
        name: mean(np.asarray(test(draw(rng, size, 0.0, HONEST, **how), method="b").statistic))
        for name, how in UNEVEN.items()
    }
    return found, HOLDS if found["10:1"].value > 1.2 * found["even"].value else FAILS


@claim(
    "uneven-v",
    says="Cramér's V is likely to be inflated where evenness is low",
    where="000, text after (55)",
    ran="K = 4, N = 128: mean of V − level at level .5, margins as for uneven-inflates",
    comment="It moves by a twentieth at most, and rather down: V divides by what margins allow.",
)
def _uneven_v(rng: Rng, size: int) -> Found:
    found = {
        name: mean(values(draw(rng, size, 0.5, HONEST, **how), "cramers_v") - 0.5)
        for name, how in UNEVEN.items()
    }
    worst = max(found[w].value for w in UNEVEN if w != "even")
    return found, HOLDS if worst > found["even"].value + 0.02 else FAILS


@claim(
    "conservative-with-size",
    says="(53)–(55) become more conservative as the effect grows",
    where="000, text of Fig. 5",
    ran="K = 4, N = 128: mean of χ²_BM/χ² (Pearson) at levels .2, .5 and .9; 1 is no difference",
    comment="The other way round: χ²_BM is two thirds of Pearson's χ² where little is known (which "
    "holds noise of all (K − 1)² freedoms) and reaches it as the level nears 1.",
)
def _conservative(rng: Rng, size: int) -> Found:
    found: dict[str, Estimate] = {}
    falls = []
    for name in (PAPER, HONEST):
        for level in (0.2, 0.5, 0.9):
            t = draw(rng, size, level, name)
            bm, full = (np.asarray(test(t, method=m).statistic) for m in ("bm", "pearson"))
            found[f"{level:g}, {name}"] = mean(bm / full)
        falls.append(found[f"0.9, {name}"].value < found[f"0.2, {name}"].value)
    return found, verdict(*falls)


@claim(
    "difference-of-statistics",
    says="The difference of the χ² of two systems can be tested with K − 1 degrees of freedom",
    where="000, generalization of significance",
    ran="two equal systems on independent data, B = .6, K = 2 and 5, N = 128K: share of "
    "|χ²_KBM(a) − χ²_KBM(b)| with p < .05",
    comment="It finds a difference between equals more often than not (open questions, 4).",
)
def _difference(rng: Rng, size: int) -> Found:
    from scipy.special import chdtrc

    found: dict[str, Estimate] = {}
    for k in (2, 5):
        a, b = (draw(rng, size, 0.6, HONEST, k=k, n=128 * k) for _ in range(2))
        x, y = (np.asarray(test(t, method="kbm").statistic) for t in (a, b))
        found[f"K = {k}"] = share(chdtrc(k - 1, np.abs(x - y)) < 0.05)
    return found, HOLDS if max(e.value for e in found.values()) < 0.07 else FAILS
