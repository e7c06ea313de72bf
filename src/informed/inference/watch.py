"""`watch`: a bettor's wealth and limits that may be looked at whenever one likes.

A usual test that is looked at again and again cries wolf in a third of all runs. A bettor who starts with 1 and bets,
item by item, that a system is right more often than a guesser could be gets rich by chance at most once in twenty runs,
however often one looks and whenever one stops: his wealth is the evidence (Ville 1939, Shafer 2021).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any
from uuid import uuid4

import numpy as np

from informed.errors import InferenceError
from informed.evidence.calls import explained
from informed.evidence.labels import Label
from informed.inference import stop_rules, watch_json, watch_words
from informed.inference.answers import Interval
from informed.inference.asymptotic_sequence import least_cases
from informed.inference.watch_counting import Counted
from informed.inference.watch_looks import Look
from informed.inference.watch_result import Watched
from informed.inference.watch_seen import COLUMNS, SeenLook
from informed.inference.watch_settings import Alternative, Settings, settings
from informed.measures import MeasureLike
from informed.results import Note, Records, Written


class Watch(Counted, Written):
    """A bettor at a stream of items, who may be looked at after any of them. `watch` makes one.

    It holds counts and a few numbers, however long the stream is (and 8 bytes an item that has an id): `to_json` writes
    them, and `Watch.from_json` goes on where it was.
    """

    def __init__(self, made: Settings) -> None:
        super().__init__(made)
        self.id = uuid4().hex
        self.merged: set[str] = set()  # ids of the watches whose counts are in this one
        self._rules = None if made.stop is None else stop_rules.parse(made.stop)
        self._stopped: tuple[int, str] | None = None
        self._checked = 0  # looks that the rules have seen

    # ------------------------------------------------------------------ what is seen

    @property
    def level(self) -> float:
        """Of the interval; the verdicts are wrong at most as often as this leaves."""
        return self.settings.level

    @property
    def against(self) -> float:
        """The bar."""
        return self.settings.against

    @property
    def alternative(self) -> Alternative:
        """Which limits there are: both, or one; with "less" the bettor bets that it is below the bar."""
        return self.settings.alternative

    @property
    def interval(self) -> Interval:
        """The limits of all looks together: the truth lies in it at every look at once, at the level."""
        look = self._look()
        return self._interval(look, look.low, look.high)

    @property
    def current(self) -> Interval:
        """The limits of the last look alone."""
        look = self._look()
        return self._interval(look, look.current_low, look.current_high)

    def _interval(self, look: Look, low: float, high: float) -> Interval:
        known = look.n > 0 and not math.isnan(look.estimate) and math.isfinite(low) and math.isfinite(high)
        limits = (look.estimate, low, high) if known else (look.estimate if look.n else math.nan, math.nan, math.nan)
        method = "betting" if self.settings.bets else "asymptotic sequence"
        return Interval(*limits, self.level, method, self.settings.measure, "any time", self.notes)

    @property
    def wealth(self) -> float:
        """What the bettor has, who started with 1 and bets that the bar is passed."""
        return self._now.wealth

    @property
    def best(self) -> float:
        """The most that he has had."""
        return self._now.best

    @property
    def pvalue(self) -> float:
        """At most this share of runs of a system at the bar gets its bettor so far, however often one looks."""
        return self._now.pvalue

    @property
    def pvalue_two_sided(self) -> float:
        """The same against the bar itself, from either side: half of the money is on each."""
        return self._now.pvalue_two_sided

    @property
    def futile(self) -> bool:
        """Whether what was expected is out of reach: a good system is given up so in at most 1 of 5 runs."""
        return self._now.futile

    @property
    def verdict(self) -> str:
        """Pass where it is above the bar, fail where it is below, each wrong at most as often as the level leaves."""
        return self._now.verdict

    @property
    def sentence(self) -> str:
        """Where the bettor stands, and between which limits the measure lies."""
        return watch_words.sentence(self.settings, self._look(), self.held)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What the limits are of, and what is wrong with the stream."""
        kinds, counts = self._stream.kinds, self._counts()[None].astype(np.int64)
        least = min((float(least_cases(kinds.cells(i), counts)[0]) for i in range(1 + self.settings.paired)), default=0)
        found = watch_words.notes(self.settings, self._look(), self.labels, self._classes(), least if self.n else 0.0)
        silent = sum(float((counts @ kinds.cells(i)[:, -1].sum(axis=1))[0]) for i in range(1 + self.settings.paired))
        return (*found, watch_words.unanswered(self.settings, silent)) if silent else found

    @property
    def path(self) -> Records:
        """The looks of the watch itself, and the last: at every item up to 50, then at 2 % more each time."""
        looks = self._stream.looked_at() if self.n else []
        self._check_rules()
        return Records.of(COLUMNS, [SeenLook(self.settings, look).row for look in looks])

    @property
    def _now(self) -> SeenLook:
        return SeenLook(self.settings, self._look())

    def _look(self) -> Look:
        if not self.n:
            return Look(0, math.nan, math.nan, math.nan, 0.0, 0.0, 0.0)
        found = self._stream.look()
        self._check_rules()
        return found

    # ------------------------------------------------------------------ stopping

    def decided(self, stop: str | None = None) -> bool:
        """Whether a rule is met, now or at a look before: its own, or another."""
        if stop is None or stop == self.settings.stop:
            if self._rules is None:
                raise InferenceError("No rule was given: write `w.decided('informedness.low > 0.2')`.")
            return self.stopped is not None
        rules = stop_rules.parse(stop)
        if why := rules.impossible(self.settings):
            raise InferenceError(why)
        return bool(self.n) and rules.met(self) is not None

    @property
    def stopped(self) -> tuple[int, str] | None:
        """After how many items its own rule was met, and which condition of it; None while it is not."""
        self._look()
        return self._stopped

    def seen(self) -> list[stop_rules.Seen]:
        """Its looks, and the last, as rules see them."""
        return [SeenLook(self.settings, look) for look in self._stream.looked_at()] if self.n else []

    def _check_rules(self) -> None:
        """Try the rule on the looks that it has not seen."""
        if self._rules is None or self._stopped is not None:
            return
        looks = self._stream.path[self._checked :]
        self._checked = len(self._stream.path)
        if self._stream.last is not None and (not looks or looks[-1].n != self._stream.last.n):
            looks = [*looks, self._stream.last]
        for look in looks:
            met = self._rules.met(SeenLook(self.settings, look))
            if met is not None:
                self._stopped = (look.n, met)
                return

    # ------------------------------------------------------------------ many hands

    def merge(self, other: Watch) -> None:
        """Add the counts of a watch of other items; its own looks stay what they are.

        Valid where all parts of a run are merged, as decided before anyone looked: who merges those that look good
        chooses.
        """
        watch_json.check_mergeable(self, other)
        watch_json.add_counts(self, other)

    def to_json(self) -> str:
        """All that it needs to go on: `Watch.from_json` reads it back."""
        self._look()
        return watch_json.written(self)

    @classmethod
    def from_json(cls, text: str, like: Watch | None = None) -> Watch:
        """The watch that `to_json` wrote; with `like`, refused where that has other settings."""
        return watch_json.read(cls, text, like)

    # ------------------------------------------------------------------ showing

    def result(self) -> Watched:
        """What it says now, as data for a page."""
        path = self.path
        table = self.table if len(self.labels) > 1 else None
        return Watched(
            self.settings, self.n, self.interval, self.current, self.wealth, self.best, self.pvalue, self.verdict,
            self.futile, self.stopped, path, self.sentence, table, self.notes,
        )  # fmt: skip

    def records(self) -> Records:
        """One row a look: `path`."""
        return self.path

    def to_frame(self) -> Any:
        """A pandas or Polars data frame of its looks."""
        return self.path.to_frame()

    def metrics(self) -> dict[str, float]:
        """The numbers of the last look in one flat mapping."""
        return self.result().metrics()

    def to_dict(self) -> dict[str, Any]:
        """The last look and all of them as plain data."""
        return self.result().to_dict()

    def document(self, **options: Any) -> Any:
        """What is said of it now."""
        return self.result().document(**options)

    def write(self, form: str, **options: Any) -> str:
        """In a format, by its name or by the suffix of a file."""
        return self.result().write(form, **options)

    def plot(self, axes: Any = None) -> Any:
        """Draw money and interval over time with matplotlib: the figure; needs the extra `plot`."""
        return self.result().plot(axes)

    def __repr__(self) -> str:
        return "\n".join([self.sentence, *(f"! {note}" for note in self.notes if note.severity == "warning")])


@explained
def watch(
    against: float | None = None,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    labels: Iterable[Label] | None = None,
    prevalence: Any = None,
    benchmark: Any = None,
    expect: float | None = None,
    disagree: float = 0.25,
    paired: bool = False,
    measure: MeasureLike = "informedness",
    stop: str | None = None,
) -> Watch:
    """A bettor for a run that is going on: look whenever you like, and stop when you know.

    All of it is fixed before the first case. Items must come in an order that the answers have no say in: shuffle them
    once, and count them as scheduled.

    Parameters
    ----------
    against
        The threshold: the bettor bets that the measure is above it. By default the chance level, where that is known:
        0 for informedness and for differences, 1/K for the balanced accuracy of K classes. Accuracy, recall and scores
        have none; without a threshold there are limits, and no bet.
    level
        Of the interval; each verdict errs in at most 1 − level of all runs.
    alternative
        "two-sided" for an interval with two limits; "greater" or "less" for one. With "less" he bets that it is below.
    labels
        The classes. Two are taken as they come; more must be declared.
    prevalence
        How frequent the classes are, in the order of `labels` or by label: quicker for two classes, needed for more.
    benchmark
        All that can be asked, as counts by label or as the labels of all items: the limits are then of these items,
        which must come in random order, and close on the exact value.
    expect
        What the measure is hoped to be: quicker if it is, and needed to give up as futile.
    disagree
        Of two systems: the share of items on which exactly one is right, as expected.
    paired
        Whether two systems answer the same items; the difference is watched.
    measure
        "informedness", "accuracy", "balanced_accuracy" or "recall" by exact bets; others by approximate limits. "score"
        is the mean of item scores from 0 to 1 by exact bets: `w.update(score=[0.5, 1.0])`.
    stop
        A rule: "informedness.low > 0.2 or futile".

    >>> w = watch()
    >>> w.update(real=["a", "b"] * 20, predicted=["a", "b", "a", "b", "b"] * 8)
    >>> round(w.wealth, 1), w.verdict
    (0.5, 'undecided')
    """
    return Watch(
        settings(
            against=against,
            level=level,
            alternative=alternative,
            labels=None if labels is None else list(labels),
            prevalence=prevalence,
            benchmark=benchmark,
            expect=expect,
            disagree=disagree,
            paired=paired,
            measure=measure,
            stop=stop,
        )
    )
