"""What probabilities are worth, in scikit-learn's signatures: scores, and scorers of `predict_proba`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from informed._wording import Argument, Mark
from informed.errors import CallError, InformedError, MeasureError, one_of
from informed.evidence.calls import call_problem

HOME = __name__.rpartition(".")[0]  # where scores are known, and pickles look for them
BY_PROBABILITY = ("brier_skill", "log_skill", "growth")  # of `informed.probabilities`
THEIRS = {"real": "y_true", "predicted": "y_pred", "weights": "sample_weight", "positive": "pos_label"}


def probability_score(
    measure: str,
    y_true: Any,
    y_prob: Any,
    *,
    labels: Sequence[Hashable] | None = None,
    sample_weight: Any = None,
    pos_label: Hashable = None,
    clip: float | None = None,
) -> float:
    """What probabilities are worth: "brier_skill", "log_skill" or "growth" of `informed.probabilities`.

    `y_prob` is one column, of the positive class, or one for each of `labels`, as `predict_proba` has them. One that is
    0 for a real case makes the latter two −inf, unless `clip` moves it; of one real class all are NaN.
    """
    from informed.decisions.probabilities import probabilities

    one_of("measure", measure, BY_PROBABILITY, MeasureError)
    given = {"labels": labels, "positive": pos_label, "weights": sample_weight, "clip": clip}
    try:
        found = probabilities(real=y_true, probability=y_prob, n_draws=0, **given)
    except InformedError as error:
        raise type(error)(error.worded(_speak_probability)) from None
    return float(getattr(found, measure).estimate)


def _speak_probability(x: Mark) -> str | None:
    """What stands in backticks, as scikit-learn calls it."""
    names = {**THEIRS, "probability": "y_prob"}
    return f"`{replace(x, name=names.get(x.name, x.name))}`" if isinstance(x, Argument) else f"`{x}`"


@dataclass(eq=False)
class ProbabilityScorer:
    """A scorer of `predict_proba` for scikit-learn's searches: ``scoring=`` of `GridSearchCV` or `cross_validate`."""

    measure: str
    pos_label: Hashable = None
    clip: float | None = None

    def __post_init__(self) -> None:
        one_of("measure", self.measure, BY_PROBABILITY, MeasureError)

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        classes = list(estimator.classes_)
        positive = classes[1] if self.pos_label is None and len(classes) == 2 else self.pos_label
        how = {"labels": classes, "sample_weight": sample_weight, "pos_label": positive, "clip": self.clip}
        return probability_score(self.measure, y, estimator.predict_proba(X), **how)


def named_probability_score(measure: str) -> Callable[..., float]:
    """The score of one measure, as `informed.sklearn` holds it, where pickle finds it again."""

    def named_score(*args: Any, **given: Any) -> float:
        problem = call_problem(f"{measure}_score", signature, args, given)
        if problem is not None:
            raise CallError(problem)
        return probability_score(measure, *args, **given)

    _, *shared = inspect.signature(probability_score).parameters.values()
    signature = inspect.Signature(shared, return_annotation=float)
    named_score.__signature__ = signature  # type: ignore[attr-defined]
    named_score.__name__ = named_score.__qualname__ = f"{measure}_score"
    named_score.__module__ = HOME
    named_score.__doc__ = (
        f"The {measure.replace('_', ' ')} of probabilities.\n\nSee `probability_score` for parameters."
    )
    return named_score


probability_score.__module__ = HOME
