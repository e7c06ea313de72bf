"""What gates do that are checked every night: false alarms of a month, and how late a regression is seen.

Nights draw new cases of two even classes. A system is right equally often in both classes, before and after it gets
worse. The gates are those of `--baseline` (`informed.summary.gates.regression`: the difference of two confidence
intervals), of `--decide` on the cases of one night, and of a watch whose state is kept from night to night.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from study import Part, Row, Study, bare

import informed
from informed import Interval, Table
from informed.inference.heterogeneity import difference
from informed.inference.intervals import interval

SEED, PAGE = 30, "how-to/gates.md"
NIGHTS, BEFORE, AFTER = 30, 10, 30  # of a month; before a regression, and after it
MONTHLY = 1 - 0.05 / NIGHTS  # the level that is corrected for the nights of a month
BAR = 0.7
Array = NDArray[Any]


def drawn(rng: np.random.Generator, shape: tuple[int, ...], n: int, informedness: Any) -> Table:
    """Tables of n cases of two even classes."""
    positive = rng.binomial(n, 0.5, shape)
    right = 0.5 + np.asarray(informedness) / 2
    hit, kept = rng.binomial(positive, right), rng.binomial(n - positive, right)
    cells = np.array([[hit, n - positive - kept], [positive - hit, kept]], float)
    return Table.from_counts(np.moveaxis(cells, (0, 1), (-2, -1)))


def limits(t: Table, level: float, at: Any = ...) -> Interval:
    """Intervals of informedness, of these places of the stack."""
    found = interval(t, "informedness", level=level)
    value, low, high = (np.asarray(x)[at] for x in (found.estimate, found.low, found.high))
    return Interval(value, low, high, level, "arc", "informedness")


def fell(new: Interval, old: Interval) -> Array:
    """Where the gate of a baseline fails."""
    return np.asarray(difference(new, old).high) < 0


def twice(red: Array) -> Array:
    """Where a night is red after a red one."""
    return np.concatenate([np.zeros_like(red[:, :1]), red[:, 1:] & red[:, :-1]], axis=1)


def alarms(runs: int) -> Iterator[Row]:
    """Months in which nothing changes."""
    for n, informedness in ((200, 0.8), (1000, 0.8), (1000, 0.5)):
        rng = np.random.default_rng([SEED, n, round(10 * informedness)])
        every = drawn(rng, (runs, NIGHTS + 1), n, informedness)
        for what, old in (("one release", np.s_[:, :1]), ("the night before", np.s_[:, :-1])):
            red = fell(limits(every, 0.95, np.s_[:, 1:]), limits(every, 0.95, old))
            rare = fell(limits(every, MONTHLY, np.s_[:, 1:]), limits(every, MONTHLY, old))
            yield {
                "cases per night": n,
                "informedness": bare(informedness),
                "baseline": what,
                "red nights": float(red.mean()),
                "months with a red night": float(red.any(axis=1).mean()),
                "with two in a row": float(twice(red).any(axis=1).mean()),
                f"with `--level {MONTHLY:.4f}`": float(rare.any(axis=1).mean()),
            }


def regressions(runs: int) -> Iterator[Row]:
    """Nights from a regression to the first red one."""
    for n in (200, 1000):
        for now in (0.7, 0.6, 0.5):
            rng = np.random.default_rng([SEED, n, round(10 * now), 1])
            release, nights = drawn(rng, (runs, 1), n, 0.8), drawn(rng, (runs, AFTER), n, now)
            red = fell(limits(nights, 0.95), limits(release, 0.95))
            rare = fell(limits(nights, MONTHLY), limits(release, MONTHLY))
            missed = np.asarray(limits(nights, MONTHLY).high) < BAR
            rules = {"`--baseline`": red, "two in a row": twice(red), f"`--level {MONTHLY:.4f}`": rare}
            rules[f"`--decide informedness={BAR}` at that level"] = missed
            yield {
                "cases per night": n,
                "informedness": f"{bare(0.8)}, then {bare(now)}",
                **{name: waited(x) for name, x in rules.items()},
            }


def waited(red: Array) -> str:
    """The median of the nights until the first red one, and how many months have none."""
    first = np.where(red.any(axis=1), red.argmax(axis=1) + 1, np.inf)
    median = float(np.median(first))
    shown = f"{median:.0f}" if np.isfinite(median) else f"more than {red.shape[1]}"
    never = float(np.isinf(first).mean())
    return f"{shown} (never: {never:.0%})" if never >= 0.005 else shown


def states(runs: int) -> Iterator[Row]:
    """One watch of all nights, whose state is kept, and a new watch every night."""
    n = 100
    for now in (0.6, 0.5):
        passed: list[float] = []
        left: list[float] = []
        failed: list[float] = []
        alone: list[float] = []
        for run in range(runs):
            rng = np.random.default_rng([SEED, round(10 * now), 2, run])
            kept = own_watch()
            verdicts: list[str] = []
            fresh: list[str] = []
            for night in range(BEFORE + AFTER):
                real = rng.integers(0, 2, n)
                right = rng.random(n) < 0.5 + (0.8 if night < BEFORE else now) / 2
                seen = {"real": real, "predicted": np.where(right, real, 1 - real)}
                kept.update(**seen)
                verdicts.append(kept.verdict)
                if night >= BEFORE and not (fresh and fresh[-1] == "fail"):
                    one = own_watch()
                    one.update(**seen)
                    fresh.append(one.verdict)
            after = verdicts[BEFORE:]
            passed.append(first(verdicts, "pass", "pass"))
            left.append(first(after, "undecided", "fail") if "pass" in verdicts[:BEFORE] else np.nan)
            failed.append(first(after, "fail", "fail"))
            alone.append(first(fresh, "fail", "fail"))
        yield {
            "informedness": f"{bare(0.8)}, then {bare(now)} from night {BEFORE + 1} on",
            "passes at night": told(passed),
            "kept state: bad nights until it no longer passes": told(left),
            "until it fails": told(failed),
            "new state each night: until it fails": told(alone),
        }


def own_watch() -> Any:
    return informed.watch(labels=[0, 1], prevalence={0: 0.5, 1: 0.5}, against=BAR)


def first(verdicts: list[str], *wanted: str) -> float:
    return next((i + 1.0 for i, x in enumerate(verdicts) if x in wanted), np.inf)


def told(nights: list[float]) -> str:
    median = float(np.nanmedian(nights))
    return f"{median:.0f}" if np.isfinite(median) else f"more than {AFTER}"


STUDY = Study(
    "nightly_gates",
    {
        "alarms": Part(
            "Months of 30 nights in which the system does not change, and `--baseline` is checked every night on new "
            "cases:",
            alarms,
            PAGE,
            runs=4000,
            errors=((0.5, 1.0),),
            run="months per row",
        ),
        "regressions": Part(
            "Nights from a regression to the first red night (median), where the baseline is one release and the bar "
            f"is {BAR}; in brackets the share of months that see nothing in {AFTER} nights:",
            regressions,
            PAGE,
            runs=2000,
            errors=(),
        ),
        "states": Part(
            f"`informed watch --decide informedness={BAR}` with 100 cases per night (medians):",
            states,
            PAGE,
            runs=60,
            errors=(),
        ),
    },
)

if __name__ == "__main__":
    STUDY.main()
