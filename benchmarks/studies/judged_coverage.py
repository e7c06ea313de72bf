"""How often the intervals of judged systems and of partly verified tables hold the truth, and how wide they are.

Differences are beside Bonett and Price's interval on the labelled items alone and, where ppi_py is installed, beside
PPI++ (`ppi_mean_ci`); measures of a system beside its verified cases alone and beside the judge taken for gold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from study import Part, Row, Study, bare

from informed import Table, compare, interval, verified
from informed.measures import find
from informed.systems.judged_favour import Rates, favour_of, paired_favour
from informed.systems.judged_rates import JudgedRate, combined
from informed.systems.judged_sorts import JudgedPair, paired_difference
from informed.systems.verification import Verification

SEED = 2036
CASES = 2000
HARD = (np.arange(400) + 0.5) / 400  # how hard an item is, which both systems feel
JUDGES = {  # recall and fallout for each of the two systems
    "sharp": ((0.95, 0.05), (0.95, 0.05)),
    "good": ((0.9, 0.2), (0.9, 0.2)),
    "lenient": ((0.95, 0.5), (0.95, 0.5)),
    "poor": ((0.6, 0.4), (0.6, 0.4)),
    "favouring": ((0.9, 0.3), (0.9, 0.1)),
}
RATES = [(a, a - gap) for a in (0.5, 0.7, 0.9, 0.98) for gap in (0.0, 0.02, 0.05, 0.15)]


# ---------------------------------------------------------------------- two systems


@dataclass(frozen=True)
class World:
    """Two systems and a judge, as the chances of each cell (verdict, verdict, truth, truth)."""

    cells: Any  # (k, k, 2, 2)
    verdicts: Any  # (k,) what a verdict says: 0, 1, or shares of a panel
    rates: tuple[float, float]

    @classmethod
    def of(cls, rates: tuple[float, float], judge: Any, panel: int = 1) -> World:
        """Rates of the systems on items as hard for both, and a judge's recall and fallout for each."""
        from scipy.special import ndtr, ndtri
        from scipy.stats import binom

        felt = ndtri(HARD) * np.sqrt(0.5)
        good = [ndtr((ndtri(x) + felt) / np.sqrt(0.5)) for x in rates]
        truth = np.array([[np.mean((good[0] if a else 1 - good[0]) * (good[1] if b else 1 - good[1])) for b in (0, 1)]
                          for a in (0, 1)])  # fmt: skip
        k = np.arange(panel + 1)
        said = [
            np.stack([binom.pmf(k, panel, fallout), binom.pmf(k, panel, recall)], axis=1) for recall, fallout in judge
        ]
        cells = np.einsum("ab,va,wb->vwab", truth, *said)
        return cls(cells, k / panel, (float(truth[1].sum()), float(truth[:, 1].sum())))

    def draw(self, rng: np.random.Generator, n: int, by_outcome: bool) -> tuple[Any, Any]:
        """Counts of labelled cells, and of verdicts that were not labelled."""
        if not by_outcome:
            shape = self.cells.shape
            return (
                rng.multinomial(n, self.cells.ravel()).reshape(shape),
                rng.multinomial(CASES - n, self.cells.sum(axis=(2, 3)).ravel()).reshape(shape[:2]),
            )
        whole = rng.multinomial(CASES, self.cells.ravel()).reshape(self.cells.shape)
        gap = np.sign(self.verdicts[:, None] - self.verdicts[None, :])[..., None, None] * np.ones(self.cells.shape)
        labelled = np.zeros(self.cells.shape, np.int64)
        for d in (-1, 0, 1):
            here = np.flatnonzero(gap.ravel() == d)
            own = whole.ravel()[here]
            labelled.ravel()[here] = rng.multivariate_hypergeometric(own, min(n // 3, int(own.sum())))
        return labelled, (whole - labelled).sum(axis=(2, 3))


def pair_of(w: World, labelled: Any, rest: Any) -> JudgedPair:
    """Counts as rows that weigh so much."""
    v, u, a, b = np.nonzero(labelled)
    x, y = np.nonzero(rest)
    zero = np.zeros(len(x), np.int64)
    said = (w.verdicts[np.append(v, x)], w.verdicts[np.append(u, y)])
    known = np.arange(len(v) + len(x)) < len(v)
    p = JudgedPair(said, (np.append(a, zero), np.append(b, zero)), known)
    p.__dict__["weight"] = np.append(labelled[v, u, a, b], rest[x, y]).astype(float)
    return p


def systems(runs: int) -> Iterator[Row]:
    """Grids of truths, with labels at random or as many of each judged outcome."""
    rows = [("at random", n, 1) for n in (30, 100, 300)] + [("by judged outcome", n, 1) for n in (99, 300)]
    for labels, n, panel in [*rows, ("at random, a panel of three", 100, 3)]:
        judges = {"panel": ((0.85, 0.25), (0.85, 0.25))} if panel > 1 else JUDGES
        found = []
        for i, (rates, judge) in enumerate(product(RATES, judges.values())):
            w = World.of(rates, judge, panel)
            rng = np.random.default_rng([SEED, n, panel, len(labels), i])
            found.append(_held(w, rng, n, runs, by_outcome=labels.startswith("by")))
        yield {"labels": labels, "n": n, "truths": len(found)} | _told(found)


def _told(found: list[dict[str, Any]]) -> Row:
    """Mean and least coverage of each method, and mean widths over that of labels alone."""
    said: Row = {}
    for name in ("this", "labels alone", "PPI++"):
        held = [x[name] for x in found if x.get(name) is not None]
        said[f"{name}: mean"] = float(np.mean([x[0] for x in held])) if held else ""
        said[f"{name}: least"] = float(min(x[0] for x in held)) if held else ""
        if name != "labels alone":
            ratios = [x[name][1] / x["labels alone"][1] for x in found if x.get(name) is not None]
            said[f"{name}: width"] = float(np.mean(ratios)) if held else ""
    return said


def _held(w: World, rng: np.random.Generator, n: int, runs: int, *, by_outcome: bool) -> dict[str, Any]:
    """Coverage and mean width of each method at one truth."""
    truth = w.rates[0] - w.rates[1]
    seen: dict[str, list[tuple[bool, float]]] = {"this": [], "labels alone": [], "PPI++": []}
    for run in range(runs):
        labelled, rest = w.draw(rng, n, by_outcome)
        d = paired_difference(pair_of(w, labelled, rest), 0.95)
        ends: dict[str, Any] = {
            "this": (d["low"], d["high"]),
            "labels alone": (d["labels_alone_low"], d["labels_alone_high"]),
        }
        if run < runs // 4 and not by_outcome and len(w.verdicts) == 2:
            ends["PPI++"] = _ppi(labelled, rest)
        for name, limits in ends.items():
            if limits is not None:
                seen[name].append((limits[0] <= truth <= limits[1], limits[1] - limits[0]))
    return {name: tuple(np.mean(x, axis=0)) for name, x in seen.items() if x}


def _ppi(labelled: Any, rest: Any) -> tuple[float, float] | None:
    try:
        from ppi_py import ppi_mean_ci  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return None
    v, u, a, b = (np.repeat(x, labelled[np.nonzero(labelled)]) for x in np.nonzero(labelled))
    x, y = (np.repeat(z, rest[np.nonzero(rest)]) for z in np.nonzero(rest))
    low, high = ppi_mean_ci((a - b).astype(float), (v - u).astype(float), (x - y).astype(float), alpha=0.05)
    return float(np.ravel(low)[0]), float(np.ravel(high)[0])


def favours(runs: int) -> Iterator[Row]:
    """Whom the judge favours: how often that is held, and how often it is found."""
    for (name, judge), rates in product(JUDGES.items(), ((0.7, 0.7), (0.7, 0.5), (0.95, 0.9))):
        w = World.of(rates, judge)
        truth = favour_of(*(Rates(x, *j) for x, j in zip(w.rates, judge, strict=True)))[0]
        row: Row = {"judge": name, "rates": f"{bare(rates[0])}, {bare(rates[1])}", "favour": truth}
        for n in (100, 300):
            rng, seen = np.random.default_rng([SEED, n, round(100 * rates[1]), len(name)]), []
            for _ in range(runs):
                x = paired_favour(pair_of(w, *w.draw(rng, n, False)), 0.95)
                seen.append((x["low"] <= truth <= x["high"], x["low"] > 0 or x["high"] < 0))
            held, found = np.mean(seen, axis=0)
            row |= {f"holds, n = {n}": float(held), f"found, n = {n}": float(found)}
        yield row


def apart(runs: int) -> Iterator[Row]:
    """Two systems on 2000 different items each, n of each labelled."""
    for n in (50, 150):
        found = []
        for i, (rates, judge) in enumerate(product(RATES, JUDGES.values())):
            rng, seen = np.random.default_rng([SEED, n, i]), []
            for _ in range(runs):
                a, b = (_one(rng, rate, *own, n) for rate, own in zip(rates, judge, strict=True))
                limits = combined(a.limits(0.95), b.limits(0.95))
                alone = combined(*(x.naive(x.known, x.real, 0.95) for x in (a, b)))
                truth = rates[0] - rates[1]
                seen.append([(ends[0] <= truth <= ends[1], ends[1] - ends[0]) for ends in (limits, alone)])
            this, labels = np.mean(seen, axis=0)
            found.append({"this": this, "labels alone": labels})
        told = {name: x for name, x in _told(found).items() if "PPI" not in name}
        yield {"n of each": n, "truths": len(found)} | told


def _one(rng: np.random.Generator, rate: float, recall: float, fallout: float, n: int) -> JudgedRate:
    real = rng.random(CASES) < rate
    said = rng.random(CASES) < np.where(real, recall, fallout)
    return JudgedRate(said.astype(float), real.astype(np.int64), np.arange(CASES) < n)


# ---------------------------------------------------------------------- a system's table


@dataclass(frozen=True)
class Verifying:
    """A system and a judge: chances of (answer, verdict, truth)."""

    cells: Any

    @classmethod
    def of(cls, prevalence: float, system: tuple[float, float], judge: tuple[float, float], lean: float) -> Verifying:
        """`lean` is the share of verdicts in which the judge repeats the system's answer."""
        cells = np.zeros((2, 2, 2))
        for s, j, g in product((0, 1), repeat=3):
            said = system[1 - g] if s else 1 - system[1 - g]
            own = judge[1 - g] if j else 1 - judge[1 - g]
            cells[s, j, g] = (prevalence if g else 1 - prevalence) * said * ((1 - lean) * own + lean * (s == j))
        return cls(cells)

    @property
    def truth(self) -> dict[str, float]:
        t = self.cells.sum(axis=1)
        recall, fallout = t[1, 1] / t[:, 1].sum(), t[1, 0] / t[:, 0].sum()
        return {"informedness": float(recall - fallout), "recall": float(recall)}


WORLDS = [
    Verifying.of(p, system, judge, lean)
    for p in (0.2, 0.5, 0.8)
    for system in ((0.8, 0.2), (0.9, 0.1), (0.6, 0.3))
    for judge, lean in (((0.9, 0.1), 0.0), ((0.75, 0.25), 0.0), ((0.9, 0.1), 0.2), ((0.95, 0.4), 0.0))
]


def tables(runs: int) -> Iterator[Row]:
    """Informedness and recall when n of 2000 cases were verified, at random or half of them of each answer."""
    for scheme, n in product(("at random", "half of each answer"), (100, 300)):
        each = [
            _tables(w, np.random.default_rng([SEED, n, i, len(scheme)]), n, runs, scheme) for i, w in enumerate(WORLDS)
        ]
        for measure in ("informedness", "recall"):
            row: Row = {"verified": scheme, "n": n, "measure": measure, "truths": len(each)}
            for name in ("this", "verified alone", "judge as gold"):
                held = [x[measure][name][0] for x in each]
                row |= {f"{name}: mean": float(np.mean(held)), f"{name}: least": float(min(held))}
            ratios = [x[measure]["this"][1] / x[measure]["verified alone"][1] for x in each]
            yield row | {"width": float(np.mean(ratios))}


def _tables(w: Verifying, rng: np.random.Generator, n: int, runs: int, scheme: str) -> dict[str, Any]:
    labelled, rest = (np.empty((runs, 2, 2, 2)), np.empty((runs, 2, 2)))
    for i in range(runs):
        labelled[i], rest[i] = _drawn(w, rng, n, scheme)
    stacks = {"verified alone": labelled.sum(axis=2), "judge as gold": labelled.sum(axis=3) + rest}
    found: dict[str, Any] = {}
    strata = [
        Verification(
            (0, 1), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), (x.sum(axis=2) + u).ravel(), x.reshape(4, 2), 1
        )
        for x, u in zip(labelled, rest, strict=True)
    ]
    for measure, truth in w.truth.items():
        worth = np.array([float(np.asarray(v.n_eff(measure))) for v in strata])
        shares = np.array([v.shares() for v in strata])
        held = {"this": shares * worth[:, None, None], **stacks}
        found[measure] = {name: _stack(x, measure, truth) for name, x in held.items()}
    return found


def _drawn(w: Verifying, rng: np.random.Generator, n: int, scheme: str) -> tuple[Any, Any]:
    whole = rng.multinomial(CASES, w.cells.ravel()).reshape(2, 2, 2)
    if scheme == "at random":
        labelled = rng.multivariate_hypergeometric(whole.ravel(), n).reshape(2, 2, 2)
    else:
        own = [rng.multivariate_hypergeometric(x.ravel(), min(n // 2, int(x.sum()))) for x in whole]
        labelled = np.array(own).reshape(2, 2, 2)
    return labelled, (whole - labelled).sum(axis=2)


def _stack(counts: Any, measure: str, truth: float) -> tuple[float, float]:
    """Coverage and width of the interval of each table of a stack, cells (answer, truth)."""
    x = interval(Table.from_counts(counts, labels=[0, 1], positive=1), find(measure))
    low, high = np.asarray(x.low), np.asarray(x.high)
    known = ~np.isnan(low)
    return float(np.mean(((low <= truth) & (truth <= high))[known])), float(np.mean((high - low)[known]))


def minus(runs: int) -> Iterator[Row]:
    """Two systems on the same cases, verified half of each answer of the first: the difference of informedness."""
    for n, other in product((100, 300, 600), ((0.8, 0.2), (0.7, 0.4))):
        rng, seen = np.random.default_rng([SEED, n, round(10 * other[0])]), []
        truth = round(0.6 - (other[0] - other[1]), 9) + 0.0
        for _ in range(runs):
            real = rng.random(CASES) < 0.3
            a, b = ((rng.random(CASES) < np.where(real, *rates)).astype(int) for rates in ((0.8, 0.2), other))
            asked = np.zeros(CASES, bool)
            for s in (0, 1):
                own = np.flatnonzero(a == s)
                asked[rng.choice(own, min(n // 2, len(own)), replace=False)] = True
            gold = np.where(asked, real.astype(float), np.nan)
            one, two = verified(predicted=a, gold=gold), verified(predicted=b, gold=gold, strata=a)
            d = one.minus(two)
            seen.append((d.low <= truth <= d.high, d.high - d.low))
        held, wide = map(float, np.mean(seen, axis=0))
        yield {"verified": n, "true difference": truth, "holds": held, "width": wide}


# ---------------------------------------------------------------------- repeats, units, schemes


def repeats(runs: int) -> Iterator[Row]:
    """Answers to one item that are alike, rows of one document, and cases chosen with known probabilities."""
    for name, items, times, same in (("epochs", 300, 4, 0.5), ("epochs", 300, 4, 0.9), ("documents", 60, 8, 0.4)):
        rng, seen = np.random.default_rng([SEED, items, times, round(10 * same)]), []
        for _ in range(runs):
            given, group = _repeated(rng, items, times, same)
            told = {"item" if name == "epochs" else "unit": group}
            ends: list[Any] = [compare.judged(**given, **x) for x in (told, {})]
            seen.append([d.low <= 0.1 <= d.high for d in ends])
        yield {"rows": f"{items} {name} × {times}", "alike": bare(same), "number": "difference"} | _both(seen)
    for name in ("documents", "probabilities"):
        rng, seen = np.random.default_rng([SEED, len(name)]), []
        for _ in range(runs):
            given, truth = _documents(rng) if name == "documents" else _chosen(rng)
            plain = {key: x for key, x in given.items() if key not in ("unit", "probability")}
            ends = [verified(**x).interval("informedness") for x in (given, plain)]
            seen.append([x.low <= truth <= x.high for x in ends])
        what = "120 documents × 8" if name == "documents" else "1500 cases, known probabilities"
        yield {"rows": what, "alike": ".4" if name == "documents" else "", "number": "informedness"} | _both(seen)


def _both(seen: list[list[bool]]) -> Row:
    told, blind = map(float, np.mean(seen, axis=0))
    return {"holds": told, "not told": blind}


def _repeated(rng: np.random.Generator, items: int, times: int, same: float) -> tuple[dict[str, Any], Any]:
    """Two systems (.7 and .6) whose answers and verdicts to an item are alike in this share; a third is labelled."""
    n, group = items * times, np.repeat(np.arange(items), times)

    def drawn() -> Any:
        return np.where(rng.random(n) < same, rng.random(items)[group], rng.random(n))

    seen = rng.random(items)[group] < 1 / 3
    verdict, gold = {}, {}
    for name, rate in (("a", 0.7), ("b", 0.6)):
        real = drawn() < rate
        verdict[name] = (drawn() < np.where(real, 0.9, 0.2)).astype(int)
        gold[name] = np.where(seen, real.astype(float), np.nan)
    return {"verdict": verdict, "gold": gold}, group


def _documents(rng: np.random.Generator) -> tuple[dict[str, Any], float]:
    """Cases of 120 documents that a document decides in part; those called 1 are verified more often."""
    group, n, same = np.repeat(np.arange(120), 8), 960, 0.4
    luck = np.where(rng.random(n) < same, rng.random(120)[group], rng.random(n))
    real = np.where(rng.random(n) < same, (rng.random(120) < 0.4)[group], rng.random(n) < 0.4)
    said = np.where(luck < 0.8, real, ~real).astype(int)
    seen = rng.random(n) < np.where(said == 1, 0.4, 0.2)
    return {"predicted": said, "gold": np.where(seen, real.astype(float), np.nan), "unit": group}, 0.6


def _chosen(rng: np.random.Generator) -> tuple[dict[str, Any], float]:
    """Cases of which a score decides how likely they are verified; it knows more than the answer."""
    real = rng.random(1500) < 0.3
    score = 1 / (1 + np.exp(-(rng.normal(size=1500) + 2.5 * real - 1.2)))
    said = (score > 0.5).astype(int)
    chance = np.clip(0.5 * score, 0.08, 1)
    gold = np.where(rng.random(1500) < chance, real.astype(float), np.nan)
    return {"predicted": said, "gold": gold, "probability": chance}, _truth_of_scores()


def _truth_of_scores() -> float:
    from scipy.special import ndtr

    return float(ndtr(1.3) - ndtr(-1.2))


STUDY = Study(
    "judged_coverage",
    {
        "systems": Part(
            "How often 95 % intervals hold the true difference of two systems on the same 2000 items, of which people "
            "labelled n; widths are shares of that of the labelled items alone (Bonett and Price). Truths are rates "
            "from .35 to .98 and five judges, one of which favours a system; PPI++ is `ppi_mean_ci` of ppi_py 0.2.3:",
            systems,
            "judged-systems.md",
            runs=600,
            run="runs a truth (a quarter for PPI++)",
        ),
        "favours": Part(
            "How often the 95 % interval holds the judge's favour, and how often one is found, n labels:",
            favours,
            "judged-systems.md",
            runs=1000,
        ),
        "apart": Part(
            "How often 95 % intervals hold the true difference of two systems on 2000 different items each, of the "
            "same truths; widths as above:",
            apart,
            "judged-systems.md",
            runs=400,
            run="runs a truth",
        ),
        "minus": Part(
            "How often the large-sample interval holds the difference of two systems' informedness on the same 2000 "
            "cases, as many of each answer of the first verified:",
            minus,
            "verification.md",
            runs=500,
        ),
        "tables": Part(
            "How often 95 % intervals hold the measure, n of 2000 cases verified, 36 truths (three prevalences, three "
            "systems, four judges, one of which leans to the system's answer); the width is the share of that of the "
            "verified cases alone:",
            tables,
            "verification.md",
            runs=600,
            run="runs a truth",
        ),
        "repeats": Part(
            'How often 95 % intervals hold where rows belong together, and where that is not told; "alike" is the '
            "share of answers and verdicts that an item or a document decides. Last, cases that were chosen with known "
            "probabilities, and where these are not told:",
            repeats,
            "verification.md",
            runs=500,
        ),
    },
)

if __name__ == "__main__":
    STUDY.main()
