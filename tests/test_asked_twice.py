"""Asking each item twice, with the same answer, changes nothing that any verb says.

With `item=` nothing at all; with `unit=`, where each case still counts one, next to nothing. Files are read so in
test_units_doors.py, plots of scores in test_roc_units.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import informed
from informed import Marks, Paired, Table
from informed.evidence.forecasts import Forecasts
from informed.evidence.paired import paired
from informed.summary.checks import check

N = 240
rng = np.random.default_rng(5)
ITEM = np.arange(N)
REAL = rng.integers(0, 2, N)


def answers(right: float) -> NDArray[Any]:
    return np.where(rng.random(N) < right, REAL, 1 - REAL)


SYSTEMS = np.stack([answers(0.8), answers(0.7), answers(0.68)], axis=1)
NAMES = ["a", "b", "c"]
SCORE = REAL + rng.normal(size=N)
SILENT = SYSTEMS[:, 0].astype(object)
SILENT[rng.random(N) < 0.2] = None
GROUP, FOLD, UNIT = ITEM % 3, ITEM % 5, ITEM // 4


def repeated(times: int, **given: Any) -> dict[str, Any]:
    """Each row of each column so many times."""
    return {name: np.repeat(x, times, axis=0) for name, x in given.items()}


def table(times: int, system: int = 0, word: str = "item", **more: Any) -> Table:
    told: dict[str, Any] = {word: np.repeat(ITEM, times)} if times > 1 else {}
    real, said = np.repeat(REAL, times), np.repeat(SYSTEMS[:, system], times)
    told |= repeated(times, **more)
    return Table.from_labels(real=real, predicted=said, positive=1, **told)


def together(times: int, systems: int = 3, **more: Any) -> Paired:
    """The systems on the same items."""
    given = repeated(times, real=REAL, predictions=SYSTEMS[:, :systems], item=ITEM, **more)
    return paired(names=NAMES[:systems], **given)


def curve(times: int, **more: Any) -> Any:
    return informed.roc(positive=1, **repeated(times, real=REAL, score=SCORE, item=ITEM, **more))


def forecast(times: int, **more: Any) -> Any:
    p = 1 / (1 + np.exp(-SCORE))
    return informed.probabilities(positive=1, **repeated(times, real=REAL, probability=p, item=ITEM, **more))


def forecasts(times: int) -> Forecasts:
    """The same with systems of other slopes."""
    held = repeated(times, real=REAL, score=SCORE, item=ITEM)
    systems = {slope: 1 / (1 + np.exp(-slope * held["score"])) for slope in (0.5, 1.0, 2.0)}
    return Forecasts(held["real"], systems, item=held["item"], positive=1)


def silent(times: int) -> Table:
    return Table.from_labels(missing="abstain", **repeated(times, real=REAL, predicted=SILENT, item=ITEM))


def watched(times: int) -> Any:
    """Each item with its epochs in a list."""
    w = informed.watch(labels=[0, 1], prevalence=[0.5, 0.5], expect=0.3)
    w.update(real=REAL, predicted=[[said] * times for said in SYSTEMS[:, 0].tolist()], item=ITEM)
    return w


def risk(times: int) -> Any:
    return informed.risk_coverage(**repeated(times, real=REAL, predicted=SYSTEMS[:, 0], score=SCORE, item=ITEM))


def ratings(times: int) -> Any:
    each = repeated(times, **dict(zip(NAMES, SYSTEMS.T, strict=True)))
    return informed.agreement(each, item=np.repeat(ITEM, times))


def marks(times: int, system: int = 0) -> Marks:
    given = repeated(times, mark=SYSTEMS[:, system] == REAL, item=ITEM, group=GROUP)
    return Marks.from_columns(epoch=np.tile(np.arange(times), N), **given)


def partly(times: int, system: int = 0, **more: Any) -> Any:
    """Cases of which people saw every third."""
    gold = [x if i % 3 == 0 else None for i, x in enumerate(REAL.tolist())]
    given = repeated(times, predicted=SYSTEMS[:, system], gold=gold, judge=SYSTEMS[:, 2], item=ITEM, **more)
    return informed.verified(positive=1, **given)


def graded(times: int, systems: int = 2, **more: Any) -> Any:
    """Answers that a judge graded, and people those to every third item."""
    right = (REAL[:, None] == SYSTEMS).astype(int)
    said = np.where(np.arange(N)[:, None] % 5 == 0, 1, right)
    verdict = {name: np.repeat(said[:, i], times) for i, name in enumerate(NAMES[:systems])}
    people = np.where(np.arange(N)[:, None] % 3 == 0, right, np.nan)
    gold = {name: np.repeat(people[:, i], times) for i, name in enumerate(NAMES[:systems])}
    return informed.compare.judged(verdict=verdict, gold=gold, **repeated(times, item=ITEM, **more)).to_dict()


def fields(x: Any, names: str) -> list[Any]:
    return [getattr(x, name) for name in names.split()]


MEASURES = ("informedness", "markedness", "matthews", "recall", "precision", "f1", "lr")
LIMITS = "estimate low high"
SAID: Mapping[str, Callable[[int], Any]] = {  # what each verb says of items that were asked so often
    "interval": lambda k: [fields(informed.interval(table(k), m), LIMITS) for m in MEASURES],
    "interval of marks": lambda k: fields(informed.interval(marks(k)), LIMITS),
    "interval, all classes": lambda k: fields(
        informed.interval(table(k).one_vs_rest(), "recall", simultaneous="max-t"), LIMITS
    ),
    "posterior": lambda k: fields(informed.posterior(table(k), "markedness", rng=1), LIMITS),
    "test": lambda k: [fields(informed.test(table(k), m), "statistic pvalue") for m in ("informedness", "bias", "f1")],
    "power": lambda k: informed.power(table(k), 0.2).power,
    "detectable": lambda k: informed.detectable(table(k)).informedness,
    "sample_size": lambda k: fields(informed.sample_size(0.2, like=table(k, item=ITEM)), "units power width"),
    "slices": lambda k: informed.slices(table(k, by=GROUP)).to_dict(),
    "slices of two": lambda k: informed.slices(together(k, 2), by=np.repeat(GROUP, k)).to_dict(),
    "slices of marks": lambda k: informed.slices({"x": marks(k), "y": marks(k, 1)}).to_dict(),
    "compare": lambda k: informed.compare(table(k), table(k, 1)).records(("informedness", "recall")).rows,
    "compare.paired": lambda k: informed.compare.paired(together(k, 2)).records().rows,
    "compare.paired in units": lambda k: informed.compare.paired(together(k, 2, unit=UNIT)).records().rows,
    "compare of marks": lambda k: fields(informed.compare(marks(k), marks(k, 1)), f"{LIMITS} pvalue"),
    "leaderboard": lambda k: _board(together(k)),
    "leaderboard in units": lambda k: _board(together(k, unit=UNIT)),
    "folds": lambda k: informed.folds(together(k), fold=np.repeat(FOLD, k), rng=1).to_dict(),
    "roc": lambda k: fields(curve(k).interval(), LIMITS),
    "roc in units": lambda k: fields(curve(k, unit=UNIT).interval(), LIMITS),
    "threshold": lambda k: informed.threshold(curve(k), rng=1).to_dict(),
    "probabilities": lambda k: forecast(k).records().rows,
    "leaderboard of probabilities": lambda k: informed.leaderboard(forecasts(k), rng=1, n_draws=2000).records().rows,
    "slices of probabilities": lambda k: informed.slices(forecasts(k), by=np.repeat(GROUP, k)).to_dict(),
    "probabilities in units": lambda k: forecast(k, unit=UNIT).records().rows,
    "risk_coverage": lambda k: [risk(k).risk, risk(k).area],
    "abstention": lambda k: informed.abstention(silent(k)).to_dict(),
    "agreement": lambda k: [fields(x, f"{LIMITS} pvalue") for x in ratings(k).coefficients.values()],
    "judge": lambda k: fields(informed.judge(table(k), 0.4, 500, design="elsewhere"), LIMITS),
    "assign": lambda k: informed.assign(table(k), rng=1).to_dict(),
    "decide": lambda k: fields(informed.decide(table(k), 0.5), "seen low high wanted"),
    "decide, undecided": lambda k: fields(informed.decide(table(k), 0.6), "seen low high"),
    "watch": lambda k: watched(k).path.rows[-1],
    "odds": lambda k: informed.odds(table(k)).to_dict(),
    "payoffs": lambda k: informed.payoffs(table(k)).to_dict(),
    "report": lambda k: informed.report(table(k, item=ITEM)).to_dict(),
    "report of groups": lambda k: informed.report(table(k, item=ITEM, by=GROUP)).to_dict(),
    "compare.judged": graded,
    "compare.judged in units": lambda k: graded(k, unit=UNIT),
    "compare.judged, many": lambda k: graded(k, 3),
    "verified": lambda k: partly(k).to_dict(),
    "verified in units": lambda k: partly(k, unit=UNIT).to_dict(),
    "verified, two": lambda k: fields(partly(k).minus(partly(k, 1)), f"{LIMITS} pvalue"),
    "report of marks": lambda k: informed.report(marks(k)).to_dict()["score"],
}
NO_CASES = {  # no number of theirs depends on how many cases there are
    *("examples", "find", "read", "recover", "search", "solve", "why"),
    *("e_bh", "e_holm"),  # of what bettors have
    *("chance_from_kappa", "kappa_form", "posterior_alpha_beta"),
    "intraclass_correlation",  # of one measurement by each rater
}
ANSWERS = {"rows", "counted", "states", "weighing", "notes", "answer", "n_answers", "tests", "sentence"}  # tell them


def _board(p: Paired) -> list[Any]:
    found = informed.leaderboard(predictions=p, rng=1, n_draws=2000)
    return [fields(found, LIMITS), fields(found.pairs, "low high pvalue adjusted")]


def numbers(x: Any) -> list[float]:
    """All of a result but how many answers there were."""
    if isinstance(x, Mapping):
        return [y for name, held in x.items() if name not in ANSWERS for y in numbers(held)]
    if isinstance(x, np.ndarray | list | tuple):
        return [y for held in x for y in numbers(held)]
    if hasattr(x, "estimate"):
        return numbers(fields(x, LIMITS))
    return [float(x)] if isinstance(x, int | float | np.number) else []


@pytest.mark.parametrize("verb", SAID)
def test_the_same_answer_again_changes_no_number(verb: str) -> None:
    once, again = (numbers(SAID[verb](times)) for times in (1, 3))
    assert once
    np.testing.assert_allclose(again, once, rtol=1e-9, atol=1e-9)


def test_no_verb_is_forgotten() -> None:
    measures = {*informed.MEASURES, *informed.ALIASES}
    names = {x for x in informed.__all__ if x.islower() and x not in measures and not x.startswith("_")}
    tried = {name.split()[0].split(",")[0].split(".")[0] for name in SAID}
    assert {x for x in names if callable(getattr(informed, x))} == tried | NO_CASES


def test_a_system_asked_more_often_than_another_is_no_other_system() -> None:
    """Answers that never differ count as one, whoever else was asked how often."""
    codes = np.repeat(SYSTEMS, 3, axis=0)
    codes[np.arange(3 * N) % 3 > 0, 1] = -2  # b was asked once
    item = np.repeat(ITEM, 3)
    unequal = paired(np.repeat(REAL, 3), codes, names=NAMES, item=item)
    np.testing.assert_allclose(numbers(_board(unequal)), numbers(_board(together(1))), rtol=1e-9, atol=1e-9)
    found = informed.compare.paired(unequal, a="a", b="b")
    said = [note.text for note in found.notes]
    assert "Each item counts once: 240 items; answers to each: 3 of a, 1 of b." in said
    assert not any("left out" in x for x in said)

    varied = codes.copy()
    varied[:, 0] = np.where(rng.random(3 * N) < 0.3, 1 - varied[:, 0], varied[:, 0])  # the answers of a differ
    often = varied.copy()
    often[:, 1] = np.repeat(SYSTEMS[:, 1], 3)
    both = [paired(np.repeat(REAL, 3), x, names=NAMES, item=item) for x in (varied, often)]
    one, other = (informed.compare.paired(p, a="a", b="b").records().rows for p in both)
    np.testing.assert_allclose(numbers(other), numbers(one), rtol=1e-9, atol=1e-9)
    first, second = (_board(p) for p in both)
    np.testing.assert_allclose(numbers(second), numbers(first), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("word", ["item", "unit"])
def test_gates(word: str) -> None:
    """A bar between the limits of the items and those of twice as many is passed by neither."""
    once, twice = table(1), table(2, word=word)
    doubled = Table.from_counts(2 * once.counts, labels=once.labels)
    low, narrow = (float(informed.interval(t, "informedness").low) for t in (once, doubled))
    bar = f"informedness.low={(low + narrow) / 2}"
    for t in (once, twice):
        (gate,) = check(t, [bar])
        assert not gate.passed
    (gate,) = check(doubled, [bar])
    assert gate.passed


def test_units_of_the_same_case_twice_are_nearly_as_many_cases() -> None:
    once, twice = (informed.report(t).size for t in (table(1), table(2, word="unit")))
    assert once is not None
    assert twice is not None
    assert twice.n == pytest.approx(once.n, rel=0.02)
    assert twice.half_width == pytest.approx(once.half_width, rel=0.03)
    assert dict(twice.needed) == pytest.approx(dict(once.needed), rel=0.02)
    np.testing.assert_allclose(twice.power, once.power, atol=0.02)
    assert twice.detectable == pytest.approx(once.detectable, rel=0.03)
