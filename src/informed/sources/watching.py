"""A watch over a run that is still going on: units from a source to the bettor, a look at a time, and what is kept."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from informed._files import write_whole
from informed._numbers import plural, rate, signed, span
from informed.errors import InformedError, SourceError
from informed.evidence.labels import text
from informed.evidence.table_json import digest_of
from informed.inference.items_to_go import to_go
from informed.inference.stop_rules import Rules
from informed.inference.watch import Watch
from informed.inference.watch_cases import NO_ANSWER
from informed.inference.watch_words import amount, name_of
from informed.results import Note
from informed.sources.watched import Batch, Watched

FEW = 100  # items that are counted ahead at least
PAUSE = 0.5  # seconds between two looks at a file that does not grow
KEPT = 2.0  # seconds between two writings of a state
ABSTAINED = "name what is no answer with `abstain=` (an empty field is none, too)"
FORM = "informed.watch"  # what tells a state from other JSON


@dataclass
class Run:
    """A source, the bettor, and the rule that ends it."""

    source: Watched
    watch: Watch
    rules: Rules | None = None
    state: Path | None = None  # where to keep how far it is
    met: str | None = None  # the rule that was met
    opposed: bool = False  # the opposite of the rule was shown
    problem: InformedError | None = None  # what stands in the way of the next unit
    _kept: float = -math.inf

    def __post_init__(self) -> None:
        self._look()

    @property
    def over(self) -> bool:
        """Whether there is an answer."""
        return self.met is not None or self.opposed

    def follow(
        self, told: Callable[[], None] = lambda: None, *, grows: bool = False, patience: float = math.inf
    ) -> None:
        """Count what there is until the rule is met; where it `grows`, wait for more, but not longer than `patience`.
        A stream grows until it ends.

        `told` is called after every look. What was counted is kept, whatever ends this.
        """
        try:
            self._follow(told, grows, patience)
        finally:
            self.keep()
        if self.problem is not None:
            raise self.problem

    def _follow(self, told: Callable[[], None], grows: bool, patience: float) -> None:
        last_seen = monotonic()
        grows = grows or self.source.stream
        while not self.over:
            try:
                grew = self._step(told, wait=PAUSE, last=False)
            except SourceError:
                if not (grows and self.source.rewritten) or monotonic() - last_seen >= patience:
                    raise
                grew = False  # it is being written: no sample is there yet, or half of them
            if grew:
                last_seen = monotonic()
                continue
            ends = self.source.ended or not grows or monotonic() - last_seen >= patience
            if ends or self.problem is not None:
                break
            told()
            sleep(PAUSE)
        while not self.over and self.problem is None and self._step(told, wait=0.0, last=True):
            pass

    def _step(self, told: Callable[[], None], *, wait: float, last: bool) -> bool:
        """Count what is there now; whether there was anything."""
        batch = self.source.batch(wait=wait, last=last)
        done = 0
        while done < len(batch) and not self.over and self.problem is None:
            size = max(FEW, self.watch.n)
            done += self._count(batch, done, min(done + size, len(batch)))
            told()
        grew = self.source.took(batch, done)
        if done == len(batch) and not self.over:
            self.problem = self.problem or batch.problem
        if monotonic() - self._kept > KEPT:
            self.keep()
        return grew and self.problem is None

    def _count(self, batch: Batch, start: int, stop: int) -> int:
        """Count these units, or those until the rule is met, or those before the first that cannot be counted.

        A copy goes ahead, because many looks at once take hardly more time than one.
        """
        ahead = deepcopy(self.watch)
        try:
            ahead.update(**self._units(batch, start, stop))
            ends = self._ends(ahead)
            if ends is None or stop - start == 1:
                self.watch = ahead
                self._look()
                return stop - start
            if batch.index is None:
                stop = start + ends - self.watch.n
                self.watch.update(**self._units(batch, start, stop))
                self._look()
                return stop - start
        except InformedError as error:
            if stop - start == 1:
                ways = (ABSTAINED if way == NO_ANSWER else way for way in error.ways)
                self.problem = SourceError(f"{self.source.where(batch, start)}: {error.said}", *ways)
                return 0
        for at in range(start, stop):
            if self.over or not self._count(batch, at, at + 1):
                return at - start
        return stop - start

    def _units(self, batch: Batch, start: int, stop: int) -> dict[str, Any]:
        """Items of a batch as the watch counts them."""
        at = slice(start, stop)
        found: dict[str, Any] = {"real": batch.real[at], "predicted": batch.predicted[at]}
        if self.watch.settings.scores:
            found = {"score": batch.predicted[at]}
        found |= {} if batch.other is None else {"other": batch.other[at]}
        return found | ({} if batch.index is None else {"index": batch.index[at]})

    def _ends(self, ahead: Watch) -> int | None:
        """After how many items there is an answer."""
        if self.rules is None:
            return None
        looks = (look for look in ahead.seen() if look.n > self.watch.n)
        return next((x.n for x in looks if self.rules.met(x) is not None or self.rules.opposed(x)), None)

    def _look(self) -> None:
        if self.rules is not None and self.watch.n:
            self.met = self.rules.met(self.watch)
            self.opposed = self.met is None and self.rules.opposed(self.watch)

    def notes(self) -> tuple[Note, ...]:
        """What was not counted, and why."""
        return tuple(Note(said, "warning", "not-counted") for said in self.source.said())

    def line(self) -> str:
        """How it stands, in a line."""
        w = self.watch
        if not w.n:
            return "no item yet"
        held = w.interval
        parts = [plural(w.n, "item")]
        if w.settings.tested:
            parts.append(f"wealth {amount(w.path['log_wealth'][-1])}")
        number = signed if w.settings.paired else rate
        limits = span(float(held.low), float(held.high))
        parts.append(f"{name_of(w.settings)} {number(float(held.estimate))} {limits}".rstrip())
        if self.rules is not None:
            left = to_go(self.rules, w, most=w.settings.size)
            parts += (
                [] if math.isnan(left) else [f"about {left:,.0f} to go" if math.isfinite(left) else "no end in sight"]
            )
        return " · ".join(parts)

    # ------------------------------------------------------------------ what is kept

    def keep(self) -> None:
        """Write how far it is, whole or not at all."""
        self._kept = monotonic()
        if self.state is not None:
            held = {"form": FORM, "watch": json.loads(self.watch.to_json()), "source": self.source.state()}
            write_whole(self.state, json.dumps({**held, "digest": digest_of(json.loads(json.dumps(held)))}) + "\n")


def kept(path: Path) -> dict[str, Any] | None:
    """A state that was kept; None where there is none yet."""
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError):
        held = None
    if not isinstance(held, dict) or held.get("form") != FORM:
        raise SourceError(f"{text(str(path))} is no state of a watch; give the name of a new file.")
    digest = held.pop("digest", None)  # which states of older versions do not have
    if digest is not None and digest != digest_of(held):
        raise SourceError(f"{path} is damaged: it is not as the watch wrote it; remove it to begin anew.")
    return held
