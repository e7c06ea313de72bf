"""How often the rate behind a judge's verdicts is held, and how wide its interval is beside others.

    PYTHONPATH=src:…/site-packages python benchmarks/studies/judge_coverage.py --write

`ppi_py` (pip install ppi-python) is asked in the same run: its interval in closed form for yes and no, which is
compared with the package on some draws of every truth. What it says is kept with its version.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from itertools import product
from typing import Any

import numpy as np
from scipy.special import ndtri
from study import Part, Row, Study, bare

from informed import Table, judge
from informed.errors import InferenceError
from informed.inference.proportions import mid_p
from informed.systems.judge_both import DRIFTED, BothPlaces
from informed.systems.judge_planning import allocated
from informed.systems.judge_strata import carried

SEED = 2030
RATES = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.98)
SKILLS = (0.1, 0.5, 0.8, 0.95)
LEANS = (0.2, 0.5, 0.8)  # of the judge's errors, the share that are false passes: strict, even, lenient
LABELS = (30, 100, 300)
UNLABELLED = (300, 2000, 20_000)
AGAIN = 40_000  # draws of the truths that are held least, which are picked for their bad luck, too
Z = float(ndtri(0.975))


# ---------------------------------------------------------------------- worlds


def truths() -> Iterator[tuple[float, float, float, int]]:
    """Rate, recall, fallout, and cases without a label."""
    for theta, skill, lean, left in product(RATES, SKILLS, LEANS, UNLABELLED):
        fallout = (1 - skill) * lean
        yield theta, fallout + skill, fallout, left


def drawn(truth: Any, n: int, runs: int, rng: Any, *, by_verdict: bool = False) -> tuple[Any, Any, Any]:
    """Positive labelled cases, labelled cases and all cases of each verdict, pass first: (runs, 2)."""
    theta, recall, fallout, left = truth
    said = theta * recall + (1 - theta) * fallout
    real = np.array([theta * recall / said, theta * (1 - recall) / (1 - said)])  # of each verdict
    if by_verdict:
        passed = rng.binomial(n + left, said, runs)
        cases = np.stack([passed, n + left - passed], axis=1)
        labelled = np.minimum(cases, n // 2)
    else:
        first = rng.binomial(n, said, runs)
        labelled = np.stack([first, n - first], axis=1)
        passed = first + rng.binomial(left, said, runs)
        cases = np.stack([passed, n + left - passed], axis=1)
    return rng.binomial(labelled, real).astype(float), labelled.astype(float), cases.astype(float)


# ---------------------------------------------------------------------- others


def ppi(x: Any, n: Any, cases: Any) -> tuple[Any, Any]:
    """PPI++ (power-tuned) of a mean of zeros and ones, as `ppi_py.ppi_mean_ci` has it."""
    labelled, left = n.sum(axis=1), (cases - n).sum(axis=1)
    here, away = n[:, 0] / labelled, (cases - n)[:, 0] / left
    y, both = x.sum(axis=1) / labelled, x[:, 0] / labelled
    pooled, all_ = cases[:, 0] / cases.sum(axis=1), labelled + left
    with np.errstate(all="ignore"):
        lam = (both - y * here) / ((1 + labelled / left) * pooled * (1 - pooled) * all_ / (all_ - 1))
    lam = np.clip(lam, 0, 1)
    middle = y + lam * (away - here)
    second = (y - 2 * lam * both + lam**2 * here) - (y - lam * here) ** 2
    reach = Z * np.sqrt(lam**2 * away * (1 - away) / left + np.fmax(second, 0) / labelled)
    return middle - reach, middle + reach


def check_ppi(x: Any, n: Any, cases: Any) -> None:
    """Hold the closed form against the package, on two draws."""
    from ppi_py import ppi_mean_ci  # type: ignore[import-not-found]

    low, high = ppi(x[:2], n[:2], cases[:2])
    for i in range(2):
        gold = np.concatenate([np.repeat([1, 0], [int(a), int(b - a)]) for a, b in zip(x[i], n[i], strict=True)])
        said, rest = (np.repeat([1, 0], z.astype(int)) for z in (n[i], cases[i] - n[i]))
        if 0 < said.sum() + rest.sum() < len(said) + len(rest):
            theirs = ppi_mean_ci(gold.astype(float), said.astype(float), rest.astype(float), alpha=0.05)
            np.testing.assert_allclose(np.ravel(theirs), [low[i], high[i]], atol=1e-9)


def alone(x: Any, n: Any, _: Any) -> tuple[Any, Any]:
    """Labels without the judge, mid-P."""
    return mid_p(x.sum(axis=1), n.sum(axis=1), 0.95)


def here(x: Any, n: Any, cases: Any) -> tuple[Any, Any]:
    """What `judge` says."""
    return carried(x, n, cases, 0.95)[1:]


WAYS = {"judge": here, "PPI++": ppi, "labels alone": alone}


# ---------------------------------------------------------------------- rates


def rates(runs: int) -> Iterator[Row]:
    for n, by_verdict in (*product(LABELS, (False,)), *product(LABELS, (True,))):
        rng = np.random.default_rng([SEED, n, by_verdict])
        ways = {"judge": here} if by_verdict else WAYS
        held: dict[str, list[float]] = {name: [] for name in ways}
        widths: dict[str, list[float]] = {name: [] for name in ways}
        all_ = list(truths())
        for truth in all_:
            seen = drawn(truth, n, runs, rng, by_verdict=by_verdict)
            if not by_verdict:
                check_ppi(*seen)
            for name, way in ways.items():
                low, high = way(*seen)
                held[name].append(float(np.mean((low <= truth[0]) & (truth[0] <= high))))
                widths[name].append(float(np.nanmean(high - low)))
        row: Row = {"labels": n, "drawn": "by verdict, half and half" if by_verdict else "at random"}
        for name, way in ways.items():
            least = min(_again(all_[i], n, way, rng, by_verdict) for i in np.argsort(held[name])[:8])
            title = f"ppi_py {version('ppi-python')}" if name == "PPI++" else name
            row |= {f"{title}: mean": float(np.mean(held[name])), f"{title}: least": least}
            if name != "labels alone" and not by_verdict:
                shares = np.array(widths[name]) / np.array(widths["labels alone"])
                row[f"{title}: width"] = float(shares.mean())
        yield row


def _again(truth: Any, n: int, way: Any, rng: Any, by_verdict: bool) -> float:
    """The share that is held, by new draws."""
    low, high = way(*drawn(truth, n, AGAIN, rng, by_verdict=by_verdict))
    return float(np.mean((low <= truth[0]) & (truth[0] <= high)))


def widths(runs: int) -> Iterator[Row]:
    """Mean widths of single worlds; `elsewhere` takes the same labels for other cases (Rogan and Gladen)."""
    each = ((0.7, 0.9, 0.2, 300), (0.5, 0.95, 0.05, 300), (0.95, 0.97, 0.3, 100), (0.6, 0.6, 0.4, 300))
    for theta, recall, fallout, n in each:
        rng = np.random.default_rng([SEED, 2, n, round(1000 * theta)])
        x, m, cases = drawn((theta, recall, fallout, 2000 - n), n, runs, rng)
        row: Row = {"rate": bare(theta), "recall": bare(recall), "fallout": bare(fallout), "labels": n}
        for name, way in WAYS.items():
            low, high = way(x, m, cases)
            row[name] = float(np.nanmean(high - low))
        yield row | {"as if elsewhere": _elsewhere_width(x, m, cases)}


def _elsewhere_width(x: Any, m: Any, cases: Any) -> float:
    found = [_elsewhere(np.array([[a, c - a], [b, d - b]]), w) for (a, b), (c, d), w in zip(x, m, cases, strict=True)]
    return float(np.mean([1.0 if limits is None else limits[1] - limits[0] for limits in found[:300]]))


def _elsewhere(counts: Any, cases: Any) -> tuple[float, float] | None:
    """None where it refuses: nothing is excluded then."""
    try:
        t = Table.from_counts(counts, labels=["good", "bad"], positive="good")
        found = judge(t, cases, design="elsewhere")
    except InferenceError:
        return None
    return float(found.low), float(found.high)


# ---------------------------------------------------------------------- drift


def drift(runs: int) -> Iterator[Row]:
    """A rate of .7, recall .9 and fallout .2 here, 2100 cases of which some are labelled; other rates elsewhere."""
    theta, r, f, all_ = 0.7, 0.9, 0.2, 2100
    for labelled, away, dr, df in (
        (100, 500, 0, 0),
        (100, 500, -0.05, 0.05),
        (100, 500, -0.1, 0.1),
        (300, 300, -0.1, 0),
    ):
        rng = np.random.default_rng([SEED, 3, labelled, round(100 * abs(dr))])
        x, m, cases = drawn((theta, r, f, all_ - labelled), labelled, runs, rng)
        real = rng.binomial(away, 0.6, runs)
        said = np.stack([rng.binomial(real, r + dr), rng.binomial(away - real, f + df)], axis=1)
        there = np.stack([said, np.stack([real, away - real], axis=1) - said], axis=1).astype(float)
        both = BothPlaces(np.stack([x, m - x], axis=2), cases - m, there)
        own, joint, found = carried(x, m, cases, 0.95)[1:], both.limits(0.95), both.drift()[1] < DRIFTED
        other = [_elsewhere(t, w) or (0.0, 1.0) for t, w in zip(there, cases, strict=True)]
        after = tuple(np.where(found, a, b) for a, b in zip(own, joint, strict=True))
        limits: dict[str, Any] = {"here": own, "both": joint, "elsewhere": np.transpose(other), "after the test": after}
        row: Row = {"labels here": labelled, "elsewhere": away, "recall, fallout there": f"{dr:+g}, {df:+g}"}
        row |= {f"{name} holds": float(np.mean((a <= theta) & (theta <= b))) for name, (a, b) in limits.items()}
        row |= {f"{name} width": float(np.mean(limits[name][1] - limits[name][0])) for name in ("here", "both")}
        yield row | {"drift found": float(found.mean())}


# ---------------------------------------------------------------------- units


def units(runs: int) -> Iterator[Row]:
    """Answers of a unit share most of whether they are good and of whether the judge errs."""
    for groups, size, whole in ((150, 8, True), (150, 8, False), (40, 8, True), (300, 3, False)):
        rng = np.random.default_rng([SEED, 4, groups, whole])
        unit, held = np.repeat(np.arange(groups), size), []
        for _ in range(runs):
            own = np.where(rng.random(len(unit)) < 0.5, rng.random(groups)[unit], rng.random(len(unit)))
            luck = np.where(rng.random(len(unit)) < 0.5, rng.random(groups)[unit], rng.random(len(unit)))
            good = own < 0.7
            said = luck < np.where(good, 0.9, 0.25)
            chosen = rng.random(groups)[unit] < 0.4 if whole else rng.random(len(unit)) < 0.4
            gold = [int(g) if c else None for g, c in zip(good, chosen, strict=True)]
            found = [judge(verdict=said.astype(int), gold=gold, unit=told) for told in (unit, None)]
            held.append([x.low <= 0.7 <= x.high for x in found])
        told, blind = map(float, np.mean(held, axis=0))
        labels = "all of 40 % of the units" if whole else "40 % of the answers"
        yield {"units × answers": f"{groups} × {size}", "labels": labels, "holds": told, "units not told": blind}


# ---------------------------------------------------------------------- grades, panels, classes


def _grades(rng: Any, good: Any) -> Any:
    return np.clip(np.round(2.3 + 2 * good + rng.normal(0, 0.9, len(good))), 1, 5).astype(int)


def _judges(rng: Any, good: Any) -> Any:
    """Three judges who share a part of their luck."""
    shared = rng.random(len(good))
    luck = [np.where(rng.random(len(good)) < 0.3, shared, rng.random(len(good))) for _ in range(3)]
    return {f"judge {i}": (x < np.where(good, 0.88, 0.3)).astype(int) for i, x in enumerate(luck)}


def sorts(runs: int) -> Iterator[Row]:
    """1,000 cases, a rate of .85, labels at random."""
    asked: dict[str, Any] = {
        "grades from 1 to 5": (_grades, {}),
        "a panel of three": (_judges, {}),
        "grades, rate of the batch itself": (_grades, {"target": "batch"}),
    }
    for (name, (made, how)), n in product(asked.items(), LABELS):
        rng, held, shares = np.random.default_rng([SEED, 6, len(name), n]), [], []
        for _ in range(runs):
            good = rng.random(1000) < 0.85
            known = set(rng.choice(1000, n, replace=False).tolist())
            gold = [int(x) if i in known else None for i, x in enumerate(good)]
            found = judge(verdict=made(rng, good), gold=gold, positive=1, **how)
            truth = float(good.mean()) if how else 0.85
            held.append(found.low <= truth <= found.high)
            shares.append((found.high - found.low) / (found.people_high - found.people_low))
        yield {"verdicts": name, "labels": n, "holds": float(np.mean(held)), "width": float(np.mean(shares))}


def classes(runs: int) -> Iterator[Row]:
    """Three classes (.6, .3 and .1), a judge that is right in three of four cases, 1,000 cases."""
    shares = np.array([0.6, 0.3, 0.1])
    right = 0.75 * np.eye(3) + 0.125 * (1 - np.eye(3))  # said, by the class
    for n, by_verdict in product(LABELS, (False, True)):
        rng = np.random.default_rng([SEED, 7, n, by_verdict])
        cells = rng.multinomial(1000, (right * shares).ravel(), runs).reshape(runs, 3, 3)
        cases = cells.sum(axis=2)
        drawn_of = rng.multivariate_hypergeometric
        part = np.minimum(cases, n // 3) if by_verdict else np.array([drawn_of(c, n) for c in cases])
        flat = zip(cells.reshape(-1, 3), part.ravel(), strict=True)
        x = np.array([drawn_of(c, m) for c, m in flat]).reshape(cells.shape)
        each = [carried(x[..., g].astype(float), part.astype(float), cases.astype(float), 0.95) for g in range(3)]
        held = [float(np.mean((low <= p) & (p <= high))) for p, (_, low, high) in zip(shares, each, strict=True)]
        said = {"labels": n, "drawn": "by verdict, a third each" if by_verdict else "at random"}
        yield said | {f"holds {bare(float(p))}": h for p, h in zip(shares, held, strict=True)}


# ---------------------------------------------------------------------- which labels


def allocation(runs: int) -> Iterator[Row]:
    """Widths by how labels are drawn, 2000 cases; Neyman's shares after a random pilot of 50."""
    for theta, recall, fallout, n in (
        *((0.7, 0.9, 0.2, 300), (0.9, 0.95, 0.4, 100), (0.95, 0.97, 0.3, 300)),
        *((0.98, 0.99, 0.1, 100), (0.1, 0.8, 0.1, 300)),
    ):
        rng = np.random.default_rng([SEED, 5, n, round(1000 * theta)])
        truth = (theta, recall, fallout, 2000 - n)
        seen = {
            "at random": drawn(truth, n, runs, rng),
            "half and half": drawn(truth, n, runs, rng, by_verdict=True),
            "told which next": _piloted(theta, recall, fallout, n, runs, rng),
        }
        row: Row = {"rate": bare(theta), "recall": bare(recall), "fallout": bare(fallout), "labels": n}
        for name, (x, m, cases) in seen.items():
            _, low, high = carried(x, m, cases, 0.95)
            row[name] = float(np.mean(high - low))
            if name == "told which next":
                row["which holds"] = float(np.mean((low <= theta) & (theta <= high)))
        yield row


def _piloted(theta: float, recall: float, fallout: float, n: int, runs: int, rng: Any) -> tuple[Any, Any, Any]:
    said = theta * recall + (1 - theta) * fallout
    real = np.array([theta * recall / said, theta * (1 - recall) / (1 - said)])
    x, m, cases = drawn((theta, recall, fallout, 2000 - 50), 50, runs, rng)
    q = (x + 0.5) / (m + 1)
    spread = np.sqrt(q * (1 - q))
    more = np.array([allocated(c, k, s, n - 50) for c, k, s in zip(cases, m, spread, strict=True)])
    return x + rng.binomial(more, real), m + more, cases


# ---------------------------------------------------------------------- without gold


@cache
def _panel(theta: float, recall: float, fallout: float, shared: float) -> Any:
    """Shares of (truth, number of passes) of three judges who give one verdict together now and then."""
    found = []
    for share, p in ((theta, recall), (1 - theta, fallout)):
        alone_ = np.array([(1 - p) ** 3, 3 * p * (1 - p) ** 2, 3 * p**2 * (1 - p), p**3])
        found.append(share * ((1 - shared) * alone_ + shared * np.array([1 - p, 0, 0, p])))
    return np.array(found)


def latent(_: int) -> Iterator[Row]:
    """Infinitely many cases: what three judges are worth with gold, and what a latent-class model says without."""
    for shared in (0.0, 0.1, 0.2, 0.4):
        with_gold = _panel(0.7, 0.85, 0.25, shared)
        w = with_gold.sum(axis=0)
        saving = float((w * (with_gold[0] / w - 0.7) ** 2).sum() / 0.21)
        said = _latent_class(_panel(0.6, 0.95, 0.5, shared).sum(axis=0))
        yield {"verdicts shared": f"{100 * shared:g} %", "labels saved with gold": saving, "rate without gold": said}


def _latent_class(passes: Any) -> float:
    """The rate of the likeliest two classes whose judges, all alike, err independently (EM)."""
    best, rate = -np.inf, np.nan
    k = np.arange(4)
    for theta, r, f in ((0.6, 0.95, 0.5), (0.5, 0.8, 0.2), (0.8, 0.9, 0.4), (0.3, 0.99, 0.7)):
        for _ in range(20_000):
            a, b = theta * r**k * (1 - r) ** (3 - k), (1 - theta) * f**k * (1 - f) ** (3 - k)
            own = passes * a / (a + b)
            rest = passes - own
            theta, r, f = own.sum(), (own @ k) / (3 * own.sum()), (rest @ k) / (3 * rest.sum())
        value = float(passes @ np.log(a + b))
        if value > best + 1e-12:
            best, rate = value, float(theta)
    return rate


STUDY = Study(
    "judge_coverage",
    {
        "rates": Part(
            "How often the 95 % interval holds the rate, over 396 truths a row (rates from .02 to .98, informedness of "
            "the judge .1, .5, .8 and .95, strict, even and lenient ones, 300, 2,000 and 20,000 cases without a "
            "label): the mean over truths, and the least of the eight that are held least, drawn again 40,000 times. "
            "Widths are shares of that of labels alone (mid-P). The intervals of ppi_py are power-tuned (PPI++); they "
            "are not made for labels by verdict:",
            rates,
            "judges.md",
            runs=4000,
            run="runs a truth",
        ),
        "widths": Part(
            "Mean widths with 2,000 cases in all; the last column takes the labels for those of other cases, and is 1 "
            "where that is refused because the judge may be guessing:",
            widths,
            "judges.md",
            runs=2000,
            errors=(),
        ),
        "units": Part(
            "Units whose answers are half alike (rate .7, recall .9, fallout .25):", units, "judges.md", runs=600
        ),
        "sorts": Part(
            "Verdicts of other kinds, 1,000 cases with a rate of .85, labels at random; the width is a share of that "
            "of labels alone:",
            sorts,
            "judges.md",
            runs=1500,
        ),
        "classes": Part("Three classes with rates of .6, .3 and .1, 1,000 cases:", classes, "judges.md", runs=2000),
        "allocation": Part(
            "Mean widths by how labels are drawn, 2,000 cases; told which next after 50 at random:",
            allocation,
            "judges.md",
            runs=2000,
        ),
        "drift": Part(
            "2,100 cases here (rate .7, recall .9, fallout .2), and labels elsewhere of a judge whose recall and "
            "fallout there are higher or lower by so much:",
            drift,
            "judges.md",
            runs=1000,
        ),
        "latent": Part(
            "Three judges and infinitely many cases: the share of labels that they save with gold (rate .7, recall "
            ".85, fallout .25), and the rate that a latent-class model finds without (true rate .60, recall .95, "
            "fallout .5):",
            latent,
            "judges.md",
            runs=1,
            errors=(),
        ),
    },
)

if __name__ == "__main__":
    STUDY.main()
