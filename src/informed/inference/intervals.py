"""`interval`: an estimate with the range of values that the data do not contradict.

Which method for which measure is decided here, and nowhere else; the methods live in the private
modules beside this one. The evidence for the defaults is in docs/intervals.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from informed._arrays import Array, plain, ratio
from informed.errors import InferenceError
from informed.inference import _delta, _proportions
from informed.inference._cautions import cautions
from informed.inference._influence import at_shares
from informed.inference._proportions import proportion_of
from informed.inference._sample import Sample, clustered
from informed.inference.results import Interval
from informed.measures import Measure, find, why
from informed.table import Table

Limits = tuple[Array, Array]

AT_PREVALENCE = "the same system at another prevalence"
ANALYTIC_CELLS = 40_000  # cells up to which an arc with closed slopes takes about a second
NUMERIC_CELLS = 400  # the same for slopes by differences, whose cost is the square

_ABSTAINING = ("coverage", "informedness_discounted", "informedness_of_all")
_ROUGH = (  # largest of something, or defined for whole counts only: no slopes everywhere
    "no_information_rate",
    "lambda_real",
    "lambda_predicted",
    "lambda_symmetric",
    "purity",
    "adjusted_rand_index",
    "adjusted_mutual_information",
)
_UNBOUNDED = (  # bounds that are stated for two classes and grow with their number
    "mutual_information",
    "entropy_real",
    "entropy_predicted",
    "joint_entropy",
    "conditional_entropy",
    "conditional_entropy_predicted",
    "perplexity",
    "contingency_coefficient",
    "no_information_rate",
    "purity",
)


@dataclass(frozen=True)
class Method:
    """A way to an interval: what it computes, and the measures that it is for."""

    limits: Callable[[Sample], Limits]
    applies: Callable[[Sample], bool]


def _smooth(s: Sample) -> bool:
    return s.m.name not in _ROUGH


def _binomial(s: Sample) -> bool:
    form = proportion_of(s.m)
    return form is not None and s.through is None and (not s.fixed or form.of == "real")


def _proportion(method: str) -> Method:
    def limits(s: Sample) -> Limits:
        form = proportion_of(s.m)
        assert form is not None
        return _proportions.limits(form, s.effective, method, s.level)

    return Method(limits, _binomial)


METHODS: Mapping[str, Method] = {
    "arc": Method(_delta.arc, _smooth),
    "plus-four": Method(
        _delta.plus_four,
        lambda s: _smooth(s) and (s.m.name != "correlation" or len(s.t.real_labels) == 2),
    ),
    "wald": Method(_delta.wald, _smooth),
    **{name: _proportion(name) for name in _proportions.METHODS},
}


def interval(
    t: Table,
    measure: Any,
    *,
    level: float = 0.95,
    method: str = "auto",
    sampling: Literal["multinomial", "fixed-reals"] = "multinomial",
    cluster_axis: int | None = None,
) -> Interval:
    """The values of a measure that this table does not contradict.

    Parameters
    ----------
    t
        A table, or a stack of them: then the result holds arrays.
    measure
        Any measure, by name (``"f_beta(beta=2)"``, ``"recall(average='macro')"``) or function. A
        measure of one class of a table of more than two is taken for each class against the rest.
    level
        Share of repetitions in which such intervals hold the truth.
    method
        "auto" is the one that measurably covers: mid-P for proportions, the Fisher-arc hull for
        the rest. Others are refused, with those that apply, where they make no sense.
    sampling
        "fixed-reals" where the number of cases of each real class was chosen beforehand.
    cluster_axis
        The axis of the stack that runs over clusters, cases that belong together.

    >>> from informed import Table
    >>> found = interval(Table.from_counts([[56, 20], [12, 12]]), "informedness")
    >>> round(found.low, 3), round(found.high, 3), found.method
    (0.012, 0.39, 'arc')
    """
    if not 0 < level < 1:
        raise InferenceError(f"`level` is {level}; it must lie between 0 and 1, such as 0.95.")
    if sampling not in ("multinomial", "fixed-reals"):
        raise InferenceError(
            f'`sampling` is {sampling!r}; it must be "multinomial" or "fixed-reals".'
        )
    m = find(measure)
    t, shares = _observed(t)
    if m.name not in _ABSTAINING:
        t = t.answered
    notes: list[str] = []
    per_class = _is_per_class(m, t)
    if shares is not None:
        prevalence_free = "prevalence" in m.facts.ignores and (per_class or len(shares) == 2)
        notes.append("Propagated from the sample that the table at another prevalence came from.")
        if prevalence_free:
            shares = None  # the same number at any prevalence
        elif per_class:
            return _each_class(t, m, shares, level, method, sampling, cluster_axis, notes)
    if cluster_axis is not None and t.shape:
        cluster_axis = _axis(cluster_axis, len(t.shape))
    if per_class:
        t = t.one_vs_rest()
        notes.append("One interval for each class against the rest.")
    clusters = None
    if cluster_axis is not None:
        t, clusters = clustered(t, cluster_axis)
    s = Sample(
        m,
        t,
        level,
        fixed=sampling == "fixed-reals",
        through=None if shares is None else lambda x: at_shares(x, shares),
        clusters=clusters,
    )
    return _found(s, method, notes)


# ---------------------------------------------------------------------- what is asked


def _observed(t: Table) -> tuple[Table, Array | None]:
    """The sample behind a table, and the prevalence that it was carried to, if it was."""
    if t.derived is None:
        return t, None
    base = t
    while base.derived == AT_PREVALENCE and base.origin is not None:
        base = base.origin
    if base.derived is not None:
        raise InferenceError(
            f"This table was not observed (it is {base.derived}), so it has no sampling error: "
            "take the interval of the table that was counted."
        )
    share = ratio(t.real_totals, t.total).reshape(len(t.real_labels), -1)
    return base, share[:, 0]


def _is_per_class(m: Measure, t: Table) -> bool:
    average = dict(m.bound).get("average")
    return m.facts.classes == "two" and average is None and t.is_square and len(t.labels) > 2


def _axis(axis: int, size: int) -> int:
    return axis % size if -size <= axis < size else axis


# ---------------------------------------------------------------------- what is found


def default(s: Sample) -> str:
    """The method that measurably covers for this measure, at a cost that fits the table."""
    if not _smooth(s):
        return "bootstrap-percentile"
    if _binomial(s):
        return "mid-p"
    if dict(s.m.bound).get("average") == "macro" and s.m.name in ("f1", "f_beta", "f_measure"):
        return "plus-four"
    cells = len(s.pattern)
    if cells <= (ANALYTIC_CELLS if s.f.exact else NUMERIC_CELLS):
        return "arc"
    return "plus-four"


def _found(s: Sample, method: str, notes: list[str]) -> Interval:
    estimate = s.estimate
    chosen = default(s) if method == "auto" else method
    applicable = [name for name, way in METHODS.items() if way.applies(s)]
    if chosen not in METHODS:
        raise InferenceError(
            f"There is no interval method {chosen!r}; for {s.m.name} there are "
            f"{', '.join(applicable)}."
        )
    if chosen not in applicable:
        raise InferenceError(
            f"{chosen} is no interval for {s.m.name}{_as_asked(s)}; what applies is "
            f"{', '.join(applicable)}."
        )
    low, high = METHODS[chosen].limits(s)
    undefined = np.isnan(estimate)
    if s.m.name in ("matthews", "correlation"):  # smoothing alone does not cover there
        low, high = (np.where(undefined, np.nan, x) for x in (low, high))
    low, high = (np.where(s.n > 0, x, np.nan) for x in _clipped(s, low, high))
    if undefined.any():
        notes.append(_undefined_note(s, undefined, low))
    if s.t.squares is not None or s.clusters is not None:
        notes.append(_effective_note(s))
    return Interval(
        plain(estimate),
        plain(low),
        plain(high),
        s.level,
        chosen,
        str(s.m),
        "fixed-reals" if s.fixed else "multinomial",
        (*notes, *cautions(s.effective, chosen)),
        effective_n=plain(s.effective_n),
    )


def _as_asked(s: Sample) -> str:
    if s.through is not None:
        return " at another prevalence"
    return " with fixed class sizes" if s.fixed else f" with {len(s.t.real_labels)} classes"


def _clipped(s: Sample, low: Array, high: Array) -> Limits:
    """Limits within the range of the measure."""
    bottom, top = s.m.facts.bounds
    if s.m.name in _UNBOUNDED and (len(s.t.real_labels) > 2 or s.m.bound):
        top = np.inf
        bottom = min(bottom, 0.0) if s.m.name != "perplexity" else bottom
    return np.clip(low, bottom, top), np.clip(high, bottom, top)


def _undefined_note(s: Sample, undefined: Array, low: Array) -> str:
    t = s.t if s.through is None else s.through(s.t)
    which = (
        f"The estimate is undefined ({why(t, s.m)})"
        if undefined.ndim == 0
        else f"{int(undefined.sum())} of {undefined.size} estimates are undefined"
    )
    if np.isnan(low[undefined]).all():
        return f"{which}, and so is the interval."
    return f"{which}; the interval is what the other cells still say, and is wide."


def _effective_note(s: Sample) -> str:
    size = np.asarray(s.effective_n)
    worth = f"{float(size):.4g}" if size.ndim == 0 else "an effective number of"
    if s.clusters is None:
        return f"Weighted: the cases are worth {worth} equally weighted ones."
    few = s.clusters.shape[1]
    note = f"Clustered: {few} clusters worth {worth} independent cases (Student's quantile)."
    return note + (" Fewer than 20 clusters say little about their spread." if few < 20 else "")


def _each_class(
    t: Table,
    m: Measure,
    shares: Array,
    level: float,
    method: str,
    sampling: str,
    cluster_axis: int | None,
    notes: list[str],
) -> Interval:
    """A measure of each class at another prevalence: one sample, one path for each class."""
    clusters = None
    if cluster_axis is not None:
        t, clusters = clustered(t, cluster_axis)

    def of(label: Any) -> Interval:
        def through(x: Table) -> Table:
            return at_shares(x, shares).one_vs_rest(label)

        return _found(Sample(m, t, level, sampling == "fixed-reals", through, clusters), method, [])

    found = [of(label) for label in t.labels]
    own = tuple(dict.fromkeys(note for one in found for note in one.notes))
    together: dict[str, Any] = {
        name: np.stack([np.asarray(getattr(one, name)) for one in found], axis=-1)
        for name in ("estimate", "low", "high", "effective_n")
    }
    note = "One interval for each class against the rest."
    return replace(found[0], **together, measure=str(m), notes=(*notes, note, *own))
