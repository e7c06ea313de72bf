"""`compare`: is a better than b, or is it luck?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, overload

from numpy.typing import ArrayLike

from informed.errors import InferenceError
from informed.evidence.calls import explained
from informed.evidence.joint import Joint
from informed.evidence.label_policy import Missing
from informed.evidence.labels import Label, some
from informed.evidence.likeness import Normalize
from informed.evidence.marks import Marks
from informed.evidence.paired import Paired, refuse_again, weighed
from informed.evidence.table import Table
from informed.evidence.tags import Tags
from informed.inference.given import Rng
from informed.inference.resampling import DRAWS
from informed.measures.headline import Count
from informed.results import Note
from informed.systems.comparison import Comparison
from informed.systems.guards import left_out_notes
from informed.systems.judged_difference import JudgedDifference
from informed.systems.judged_systems import JudgedSystems, judged_systems
from informed.systems.marks_board import MARKS, no_labels
from informed.systems.marks_comparison import MarksDifference, compare_marks
from informed.systems.tags_comparison import TagsDifference, compare_tags
from informed.systems.tails import ComparisonOptions
from informed.systems.unpaired import aligned

Sampling = Literal["multinomial", "fixed-reals", "case-control"]


class Compare:
    """Two systems compared: `compare(a, b)` on different items, `.paired` on the same, `.judged` by a judge."""

    @overload
    def __call__(
        self,
        a: Table,
        b: Table,
        *,
        names: tuple[Any, Any] | None = None,
        level: float = 0.95,
        method: str = "auto",
        sampling: Sampling = "multinomial",
        count: Count = "tool",
    ) -> Comparison: ...
    @overload
    def __call__(
        self, a: Marks, b: Marks, *, names: tuple[Any, Any] | None = None, level: float = 0.95, measure: str = "score"
    ) -> MarksDifference: ...
    @explained
    def __call__(
        self,
        a: Table | Marks | None = None,
        b: Table | Marks | None = None,
        *,
        names: tuple[Any, Any] | None = None,
        level: float = 0.95,
        method: str = "auto",
        sampling: Sampling = "multinomial",
        count: Count = "tool",
        measure: str = "score",
    ) -> Comparison | MarksDifference:
        """Two tables of different items: two test sets, two hospitals; or marks of the same items.

        Parameters
        ----------
        a, b
            Tables, or stacks of them; or two `Marks`, which are paired by their items.
        level
            Share of repetitions in which the intervals hold the true difference.
        method
            "auto" combines the Fisher arcs of both tables ("circle"); "mover" approximates it from their
            limits, "plus-four" is the closed form next to it; "delta", and the papers' rules "powers".
            "circle-score" is the default of margins and one-sided tests of shares.
        sampling
            "fixed-reals" where the number of items of each real class was chosen beforehand; "case-control" where it
            was not chosen as in the field either: measures that depend on the prevalence are not compared.
        count
            Which cases count. By default all of them: informedness and accuracy are over all cases,
            where no answer is no bet and not right; "answered" leaves those without an answer out.
        measure
            Of marks: their score, or a reducer of several attempts, such as "pass_at(2)".

        >>> from informed import Table
        >>> a = Table.from_counts([[56, 20], [12, 12]])
        >>> b = Table.from_counts([[30, 12], [30, 28]])
        >>> found = compare(a, b)["informedness"]
        >>> round(found.estimate, 4), round(found.low, 2), round(found.high, 2)
        (-0.0015, -0.26, 0.27)
        """
        if a is None or b is None:
            raise InferenceError(
                "Two are compared: compare(a, b) takes two tables of different items, compare.paired(real=, a=, b=) "
                "the labels of two systems on the same ones, or what `read(item=…)` gives."
            )
        if isinstance(a, Marks) and isinstance(b, Marks):
            no_labels(MARKS, method=(method, "auto"), sampling=(sampling, "multinomial"), count=(count, "tool"))
            return compare_marks(a, b, names=names, level=level, measure=measure)
        if isinstance(a, Marks) or isinstance(b, Marks):
            raise InferenceError("Marks are compared with marks, and a table with a table.")
        if measure != "score":
            raise InferenceError(f"`measure` is of marks; of tables ask for it: compare(a, b)[{measure!r}].")
        return Comparison(None, aligned(a, b), names or ("a", "b"), level, method, sampling, count=count)

    @overload
    def paired(
        self,
        answers: Tags,
        /,
        *,
        a: Any = ...,
        b: Any = ...,
        level: float = ...,
        measure: Any = ...,
        average: str = ...,
    ) -> TagsDifference: ...
    @overload
    def paired(
        self,
        answers: Paired | Joint | None = None,
        /,
        *,
        real: Any = ...,
        a: Any = ...,
        b: Any = ...,
        joint: Any = ...,
        labels: Sequence[Label] | None = ...,
        positive: Label | None = ...,
        weights: ArrayLike | None = ...,
        abstain: Any = ...,
        missing: Missing = ...,
        normalize: Normalize = ...,
        unit: Any = ...,
        item: Any = ...,
        names: tuple[Any, Any] | None = ...,
        level: float = ...,
        method: str = ...,
        sampling: Sampling = ...,
        rng: Rng = ...,
        n_draws: int = ...,
        count: Count = ...,
    ) -> Comparison: ...
    @explained
    def paired(
        self,
        answers: Any = None,
        /,
        *,
        real: Any = None,
        a: Any = None,
        b: Any = None,
        joint: Any = None,
        labels: Sequence[Label] | None = None,
        positive: Label | None = None,
        weights: ArrayLike | None = None,
        abstain: Any = None,
        missing: Missing = "error",
        normalize: Normalize = None,
        unit: Any = None,
        item: Any = None,
        names: tuple[Any, Any] | None = None,
        level: float = 0.95,
        method: str = "auto",
        sampling: Sampling = "multinomial",
        rng: Rng = None,
        n_draws: int = DRAWS,
        count: Count = "tool",
        measure: Any = "informedness",
        average: str = "prevalence",
    ) -> Comparison | TagsDifference:
        """Two systems on the same items.

        Parameters
        ----------
        answers
            What ``informed.read(..., item=)`` gives; then `a` and `b` are names of systems, and
            `weights` and `unit` have a value for each of its items (see `read(keep=)`). An item that
            was not run by one of them is left out.
        real, a, b
            Labels: what is true of each item, and what each system said.
        joint
            Counts ``(..., real, a, b)`` instead, one joint table or a stack, or a `Joint`.
        labels, positive, weights, abstain, missing, normalize
            As for `Table.from_labels`.
        unit, item
            Items that belong together (one document, one patient); or which answers are to the same
            item, asked several times, whose answers share its weight. Errors are measured between them.
        level, method, sampling
            As for `compare`. Methods: "arc" (the default), "smoothed-delta", "mover", "delta",
            "tango", "arc-tango" (the default of margins and one-sided tests of shares), "mcnemar", "mcnemar-exact",
            "mcnemar-midp", "bootstrap", "swap", "powers".
        rng, n_draws
            Generator or seed, and number of draws, of what is resampled.
        count
            As for `compare`.
        measure, average
            Of `Tags`, which are given first: the measure and how its labels are averaged. The result is then a
            `TagsDifference`, else a `Comparison`, which is asked for its measures.

        >>> found = compare.paired(
        ...     real=[1, 1, 1, 0, 0, 0], a=[1, 1, 1, 0, 0, 1], b=[1, 0, 0, 0, 1, 1]
        ... )
        >>> round(found["informedness"].estimate, 3)
        1.0
        """
        if isinstance(answers, Tags):
            again = {"real": real, "joint": joint, "labels": labels, "weights": weights, "unit": unit, "item": item}
            refuse_again(again)
            return compare_tags(answers, a, b, measure=measure, average=average, level=level)
        if average != "prevalence" or measure != "informedness":
            raise InferenceError("`measure` and `average` are of tags; ask a comparison: compare.paired(…)['recall'].")
        if n_draws < 100:
            raise InferenceError(f"`n_draws` is {n_draws}; limits in the tails take 100 at least.")

        if isinstance(answers, Joint) and joint is None:
            answers, joint = None, answers
        left_out: tuple[Note, ...] = ()
        thing = "item"

        if answers is not None:
            if real is not None or joint is not None or not isinstance(answers, Paired):
                raise InferenceError(
                    f"A {type(answers).__name__} was given first; that place is for what "
                    "`informed.read(..., item=)` gives. Labels are named: real=, a=, b=."
                )
            refuse_again({"labels": labels, "abstain": abstain, "missing": None if missing == "error" else missing})
            both, systems, left_out = _two_of(answers, a, b, weights, unit, item)
            names, thing = names or systems, answers.thing
        elif joint is not None:
            if not (real is None and a is None and b is None):
                raise InferenceError("Give either `joint` or the labels `real`, `a` and `b`.")
            for name, held in (("weights", weights), ("unit", unit), ("item", item)):
                if held is not None:
                    raise InferenceError(f"`{name}` goes with labels; a joint table is counted already.")
            refuse_again({"abstain": abstain, "missing": None if missing == "error" else missing})
            if isinstance(joint, Joint):
                refuse_again({"labels": labels})
            both = joint if isinstance(joint, Joint) else Joint.from_counts(joint, labels=labels)
        elif real is None or a is None or b is None:
            raise InferenceError("`compare.paired` needs the labels `real`, `a` and `b`, or counts as `joint`.")
        else:
            policy = {"labels": labels, "abstain": abstain, "missing": missing, "normalize": normalize}
            both = Joint.from_labels(real=real, a=a, b=b, weights=weights, unit=unit, item=item, **policy)

        both = both if positive is None else both.with_positive(positive)
        counted = both.common if count == "answered" else both
        if not both.shape and float(counted.total) <= 0:
            what = "was answered by" if count == "answered" else "counts in"
            raise InferenceError(f"No item {what} both systems; there is nothing to compare.")

        told: dict[str, Any] = {
            "options": ComparisonOptions(rng, n_draws),
            "count": count,
            "left_out": left_out,
            "thing": thing,
        }
        return Comparison(both, (both.a, both.b), names or ("a", "b"), level, method, sampling, **told)

    @explained
    def judged(
        self,
        *,
        verdict: Any,
        gold: Any,
        positive: Label | None = None,
        against: Any = None,
        item: Any = None,
        unit: Any = None,
        paired: bool = True,
        labels: Sequence[Label] | None = None,
        normalize: Normalize = None,
        level: float = 0.95,
    ) -> JudgedDifference | JudgedSystems:
        """Two or many systems whose answers one judge graded, and people some of them.

        The judge may favour a system: what people say of the labelled items corrects it, and the result says how
        wrong the judge's own difference was. Two systems give a `JudgedDifference`, more of them `JudgedSystems`.

        Parameters
        ----------
        verdict, gold
            For each system by name, the judge's verdict on each of its answers, and the true one where people
            gave it (None, NaN or empty text: not labelled). A labelled item needs the gold of both answers.
        positive
            The verdict that is good; not needed where its name says so (1, True, "yes").
        against
            Of many systems, the one that all others are compared with; by default every two are.
        item
            For each system, what its rows are answers to; without it, rows stand in the same order.
        unit
            Items that belong together; one value a row, or (with `item` or `paired=False`) for each system.
        paired
            False where the systems were given different items.
        labels, normalize
            As for `Table.from_labels`.

        >>> verdict = {"a": [1, 1, 1, 0, 1, 1] * 20, "b": [1, 0, 1, 0, 0, 1] * 20}
        >>> gold = {"a": [1, 0, 1, 0, 1, 1, *[None] * 6] * 10, "b": [1, 0, 1, 0, 1, 0, *[None] * 6] * 10}
        >>> found = compare.judged(verdict=verdict, gold=gold)
        >>> round(found.judged, 3), round(found.estimate, 3)
        (0.333, 0.167)
        """
        asked = {"positive": positive, "against": against, "item": item, "unit": unit, "paired": paired}
        return judged_systems(verdict, gold, **asked, labels=labels, normalize=normalize, level=level)


def _two_of(
    answers: Paired, a: Any, b: Any, weights: Any, unit: Any, item: Any
) -> tuple[Joint, tuple[Any, Any], tuple[Note, ...]]:
    """Two of the systems of a paired reading, their names, and which items are left out."""
    if a is None and b is None and len(answers.names) == 2:
        a, b = answers.names
    if a is None or b is None:
        raise InferenceError(
            f"Two systems are compared, and there are {some(answers.names)}: choose `a` and `b` among them; "
            "`informed.leaderboard` compares all of them."
        )
    for name in (a, b):
        if name not in answers.names:
            raise InferenceError(f"There is no system {name!r}; choose `a` and `b` among {some(answers.names)}.")
    p = weighed(answers.among((a, b)), weights, unit, item)
    if not len(p.counted):
        raise InferenceError("No item counts in both systems; there is nothing to compare.")
    return replace(p.joint(a, b), respelled=p.respelled), (a, b), left_out_notes(p)


compare = Compare()
