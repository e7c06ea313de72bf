"""Open questions about measures: rankers, weightings, determinants, kappa, V, abstention."""

from __future__ import annotations

from typing import Any

import numpy as np

from informed._arrays import Array
from informed.decisions.assignment import How, assign
from informed.evidence.table import Table
from informed.papers import plot as draw
from informed.papers.question import Answer, Rng, Row, question, values
from informed.simulation.estimates import Estimate, mean, share, spread
from informed.simulation.generators import class_levels, multinomial, population, shares


def mixtures(g: Any, q: Any, b: Any) -> Table:
    """Populations of two classes for arrays of informedness, prevalence and guess rate."""
    g, q, b = np.broadcast_arrays(g, q, b)
    rows = [[q * (g + (1 - g) * b), (1 - q) * (1 - g) * b],
            [q * (1 - g) * (1 - b), (1 - q) * (g + (1 - g) * (1 - b))]]  # fmt: skip
    return Table.from_counts(np.moveaxis(np.array(rows), (0, 1), (-2, -1)))


def random_pairs(
    rng: Rng, size: int, *, gap: float, prevalence: float | None = None
) -> tuple[Table, Table]:
    """Populations of two systems for the same cases, the first better informed by `gap`.

    Prevalence is uniform on [.05, .95] unless given, the guess rate of each system uniform on
    [.02, .98], the informedness of the worse uniform on [0, 1 − gap].
    """
    q = rng.uniform(0.05, 0.95, size) if prevalence is None else np.full(size, prevalence)
    worse = rng.uniform(0, 1 - gap, size)
    b, c = rng.uniform(0.02, 0.98, (2, size))
    return mixtures(worse + gap, q, b), mixtures(worse, q, c)


RANKERS = {
    "informedness": "informedness",
    "MCC": "matthews",
    "kappa": "cohen_kappa",
    "F1": "f1",
    "accuracy": "accuracy",
}


@question(
    "rankers",
    "",
    asks="How often does a measure prefer the less informed of two systems?",
    ran="pairs of systems on the same cases, true informedness .1 apart, guess rates free, K = 2; "
    "whole populations, so that no sampling error excuses a measure. Table: 4,000 pairs for each "
    "prevalence; picture: 400,000 pairs by prevalence and by how much more often the worse system "
    "says positive when it guesses",
    says="Informedness never does. With even classes accuracy and kappa rank rightly too, and "
    "MCC nearly so; as one class comes to dominate, accuracy prefers the worse system in "
    "more than a third of the pairs, kappa in a quarter, MCC in one of seven. F1 is not "
    "even symmetric: about one in twenty at prevalence .3, more than a third at .95. The "
    "picture says why: what misleads is the bias of the system. Guess the common class more often "
    "and accuracy rises; guess positive more often and F1 rises, unless positives are rare.",
)
def _rankers(rng: Rng, size: int) -> Answer:
    rows: list[Row] = []
    for q in (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95):
        better, worse = random_pairs(rng, size, gap=0.1, prevalence=q)
        row: Row = {"prevalence": q}
        for short, name in RANKERS.items():
            row[short] = share(values(worse, name) > values(better, name) + 1e-12)
        rows.append(row)
    return rows, _rankers_picture(rng, 100 * size)


def _rankers_picture(rng: Rng, pairs: int, steps: int = 24) -> str:
    """A map for each measure: how often it is wrong, by prevalence and by the gap in bias."""
    q = rng.uniform(0.02, 0.98, pairs)
    worse = rng.uniform(0, 0.9, pairs)
    b, c = rng.uniform(0.02, 0.98, (2, pairs))
    first, second = mixtures(worse + 0.1, q, b), mixtures(worse, q, c)
    across = np.minimum(((q - 0.02) / 0.96 * steps).astype(int), steps - 1)
    up = np.minimum(((c - b + 0.96) / 1.92 * steps).astype(int), steps - 1)
    cell = up * steps + across
    seen = np.bincount(cell, minlength=steps**2)
    plots = []
    for short in ("accuracy", "F1", "kappa", "MCC", "informedness"):
        wrong = values(second, RANKERS[short]) > values(first, RANKERS[short]) + 1e-12
        shares_ = np.bincount(cell, weights=wrong, minlength=steps**2) / np.maximum(seen, 1)
        p = draw.Plot(f"{short}: {100 * wrong.mean():.0f} %", (0, 1), (-1, 1), "prevalence",
                      "more “positive” from the worse one" if short == "accuracy" else "",
                      width=236, height=262, x_ticks=[0, 0.5, 1], y_ticks=[-1, 0, 1])  # fmt: skip
        for at, value in enumerate(shares_.tolist()):
            if value:
                x, y = at % steps / steps, at // steps / steps * 2 - 1
                p.box(x, x + 1.04 / steps, y, y + 2.08 / steps, draw.shade(value), crisp=True)
        if short == "informedness":
            p.text(0.5, -0.06, "never", draw.FAINT, "middle")
        plots.append(p)
    return draw.row(
        plots,
        title="How often does a measure prefer the system that knows less? (share of all pairs)",
        foot="Pairs of systems for the same cases, one informed .1 more than the other. White: the "
        "measure ranks them rightly; dark: it prefers the one that knows less, every time. "
        "Upwards: the one that knows less says “positive” more often when it guesses.",
    )


WEIGHTINGS = {
    "prevalence (default)": "informedness",
    "bias (2003)": "informedness(weighting='bias')",
    "uniform": "informedness(weighting='uniform')",
    "evenness": "informedness(weighting='evenness')",
    "trace": "informedness_trace",
    "determinant": "informedness_det(exponent='exact')",
}


@question(
    "weightings",
    "1",
    asks="Which K-class weighting has the least bias and variance?",
    ran="K = 4, N = 128, prevalences 10:1; informedness .5 for all classes, or falling from .9 to "
    ".1; guesses as prevalence or reversed. Bias is against each form's own population value",
    says="With constant informedness all aim at the same number and are nearly unbiased, "
    "except the determinant, which reads low. The default, prevalence weighting, has the "
    "least or nearly the least deviation in every world, evenness weighting is close; "
    "bias weighting has 1.3 to 1.4 times its deviation where guesses are far from "
    "prevalence, the trace form 1.1 to 1.9 times, the determinant up to six times. With "
    "class-dependent informedness the forms measure different things (column population), "
    "which no amount of data resolves: there the choice is one of meaning. The default "
    "stays.",
)
def _weightings(rng: Rng, size: int) -> Answer:
    rows: list[Row] = []
    spreads: dict[str, list[float]] = {w: [] for w in WEIGHTINGS}
    worlds = [
        (f"{what}, guesses {guess}", level, guess)
        for what, level in (("constant", np.full(4, 0.5)), ("falling", class_levels(0.5, 4, 0.4)))
        for guess in ("prevalence", "reversed")
    ]
    for world, level, guess in worlds:
        how: dict[str, Any] = {"prevalence": "geometric", "guess": guess}
        truth = population(level, k=4, **how)
        t = multinomial(rng, level, k=4, n=128, size=size, **how)
        for weighting, name in WEIGHTINGS.items():
            aim, x = float(values(truth, name)), values(t, name)
            rows.append(
                {
                    "world": world,
                    "weighting": weighting,
                    "population": Estimate(aim),
                    "bias": mean(x - aim),
                    "deviation": spread(x),
                }
            )
            spreads[weighting].append(float(np.nanstd(x)))
    p = draw.Plot("Standard deviation of K-class informedness, K = 4, N = 128", (0, 4), (0, 0.32),
                  "", "standard deviation", width=860, height=400,
                  x_ticks=[0.5, 1.5, 2.5, 3.5], x_names=[w for w, _, _ in worlds])  # fmt: skip
    for i, (weighting, found) in enumerate(spreads.items()):
        p.legend.append((weighting, draw.COLOURS[i], "band"))
        for j, v in enumerate(found):
            p.box(j + 0.1 + 0.13 * i, j + 0.22 + 0.13 * i, 0, v, draw.COLOURS[i])
    return rows, p.svg()


@question(
    "determinant",
    "2",
    asks="Does the determinant law survive sampling, and can it be de-biased?",
    ran="K = 4, even prevalences, N = 128 and 512, informedness the same for all classes or "
    "falling by .3 up and down from the first to the last: mean of |det/∏Prev|^e for e = "
    "1/(K − 1) and 2/K, of the signed root, and of the root of det·N^K/(N(N−1)…(N−K+1)), whose "
    "determinant has no bias at all",
    says="The exponent 1/(K − 1) is the law and 2/K is not, with or without noise. At zero the "
    "size of the determinant is biased upward (.09 at N = 128) because a size cannot be "
    "negative; the signed root is unbiased there. The determinant of multinomial counts is a "
    "sum of products of K different cells, so its expectation is N(N−1)…(N−K+1)·det: dividing "
    "by that instead of N^K makes the determinant itself exactly unbiased (last column, to be "
    "read against the law to the power 3). It does not help the root: what is left (−.06 at "
    "level .1, under .01 from .5 up, at N = 128) comes from taking a root of a noisy number. "
    "Where informedness falls from class to class the law itself is another one: the "
    "determinant is then .23, .46 and .68 in the population for means of .3, .5 and .7, as "
    "one unknown class makes it vanish. So there is a de-biased determinant, but no reason to "
    "prefer it to informedness.",
)
def _determinant(rng: Rng, size: int) -> Answer:
    k = 4
    worlds: list[tuple[str, float, Any]] = [
        ("all alike", x, x) for x in (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0)
    ]
    worlds += [("falling", x, class_levels(x, k)) for x in (0.3, 0.5, 0.7)]
    rows: list[Row] = []
    for n in (128, 512):
        for classes, level, each in worlds:
            t = multinomial(rng, each, k=k, n=n, size=size)
            true = population(each, k=k)
            raw = np.linalg.det(t.counts / n) * float(k) ** k  # prevalences are 1/K
            fair = raw * float(n) ** k / np.prod(n - np.arange(k, dtype=float))
            r = values(t, "informedness_det(exponent='exact')")
            rows.append(
                {
                    "N": n,
                    "classes": classes,
                    "level": level,
                    "law": Estimate(float(values(true, "informedness_det(exponent='exact')"))),
                    "size, 1/(K−1)": mean(np.abs(r)),
                    "size, 2/K": mean(np.abs(r) ** (2 * (k - 1) / k)),
                    "signed, 1/(K−1)": mean(r),
                    "de-biased": mean(np.sign(fair) * np.abs(fair) ** (1 / (k - 1))),
                    "its power K−1": mean(fair),
                }
            )
    p = draw.Plot("Determinant estimates, K = 4, N = 128: mean − level", (0, 1), (-0.2, 0.12),
                  "true informedness", "bias", width=680, height=400,
                  legend_right=True, legend_low=True)  # fmt: skip
    p.line([0, 1], [0, 0], draw.FAINT, "", "3 3")
    some = [r for r in rows if r["N"] == 128 and r["classes"] == "all alike"]
    for column, colour in zip(list(rows[0])[4:8], draw.COLOURS, strict=False):
        x = [r["level"] for r in some]
        p.line(x, [r[column].value - r["level"] for r in some], colour, column)
    return rows, p.svg()


@question(
    "kappa",
    "12",
    asks="How far does kappa fall below informedness as bias leaves prevalence?",
    ran="population values, K = 2, informedness .5, prevalence .1, .3 and .5, guesses from .01 to "
    ".99; nothing random",
    says="Kappa equals informedness where guesses match prevalence, and always where both "
    "classes are equally common. Guessing the rare class too often costs most: at "
    "prevalence .1 a system that knows half of the cases scores .17 if it guesses "
    "positive elsewhere, and .63 if it hardly ever does. MCC moves the same way, by less "
    "below and more above.",
)
def _kappa(rng: Rng, size: int) -> Answer:
    del rng, size
    guesses = np.concatenate([[0.01], np.arange(0.05, 1, 0.05), [0.99]])
    rows: list[Row] = []
    p = draw.Plot("Kappa (line) and MCC (dashed) at informedness .5", (0, 1), (0, 0.75),
                  "share of guesses that say positive", "value", width=680, height=400,
                  legend_low=True)  # fmt: skip
    p.line([0, 1], [0.5, 0.5], draw.FAINT, "informedness", "3 3")
    for q, colour in zip((0.1, 0.3, 0.5), draw.COLOURS, strict=False):
        t = mixtures(0.5, q, guesses)
        kappa, mcc = values(t, "cohen_kappa"), values(t, "matthews")
        p.line(guesses, kappa, colour, f"prevalence {q:g}").line(guesses, mcc, colour, "", "5 3")
        rows += [
            {"prevalence": q, "guesses": float(guesses[i]), "kappa": Estimate(float(kappa[i])),
             "MCC": Estimate(float(mcc[i]))}
            for i in (0, 2, 6, 10, 16, 20)
        ]  # fmt: skip
    return rows, p.svg()


@question(
    "cramer",
    "11",
    asks="What do Cramér's V and its correction read, beside C and R_K?",
    ran="K = 4, even prevalences, N = 16 and 128, mean over the levels",
    says="V cannot be negative and reads about √((K − 1)/N) where there is nothing: .43 at N = "
    "16. The correction leaves .11 of that (.04 at N = 128) and then reads low in the "
    "middle at N = 16, by up to .07; at N = 128 it is within about .01 from .2 up. B, C "
    "and R_K are unbiased throughout, and have a sign: V is no estimate of how much a "
    "system knows, only of how strongly two labellings are related.",
)
def _cramer(rng: Rng, size: int) -> Answer:
    names = {"V": "cramers_v", "corrected V": "cramers_v_corrected", "B": "informedness",
             "C": "correlation", "R_K": "matthews"}  # fmt: skip
    levels = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
    rows: list[Row] = []
    for n in (16, 128):
        for level in levels:
            t = multinomial(rng, level, k=4, n=n, size=size)
            rows.append(
                {"N": n, "level": level, **{s: mean(values(t, m)) for s, m in names.items()}}
            )
    p = draw.Plot("Mean − level, K = 4, N = 16", (0, 0.9), (-0.1, 0.5), "true informedness", "bias",
                  width=680, height=380, legend_right=True)  # fmt: skip
    for short, colour in zip(names, draw.COLOURS, strict=False):
        p.line(levels, [r[short].value - r["level"] for r in rows[: len(levels)]], colour, short)
    return rows, p.svg()


@question(
    "abstention",
    "16",
    asks="How wrong is the n/N discount when abstention depends on class?",
    ran="K = 3, prevalences 10:1, informedness .6, population values: abstaining at random, mostly "
    "on the common or mostly on the rare class; 40 % of the cases unanswered in each",
    says="The discount (informedness of the answered times coverage) equals the informedness "
    "of all cases, with an empty bet for every abstention, only if abstention has nothing "
    "to do with the class. Abstaining on the common class makes it .015 too high, on the "
    "rare classes .026 too low. `informedness_of_all` is the exact one.",
)
def _abstention(rng: Rng, size: int) -> Answer:
    del rng, size
    q = shares("geometric", 3)
    t = population(0.6, k=3, prevalence="geometric").counts
    rows: list[Row] = []
    for name, kept in (("at random", np.full(3, 0.6)), ("common class", _kept(q, 0)),
                       ("rare classes", _kept(q, 2))):  # fmt: skip
        answered = t * kept
        table = Table.from_counts(answered, abstained=(t - answered).sum(axis=0))
        rows.append(
            {
                "abstains on": name,
                "coverage": Estimate(float(values(table, "coverage"))),
                "answered": Estimate(float(values(table, "informedness"))),
                "discounted": Estimate(float(values(table, "informedness_discounted"))),
                "of all": Estimate(float(values(table, "informedness_of_all"))),
            }
        )
    p = draw.Plot("Discounted (red) and exact (blue) informedness of all cases", (0, 3), (0, 0.5),
                  "abstains on", "informedness", width=620, height=360, x_ticks=[0.5, 1.5, 2.5],
                  x_names=[r["abstains on"] for r in rows])  # fmt: skip
    for j, r in enumerate(rows):
        p.box(j + 0.2, j + 0.48, 0, r["discounted"].value, draw.RED)
        p.box(j + 0.52, j + 0.8, 0, r["of all"].value, draw.BLUE)
    return rows, p.svg()


def _kept(q: Array, most: int) -> Array:
    """Shares answered of each class, six tenths in all, abstaining mostly on one class."""
    kept = np.full(len(q), 0.6)
    gone = np.minimum(0.9, 0.3 / q[most])
    kept[most] = 1 - gone
    others = np.arange(len(q)) != most
    kept[others] = 1 - (0.4 - gone * q[most]) / q[others].sum()
    return kept


# ------------------------------------------------------------------ naming clusters


@question(
    "naming",
    "15",
    asks="How much does optimal labelling inflate informedness, and what corrects it?",
    ran="clusters that know nothing, or half, of even sizes, named at their best by "
    "`informed.assign` (99 shuffles each for its chance level), K classes; 400 clusterings each. "
    "More in [labelling clusters](labelling-clusters.md)",
    says="With 50 cases naming alone wins .11 (two clusters) to .44 (20 clusters of 5 classes), "
    "with 500 a third of that. The correction (B − chance)/(1 − chance) is 0 on average for "
    "clusters that know nothing, and p keeps its size. Where half is known and there are as "
    "many clusters as classes, the best names are nearly always the right ones and naming "
    "wins next to nothing (.50 for a true .5, even with 50 cases); the correction then takes "
    "off too much (.35 to .43). So p and the corrected value answer whether there is anything "
    "at all; the plain value is the better estimate once that is beyond doubt, unless "
    "clusters outnumber classes.",
)
def _naming(rng: Rng, size: int) -> Answer:
    rows: list[Row] = []
    many = max(size // 10, 20)
    settings: tuple[tuple[How, int, int], ...] = (
        ("one-to-one", 2, 2),
        ("one-to-one", 5, 5),
        ("one-to-one", 10, 10),
        ("many-to-one", 5, 5),
        ("many-to-one", 20, 5),
    )
    for how, clusters, k in settings:
        for n in (50, 500):
            for level in (0.0, 0.5):
                p = np.full((clusters, k), (1 - level) / (clusters * k))
                fits = np.arange(clusters) % k  # the class that a cluster is about
                p[np.arange(clusters), fits] += level * k / clusters / k
                cells = rng.multinomial(n, p.ravel() / p.sum(), size=many)
                found = [
                    assign(_clusters(c.reshape(clusters, k)), how, n_draws=99, rng=rng)
                    for c in cells
                ]
                rows.append(
                    {
                        "naming": how,
                        "clusters": clusters,
                        "classes": k,
                        "N": n,
                        "known": level,
                        "named": mean([f.informedness for f in found]),
                        "corrected": mean([f.corrected for f in found]),
                        "p ≤ .05": share([f.pvalue <= 0.05 for f in found]),
                    }
                )
    names = [f"{c}→{k}, N={n}" for _, c, k in settings for n in (50, 500)]
    p_ = draw.Plot("Clusters that know nothing, named at their best (red) and corrected (blue)",
                   (0, len(names)), (-0.05, 0.5), "", "mean informedness", width=1010, height=400,
                   x_ticks=[i + 0.5 for i in range(len(names))], x_names=names)  # fmt: skip
    p_.line([0, len(names)], [0, 0], draw.INK, "", "4 3", 1)
    p_.line([6, 6], [-0.05, 0.5], draw.FAINT, "", "2 3", 1)
    p_.text(5.9, 0.46, "one-to-one", anchor="end").text(6.1, 0.46, "many-to-one")
    for i, r in enumerate(r for r in rows if r["known"] == 0):
        p_.box(i + 0.2, i + 0.5, 0, r["named"].value, draw.RED)
        value = r["corrected"].value
        p_.box(i + 0.5, i + 0.8, min(value, 0), max(value, 0), draw.BLUE)
    return rows, p_.svg()


def _clusters(counts: Any) -> Table:
    names = [f"cluster {i}" for i in range(len(counts))]
    return Table.from_counts(
        counts, predicted_labels=names, real_labels=list(range(counts.shape[1]))
    )
