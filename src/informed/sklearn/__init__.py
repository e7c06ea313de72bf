"""The same measures in scikit-learn's signatures: scores, scorers, and displays.

Every measure is here as `name_score(y_true, y_pred)` and, where it has a best value, as
`name_scorer` for `cross_validate`, `GridSearchCV` and `TunedThresholdClassifierCV`:

>>> from informed.sklearn import informedness_score, recall_score
>>> informedness_score([1, 1, 0, 0], [1, 0, 0, 0])
0.5
>>> recall_score([1, 1, 0, 0], [1, 0, 0, 0], average="macro")
0.75
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from informed._arrays import Floats, plain
from informed._wording import Argument, Mark
from informed.errors import CallError, InformedError, LabelError, MeasureError, MissingExtra, one_of
from informed.evidence.calls import call_problem, no_option
from informed.evidence.label_policy import Missing
from informed.evidence.labels import some
from informed.evidence.likeness import Normalize
from informed.evidence.table import Table
from informed.evidence.tags import Tags
from informed.evidence.tags_columns import are_rows
from informed.measures import ALIASES, MEASURES, Measure, MeasureLike, find, instead
from informed.measures.tag_averages import asked_of_tags, averaged
from informed.sklearn.probability_scores import (
    BY_PROBABILITY,
    THEIRS,
    ProbabilityScorer,
    named_probability_score,
    probability_score,
)

if TYPE_CHECKING:  # what is made when asked for, by name: a name that is none is an error of the type checker
    from informed.sklearn.named import *  # noqa: F403

Undefined = Literal["nan", "limit", "guess", "worst"]

_DRAWN = ("Forest", "Power", "PrecisionRecall", "Prevalence", "Reliability", "RocCurve", "RocPlane", "Table")
_DISPLAYS = tuple(f"{name}Display" for name in _DRAWN)
_ORIENTED = tuple(name for name, m in MEASURES.items() if m.facts.best in m.facts.bounds)

__all__ = [  # every measure, whatever is added
    "Multimetric",
    "ProbabilityScorer",
    "multimetric",
    "probability_score",
    "score",
    "scorer",
    "scorers",  # noqa: F405  # made when asked for, as all that follow
    *_DISPLAYS,
    *(f"{name}_score" for name in MEASURES),
    *(f"{name}_scorer" for name in _ORIENTED),
    *(f"{name}_{kind}" for name in BY_PROBABILITY for kind in ("score", "scorer")),
]


def score(
    measure: MeasureLike,
    y_true: Any,
    y_pred: Any,
    *,
    labels: Sequence[Hashable] | None = None,
    sample_weight: Any = None,
    pos_label: Hashable = None,
    missing: Missing = "error",
    normalize: Normalize = None,
    average: str | None = "binary",
    undefined: Undefined = "nan",
    **parameters: Any,
) -> Floats:
    """The value of any measure, by any of its names, from real and predicted labels.

    Parameters
    ----------
    measure
        Such as ``"informedness"``, ``"mcc"`` or ``"f_beta(beta=2)"``.
    y_true, y_pred
        Real and predicted labels, in scikit-learn's order; or rows of 0 and 1, items × labels, dense or sparse.
    labels
        The classes and their order; a label outside it is an error.
    sample_weight
        One non-negative weight a case.
    pos_label
        Of two classes, the one that recall and precision are about; 1, True, "yes" … by default.
    missing
        What a missing label does: raise, "drop" the pair, or "abstain": see `Table.from_labels`. Of a
        model that abstains choose by ``"informedness_of_all"``: by the answered cases, refusing pays.
    normalize
        What takes labels as the same, such as "case,space": see `Table.from_labels`.
    average
        "binary" is the number for the positive class, or the one number of all classes; None is
        one number for each class against the rest; "macro", "micro", "weighted" (by prevalence)
        and "bias" average those. Of rows of 0 and 1 these average labels, and "samples" items; informedness,
        markedness and correlation are the bookmaker's by default, and have "within" and "occurring", too; accuracy is
        of whole rows by default, as there.
    undefined
        What 0/0 is: NaN; "limit" for the papers' value, where they have one; "guess" for the same, but
        NaN where all cases are of one real class and nothing could be shown; "worst" for the worst value of
        the range, so that no search ever chooses it.
    **parameters
        The measure's own, such as ``beta=2``.
    """
    m = find(measure)
    if isinstance(normalize, bool):
        if not normalize:
            raise MeasureError(
                f"`{m.name}_score` is a share of the cases; a number of cases is that times `len(y_true)`. `normalize` "
                'says here which labels are the same, such as "case,space".'
            )
        normalize = None  # a share, as scikit-learn has it by default
    one_of("undefined", undefined, get_args(Undefined), MeasureError)
    given: dict[str, Any] = {"labels": labels, "positive": pos_label, "missing": missing, "square": m.facts.square}
    given["normalize"] = normalize
    for name in parameters:
        if name not in m.parameters:
            raise no_option(f"{m.name}_score", name, [*_OPTIONS, *m.parameters])
    if are_rows(y_true) or are_rows(y_pred):
        _refuse_probabilities(y_true, y_pred)
        tags = _tagged(y_true, y_pred, sample_weight, labels=labels, missing=missing)
        return _of_tags(m, tags, average, undefined, parameters)
    t = _counted(y_true, y_pred, sample_weight, **given)
    _readable(m, t, average)
    parameters["undefined"] = _at_limit(undefined, t)
    if average not in (None, "binary"):
        parameters["average"] = average
    value = m(t.one_vs_rest() if average is None else t, **parameters)
    if undefined == "worst":
        value = plain(np.where(np.isnan(value), _worst(m), value))
    return value


_INSTEAD = {  # what scikit-learn's scores take, and what to use
    "adjusted": "`informedness_score` is the balanced accuracy of two classes adjusted for chance, "
    "`informedness_trace_score` that of more",
    "weights": '`weighted_kappa_score` takes `disagreement="linear"` or "quadratic"',
}
_OPTIONS = tuple(inspect.signature(score).parameters)[3:-1]  # labels= to undefined=


def _refuse_probabilities(y_true: Any, y_pred: Any) -> None:
    """Refuse a column of numbers for each class beside one label for each case: what `predict_proba` gives."""
    shape = np.shape(y_pred) if isinstance(y_pred, np.ndarray) or hasattr(y_pred, "shape") else ()
    if len(shape) == 2 and not are_rows(y_true):
        raise LabelError(
            f"`y_pred` has shape {tuple(map(int, shape))}: one predicted label per case is needed. Give "
            "`model.predict(X)`; probabilities have scores of their own, such as `brier_skill_score(y_true, y_prob)`."
        )


def _counted(y_true: Any, y_pred: Any, sample_weight: Any, **given: Any) -> Table:
    """The table of the labels; what is wrong with them is said in scikit-learn's words."""
    try:
        return Table.from_labels(real=y_true, predicted=y_pred, weights=sample_weight, **given)
    except InformedError as error:
        raise type(error)(error.worded(_speak)) from None


def _tagged(y_true: Any, y_pred: Any, sample_weight: Any, **given: Any) -> Tags:
    """Items of several labels, from rows of 0 and 1; what is wrong with them is said in scikit-learn's words."""
    try:
        return Tags.from_labels(real=y_true, predicted=y_pred, weights=sample_weight, **given)
    except InformedError as error:
        raise type(error)(error.worded(_speak)) from None


def _of_tags(
    m: Measure, t: Tags, average: str | None, undefined: Undefined, parameters: Mapping[str, Any] = {}
) -> Floats:
    """A measure of items of several labels; where no label can be bet on, nothing was tried."""
    _, real, _ = t.counts()
    tried = bool(((real > 0) & (real < t.total)).any())
    limit: Literal["nan", "limit"] = "nan" if undefined == "nan" or (undefined == "guess" and not tried) else "limit"
    value = averaged(m, t, average, undefined=limit, **parameters)
    return plain(np.where(np.isnan(value), _worst(m), value) if undefined == "worst" else value)


def _speak(x: Mark) -> str | None:
    """What stands in backticks, as scikit-learn calls it; None for an option of ours that `score` has not."""
    if not isinstance(x, Argument):
        return f"`{x}`"
    x = replace(x, name=THEIRS.get(x.name, x.name))
    return f"`{x}`" if x.name in ("y_true", "y_pred", *_OPTIONS) else None


def _at_limit(undefined: Undefined, t: Table) -> Literal["nan", "limit"]:
    """Whether a measure takes its limit where it is undefined; with one real class nothing was tried."""
    one_class = np.count_nonzero(t.real_totals + t.abstained) < 2
    return "nan" if undefined == "nan" or (undefined == "guess" and one_class) else "limit"


def _readable(m: Measure, t: Table, average: str | None) -> None:
    """Refuse what needs a positive class, or an average, in scikit-learn's words."""
    if average != "binary" or m.facts.classes != "two":
        return
    choices = '`average="macro"` ("micro", "weighted", "bias"), or `average=None` for each class'
    if len(t.real_labels) > 2:
        raise MeasureError(
            f"{m.name} is of two classes, and here are {len(t.real_labels)} ({some(t.labels)}): give {choices}."
        )
    if m.sided and t.positive is None:
        raise MeasureError(
            f"{m.name} needs to know which of {some(t.real_labels)} is positive: give `pos_label=`, {choices}."
        )


def scorer(measure: MeasureLike, **parameters: Any) -> Any:
    """A scorer for scikit-learn's searches, oriented so that more is better.

    It takes the parameters of `score`, such as ``average="macro"``, ``pos_label="spam"`` or
    ``undefined="worst"``; a measure that is best when small is negated, as scikit-learn does. By
    default a measure corrected for chance is 0 for a model that says one label only, as in the papers,
    and any other is NaN there; of a fold with one real class nothing can be said, and all are NaN. Give
    ``undefined="worst"`` to tune a threshold for precision, which is undefined at thresholds where
    nothing is predicted positive.
    """
    if measure in BY_PROBABILITY:
        return ProbabilityScorer(str(measure), **parameters)
    if "greater_is_better" in parameters:
        raise MeasureError(
            "`greater_is_better` is known of every measure: a scorer is oriented so that more is better."
        )
    if parameters.pop("response_method", "predict") != "predict":
        raise MeasureError(
            '`response_method` is "predict": measures are of labels. Scorers of probabilities are '
            f"{', '.join(f'`{name}_scorer`' for name in BY_PROBABILITY)}."
        )
    make_scorer = _scikit_learn("metrics").make_scorer
    m = find(measure)
    if m.name not in _ORIENTED:
        raise MeasureError(f"{m.name} is not better the larger or the smaller it is: nothing is chosen by it.")
    chosen = {"undefined": "guess", **dict(m.bound), **parameters}
    return make_scorer(_score_of(m.name), greater_is_better=_more_is_better(m), **chosen)


def multimetric(
    measures: Sequence[Any], *, interval: bool = True, level: float = 0.95, method: str = "auto", **parameters: Any
) -> Multimetric:
    """Several measures at once, with the limits of their intervals: ``scoring=`` of a search.

    The results are called after the measures, with ``_low`` and ``_high`` for the limits:
    ``test_informedness``, ``test_informedness_low``, ``test_informedness_high``. Values are as
    they are, not negated: refit by one that is better when larger.
    """
    return Multimetric(measures, interval, level, method, parameters)


@dataclass(eq=False, repr=False)
class Multimetric:
    """What `multimetric` makes: called with an estimator, a dict of values and limits."""

    measures: Sequence[Any]
    interval: bool = True
    level: float = 0.95
    method: str = "auto"
    parameters: dict[str, Any] = field(default_factory=dict)  # of `score`
    _asked: dict[str, bool | str | None] = field(default_factory=dict, init=False)  # of scikit-learn's routing

    def __post_init__(self) -> None:
        asked = [self.measures] if isinstance(self.measures, str) else self.measures
        self.measures = tuple(str(find(m)) for m in asked)  # as text, so that it can be pickled
        known = [name for name in _OPTIONS if name != "sample_weight"]
        known += [name for m in self.measures for name in find(m).parameters]
        for name in self.parameters:
            if name not in known:
                raise no_option("multimetric", name, known)

    def __call__(
        self, estimator: Any, X: Any, y: Any, sample_weight: Any = None, groups: Any = None
    ) -> dict[str, float]:
        return self.of(y, estimator.predict(X), sample_weight=sample_weight, groups=groups)

    def of(self, y_true: Any, y_pred: Any, *, sample_weight: Any = None, groups: Any = None) -> dict[str, float]:
        """The same values and limits for labels, such as those of `cross_val_predict`.

        `groups` say which cases belong together, as scikit-learn's splitters take them: the limits
        then measure the spread between groups, as `Table.from_labels(unit=)` has it.
        """
        own = dict(self.parameters)
        names = {"labels": "labels", "pos_label": "positive", "missing": "missing", "normalize": "normalize"}
        given = {name: own.pop(key) for key, name in names.items() if key in own}
        average, undefined = own.pop("average", "binary"), own.pop("undefined", "nan")
        one_of("undefined", undefined, get_args(Undefined), MeasureError)
        if average is None:
            raise MeasureError(
                "`average` is None, for a number each class; several measures at once have one number each."
            )
        if are_rows(y_true) or are_rows(y_pred):
            known = {name: x for name, x in given.items() if name in ("labels", "missing")}
            tags = _tagged(y_true, y_pred, sample_weight, unit=groups, **known)
            return self._of_tags(tags, average, undefined)
        t = _counted(y_true, y_pred, sample_weight, unit=groups, **given)
        values: dict[str, float] = {}
        for text in self.measures:
            m = find(text)
            averaged = {"average": average} if m.facts.classes == "two" and average != "binary" else {}
            taken = {name: x for name, x in own.items() if name in m.parameters}
            m = replace(m, bound=tuple({**taken, **averaged, **dict(m.bound)}.items()))
            _readable(m, t, average)
            value = m(t, undefined=_at_limit(undefined, t))
            values[text] = _worst(m) if undefined == "worst" and np.isnan(value) else value
            if self.interval:
                from informed.inference.intervals import interval

                found = interval(t, str(m), level=self.level, method=self.method)
                values[f"{text}_low"], values[f"{text}_high"] = found.low, found.high
        return values

    def _of_tags(self, t: Tags, average: str, undefined: Undefined) -> dict[str, float]:
        """Of items of several labels: informedness, markedness and correlation have limits, by their own averages."""
        from informed.inference.intervals import interval

        values: dict[str, float] = {}
        for text in self.measures:
            values[text] = float(_of_tags(find(text), t, average, undefined))
            if self.interval:
                named, how = asked_of_tags(find(text), average)
                found = interval(t, named, average=how, level=self.level)
                values[f"{text}_low"], values[f"{text}_high"] = float(found.low), float(found.high)
        return values

    def set_score_request(self, **asked: bool | str | None) -> Multimetric:
        """Whether `sample_weight` and `groups` are asked for, in scikit-learn's metadata routing."""
        for name in asked:
            one_of("score request", name, ("sample_weight", "groups"), MeasureError)
        self._asked |= asked
        return self

    def get_metadata_routing(self) -> Any:
        """What is asked for, as scikit-learn's metadata routing wants to be told."""
        request = _scikit_learn("utils.metadata_routing").MetadataRequest(owner=self)
        for name in ("sample_weight", "groups"):
            request.score.add_request(param=name, alias=self._asked.get(name))
        return request

    def __repr__(self) -> str:
        return f"multimetric({list(self.measures)!r}, interval={self.interval})"


class Scorers(dict[str, Any]):
    """A scorer for each measure, by its name; by another of its names, too, or a sentence that says which there are."""

    def __missing__(self, name: str) -> Any:
        if name in BY_PROBABILITY:
            return scorer(name)
        return self[found] if (found := find(name).name) in self else scorer(name)


# ---------------------------------------------------------------------- names made when asked for


def _made_when_asked_for(name: str) -> Any:
    if name in _DISPLAYS:
        from informed import plotting

        value: Any = getattr(plotting, name)
    elif name == "scorers":
        value = Scorers({each: scorer(each) for each in _ORIENTED})
    elif name.rpartition("_")[0] in BY_PROBABILITY and name.endswith(("_score", "_scorer")):
        measure, _, kind = name.rpartition("_")
        value = ProbabilityScorer(measure) if kind == "scorer" else named_probability_score(measure)
    elif name.endswith("_score") and _full(name.removesuffix("_score")) in MEASURES:
        value = _made(name)
    elif name.endswith("_scorer") and _full(name.removesuffix("_scorer")) in _ORIENTED:
        value = scorer(name.removesuffix("_scorer"))
    else:
        near = get_close_matches(name, __all__, n=1)
        hint = f"; did you mean {near[0]}?" if near else instead(name)
        raise AttributeError(f"module 'informed.sklearn' has no attribute {name!r}{hint}")
    globals()[name] = value
    return value


if not TYPE_CHECKING:
    __getattr__ = _made_when_asked_for


def __dir__() -> list[str]:
    return list(__all__)


def _full(name: str) -> str:
    return ALIASES.get(name, name)


def _score_of(name: str) -> Callable[..., Floats]:
    """The score function as it is held by this module, so that pickle finds it again."""
    full = f"{name}_score"
    function: Callable[..., Floats] = globals().get(full) or _made_when_asked_for(full)
    return function


def _made(full: str) -> Callable[..., Floats]:
    m = find(full.removesuffix("_score"))

    def named_score(*args: Any, **given: Any) -> Floats:
        for name in given:
            if name in _INSTEAD and name not in m.parameters:
                raise CallError(f"`{full}` has no option `{name}`; {_INSTEAD[name]}.")
        problem = call_problem(full, signature, args, given)
        if problem is not None:
            raise CallError(problem)
        return score(m, *args, **given)

    own = [inspect.Parameter(k, inspect.Parameter.KEYWORD_ONLY, default=v) for k, v in m.parameters.items()]
    _, *shared, _ = inspect.signature(score).parameters.values()  # without the measure and its parameters
    signature = inspect.Signature([*shared, *own], return_annotation=float)
    named_score.__signature__ = signature  # type: ignore[attr-defined]  # read by inspect
    named_score.__name__ = named_score.__qualname__ = full
    named_score.__module__ = __name__
    named_score.__doc__ = f"{m.summary}\n\nSee `informed.{m.name}`, and `score` for parameters."
    return named_score


def _more_is_better(m: Measure) -> bool:
    return m.facts.best == m.facts.bounds[1]


def _worst(m: Measure) -> float:
    if m.name not in _ORIENTED:
        raise MeasureError(f'{m.name} has no worst value; `undefined` must be "nan", "limit" or "guess".')
    low, high = m.facts.bounds
    return float(low if _more_is_better(m) else high)


def _scikit_learn(module: str) -> Any:
    from importlib import import_module

    try:
        return import_module(f"sklearn.{module}")
    except ImportError:
        raise MissingExtra(
            "scikit-learn is needed for scorers: pip install scikit-learn. Scores do without it."
        ) from None
