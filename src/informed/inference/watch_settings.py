"""What is declared of a watch before its first case."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from informed._numbers import position
from informed.errors import InferenceError, one_of
from informed.evidence.checks import distribution
from informed.evidence.label_policy import given_labels
from informed.evidence.labels import canonical, guess_positive, is_missing, some, text
from informed.inference import stop_rules
from informed.inference.betting_plan import Bettor, Game, by_class, of_rights, of_scores, planned, pooled, unplanned
from informed.inference.given import is_number
from informed.measures import MeasureLike, find

Alternative = Literal["two-sided", "greater", "less"]
EXACT = {"informedness": "informedness", "informedness_of_all": "informedness"}
RIGHTS = {"accuracy": "accuracy", "accuracy_of_all": "accuracy", "balanced_accuracy": "balanced_accuracy"}
OF_ONE_CLASS = ("recall", "inverse_recall")
SCORE = "score"  # the mean of item scores from 0 to 1, which have no classes


@dataclass(frozen=True)
class Settings:
    """The bar, the level, the classes with their shares, and what is expected."""

    against: float = 0.0
    level: float = 0.95
    alternative: Alternative = "two-sided"
    labels: tuple[Hashable, ...] | None = None
    prevalence: tuple[float, ...] | None = None
    benchmark: tuple[int, ...] | None = None
    expect: float | None = None
    disagree: float = 0.25
    paired: bool = False
    measure: str = "informedness"
    stop: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return asdict(self)

    @property
    def size(self) -> int | None:
        """Items of the benchmark, where that is known."""
        return None if self.benchmark is None else sum(self.benchmark)

    @property
    def classes(self) -> int:
        """How many there are; two where none are declared."""
        return 2 if self.labels is None else len(self.labels)

    @property
    def bets(self) -> bool:
        """Whether there is a wealth; an approximate sequence has none."""
        return self.game is not None

    @property
    def scores(self) -> bool:
        """Whether items come with scores, and not with answers."""
        return self.measure == SCORE

    @property
    def tested(self) -> bool:
        """Whether there is a wealth that says something: nobody can be below the least that there can be."""
        return self.bets and self.barred

    @property
    def barred(self) -> bool:
        """Whether the threshold can be missed and passed: it is chance, or lies within what there can be."""
        low, high = self.bounds
        return low < self.against < high or (not self.scores and find(self.measure).facts.chance == self.against)

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the most that can be."""
        if self.game is not None:
            return self.game.bounds
        low, high = find(self.measure).facts.bounds
        return (low - high, high - low) if self.paired else (low, high)

    @cached_property
    def game(self) -> Game | None:
        """What is bet on what; None where there is no exact bet."""
        found = _game(self)
        return found.paired() if found is not None and self.paired else found

    @cached_property
    def bettors(self) -> tuple[Bettor, Bettor]:
        """Of the interval, and of the test: the same unless something is expected."""
        assert self.game is not None
        calm = unplanned(self.game)
        if self.expect is None:
            return calm, calm
        return calm, planned(self.game, self.against, self.expect, self.disagree if self.paired else None)


def _game(s: Settings) -> Game | None:
    k = s.classes
    if s.scores:
        return of_scores()
    if s.measure in RIGHTS:
        return of_rights(k, list(range(k)), apart=RIGHTS[s.measure] == "balanced_accuracy")
    if s.measure in OF_ONE_CLASS:
        return of_rights(k, [_class_of(s)], apart=False)
    if s.measure not in EXACT:
        return None
    if s.benchmark is not None:
        shares = np.asarray(s.benchmark) / sum(s.benchmark)
        return by_class(shares, declared=True) if k == 2 else pooled(shares)
    if s.prevalence is not None:
        return by_class(np.asarray(s.prevalence), declared=True)
    return by_class(np.array([0.5, 0.5]), declared=False) if k == 2 else None


def _class_of(s: Settings) -> int:
    """The place of the class whose recall is watched."""
    positive = None if s.labels is None else guess_positive(s.labels)
    if s.labels is None or positive is None:
        said = "no `labels` are declared" if s.labels is None else f"none of {some(s.labels)} names it"
        raise InferenceError(
            f"{s.measure} is of the positive class, and {said}.",
            "declare two `labels` of which one is 1, True, yes, + or pos…",
            "watch balanced_accuracy",
        )
    at = s.labels.index(positive)
    return at if s.measure == "recall" else 1 - at


# ---------------------------------------------------------------------- reading what was given


def settings(
    *,
    against: float | None,
    level: float,
    alternative: Alternative,
    labels: Sequence[Any] | None,
    prevalence: Any,
    benchmark: Any,
    expect: float | None,
    disagree: float,
    paired: bool,
    measure: MeasureLike,
    stop: str | None,
) -> Settings:
    """Checked settings, or one sentence on what is wrong with them."""
    one_of("alternative", alternative, ("two-sided", "greater", "less"), InferenceError)
    known = None if labels is None else given_labels(labels)
    known, counts = _benchmark(known, benchmark)
    if counts is not None and prevalence is not None:
        raise InferenceError("A benchmark knows its own prevalences: give `benchmark=` or `prevalence=`, not both.")
    known, shares = _prevalence(known, prevalence)
    if known is not None and len(known) < 2:
        raise InferenceError(f"`labels` has {some(known)} only; two classes at least are needed to be told apart.")

    asked = SCORE if str(measure) == SCORE else str(find(measure))
    if asked == SCORE and not (labels is prevalence is benchmark is None):
        raise InferenceError("Item scores have no classes: leave `labels`, `prevalence` and `benchmark` out.")
    chance = 1 / len(known or (0, 1)) if RIGHTS.get(asked) == "balanced_accuracy" and not paired else 0.0
    made = Settings(
        against=chance if against is None else _number(against, "against"),
        level=_number(level, "level"),
        alternative=alternative,
        labels=known,
        prevalence=shares,
        benchmark=counts,
        expect=None if expect is None else _number(expect, "expect"),
        disagree=_number(disagree, "disagree"),
        paired=bool(paired),
        measure=asked,
        stop=None if stop is None else str(stop),
    )
    _check(made)
    return made


def _number(given: Any, name: str) -> float:
    try:
        return float(given)
    except (TypeError, ValueError):
        raise InferenceError(f"`{name}` is {given!r}; a number is needed.") from None


def _check(s: Settings) -> None:
    if not 0 < s.level < 1:
        raise InferenceError(f"`level` is {s.level:g}; it must lie between 0 and 1, such as 0.95.")
    if not 0 < s.disagree <= 1:
        raise InferenceError(f"`disagree` is {s.disagree:g}; it must be a share of the items above 0, such as 0.25.")
    if s.game is None and s.expect is not None:
        raise InferenceError(
            f"An approximate sequence, as that of {s.measure} here, has no bet to plan: leave `expect` out."
        )
    if s.game is None and s.benchmark is not None:
        raise InferenceError(
            f"A benchmark of known size can be watched for informedness, accuracy and recall, not for {s.measure}."
        )
    if s.game is not None and s.benchmark is not None and s.game.arms > 2:
        raise InferenceError(
            "Balanced accuracy of a benchmark can be watched for two classes only.", "watch informedness"
        )
    low, high = s.bounds
    if not low <= s.against <= high:
        raise InferenceError(f"`against` is {s.against:g}; {s.measure} lies between {low:g} and {high:g}.")
    if s.expect is not None:
        _check_expected(s, s.expect)
    if s.stop is not None and (why := stop_rules.parse(s.stop).impossible(s)):
        raise InferenceError(why)


def _check_expected(s: Settings, expect: float) -> None:
    low, high = s.bounds
    less = s.alternative == "less"
    if not (low <= expect < s.against if less else s.against < expect <= high):
        side = (
            f"below {s.against:g} and no less than {low:g}"
            if less
            else f"above {s.against:g} and no more than {high:g}"
        )
        raise InferenceError(f"`expect` is {expect:g}; it must be {side}: what is bet on is that the bar is passed.")


def _benchmark(
    labels: tuple[Hashable, ...] | None, given: Any
) -> tuple[tuple[Hashable, ...] | None, tuple[int, ...] | None]:
    """Labels and how many items of each a benchmark has, from counts by label, counts in order, or all labels."""
    if given is None:
        return labels, None
    if isinstance(given, str | bytes | int | float):
        raise InferenceError(f"`benchmark` is {text(given)}; give counts by label, or the labels of all its items.")
    if isinstance(given, Mapping):
        held = {canonical(label): n for label, n in given.items()}
        labels = _agreed(labels, tuple(held), "benchmark")
        counts = [held[label] for label in labels]
    else:
        listed = list(given)
        if gone := [i for i, x in enumerate(listed) if is_missing(x)]:
            raise InferenceError(f"`benchmark` has no label at {position(gone[0])}; every item needs one.")
        numbers = all(isinstance(x, int | float | np.number) and not isinstance(x, bool | np.bool_) for x in listed)
        if labels is not None and len(listed) == len(labels) and numbers:
            counts = listed
        else:
            seen = Counter(canonical(x) for x in listed)
            order = tuple(sorted(seen, key=str)) if labels is None else labels
            labels = _agreed(order, tuple(seen), "benchmark")
            counts = [seen[label] for label in labels]
    for label, n in zip(labels, counts, strict=True):
        if not is_number(n) or not 1 <= n < math.inf or n != int(n):
            raise InferenceError(f"The benchmark has {n} items of {text(label)}; each class needs one at least.")
    return labels, tuple(int(n) for n in counts)


def _prevalence(
    labels: tuple[Hashable, ...] | None, given: Any
) -> tuple[tuple[Hashable, ...] | None, tuple[float, ...] | None]:
    if given is None:
        return labels, None
    if isinstance(given, Mapping):
        held = {canonical(label): p for label, p in given.items()}
        labels = _agreed(labels, tuple(held), "prevalence")
        given = [held[label] for label in labels]
    shares = distribution(given, "prevalence")
    if labels is None:
        raise InferenceError(
            "`prevalence` does not say whose shares these are.", "give `labels`", "give shares by label"
        )
    if len(shares) != len(labels):
        raise InferenceError(f"`prevalence` has {len(shares)} shares for {len(labels)} labels.")
    if (shares <= 0).any() or (shares >= 1).any():
        raise InferenceError(
            f"`prevalence` has the share {shares.min():g}; each class must be possible, and none certain."
        )
    return labels, tuple((shares / math.fsum(shares)).tolist())


def _agreed(labels: tuple[Hashable, ...] | None, named: tuple[Hashable, ...], what: str) -> tuple[Hashable, ...]:
    if labels is None:
        return named
    if {*labels} != {*named}:
        odd = next(iter({*named} ^ {*labels}))
        where = f"in `{what}` but not in `labels`" if odd in named else f"in `labels` but not in `{what}`"
        raise InferenceError(f"{text(odd)} is {where}; both must have the same classes.")
    return labels
