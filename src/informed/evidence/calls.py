"""Calls that cannot be meant as they stand: one sentence says what to type instead."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, TypeVar, cast

from informed.errors import CallError

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)

LABELS = (
    "real",
    "predicted",
    "predictions",
    "a",
    "b",
    "score",
    "probability",
    "probabilities",
)  # arguments that never go by place

# What other libraries call an option of ours; the first that a function has is meant.
_OTHERS = {
    "real": "y_true true truth actual actuals target targets reference references gold ground_truth y",
    "predicted": "y_pred pred preds prediction predictions response estimate y_hat yhat",
    "score": "scores y_score y_prob proba probabilities",
    "probability": "y_prob y_proba prob proba score y_score predicted prediction forecast confidence probabilities",
    "probabilities": "y_prob y_proba probs probas scores predictions forecasts",
    "positive": "pos_label positive_label event_level",
    "weights": "sample_weight sample_weights weight case_weights",
    "unit": "groups group cluster clusters cluster_id",
    "level": "alpha conf_level confidence confidence_level ci coverage",
    "measure": "metric scoring",
    "measures": "metrics",
    "rng": "seed random_state",
    "n_draws": "n_boot n_bootstrap n_resamples n_iter B",
    "labels": "classes",
    "missing": "na_rm nan_policy",
    "by": "group_by",
    "method": "how",
    "undefined": "zero_division replace_undefined_by",
    "y_true": "y1 labels_true",
    "y_pred": "y2 labels_pred",
    "y_score": "y_prob probas_pred",
}


def explained(function: F) -> F:
    """Let a call of this function that Python refuses say how it is meant.

    >>> @explained
    ... def share(*, real, predicted): ...
    >>> share([1, 0], [1, 1])
    Traceback (most recent call last):
    informed.errors.CallError: `share` was given 2 arguments by place; name them: real=, predicted=.
    """

    @wraps(function)
    def called(*args: Any, **given: Any) -> Any:
        try:
            return function(*args, **given)
        except TypeError:
            held = function.__qualname__
            name = held.removesuffix(".__init__").rpartition(".")[2]
            if name == "__call__":  # of a verb that has others beside it
                name = held.split(".")[-2].lstrip("_").lower()
            problem = call_problem(name, signature(function), args, given)
            if problem is None:  # it is something inside
                raise
            raise CallError(problem) from None

    return cast("F", called)


def made_by(*ways: str) -> Callable[[C], C]:
    """Let a class that is called with the wrong arguments say how its objects are made."""

    def told(cls: C) -> C:
        init: Any = cls.__init__  # type: ignore[misc]  # of the class itself

        @wraps(init)
        def made(*args: Any, **given: Any) -> None:
            try:
                init(*args, **given)
            except TypeError:
                if call_problem(cls.__name__, signature(init), args, given) is None:
                    raise
                raise CallError(f"Make a {cls.__name__} with {', '.join(ways[:-1])} or {ways[-1]}.") from None

        type.__setattr__(cls, "__init__", made)
        return cls

    return told


def no_option(function: str, name: str, known: Collection[str]) -> CallError:
    """A function has no such option, which may be called otherwise here.

    >>> str(no_option("interval", "alpha", ["level", "method"]))
    '`interval` has no option `alpha`; here it is `level=0.95`, which is 1 − alpha.'
    """
    meant = next((own for own, others in _OTHERS.items() if own in known and name in others.split()), None)
    if meant:
        said = "`level=0.95`, which is 1 − alpha" if name == "alpha" else f"`{meant}=`"
        return CallError(f"`{function}` has no option `{name}`; here it is {said}.")
    if {"a", "b"} <= set(known) and name in ("predicted", *_OTHERS["predicted"].split()):
        return CallError(f"`{function}` has no option `{name}`; here the two systems are `a=` and `b=`.")
    near = get_close_matches(name, known, n=1)
    hint = f"did you mean `{near[0]}=`?" if near else f"it takes {', '.join(f'`{x}=`' for x in known)}."
    return CallError(f"`{function}` has no option `{name}`; {hint}")


def call_problem(name: str, known: Signature, args: Sequence[Any], given: Mapping[str, Any]) -> str | None:
    """What is wrong with a call; None if nothing is."""
    try:
        known.bind(*args, **given)
    except TypeError as error:
        refusal = error
    else:
        return None

    parameters = [p for p in known.parameters.values() if p.name not in ("self", "cls")]
    named = [p.name for p in parameters if p.kind in (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)]
    places = sum(p.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD) for p in parameters)
    by_place = len(args) - (len(known.parameters) - len(parameters))
    unknown = [x for x in given if x not in named]

    if by_place > places:
        first = args[len(known.parameters) - len(parameters)]
        ours = type(first).__module__.startswith("informed.")
        named_so = _options(parameters, places) if ours else _by_name(parameters, places)
        return f"`{name}` was given {by_place} arguments by place; {named_so}."
    if unknown and not any(p.kind is Parameter.VAR_KEYWORD for p in parameters):
        return f"{no_option(name, unknown[0], named)}{_tags(name, given) if 'average' in named else ''}"
    return f"`{name}` cannot be called so: {refusal}."


def _tags(name: str, given: Mapping[str, Any]) -> str:
    """How rows of several labels are given to a verb that takes tags; nothing where there are none."""
    real, predicted = (given.get(x) for x in LABELS[:2])
    held = list(predicted.values()) if isinstance(predicted, Mapping) else []
    if not (_has_rows(real) or (held and all(map(_has_rows, held)))):
        return ""
    systems = "…" if name == "slices" and not held else "{'a': …, 'b': …}"
    return f" Rows of several labels are tags: give `{name}` informed.Tags.from_labels(real=…, predicted={systems})."


def _has_rows(x: Any) -> bool:
    """Whether there is a row for each case in the place of a label."""
    if hasattr(x, "shape"):
        return len(x.shape) == 2 and x.shape[1] > 1
    return isinstance(x, list) and bool(x) and isinstance(x[0], (list, set, frozenset))


def _by_name(parameters: Sequence[Parameter], places: int) -> str:
    """Which arguments have to be named: the labels, or what comes after those that have a place."""
    found = {p.name: p for p in parameters}
    labels = [name for name in LABELS if name in found]
    if "real" in labels:
        either = "predicted" in labels and found.get("score", found["real"]).default is not Parameter.empty
        return "name them: " + ", ".join(f"{x}=" for x in labels if x != "score" or not either)
    return _options(parameters, places)


def _options(parameters: Sequence[Parameter], places: int) -> str:
    others = [f"{p.name}=" for p in parameters[places:] if p.kind is Parameter.KEYWORD_ONLY and p.name not in LABELS]
    return f"name them: {', '.join(others[:4])}{', …' if len(others) > 4 else ''}" if others else f"it takes {places}"
