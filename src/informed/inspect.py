"""A plug-in for Inspect: informedness in its own log, and a run that ends when the answer is clear.

Inspect finds it by its entry point once both packages are installed::

    from informed.inspect import Stopping, scored

    Task(
        dataset,
        solver=multiple_choice(),
        scorer=scored(choice()),  # accuracy, informedness and markedness with their intervals
        early_stopping=Stopping(lambda: informed.watch(labels=["A", "B"]), "informedness.low > 0.2"),
    )

`scored` puts the target of each sample where a metric can see it: into the metadata of its score, beside
the answer. `Stopping` bets in the order of the dataset: a result is held back until all before it are in,
because quick answers are more often right, and whoever bets on those that come first bets on the quick ones.
inspect_ai is imported when `scored`, `informedness` or `markedness` is first asked for.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from informed.errors import InferenceError, InformedError, MissingExtra
from informed.evidence.table import Table
from informed.inference.intervals import interval

__all__ = ["Stopping", "informedness", "markedness", "scored"]

REAL, PREDICTED = "informed_real", "informed_predicted"  # where the metadata of a score has them
MEASURES = {"informedness": "informedness_of_all", "markedness": "markedness"}  # no answer is no bet

_log = logging.getLogger(__name__)


class Watcher(Protocol):
    """What bets: as `informed.watch` gives it."""

    def update(self, *, real: Any, predicted: Any) -> Any:
        """Count items: a label each, and an answer or a list of answers each."""

    def decided(self, stop: str) -> bool:
        """Whether the rule is met."""


class Stopping:
    """Early stopping for `Task(early_stopping=…)`: the task ends when the rule is met.

    Parameters
    ----------
    watch
        What makes a new bettor for each task: `lambda: informed.watch(labels=["yes", "no"])`. What it
        declares (labels, prevalence, bar, expectation) is fixed before the first item.
    stop
        The rule, as `watch` reads it: "informedness.low > 0.2", "wealth >= 20 or futile".
    scorer
        Whose answers count, by its name in the log, where the task has several scorers.

    Items count in the order of the dataset (shuffle it once, with a seed), one with its epochs as one
    item. What is none of the declared labels is no answer. A sample that fails has no score, and all
    after it wait for it; it counts as no answer when the task is over. With `score_on_error=True`
    Inspect scores it at once, and nothing waits.
    """

    def __init__(self, watch: Callable[[], Watcher], stop: str, *, scorer: str | None = None) -> None:
        if not callable(watch):
            raise InferenceError(
                "`watch` makes a new bettor for each task: give a function, such as lambda: informed.watch(…)."
            )
        self.watch: Watcher = watch()  # a wrong setting is told before the run
        if getattr(getattr(self.watch, "settings", None), "scores", False):
            raise InferenceError("`Stopping` watches answers, and no scores: give a watch of labels.")
        self.watch.decided(stop)  # and so is a rule that can never be met
        self.stop, self.scorer = stop, scorer
        self._make = watch
        self._running = False
        self._begin([], 1)

    def _begin(self, samples: Sequence[Any], epochs: int) -> None:
        self._order = [sample.id for sample in samples]
        self._real = {sample.id: _text(sample.target) for sample in samples}
        self._epochs = epochs
        self._said: dict[Any, dict[int, str | None]] = {}  # answers that wait, by item and epoch
        self._next = 0  # the place of the first item that is not yet counted
        self.stopped = False

    async def start_task(self, task: Any, samples: Sequence[Any], epochs: int) -> str:
        """The items in their order, and a new bettor."""
        if self._running:
            raise InferenceError("Two tasks run with one `Stopping`: give each task, and each model, its own.")
        self._running = True
        self.watch = self._make()
        self._begin(samples, epochs)
        return "informed"

    async def schedule_sample(self, id: Any, epoch: int) -> Any:
        """Nothing while the rule is not met; then the order to leave the sample out."""
        if not self.stopped:
            return None
        from inspect_ai.util import EarlyStop

        return EarlyStop(id=id, epoch=epoch, reason=f"{self.stop}: met after {self._next} items")

    async def complete_sample(self, id: Any, epoch: int, scores: Mapping[str, Any]) -> None:
        """Keep the answer, and bet on every item that nothing before it waits for."""
        if self.stopped or id not in self._real:
            return  # an item that was on its way when the rule was met is no longer a bet
        self._said.setdefault(id, {})[epoch] = self._answer(id, scores)
        while self._next < len(self._order) and len(self._said.get(self._order[self._next], ())) == self._epochs:
            self._bet(self._order[self._next])

    async def complete_task(self) -> dict[str, Any]:
        """What was found; items that failed, and those that waited for them, count now."""
        last = max((place for place, id in enumerate(self._order) if id in self._said), default=-1)
        while self._next <= last and not self.stopped:
            self._bet(self._order[self._next])
        self._running = False
        return self._summary()

    def _bet(self, id: Any) -> None:
        """One item more, an epoch without a score as no answer."""
        held = self._said.pop(id, {})
        known = getattr(getattr(self.watch, "settings", None), "labels", None)
        answers = [held.get(epoch) for epoch in range(1, self._epochs + 1)]
        answers = [said if known is None or said in known else None for said in answers]
        self._next += 1
        predicted: list[Any] = answers if self._epochs == 1 else [answers]
        self.watch.update(real=[self._real[id]], predicted=predicted)
        if self.watch.decided(self.stop):
            self.stopped = True
            self._said.clear()

    def _answer(self, id: Any, scores: Mapping[str, Any]) -> str | None:
        """What the model said, as `scored` keeps it, or as the only scorer has it."""
        names = [self.scorer] if self.scorer else list(scores)
        if len(names) != 1 or names[0] not in scores:
            raise InferenceError(
                f"The task has the scorers {', '.join(scores)}; `scorer` names the one whose answers count."
            )
        return answer_of(scores[names[0]].score, self._real[id])

    def _summary(self) -> dict[str, Any]:
        """The state of the bettor in what JSON has, for the log."""
        found: dict[str, Any] = {"rule": self.stop, "met": self.stopped, "items": self._next}
        held = getattr(self.watch, "interval", None)
        numbers = {name: getattr(held, name, None) for name in ("low", "high", "level")}
        numbers |= {name: getattr(self.watch, name, None) for name in ("wealth", "best", "pvalue")}
        for name, value in numbers.items():
            if value is not None:
                number = float(value)
                found[name] = number if math.isfinite(number) else str(number)
        for name in ("verdict", "sentence"):
            if (said := getattr(self.watch, name, None)) is not None:
                found[name] = str(said)
        return found


def answer_of(score: Any, real: str, labels: Sequence[str] | None = None) -> str | None:
    """The label that a score of Inspect's stands for; None is no answer.

    A right answer is the target, however it was put. A wrong one is what the scorer took from the
    output, and no answer where that is empty, or not one of `labels`.
    """
    metadata = score.metadata or {}
    if PREDICTED in metadata:
        kept: str | None = metadata[PREDICTED]
        return kept
    value = score.value
    if value == "C" or (isinstance(value, int | float) and value == 1):
        return real
    said = (score.answer or "").strip()
    if not said or value == "N" or (labels is not None and said not in labels):
        return None
    if said == real:  # the label, and yet wrong: the scorer knows something that labels do not say
        return None
    return said


def table_of(scores: Sequence[Any]) -> Table:
    """The table of scores that `scored` made; the epochs of a sample are one item."""
    cases = [held for held in scores if REAL in (held.score.metadata or {})]
    if not cases:
        raise InferenceError("No score holds its target; wrap the scorer: scorer=scored(choice()).")
    real = [held.score.metadata[REAL] for held in cases]
    predicted = [held.score.metadata[PREDICTED] for held in cases]
    labels = sorted({*real, *(said for said in predicted if said is not None)})
    item = [str(held.sample_id) for held in cases]
    several = len(set(item)) < len(item)
    return Table.from_labels(
        real=real,
        predicted=predicted,
        labels=labels,
        missing="abstain",
        normalize="none",
        item=item if several else None,
    )


def measured(scores: Sequence[Any], name: str, level: float) -> dict[str, float]:
    """A measure and its interval by the names that the log has; NaN where it is undefined, as after one case."""
    try:
        found = interval(table_of(scores), MEASURES[name], level=level)
        values = (found.estimate, found.low, found.high)
    except InformedError as problem:
        _log.info("%s: %s", name, problem)
        values = (math.nan,) * 3
    return dict(zip((name, f"{name}_low", f"{name}_high"), map(float, values), strict=True))


def __getattr__(name: str) -> Any:
    if name not in ("scored", "informedness", "markedness"):
        raise AttributeError(f"module 'informed.inspect' has no attribute {name!r}")
    globals().update(_registered())
    return globals()[name]


def _registered() -> dict[str, Any]:
    """The scorer and the metrics, known to Inspect's registry."""
    try:
        from inspect_ai.scorer import SampleScore, accuracy, metric, scorer, stderr
    except ImportError:
        raise MissingExtra("The plug-in for Inspect needs Inspect: pip install 'informed[inspect]'.") from None

    def of(name: str, level: float) -> Any:
        def found(scores: Any) -> Any:
            return measured(scores, name, level)

        found.__annotations__ = {"scores": list[SampleScore]}  # by this Inspect knows what to give
        return found

    def informedness(level: float = 0.95) -> Any:
        return of("informedness", level)

    def markedness(level: float = 0.95) -> Any:
        return of("markedness", level)

    def scored(inner: Any, labels: list[str] | None = None) -> Any:
        async def score(state: Any, target: Any) -> Any:
            found = await inner(state, target)
            if found is None:
                return None
            kept = {REAL: target.text, PREDICTED: answer_of(found, target.text, labels)}
            return found.model_copy(update={"metadata": {**(found.metadata or {}), **kept}})

        return score

    made = {f.__name__: metric(name=f.__name__, scores="unreduced")(f) for f in (informedness, markedness)}
    metrics = [accuracy(), stderr(), *(each() for each in made.values())]
    return {**made, "scored": scorer(metrics=metrics, name="scored")(scored)}


def _text(target: str | Sequence[str]) -> str:
    """A target as Inspect's own `Target.text` has it."""
    return target if isinstance(target, str) else "".join(target)


if TYPE_CHECKING:
    scored = informedness = markedness = Any
