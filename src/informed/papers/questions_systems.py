"""Open questions about two systems and more: rules, degrees of freedom, false discoveries."""

from __future__ import annotations

import numpy as np

from informed._arrays import Array
from informed.evidence.table import Table
from informed.inference.intervals import interval
from informed.inference.tests import test
from informed.papers import plot as draw
from informed.papers.question import COARSE, Answer, Rng, Row, question
from informed.simulation.estimates import correlation, mean, share
from informed.simulation.generators import multinomial
from informed.simulation.multinomial import draw_cells
from informed.systems.compare import compare


def joint_shares(k: int, levels: tuple[float, float], shared: float) -> Array:
    """Cells (real, a, b) of two mixtures on the same cases, even classes, guesses apart.

    In a share `shared` of the cases one uniform number decides for both whether they know (so that
    the better one knows whatever the other knows); elsewhere each has its own.

    >>> joint_shares(2, (0.5, 0.5), 1.0)[0].tolist()  # both right: ½·(.5 + .5·¼)
    [[0.3125, 0.0625], [0.0625, 0.0625]]
    """
    eye, guess = np.eye(k), np.full((k, k), 1 / k)  # of (real, said)

    def both(know_a: Array, know_b: Array) -> Array:
        return np.asarray(np.einsum("ra,rb->rab", know_a, know_b))

    a, b = levels
    least, most = min(a, b), max(a, b)
    ahead = both(eye, guess) if a > b else both(guess, eye)
    together = least * both(eye, eye) + (most - least) * ahead + (1 - most) * both(guess, guess)
    apart = both(a * eye + (1 - a) * guess, b * eye + (1 - b) * guess)
    return np.asarray((shared * together + (1 - shared) * apart) / k)


def drawn_pairs(
    rng: Rng, size: int, n: int, k: int, levels: tuple[float, float], shared: float | None
) -> tuple[Table, Table, Array | None]:
    """Tables of two systems, and their joint counts where the cases are the same."""
    if shared is None:
        a, b = (multinomial(rng, g, k=k, n=n, size=size) for g in levels)
        return a, b, None
    p = joint_shares(k, levels, shared)
    joint = draw_cells(rng, n, p.ravel(), size).reshape(size, k, k, k).astype(np.float64)
    a, b = (Table.from_counts(joint.sum(axis=other).swapaxes(-1, -2)) for other in (3, 2))
    return a, b, joint


def pvalue_of_difference(a: Table, b: Table, joint: Array | None) -> Array:
    """By `informed.compare`, paired where the cases are the same; in its closed form."""
    if joint is None:
        found = compare(a, b, method="plus-four")
    else:
        found = compare.paired(joint=joint, method="smoothed-delta")
    return np.asarray(found.pvalue("informedness"))


def _cases(shared: float | None) -> str:
    return "independent" if shared is None else f"same, shared knowing {shared:g}"


@question(
    "outside",
    "7",
    asks='How often does "the other\'s value is outside my interval" err?',
    ran="two systems of equal informedness .5, K = 2, N = 200, on independent cases and on the "
    "same cases (items easy for one are easy for the other: knowing shared in none, half or all "
    "of the cases); wald intervals, nominal .05; last, `informed.compare`",
    says="On independent data the rule finds a difference in one of six comparisons of equals: the "
    "difference of two estimates has √2 times the error of one. On the same cases the "
    "estimates move together and it errs less, one in eleven with the strongest pairing "
    "tried, still twice the nominal; asking for both changes little. The unpaired z is right "
    "for independent data and too cautious for paired. `informed.compare` knows the pairing "
    "and stays near .05.",
)
def _outside(rng: Rng, size: int) -> Answer:
    rows: list[Row] = []
    for shared in (None, 0.0, 0.5, 1.0):
        a, b, joint = drawn_pairs(rng, size, 200, 2, (0.5, 0.5), shared)
        i, j = (interval(t, "informedness", method="wald") for t in (a, b))
        x, y = np.asarray(i.estimate), np.asarray(j.estimate)
        first, second = (y < i.low) | (y > i.high), (x < j.low) | (x > j.high)
        z = np.abs(x - y) > np.hypot(i.high - i.low, j.high - j.low) / 2
        rows.append(
            {
                "cases": _cases(shared),
                "correlation": correlation(x, y),
                "b outside a's": share(first),
                "each outside the other's": share(first & second),
                "unpaired z": share(z),
                "compare": share(pvalue_of_difference(a, b, joint) < 0.05),
            }
        )
    p = draw.Plot("Equal systems declared different (nominal .05)", (0, 4), (0, 0.22), "",
                  "share of comparisons", width=760, height=380, x_ticks=[0.5, 1.5, 2.5, 3.5],
                  x_names=[r["cases"] for r in rows], legend_right=True)  # fmt: skip
    for c, column in enumerate(list(rows[0])[2:]):
        p.legend.append((column, draw.COLOURS[c], "band"))
        for at, r in enumerate(rows):
            left = at + 0.12 + 0.19 * c
            p.box(left, left + 0.17, 0, r[column].value, draw.COLOURS[c])
    p.line([0, 4], [0.05, 0.05], draw.INK, "", "4 3")
    return rows, p.svg()


# ------------------------------------------------------------------ degrees of freedom


def wanted_freedoms(statistic: Array) -> float:
    """Degrees of freedom whose χ² has its 95 % point where these statistics have theirs."""
    from scipy.optimize import brentq
    from scipy.special import chdtri

    at = float(np.quantile(statistic, 0.95))
    if at < chdtri(0.01, 0.05):
        return 0.0
    return float(brentq(lambda r: chdtri(r, 0.05) - at, 0.01, 1e5))


@question(
    "freedoms",
    "4",
    asks="Is K − 1 (or any) number of degrees of freedom right for comparing two systems?",
    ran="two equal systems, K = 2, 3, 5 and 10, informedness 0, .3, .6 and .9, N = 32K and 128K, "
    "on independent cases and on the same (knowing shared): |χ²_KBM(a) − χ²_KBM(b)| read with "
    "K − 1 degrees of freedom, |χ²_XBM(a) − χ²_XBM(b)| with (K − 1)², as 000 proposes; share of "
    "p < .05 (right: .05), the degrees of freedom that would have made it .05, and "
    "`informed.compare` on the same tables",
    says="No. The difference of two such statistics is not χ² with any number of degrees of "
    "freedom. Where nothing is known both are near 0 and the rule never finds anything; "
    "elsewhere their difference grows as √N while the threshold stays, so that equal systems "
    "are declared different in up to .71 of the comparisons with K − 1 degrees of freedom and "
    "up to .75 with (K − 1)². The degrees of freedom that would have given .05 run from .08 "
    "to 41 for the first and from .4 to 463 for the second, by N and B alone: a number to be "
    "looked up would have to know both. `informed.compare`, here in its closed forms (paired "
    "on the same cases), errs in .002 to .056; it is cautious where both make hardly any "
    "errors.",
)
def _freedoms(rng: Rng, size: int) -> Answer:
    from scipy.special import chdtrc

    rows: list[Row] = []
    coarse = size < COARSE
    for k in (2, 5) if coarse else (2, 3, 5, 10):
        for each in (32,) if coarse else (32, 128):
            for level in (0.0, 0.3, 0.6, 0.9):
                for shared in (None, 1.0):
                    a, b, joint = drawn_pairs(rng, size, each * k, k, (level, level), shared)
                    row: Row = {"K": k, "N": each * k, "informedness": level,
                                "cases": "independent" if shared is None else "same"}  # fmt: skip
                    for method, df in (("kbm", k - 1), ("xbm", (k - 1) ** 2)):
                        x, y = (np.asarray(test(t, method=method).statistic) for t in (a, b))
                        away = np.abs(x - y)
                        row[f"{method}, {'K − 1' if method == 'kbm' else '(K − 1)²'}"] = share(
                            chdtrc(df, away) < 0.05
                        )
                        row[f"df wanted by {method}"] = round(wanted_freedoms(away), 2)
                    row["compare"] = share(pvalue_of_difference(a, b, joint) < 0.05)
                    rows.append(row)
    return rows, _freedoms_picture(rows)


def _freedoms_picture(rows: list[Row]) -> str:
    """Error rates against informedness, one panel for each kind of cases, at the largest K."""
    k = max(r["K"] for r in rows if r["K"] <= 5)
    plots = []
    for cases in ("independent", "same"):
        p = draw.Plot(f"{cases} cases, K = {k}", (0, 0.9), (0, 1), "informedness of both",
                      "equal systems declared different", width=470, height=360)  # fmt: skip
        p.line([0, 0.9], [0.05, 0.05], draw.INK, "nominal .05", "4 3", 1)
        of = [r for r in rows if r["cases"] == cases and r["K"] == k]
        for n in dict.fromkeys(r["N"] for r in of):
            dash = "" if n == of[0]["N"] else "5 3"
            some = [r for r in of if r["N"] == n]
            columns = ("kbm, K − 1", "xbm, (K − 1)²", "compare")
            for column, colour in zip(columns, draw.COLOURS, strict=False):
                p.line([r["informedness"] for r in some], [r[column].value for r in some], colour,
                       f"{column}, N = {n}", dash)  # fmt: skip
        plots.append(p)
    return draw.row(plots, title="Differences of χ² read with the papers' degrees of freedom")


# ------------------------------------------------------------------ false discoveries

COMPARISONS, TRUE = 40, 10  # pairs of systems in a study, and those that really differ


@question(
    "discoveries",
    "14",
    asks="Do p-values from published intervals keep the false discoveries of "
    "Benjamini and Hochberg at 5 %?",
    ran="studies of 40 comparisons, 10 of them of systems .2 apart in informedness (.6 and .4), 30 "
    "of equals (.5); K = 2, N = 200; z = difference/√(SE² + SE²) with SE = width/3.92 of the "
    "published 95 % intervals, as 003 proposes, then Benjamini–Hochberg at .05; 400 studies each. "
    "On the same cases the published intervals do not know the pairing",
    says="From intervals that cover, yes: .04 on independent cases with arc or wald. From the "
    "papers' own, no: more than half of what CI_B1 finds is false, and .14 with CI_B0. On the "
    "same cases published intervals do not say how the systems move together: from arc or "
    "wald the false discoveries fall to .006, and with them the true ones, .28 found where a "
    "paired comparison finds .45. So the proposal is sound if the intervals are, and a paired "
    "test is better where the answers are at hand.",
)
def _discoveries(rng: Rng, size: int) -> Answer:
    from informed.systems.multiplicity import adjusted

    rows: list[Row] = []
    studies = max(size // 10, 20)
    real = np.arange(COMPARISONS) < TRUE
    for shared in (None, 0.5, 1.0):
        parts = [drawn_pairs(rng, studies * m, 200, 2, g, shared)
                 for m, g in ((TRUE, (0.6, 0.4)), (COMPARISONS - TRUE, (0.5, 0.5)))]  # fmt: skip
        for method in ("arc", "wald", "powers-0", "powers-1", "compare"):
            found = [
                pvalue_of_difference(*p) if method == "compare" else _published(p, method)
                for p in parts
            ]
            p = np.concatenate([f.reshape(studies, -1) for f in found], axis=1)
            said = np.stack([np.asarray(adjusted(one, "bh")) for one in p]) < 0.05
            false = (said & ~real).sum(axis=1) / np.maximum(said.sum(axis=1), 1)
            rows.append(
                {
                    "cases": _cases(shared),
                    "intervals": "none: informed.compare" if method == "compare" else method,
                    "false discoveries": mean(false),
                    "found of the true": mean(said[:, real]),
                }
            )
    p_ = draw.Plot("False discoveries at a nominal 5 % (right: below the line)", (0, 3), (0, 0.75),
                   "", "share of what is found", width=760, height=380, x_ticks=[0.5, 1.5, 2.5],
                   x_names=list(dict.fromkeys(r["cases"] for r in rows)))  # fmt: skip
    for i, r in enumerate(rows):
        c, at = i % 5, i // 5
        if at == 0:
            p_.legend.append((r["intervals"], draw.COLOURS[c], "band"))
        left = at + 0.1 + 0.16 * c
        p_.box(left, left + 0.14, 0, r["false discoveries"].value, draw.COLOURS[c])
    p_.line([0, 3], [0.05, 0.05], draw.INK, "", "4 3")
    return rows, p_.svg()


def _published(pair: tuple[Table, Table, Array | None], method: str) -> Array:
    """Two-sided p of the difference, from what a paper prints of each system."""
    from scipy.special import ndtr

    i, j = (interval(t, "informedness", method=method) for t in pair[:2])
    error = np.hypot(i.high - i.low, j.high - j.low) / (2 * 1.959964)
    z = np.abs(np.asarray(i.estimate) - np.asarray(j.estimate)) / error
    return np.asarray(2 * ndtr(-z))
