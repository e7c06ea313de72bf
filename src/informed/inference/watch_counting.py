"""Items of a watched run as they are counted: once each, in the order of the schedule, and no more than there are."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed._numbers import plural
from informed.errors import InferenceError
from informed.evidence.calls import explained
from informed.evidence.label_order import ordered
from informed.evidence.labels import Labels, text
from informed.evidence.seen import Seen
from informed.evidence.table import Table
from informed.inference.given import is_number
from informed.inference.watch_cases import Kinds, ScoreKinds, several
from informed.inference.watch_looks import Stream
from informed.inference.watch_settings import Settings


class Counted:
    """The items of a run that were counted, and those that wait for others."""

    def __init__(self, made: Settings) -> None:
        self.settings = made
        self._stream = Stream(made, ScoreKinds() if made.scores else Kinds(made.labels))
        self._seen = Seen()
        self._next = 0  # in the schedule
        self._held: dict[int, int] = {}  # kinds of items by their places, until those before are in

    @explained
    def update(
        self,
        *,
        real: Any = None,
        predicted: Any = None,
        score: Any = None,
        other: Any = None,
        index: Any = None,
        item: Any = None,
    ) -> None:
        """Count items: one, or as many as the columns have, in the order in which they were scheduled.

        Nothing is counted where something is wrong with one of them.

        Parameters
        ----------
        real, predicted
            The label of each item and the answer that it got. None is no answer; a list is what several epochs of one
            item got, which count as one item.
        score
            Of a watch with `measure="score"`, in place of both: the score of each item from 0 to 1, or a list of the
            scores of its epochs.
        other
            The answers (or scores) of the second system, of a watch that is `paired`.
        index
            The place of each item in the schedule, from 0. Results wait until all before them are in, because
            quick answers are more often right.
        item
            The name of each item, so that none is counted twice; 8 bytes are kept of each.
        """
        self._check_sides(real, predicted, score)
        if self.settings.scores:
            real = predicted = score
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
            self._stream.add(self._read(real, predicted, other))
        else:
            self._schedule(real, predicted, other, index)
        for name in names:
            self._seen.add(name)

    def _check_sides(self, real: Any, predicted: Any, score: Any) -> None:
        """Refuse answers where scores are watched, and scores where answers are."""
        if self.settings.scores and not (score is not None and real is predicted is None):
            raise InferenceError("Scores are watched here: write `w.update(score=[0.5, 1.0])`, and no labels.")
        if not self.settings.scores and score is not None:
            raise InferenceError(
                f"{self.settings.measure} is of labels: write `w.update(real=…, predicted=…)`.",
                'watch scores: `informed.watch(measure="score")`',
            )
        if not self.settings.scores and predicted is real is None:
            raise InferenceError("`real` and `predicted` are missing: write `w.update(real=…, predicted=…)`.")

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
        self._stream.add(np.asarray(ready, np.intp))

    # ------------------------------------------------------------------ what was counted

    @property
    def n(self) -> int:
        """Items that were counted."""
        return self._stream.n

    @property
    def held(self) -> int:
        """Items that wait for those scheduled before them."""
        return len(self._held)

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
