"""`watch`: a bettor's wealth and limits that may be looked at whenever one likes.

A usual test that is looked at again and again cries wolf in a third of all runs. A bettor who starts with 1 and bets,
item by item, that a system is right more often than a guesser could be gets rich by chance at most once in twenty runs,
however often one looks and whenever one stops: his wealth is the evidence (Ville 1939, Shafer 2021).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed._numbers import plural
from informed.errors import InferenceError
from informed.evidence.calls import explained
from informed.evidence.label_order import ordered
from informed.evidence.labels import Label, Labels, text
from informed.evidence.seen import Seen
from informed.evidence.table import Table
from informed.inference import stop_rules, watch_json, watch_words
from informed.inference.answers import Interval
from informed.inference.asymptotic_sequence import least_cases
from informed.inference.given import is_number
from informed.inference.watch_cases import Kinds, several
from informed.inference.watch_looks import FUTILE, Look, Stream
from informed.inference.watch_settings import Alternative, Settings, settings
from informed.measures import MeasureLike
from informed.results import Note, Plotted, Records, Written, plain_dict

COLUMNS = "n:count estimate low high current_low current_high wealth best log_wealth log_best below"


@dataclass(frozen=True, repr=False)
class Watched(Plotted):
    """What a watch says at one moment: what its page is made of."""

    page = "watch"

    settings: Settings
    n: int
    interval: Interval  # of all looks together
    current: Interval  # of the last look alone
    wealth: float
    best: float
    pvalue: float
    verdict: str
    futile: bool
    stopped: tuple[int, str] | None  # items, and the condition that was met
    looks: Records
    said: str
    table: Table | None
    notes: tuple[Note, ...] = ()

    def records(self) -> Records:
        """One row a look."""
        return self.looks

    def to_dict(self) -> dict[str, Any]:
        """The last look, and all of them."""
        s, held = self.settings, self.interval
        found = {"n": self.n, "measure": s.measure, "estimate": held.estimate, "low": held.low, "high": held.high}
        found |= {"current_low": self.current.low, "current_high": self.current.high, "level": s.level}
        found |= {"wealth": self.wealth, "best": self.best, "pvalue": self.pvalue, "against": s.against}
        found |= {"verdict": self.verdict, "futile": self.futile, "method": held.method}
        found |= {"stopped": None if self.stopped is None else self.stopped[0], "sentence": self.said}
        return plain_dict({**found, "looks": self.looks, "notes": self.notes})

    def sentence(self) -> str:
        """Where the bettor stands, and between which limits the measure lies."""
        return self.said


class Watch(Written):
    """A bettor at a stream of items, who may be looked at after any of them. `watch` makes one.

    It holds counts and a few numbers, however long the stream is (and 8 bytes an item that has an id): `to_json` writes
    them, and `Watch.from_json` goes on where it was.
    """

    def __init__(self, made: Settings) -> None:
        self.settings = made
        self.id = uuid4().hex
        self.merged: set[str] = set()  # ids of the watches whose counts are in this one
        self._stream = Stream(made, Kinds(made.labels))
        self._seen = Seen()
        self._next = 0  # in the schedule
        self._held: dict[int, int] = {}  # kinds of items by their places, until those before are in
        self._rules = None if made.stop is None else stop_rules.parse(made.stop)
        self._stopped: tuple[int, str] | None = None
        self._checked = 0  # looks that the rules have seen

    # ------------------------------------------------------------------ counting

    @explained
    def update(self, *, real: Any, predicted: Any, other: Any = None, index: Any = None, item: Any = None) -> None:
        """Count items: one, or as many as the columns have, in the order in which they were scheduled.

        Nothing is counted where something is wrong with one of them.

        Parameters
        ----------
        real, predicted
            The label of each item and the answer that it got. None is no answer; a list is what several epochs of one
            item got, which count as one item.
        other
            The answers of the second system, of a watch that is `paired`.
        index
            The place of each item in the schedule, from 0. Results wait until all before them are in, because
            quick answers are more often right.
        item
            The name of each item, so that none is counted twice; 8 bytes are kept of each.
        """
        if (other is None) is self.settings.paired:
            told = (
                "two systems are watched: give `other=`"
                if other is None
                else "one system is watched: `other=` is for a watch with `paired=True`"
            )
            raise InferenceError(f"Here {told}.")
        if index is None and item is None and not self._next and not self._held:
            one = self._stream.kinds.known(real, predicted, other)
            if one is not None and self.settings.benchmark is None:
                self._stream.add_one(one)
                return

        names = self._names(item, real)
        if index is None:
            if self._held or self._next:
                raise InferenceError("This watch counts by `index`; each update needs the place of its items.")
            self._count(self._read(real, predicted, other))
        else:
            self._schedule(real, predicted, other, index)
        for name in names:
            self._seen.add(name)

    def _names(self, item: Any, real: Any) -> list[str]:
        """Names of items, refused where one was counted already."""
        if item is None:
            return []
        if several(real) and not several(item):
            raise InferenceError(f"`item` is {text(item)}; the name of each item is needed.")
        names = [str(x) for x in (item if several(real) else [item])]
        if several(real) and len(names) != len(real):
            raise InferenceError(f"`item` has {plural(len(names), 'name')} for {plural(len(real), 'item')}.")
        now: set[str] = set()
        for name in names:
            if name in self._seen or name in now:
                raise InferenceError(
                    f"The item {text(name)} was counted already; an item counts once, with all its epochs in one list."
                )
            now.add(name)
        return names

    def _read(self, real: Any, predicted: Any, other: Any) -> NDArray[np.intp]:
        """The kinds of items; refused where a benchmark has no such item left."""
        kinds = self._stream.kinds.read(real, predicted, other)
        counts = self.settings.benchmark
        if counts is not None:
            held = self._classes()
            np.add.at(held, [self._stream.kinds.kinds[i][0] for i in (*kinds.tolist(), *self._held.values())], 1)
            if (held > np.asarray(counts)).any():
                at = int(np.argmax(held > np.asarray(counts)))
                label = text(self._stream.kinds.labels[at])
                raise InferenceError(
                    f"The benchmark has {plural(counts[at], 'item')} of {label}, and this is one more."
                )
        return kinds

    def _count(self, kinds: NDArray[np.intp]) -> None:
        self._stream.add(kinds)

    def _schedule(self, real: Any, predicted: Any, other: Any, index: Any) -> None:
        """Hold results back until those before them are in."""
        if self.n and not self._next:
            raise InferenceError(
                "This watch has counted items without `index`; it cannot begin to wait for places now."
            )
        places = list(index) if several(index) else [index]
        if several(real) and len(real) != len(places):
            raise InferenceError(f"`index` has {len(places):,} places for {len(real):,} items.")
        now: set[int] = set()
        for place in places:
            if not is_number(place) or not 0 <= place < math.inf or int(place) != place:
                raise InferenceError(f"`index` has the place {place}; places are whole numbers from 0.")
            if place < self._next or place in self._held or place in now:
                raise InferenceError(
                    f"The item at place {int(place):,} of the schedule was counted already; it counts once."
                )
            now.add(int(place))

        kinds = self._read(real, predicted, other).tolist()
        self._held.update(zip(map(int, places), kinds, strict=True))
        ready = []
        while self._next in self._held:
            ready.append(self._held.pop(self._next))
            self._next += 1
        self._count(np.asarray(ready, np.intp))

    # ------------------------------------------------------------------ what is seen

    @property
    def n(self) -> int:
        """Items that were counted."""
        return self._stream.n

    @property
    def held(self) -> int:
        """Items that wait for those scheduled before them."""
        return len(self._held)

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
    def labels(self) -> Labels:
        """The classes, as declared or as they came."""
        return tuple(self._stream.kinds.labels)

    @property
    def table(self) -> Table:
        """The answers so far, an item with its epochs as one case; of two systems a stack of two tables."""
        return self._table(2 if self.settings.paired else 1)

    def _table(self, systems: int) -> Table:
        labels = self.labels
        if len(labels) < 2:
            raise InferenceError("A table needs two classes, and so many are not known yet: declare `labels`.")
        order = labels if self.settings.labels is not None else ordered(labels)
        at = [labels.index(x) for x in order]
        kinds, counts = self._stream.kinds, self._counts()
        held = np.stack([np.tensordot(counts, kinds.cells(i), axes=1) for i in range(systems)])
        answered, silent = held[:, at][:, :, at], held[:, -1][:, at]
        both = systems == 2
        return Table.from_counts(
            answered if both else answered[0],
            labels=order,
            abstained=(silent if both else silent[0]) if silent.any() else None,
            names=["first", "second"] if both else None,
        )

    def _counts(self) -> Array:
        held = np.zeros(len(self._stream.kinds))
        held[: len(self._stream.counts)] = self._stream.counts
        return held

    def _classes(self) -> Array:
        """Items of each real class."""
        found = np.zeros(len(self._stream.kinds.labels))
        for (real, _, _), n in zip(self._stream.kinds.kinds, self._counts().tolist(), strict=True):
            found[real] += n
        return found

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
        look = self._look()
        return _money(self._mine(look.above, look.below)) if self.settings.bets else math.nan

    @property
    def best(self) -> float:
        """The most that he has had."""
        look = self._look()
        return _money(max(0.0, self._mine(look.best_above, look.best_below))) if self.settings.bets else math.nan

    @property
    def pvalue(self) -> float:
        """At most this share of runs of a system at the bar gets its bettor so far, however often one looks."""
        return min(1.0, 1 / self.best) if self.settings.bets else math.nan

    @property
    def pvalue_two_sided(self) -> float:
        """The same against the bar itself, from either side: half of the money is on each."""
        return min(1.0, 1 / _money(self._look().best_both)) if self.settings.bets and self.n else math.nan

    @property
    def futile(self) -> bool:
        """Whether what was expected is out of reach: a good system is given up so in at most 1 of 5 runs."""
        return self._look().best_hopeless >= math.log(1 / FUTILE)

    @property
    def verdict(self) -> str:
        """Pass where it is above the bar, fail where it is below, each wrong at most as often as the level leaves."""
        return self._verdict(self._look())

    def _verdict(self, look: Look) -> str:
        if self.settings.bets:
            enough = math.log(1 / (1 - self.level)) - 1e-12
            above, below = look.best_above >= enough, look.best_below >= enough
        else:
            above, below = look.low > self.against, look.high < self.against
        return "undecided" if above is below else "pass" if above else "fail"

    @property
    def sentence(self) -> str:
        """Where the bettor stands, and between which limits the measure lies."""
        return watch_words.sentence(self.settings, self._look(), self.held)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What the limits are of, and what is wrong with the stream."""
        kinds, counts = self._stream.kinds, self._counts()[None].astype(np.int64)
        least = min((float(least_cases(kinds.cells(i), counts)[0]) for i in range(1 + self.settings.paired)), default=0)
        return watch_words.notes(self.settings, self._look(), self.labels, self._classes(), least if self.n else 0.0)

    @property
    def path(self) -> Records:
        """The looks of the watch itself, and the last: at every item up to 50, then at 2 % more each time."""
        looks = self._stream.looked_at() if self.n else []
        self._check_rules()
        return Records.of(COLUMNS, [self._row(look) for look in looks])

    def _row(self, look: Look) -> tuple[float, ...]:
        now, best = self._mine(look.above, look.below), max(0.0, self._mine(look.best_above, look.best_below))
        limits = look.low, look.high, look.current_low, look.current_high
        return (look.n, look.estimate, *limits, _money(now), _money(best), now, best, _money(look.below))

    def _mine(self, above: float, below: float) -> float:
        return below if self.settings.alternative == "less" else above

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
        return [_Seen(self, look) for look in self._stream.looked_at()] if self.n else []

    def _check_rules(self) -> None:
        """Try the rule on the looks that it has not seen."""
        if self._rules is None or self._stopped is not None:
            return
        looks = self._stream.path[self._checked :]
        self._checked = len(self._stream.path)
        if self._stream.last is not None and (not looks or looks[-1].n != self._stream.last.n):
            looks = [*looks, self._stream.last]
        for look in looks:
            met = self._rules.met(_Seen(self, look))
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


class _Limits(NamedTuple):
    """The limits of one look, without what is said of them: that asks the rules again."""

    low: float
    high: float


@dataclass(frozen=True)
class _Seen:
    """One look as the rules see it."""

    watch: Watch
    look: Look

    @property
    def n(self) -> int:
        return self.look.n

    @property
    def interval(self) -> _Limits:
        return _Limits(self.look.low, self.look.high)

    @property
    def best(self) -> float:
        return _money(self.watch._mine(self.look.best_above, self.look.best_below))

    @property
    def pvalue(self) -> float:
        return min(1.0, 1 / self.best)

    @property
    def verdict(self) -> str:
        return self.watch._verdict(self.look)

    @property
    def alternative(self) -> str:
        return self.watch.alternative

    @property
    def futile(self) -> bool:
        return self.look.best_hopeless >= math.log(1 / FUTILE)


def _money(log: float) -> float:
    return math.exp(log) if log < 700 else math.inf


@explained
def watch(
    against: float = 0.0,
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
        The bar: the bettor bets that the measure is above it.
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
        "informedness", "accuracy", "balanced_accuracy" or "recall" by exact bets; others by approximate limits.
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
