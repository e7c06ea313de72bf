"""What `watch` promises: false alarms, limits that ever miss, and how many items it takes."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from mark_coverage import GAPS, GRADED, mean_of_part, mixed
from study import Part, Row, Study, bare
from watch_worlds import World, arms_and_values, counted, gains, gains_of_what_is_left, looks_until, most, settled

from informed import Table, find, watch
from informed.inference.asymptotic_sequence import approximate
from informed.inference.betting import SHARES, Counts
from informed.inference.watch_cases import Kinds
from informed.inference.watch_settings import Settings

SEED, N = 2028, 10_000
BLOCK = 500  # streams at once


def two(share: float, tpr: float, fpr: float, **more: Any) -> World:
    """Two classes, the second of which has this share."""
    return World(
        f"{bare(share)}, {bare(tpr)}, {bare(fpr)}", [1 - share, share], [[1 - fpr, fpr], [1 - tpr, tpr]], **more
    )


def alike(k: int, right: float, shares: Any = None) -> World:
    """So many classes, of each of which as many are right, and the errors fall on the others alike."""
    says = np.where(np.eye(k, dtype=bool), right, (1 - right) / (k - 1))
    return World(f"{k} classes, {bare(right)} right", [1 / k] * k if shares is None else shares, says)


def guesser(shares: Any) -> World:
    """Who says the first class most of the time, whatever it is."""
    k = len(shares)
    return World(f"{k} classes, guessed", shares, [[0.7, *[0.3 / (k - 1)] * (k - 1)]] * k)


def paired(share: float) -> World:
    """Two systems that are equally good."""
    one = two(share, 0.7, 0.3)
    return World(f"two systems, {bare(share)}", one.shares, one.says, one.says)


def better(share: float) -> World:
    """Two systems of which the first is better by .2."""
    one, other = two(share, 0.75, 0.25), two(share, 0.65, 0.35)
    return World(f"two systems, {bare(share)}, first better by .2", one.shares, one.says, other.says)


def shares_of(world: World) -> dict[str, Any]:
    return {"labels": list(range(world.k)), "prevalence": list(world.shares)}


DESIGNS: list[tuple[World, str, dict[str, Any]]] = [
    (two(0.5, 0.5, 0.5), "nothing declared", {}),
    (two(0.5, 0.5, 0.5), "prevalence, expect .2", {**shares_of(two(0.5, 0, 0)), "expect": 0.2}),
    (two(0.1, 0.3, 0.3), "nothing declared", {}),
    (two(0.02, 0.1, 0.1), "prevalence", shares_of(two(0.02, 0, 0))),
    (two(0.5, 0.75, 0.25), "nothing declared", {}),
    (two(0.1, 0.95, 0.1), "prevalence", shares_of(two(0.1, 0, 0))),
    (paired(0.5), "prevalence, expect .2", {**shares_of(paired(0.5)), "expect": 0.2, "paired": True}),
    (paired(0.1), "nothing declared", {"paired": True}),
    (better(0.1), "prevalence", {**shares_of(better(0.1)), "paired": True}),
    (guesser([0.4, 0.3, 0.2, 0.1]), "prevalence", shares_of(guesser([0.4, 0.3, 0.2, 0.1]))),
    (guesser([0.28, 0.24, 0.24, 0.24]), "wrong: ¼ each", shares_of(alike(4, 0.5))),
    (alike(10, 0.6), "prevalence, expect", {**shares_of(alike(10, 0.6)), "expect": "truth"}),
    (two(0.3, 0.8, 0.4), "accuracy", {"measure": "accuracy", "labels": [0, 1]}),
]


def _settings(world: World, how: dict[str, Any]) -> Settings:
    """With the bar at the truth, so that every alarm is a false one; what is expected is as far above it as told."""
    expect = how.get("expect")
    plain = settled(**{name: x for name, x in how.items() if name != "expect"})
    truth = world.truth(plain)
    more = {} if expect is None else {"expect": truth + (0.2 if expect == "truth" else float(expect))}
    return settled(**{**how, **more, "against": truth})


def alarms(runs: int) -> Iterator[Row]:
    """How often the bettor ever gets so far, with the bar at the truth; a look at each of 10,000 cases."""
    for i, (world, said, how) in enumerate(DESIGNS):
        yield {"classes": world.name, "declared": said, **_ever(runs, world, _settings(world, how), SEED + i)}
    for n, systems in ((5000, 1), (5000, 2)):
        yield _benchmark(runs, n, systems)
    yield _pooled(runs)
    yield _merged(runs)


def _ever(runs: int, world: World, s: Settings, seed: int) -> Row:
    calm, bold = s.bettors
    means, parts = world.means(s), []
    for at in range(0, runs, BLOCK):
        arm, x = arms_and_values(s, *world.drawn(min(BLOCK, runs - at), N, seed + 1000 * at))
        parts.append([*most([bold, calm], gains(arm, x, means)), *most([calm], gains(arm, 1 - x, 1 - means))])
    rich, up, down = (np.concatenate(each) for each in zip(*parts, strict=True))
    return {**_shares(rich), "limits miss": float(((up >= 40) | (down >= 40)).mean())}


def _shares(best: Any) -> Row:
    return {f"wealth {bar}": float((best >= bar).mean()) for bar in (20, 100, 1000)}


def _benchmark(runs: int, n: int, systems: int) -> Row:
    """Two classes of a benchmark, all of it drawn without replacement."""
    world = two(0.5, 0.75, 0.25) if systems == 1 else better(0.5)
    s = settled(labels=[0, 1], benchmark=[n, n], paired=systems == 2)
    return {"classes": world.name, "declared": f"benchmark of {2 * n:,}", **_drawn(runs, world, s)}


def _pooled(runs: int) -> Row:
    """Four classes of a benchmark, which have one arm."""
    world = alike(4, 0.6, [0.4, 0.3, 0.2, 0.1])
    s = settled(labels=[0, 1, 2, 3], benchmark=[4000, 3000, 2000, 1000])
    return {"classes": world.name, "declared": "benchmark of 10,000, one arm", **_drawn(runs, world, s)}


def _drawn(runs: int, world: World, s: Settings) -> Row:
    """Each run is the same items in another order; the price is what is left at the true total."""
    assert s.game is not None
    assert s.benchmark is not None
    rng = np.random.default_rng([SEED, world.k, len(world.name)])
    real = np.repeat(np.arange(world.k), s.benchmark)
    u = rng.random(len(real))
    other = None if world.other is None else world._said(world.other, real, rng.random(len(real)))
    arm, x = arms_and_values(s, real, world._said(world.says, real, u), other)

    parts = []
    for at in range(0, runs, BLOCK):
        order = rng.permuted(np.tile(np.arange(len(real)), (min(BLOCK, runs - at), 1)), axis=1)
        held = [gains_of_what_is_left(arm[order], y[order], s.game.arms) for y in (x, 1 - x)]
        parts.append([most([s.bettors[0]], each)[0] for each in held])
    up, down = (np.concatenate(each) for each in zip(*parts, strict=True))
    return {**_shares(up), "limits miss": float(((up >= 40) | (down >= 40)).mean())}


def _merged(runs: int) -> Row:
    """A guesser's run in eight parts, merged one after the other; with the watch itself, and so fewer runs."""
    world, few = two(0.3, 0.4, 0.4), max(runs // 10, 1)
    real, said, _ = world.drawn(few, 2000, SEED)
    best, missed = [], []
    for truth, answers in zip(real, said, strict=True):
        parts = [watch(labels=[0, 1]) for _ in range(8)]
        for part, a, b in zip(parts, np.split(truth, 8), np.split(answers, 8), strict=True):
            part.update(real=a, predicted=b)
        for part in parts[1:]:
            parts[0].merge(part)
        best.append(parts[0].best)
        missed.append(0 not in parts[0].interval)
    said_ = {"classes": world.name, "declared": f"eight parts merged, {few} runs"}
    return {**said_, **_shares(np.array(best)), "limits miss": float(np.mean(missed))}


# ---------------------------------------------------------------------- looks of the watch itself


def looked(runs: int) -> Iterator[Row]:
    """The same by the least wealth over all rates, at the looks of a watch."""
    looks = looks_until(2000)
    for i, (world, said, how) in enumerate(DESIGNS[i] for i in (1, 2, 5, 6, 8)):
        s = _settings(world, how)
        assert s.game is not None
        arm, x = arms_and_values(s, *world.drawn(runs, 2000, SEED + 100 + i))
        counts = counted(s.game, arm, x, looks)
        least, top = s.game.bounds

        def ever(bettor: Any, held: Counts, total: float) -> Any:
            logs = [bettor.least(part, np.full(len(part.h), total)).log for part in _parts(held)]
            return np.concatenate(logs).reshape(runs, -1).max(axis=1)

        calm, bold = s.bettors
        alarm = ever(bold, counts, s.against - least) >= math.log(20)
        up, down = ever(calm, counts, s.against - least), ever(calm, counts.mirrored(), top - s.against)
        missed = (up >= math.log(40)) | (down >= math.log(40))
        yield {
            "classes": world.name,
            "declared": said,
            "alarm": float(alarm.mean()),
            "limits miss": float(missed.mean()),
        }


def _parts(counts: Counts, size: int = 20_000) -> Iterator[Counts]:
    for at in range(0, len(counts.h), size):
        yield Counts(counts.x, counts.h[at : at + size])


# ---------------------------------------------------------------------- how many items


PLANNED = {0.5: 153, 0.1: 417}  # items of a fixed plan that finds .2 with a power of .8


def stopping(runs: int) -> Iterator[Row]:
    """Planned for .2: stop at a wealth of 20, when it is futile, or at twice the fixed plan."""
    for share, fixed in PLANNED.items():
        for true in (-0.1, 0.0, 0.1, 0.2, 0.3, 0.4, 0.5):
            world = two(share, 0.5 + true / 2, 0.5 - true / 2)
            s = settled(**shares_of(world), expect=0.2)
            assert s.game is not None
            looks = looks_until(2 * fixed)
            arm, x = arms_and_values(s, *world.drawn(runs, 2 * fixed, SEED + 500))
            counts, bold = counted(s.game, arm, x, looks), s.bettors[1]
            rich = _logs(bold, counts, 1.0).reshape(runs, -1) >= math.log(20)
            futile = _logs(bold, counts.mirrored(), 2 - 1.2).reshape(runs, -1) >= math.log(5)
            first = [np.where(x.any(axis=1), x.argmax(axis=1), len(looks)) for x in (rich, futile)]
            n = np.append(looks, 2 * fixed)[np.minimum(*first)]
            found = (first[0] <= first[1]) & (first[0] < len(looks))
            yield {
                "prevalence": bare(share),
                "fixed plan": fixed,
                "true informedness": bare(true),
                "items, mean": round(float(n.mean())),
                "median": round(float(np.median(n))),
                "said better": float(found.mean()),
                "futile": float((first[1] < first[0]).mean()),
            }


def _logs(bettor: Any, counts: Counts, total: float) -> Any:
    return np.concatenate([bettor.least(part, np.full(len(part.h), total)).log for part in _parts(counts)])


# ---------------------------------------------------------------------- approximate limits


def approximately(runs: int) -> Iterator[Row]:
    """The asymptotic sequence, from where it is shown on, up to 8,000 cases."""
    looks = looks_until(8000)
    worlds = [(two(0.5, 0.75, 0.25), "markedness"), (two(0.1, 0.8, 0.2), "matthews"), (alike(4, 0.6), "informedness")]
    for i, (world, measure) in enumerate(worlds):
        s = settled(measure=measure, labels=list(range(world.k)))
        joint = np.asarray(world.shares)[:, None] * np.asarray(world.says)
        truth = float(find(measure)(Table.from_counts(joint.T, labels=list(range(world.k)))))
        real, said, _ = world.drawn(runs, 8000, SEED + 900 + i)
        kinds = Kinds(list(range(world.k)))
        for r in range(world.k):
            for a in range(world.k):
                kinds.number((r, (a,), None))
        code = real * world.k + said
        held = np.stack([np.cumsum(code == c, axis=1)[:, np.asarray(looks) - 1] for c in range(world.k**2)], axis=-1)
        missed = []
        for counts in held:
            _, low, high, *_ = approximate(s, kinds, counts).T
            missed.append(bool(((low > truth) | (high < truth)).any()))
        yield {"classes": world.name, "measure": measure, "limits miss": float(np.mean(missed))}


# ---------------------------------------------------------------------- what breaks it


def broken(runs: int) -> Iterator[Row]:
    """False alarms of a guesser's bettor within 2,000 items, where what is asked of the user is not done."""
    rng, n = np.random.default_rng(SEED), 2000
    real = rng.integers(0, 2, (runs, n))

    def alarm(right: Any, truth: Any = real) -> float:
        s = settled()
        assert s.game is not None
        counts = counted(s.game, truth, right.astype(float), looks_until(truth.shape[1]))
        return float((_logs(s.bettors[0], counts, 1.0).reshape(runs, -1).max(axis=1) >= math.log(20)).mean())

    right = rng.random((runs, n)) < 0.5
    yield {"done": "as scheduled", "alarms": alarm(right)}
    for workers in (20, 100):
        took = rng.exponential(np.where(right, 1.0, 3.0))
        order = np.argsort([_ended(row, workers) for row in took], axis=1)
        by = np.take_along_axis(right, order, axis=1), np.take_along_axis(real, order, axis=1)
        told = f"in the order of completion, {workers} at once, exponential times, of wrong answers 3 × longer"
        yield {"done": told, "alarms": alarm(*by)}
    easy = rng.random((runs, n)) < np.linspace(0.7, 0.3, n)
    yield {"done": "easy items of 2,000 first (.7 right, falling to .3)", "alarms": alarm(easy)}
    shuffled = np.argsort(rng.random((runs, n)), axis=1)
    yield {"done": "the same, shuffled", "alarms": alarm(np.take_along_axis(easy, shuffled, axis=1))}
    hard = rng.beta(0.5, 0.5, (runs, n // 5))
    each = rng.random((runs, n // 5, 5)) < hard[..., None]
    yield {
        "done": "5 epochs counted as 5 items",
        "alarms": alarm(each.reshape(runs, n), np.repeat(real[:, : n // 5], 5, axis=1)),
    }
    yield {"done": "5 epochs of an item counted as one", "alarms": alarm(each.mean(axis=2), real[:, : n // 5])}


def _ended(took: Any, workers: int) -> Any:
    """When each item is done, so many at once, begun in order."""
    free, ends = [0.0] * workers, []
    for x in took.tolist():
        ends.append(free[0] + x)
        heapq.heapreplace(free, ends[-1])
    return ends


# ---------------------------------------------------------------------- item scores

SCORED = (
    "97 % 0.9, 3 % 0",
    "95 % 1, else uniform",
    "Beta(0.3, 1.5)",
    "rubric 1 to 5, spread",
    "uniform",
    "Beta(50, 50)",
)
APART = ("97 % 0, 3 % 0.9", "90 % 0, 6 % 1, 4 % −1", "two Beta(8, 0.8)", "two uniform")
AT_ONCE = 50  # streams


def scores(runs: int) -> Iterator[Row]:
    """Streams of item scores, and of differences moved to 0 to 1, from both sides of the true mean."""
    told = [(name, GRADED[name], False) for name in SCORED] + [(name, GAPS[name], True) for name in APART]
    for place, (name, mixture, paired) in enumerate(told):
        rng, most = np.random.default_rng([SEED, 9, place]), []
        true = sum(share * mean_of_part(part) for share, part in mixture)
        for _ in range(0, runs, AT_ONCE):
            x, price = mixed(rng, mixture, (AT_ONCE, 2000)), true
            if paired:
                x, price = (x + 1) / 2, (true + 1) / 2
            both = [
                np.exp(np.cumsum(np.log(1 - SHARES + SHARES * y[..., None] / p), axis=1)).mean(axis=-1).max(axis=1)
                for y, p in ((x, price), (1 - x, 1 - price))
            ]
            most.append(both)
        richest = np.concatenate(most, axis=1)
        told_of = {f"wealth {w}": float((richest[0] >= w).mean()) for w in (20, 100, 1000)}
        missed = float((richest.max(axis=0) >= 40).mean())
        yield {"scores": f"differences: {name}" if paired else name, **told_of, "limits miss": missed}


STUDY = Study(
    "watch_coverage",
    {
        "alarms": Part(
            "How often a bettor ever gets so rich in 10,000 items although the bar is the truth, and how often "
            "the 95 % limits ever miss it. The wealth is that at the true rates after every item, which bounds what a "
            "watch has; a wealth of 20, 100 and 1000 may be reached in .05, .01 and .001 of the runs at most. Classes "
            "are told as prevalence, recall and fallout:",
            alarms,
            "watching.md",
            runs=2000,
            errors=((0.05, 1.0), (0.01, 1.0), (0.001, 1.0)),
        ),
        "looked": Part(
            "The same for what a watch really has, the least over all rates, at its own looks up to 2,000 items:",
            looked,
            "watching.md",
            runs=1000,
            errors=((0.05, 1.0),),
        ),
        "scores": Part(
            "Item scores: how often a bettor ever has 20, 100 or 1,000 although the mean is the threshold, looked at "
            "after every one of 2,000 items, and how often the 95 % limits ever miss the mean. The wealth is that at "
            "the true mean:",
            scores,
            "watching.md",
            runs=2000,
            errors=((0.05, 1.0), (0.01, 1.0), (0.001, 1.0)),
        ),
        "stopping": Part(
            "Planned for informedness .2 (`expect=.2`, prevalence declared), stopped at a wealth of 20, when futile, "
            "or at twice the fixed plan, which is the number of items that a single test at the end needs for a power "
            "of .8:",
            stopping,
            "watching.md",
            runs=1000,
            errors=((0.8, 1.0),),
        ),
        "approximately": Part(
            "How often approximate limits ever miss, from 50 cases of every class and label on, up to 8,000 items:",
            approximately,
            "watching.md",
            runs=500,
            errors=((0.05, 1.0),),
        ),
        "broken": Part(
            "False alarms of a guesser's bettor within 2,000 items, where the promise is .05 at most. Times of answers "
            "are exponential, so that many a wrong one is quick; [stop early](how-to/stop-early.md#what-breaks-it) has "
            "500 items, and times that hardly differ but by right and wrong, which is worse:",
            broken,
            "watching.md",
            runs=500,
            errors=((0.05, 1.0),),
        ),
    },
)

if __name__ == "__main__":
    STUDY.main()
