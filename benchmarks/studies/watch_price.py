"""What looking at any time costs and saves beside a planned number of cases, and what breaks its promise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from study import Part, Row, Study, bare

from informed.inference.betting import Counts
from informed.inference.watch_settings import Settings

SEED = 2026
Array = NDArray[Any]
ENOUGH, FUTILE = np.log(20), np.log(5)  # of the wealth, and of that against what was expected
X = np.array([[0.0, 1.0], [0.0, 1.0]])  # wrong and right, in either class


def looks(most: int, every: int = 50) -> Array:
    """After each of the first cases, and then whenever their number has grown by 2 %."""
    found = list(range(1, min(every, most) + 1))
    while found[-1] < most:
        found.append(min(most, max(found[-1] + 1, int(np.ceil(1.02 * found[-1])))))
    return np.asarray(found)


def counts(real: Array, right: Array, at: Array) -> Array:
    """How often each class was answered wrong and right by each look: (streams, looks, class, wrong or right)."""
    cells = [(real == k) & (right == r) for k in (0, 1) for r in (False, True)]
    held = np.stack([np.cumsum(cell, axis=1)[:, at - 1] for cell in cells], axis=-1)
    return held.reshape(*held.shape[:2], 2, 2).astype(float)


def wealth(s: Settings, held: Array, bar: float, *, below: bool = False) -> Array:
    """The logarithm of the wealth at each look; `below`, of who bets that it is below the bar."""
    assert s.game is not None
    found = Counts(X, held.reshape(-1, 2, 2))
    total = float(s.game.a.sum()) - (bar - s.game.const) if below else bar - s.game.const
    told = s.bettors[1].least(found.mirrored() if below else found, np.full(len(found.h), total))
    return np.asarray(told.log.reshape(held.shape[:2]))


def first(reached: Array, at: Array) -> Array:
    """The case at which something is first so; infinite where it never is."""
    return np.where(reached.any(axis=1), at[reached.argmax(axis=1)], np.inf)


def drawn(rng: np.random.Generator, runs: int, n: int, b: float, prevalence: float = 0.5) -> tuple[Array, Array]:
    """Real classes, and whether each was answered right, at an informedness."""
    real = (rng.random((runs, n)) < prevalence).astype(int)
    return real, rng.random((runs, n)) < 0.5 + b / 2


# ---------------------------------------------------------------------- parts


def price(runs: int) -> Iterator[Row]:
    """Planned for an informedness of .2, which 153 cases show with a power of 80 %."""
    fixed, at = 153, looks(306)
    s = Settings(labels=(0, 1), prevalence=(0.5, 0.5), expect=0.2)
    for b in (-0.1, 0.0, 0.1, 0.2, 0.3, 0.4, 0.5):
        rng = np.random.default_rng([SEED, round(100 * b) + 100])
        held = counts(*drawn(rng, runs, int(at[-1]), b), at)
        shown_, hopeless = (
            first(wealth(s, held, 0.0) >= ENOUGH, at),
            first(wealth(s, held, 0.2, below=True) >= FUTILE, at),
        )
        better = (shown_ <= hopeless) & np.isfinite(shown_)
        items = np.minimum(np.minimum(shown_, hopeless), at[-1])
        yield {
            "true informedness": bare(b).replace("-", "−"),
            "items, mean": round(float(items.mean())),
            "9 of 10 runs need at most": round(float(np.quantile(items, 0.9))),
            "of the planned 153": f"{items.mean() / fixed:.0%}",
            "called better": float(better.mean()),
            "needed all 306": float((items == at[-1]).mean()),
        }


def plain(runs: int) -> Iterator[Row]:
    """Items until the wealth is 20, with nothing, the prevalence, or also the effect declared."""
    declared = {
        "nothing": Settings(labels=(0, 1)),
        "the prevalence": Settings(labels=(0, 1), prevalence=(0.5, 0.5)),
        "and `expect` .2": Settings(labels=(0, 1), prevalence=(0.5, 0.5), expect=0.2),
        "and `expect` .5": Settings(labels=(0, 1), prevalence=(0.5, 0.5), expect=0.5),
    }
    at = looks(1000)
    for b, fixed in ((0.2, 153), (0.5, 23)):
        rng = np.random.default_rng([SEED, 7, round(10 * b)])
        held = counts(*drawn(rng, runs, int(at[-1]), b), at)
        found = {name: first(wealth(s, held, 0.0) >= ENOUGH, at) for name, s in declared.items()}
        told = {name: f"{np.median(x):.0f} / {np.quantile(x, 0.8):.0f}" for name, x in found.items()}
        yield {"true informedness": bare(b), "planned n": fixed, **told}


def alarms(runs: int) -> Iterator[Row]:
    """Guessing, looked at every ten cases: a z-test beside the wealth."""
    for n in (100, 500, 2000):
        rng = np.random.default_rng([SEED, n])
        at = np.arange(10, n + 1, 10)
        held = counts(*drawn(rng, runs, n, 0.0), at)
        size = held.sum(axis=3)
        with np.errstate(invalid="ignore", divide="ignore"):
            recall = held[..., 1] / size
            z = (recall.sum(axis=2) - 1) / np.sqrt((recall * (1 - recall) / size).sum(axis=2))
        wolf = (np.nan_to_num(z) > 1.645).any(axis=1)
        s = Settings(labels=(0, 1))
        yield {
            "cases": f"{n:,}",
            "z-test, looked at once, at the end": float((np.nan_to_num(z[:, -1]) > 1.645).mean()),
            "z-test, looked at every 10": float(wolf.mean()),
            "watch, looked at every 10": float((wealth(s, held, 0.0) >= ENOUGH).any(axis=1).mean()),
        }


def breaks(runs: int) -> Iterator[Row]:
    """False alarms of a system that guesses, by what is done to the order or the items."""
    n, at, s = 500, looks(500), Settings(labels=(0, 1))

    def share(real: Array, right: Array) -> float:
        return float((wealth(s, counts(real, right, at), 0.0) >= ENOUGH).any(axis=1).mean())

    rng = np.random.default_rng([SEED, 3])
    real, right = drawn(rng, runs, n, 0.0)
    yield {"what is done": "items in scheduled order", "false alarms": share(real, right)}
    for workers in (20, 100):
        order = finished(rng, right, workers)
        kept = (np.take_along_axis(x, order, axis=1) for x in (real, right))
        told = "wrong answers 3 × slower, all times ± 20 %"
        yield {"what is done": f"in the order in which {workers} workers finish, {told}", "false alarms": share(*kept)}
    easy = rng.random((runs, n)) < np.linspace(0.7, 0.3, n)
    yield {"what is done": "easy items of 500 first (right .7 falling to .3)", "false alarms": share(real, easy)}
    yield {"what is done": "the same items shuffled", "false alarms": share(real, rng.permuted(easy, axis=1))}
    skill = rng.beta(0.5, 0.5, (runs, n // 5))
    often = rng.random((runs, n // 5, 5)) < skill[..., None]
    label = np.repeat(real[:, : n // 5], 5, axis=1)
    yield {
        "what is done": "5 epochs of an item counted as 5 cases",
        "false alarms": share(label, often.reshape(runs, n)),
    }
    yield {"what is done": "5 epochs as one item", "false alarms": averaged(s, real[:, : n // 5], often)}


def finished(rng: np.random.Generator, right: Array, workers: int) -> Array:
    """The order in which answers come back: each worker takes the next item when he is done."""
    runs, n = right.shape
    takes = rng.uniform(0.8, 1.2, right.shape) * np.where(right, 1.0, 3.0)
    free, ends = np.zeros((runs, workers)), np.empty(right.shape)
    rows = np.arange(runs)
    for i in range(n):
        who = free.argmin(axis=1)
        free[rows, who] += takes[:, i]
        ends[:, i] = free[rows, who]
    return ends.argsort(axis=1, kind="stable")


def averaged(s: Settings, real: Array, often: Array) -> float:
    """Alarms where an item with its five epochs is one value."""
    assert s.game is not None
    runs, n = real.shape
    at, sixths = looks(n), np.arange(6) / 5
    fifth = np.rint(often.mean(axis=2) * 5).astype(int)
    cells = [(real == k) & (fifth == v) for k in (0, 1) for v in range(6)]
    held = np.stack([np.cumsum(cell, axis=1)[:, at - 1] for cell in cells], axis=-1).reshape(-1, 2, 6).astype(float)
    found = s.bettors[1].least(Counts(np.stack([sixths, sixths]), held), np.full(len(held), -s.game.const))
    return float((found.log.reshape(runs, -1) >= ENOUGH).any(axis=1).mean())


STUDY = Study(
    "watch_price",
    {
        "price": Part(
            "A run that was planned for an informedness of .2 (even classes, `prevalence` declared, `expect=0.2`), and "
            "ended at a wealth of 20, when it was futile, or after twice the planned 153 items, which show .2 with a "
            "power of 80 %:",
            price,
            "how-to/stop-early.md",
            runs=1000,
            errors=((0.8, 1.0),),
        ),
        "plain": Part(
            "Items until the wealth is 20, median / what 8 of 10 runs need, by what is declared beforehand; beside it "
            "the planned number of cases that has a power of 80 % when looked at once:",
            plain,
            "how-to/stop-early.md",
            runs=300,
            errors=(),
        ),
        "alarms": Part(
            "How often a system that only guesses is called better than guessing, at a nominal 5 %:",
            alarms,
            "how-to/stop-early.md",
            runs=2000,
            errors=((0.05, 1.0),),
        ),
        "breaks": Part(
            "False alarms over 500 items of a system that only guesses, which should be at most .05. Here every wrong "
            "answer is slower than every right one; [watching a run](../watching.md#what-breaks-it) has 2,000 items, "
            "and times that overlap:",
            breaks,
            "how-to/stop-early.md",
            runs=500,
            errors=((0.05, 1.0),),
        ),
    },
)

if __name__ == "__main__":
    STUDY.main()
