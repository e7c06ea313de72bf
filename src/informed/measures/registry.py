"""What is known about a measure, and where it is found. Facts are stated once, above the function.

`Facts` used as a decorator registers the function and lets it take one table or a stack: the border
work (which tables it can read, averaging over classes, the limit where it is undefined, a Python
float for one table) is done here, so that a measure is only its formula.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial, wraps
from typing import Any, Literal, Protocol, overload

import numpy as np

from informed._arrays import Array, Floats, mean_over, plain, ratio
from informed.errors import CallError, MeasureError, one_of
from informed.evidence.calls import no_option
from informed.evidence.label_order import order_needed
from informed.evidence.labels import some
from informed.evidence.labels_by_name import OPTIONS, table_of
from informed.evidence.table import Table
from informed.measures import slopes
from informed.measures.needs import NEEDS, where_met
from informed.measures.slopes import Slopes, Stated

ITSELF = "itself"
Average = Literal["macro", "micro", "prevalence", "bias"]
Side = Literal["real", "predicted", "both"]
Parts = tuple[Any, Any]  # two arrays: successes and trials, numerator and denominator


class Function(Protocol):
    """A measure as it is called: `recall(t)`, `f_beta(t, beta=2)`, `recall(real=…, predicted=…)`.

    Labels take the options of `Table.from_labels`: `recall(real=…, predicted=…, positive="spam")`.
    """

    __name__: str
    __doc__: str | None

    @overload
    def __call__(
        self, t: Table, /, *, undefined: Literal["nan", "limit"] = ..., average: Average | None = ..., **parameters: Any
    ) -> Floats: ...
    @overload
    def __call__(
        self,
        *,
        real: Any,
        predicted: Any,
        undefined: Literal["nan", "limit"] = ...,
        average: Average | None = ...,
        **parameters: Any,
    ) -> Floats: ...


@dataclass(frozen=True, kw_only=True)
class Facts:
    """Facts about a measure. Used as a decorator, they register the function."""

    title: str
    tex: str
    bounds: tuple[float, float] = (0, 1)  # for two classes; for more as well, unless `extent` says
    extent: Callable[..., tuple[float, float]] | None = None  # bounds of a table, with parameters
    needs: tuple[str, ...] = ("cases",)  # names of `NEEDS`; NaN exactly where one is not met
    scale: Literal["plain", "log"] = "plain"  # on which errors are even, and two systems are compared
    best: float | None = None  # value of a perfect classifier that meets every class
    chance: float | str | None = None  # value of guessing: a number, or another measure's name
    ignores: tuple[str, ...] = ()  # "prevalence" (columns may be rescaled), "bias" (rows)
    ignores_for_two: bool = False  # ... but only where there are two classes
    dual: str | None = ITSELF  # what it becomes when predictions and reality change places
    inverse: str | None = ITSELF  # what it becomes when positive and negative change places
    limit: float | None = None  # the papers' value where it is undefined
    classes: Literal["two", "any"] = "any"
    square: bool = True  # predictions and reality share their labels
    ordered: bool = False  # reads the order of the labels, which must be known ...
    spaced: bool = False  # ... and how many labels lie between two, not only which is the higher
    asks: str = ""  # what it asks of two systems, for whoever sees measures disagree
    aka: tuple[str, ...] = ()
    clinical: str = ""  # what clinicians call it, where they do not say its title
    refs: tuple[str, ...] = ()

    # What it is made of: whoever estimates, tests or recovers it asks here and knows no names.
    # Functions of a table; each is true at the default of the parameters that it does not take.
    is_share: bool = False  # a proportion, whose function gives successes and trials: its `share`
    share: Callable[[Table], Parts] | None = None  # successes and trials of a proportion ...
    of_share: Callable[[Any, Any, Table], Parts] | None = None  # ... of which it is this quotient
    difference: bool = False  # of two classes: shares of its `side` subtracted, scaled to `bounds`
    quotient: Callable[[Table], tuple[Any, Any, Any, Any]] | None = None  # x1/n1 over x0/n0
    of_odds: Callable[[Array], Array] | None = None  # the rising function of the odds ratio it is
    fraction: Callable[[Table], Parts] | None = None  # of two classes: over and under its bar ...
    squared: bool = False  # ... or the bar of its square
    factors: tuple[str, str] | None = None  # their geometric mean, 0 where their signs differ
    near: str | None = None  # the same for two classes; near for more, where it has kinks at 0
    largest: bool = False  # takes the largest of something, so that it has kinks
    slopes: Stated | None = None  # by hits and margins, as proportions
    cell_slopes: Callable[..., Array] | None = None  # by all cells, as proportions, with its parameters
    hits: float | Callable[..., Array] | None = None  # w: given the margins, it rises with Σ w·hits
    margins: Side | Callable[..., Side] | None = None  # a function of these totals alone
    abstentions: bool = False  # reads them; the others see what was answered
    as_label: str | None = None  # what it is of the table in which no answer is one more label
    covered: float | None = None  # least coverage of its 95% intervals, where none is known to cover ...
    covers_up_to: int = 0  # ... but of tables with no more classes, whose interval covers
    powers: bool = False  # the papers give it an interval, (63)-(68)

    def __call__(self, function: Callable[..., Any]) -> Function:
        name = function.__name__
        facts = self._of(name, function)
        own = frozenset(inspect.signature(function).parameters)
        assert name not in MEASURES, f"{name} is declared twice"
        assert set(self.needs) <= NEEDS.keys(), f"{name} needs something unknown"

        @wraps(function)
        def measure(
            t: Table | None = None,
            /,
            *more: Any,
            undefined: Literal["nan", "limit"] = "nan",
            average: Average | None = None,
            **parameters: Any,
        ) -> Floats:
            if more or not isinstance(t, Table) or not own.issuperset(parameters):
                t = record.asked(t, more, parameters)
            if average is not None:
                value = _averaged(record, t, average, parameters)
            else:
                record.check(t, **parameters)
                found = function(t, **parameters)
                value = np.asarray(ratio(*found) if self.is_share else found, dtype=np.float64)
                value = value if parameters else where_met(t, self.needs, value)  # needs are those of the defaults
            if undefined == "nan":
                return plain(value)
            one_of("undefined", undefined, ("nan", "limit"), MeasureError)
            return plain(record.at_limit(t, value))

        measure.__signature__ = _signature(function, self)  # type: ignore[attr-defined]  # read by inspect
        record = Measure(name, measure, facts)
        _know(record)
        return measure

    def _of(self, name: str, function: Callable[..., Any]) -> Facts:
        """The facts of the measure of this name, which is its own dual unless another is said."""
        dual, inverse = (name if x == ITSELF else x for x in (self.dual, self.inverse))
        return replace(self, dual=dual, inverse=inverse, share=function if self.is_share else self.share)


@dataclass(frozen=True)
class Measure:
    """A measure with its facts; calling it calls the function, with any parameters bound."""

    name: str
    function: Function
    facts: Facts
    bound: tuple[tuple[str, Any], ...] = ()

    @overload
    def __call__(self, t: Table, /, **parameters: Any) -> Floats: ...
    @overload
    def __call__(self, *, real: Any, predicted: Any, **parameters: Any) -> Floats: ...
    def __call__(self, t: Any = None, /, *more: Any, **parameters: Any) -> Floats:  # type: ignore[misc]  # labels by name
        return self.function(t, *more, **{**dict(self.bound), **parameters})

    def __str__(self) -> str:
        inside = ", ".join(f"{key}={value!r}" for key, value in self.bound)
        return f"{self.name}({inside})" if inside else self.name

    def __reduce__(self) -> tuple[Any, ...]:
        """By name, as its facts hold functions; the function brings the module that declares it.

        One that is declared elsewhere brings its facts, too: the other process may not know it.
        """
        facts = None if self.function.__module__.startswith(f"{__name__.partition('.')[0]}.") else self.facts
        return _declared, (self.name, self.function, self.bound, facts)

    @property
    def title(self) -> str:
        """Its name as a person writes it."""
        return self.facts.title

    @cached_property
    def summary(self) -> str:
        """First line of the docstring: what the number means."""
        return inspect.cleandoc(self.function.__doc__ or "").split("\n", 1)[0]

    @cached_property
    def parameters(self) -> Mapping[str, Any]:
        """Its own parameters and their defaults."""
        signature = inspect.signature(self.function)
        shared = {"t", "real", "predicted", "undefined", "average"}
        return {k: p.default for k, p in signature.parameters.items() if k not in shared}

    @property
    def sided(self) -> bool:
        """Whether it is about the positive class, so that one must be known."""
        return self.facts.classes == "two" and self.facts.inverse != self.name

    @property
    def direction(self) -> int:
        """1 where a higher value is better, −1 where a lower one is, 0 where neither is stated."""
        best, (low, high) = self.facts.best, self.facts.bounds
        return int(best == high) - int(best == low)

    @property
    def own(self) -> dict[str, Any]:
        """The parameters of its own that were given."""
        return {key: value for key, value in self.bound if key in self.parameters}

    @property
    def as_stated(self) -> bool:
        """Whether its parameters are at their defaults, for which its facts are stated."""
        return all(key == "undefined" or self.parameters.get(key) == value for key, value in self.bound)

    @property
    def side(self) -> Literal["real", "predicted"] | None:
        """The side whose totals it takes as given, as it ignores them; for two classes."""
        if "prevalence" in self.facts.ignores:
            return "real"
        return "predicted" if "bias" in self.facts.ignores else None

    @property
    def margins(self) -> Side | None:
        """The totals that it is a function of, if these are all that it depends on."""
        stated = self.facts.margins
        return stated(**self.own) if callable(stated) else stated

    def hits(self, t: Table) -> Array | None:
        """Weights whose sum over the hits it rises with where both margins are given; or None."""
        stated = self.facts.hits
        if stated is None or "average" in dict(self.bound):
            return None
        if callable(stated):
            return np.asarray(stated(t, **self.own), dtype=np.float64)
        return np.full(t.real_totals.shape, float(stated))

    def slopes(self, classes: int) -> Stated | None:
        """Its slopes in closed form for so many classes, if they are known."""
        if not self.as_stated:
            return None
        if self.facts.slopes is not None:
            return self.facts.slopes
        if classes == 2 and self.facts.near is not None:
            return MEASURES[self.facts.near].facts.slopes
        if classes == 2 and self.facts.difference:
            low, high = self.facts.bounds
            whole = slopes.informedness if self.side == "real" else slopes.markedness
            half = (high - low) / 2
            return lambda *p: Slopes(*(half * x for x in whole(*p)[:3]))
        return None

    @property
    def cell_slopes(self) -> Callable[[Array], Array] | None:
        """Its slopes in closed form as a function of all cells ``(predicted, real, *stack)``, if they are known."""
        stated = self.facts.cell_slopes
        return None if stated is None else partial(stated, **self.own)

    def smooth(self, classes: int) -> bool:
        """Whether it has slopes, but for single points, in tables of so many classes."""
        kinks = self.facts.largest or (self.facts.near is not None and classes > 2)
        return not kinks and "whole counts" not in self.facts.needs

    def fraction(self, t: Table) -> Parts | None:
        """Of two classes: numerator and denominator, each a polynomial in the cells; or None."""
        facts = self.facts
        if not self.as_stated:
            return None
        if facts.fraction is not None:
            return facts.fraction(t)
        if facts.share is not None:
            k, n = facts.share(t)
            return (k, n) if facts.of_share is None else facts.of_share(k, n, t)
        if facts.quotient is not None:
            x1, n1, x0, n0 = facts.quotient(t)
            return x1 * n0, n1 * x0
        if facts.difference:
            x1, n1, x0, n0 = self.two_shares(t)
            low, high = facts.bounds
            middle, half = (low + high) / 2, (high - low) / 2
            return middle * n1 * n0 + half * (x1 * n0 - x0 * n1), n1 * n0
        return None

    def two_shares(self, t: Table) -> tuple[Array, Array, Array, Array]:
        """x1, n1, x0, n0 of its `difference`: recall and fallout, or precision and omission."""
        if self.side == "real":
            return t.cells[0, 0], t.real_totals[0], t.cells[0, 1], t.real_totals[1]
        return t.cells[0, 0], t.predicted_totals[0], t.cells[1, 0], t.predicted_totals[1]

    def bounds(self, t: Table) -> tuple[float, float]:
        """The least and the most that a table of these classes can score."""
        return self.facts.bounds if self.facts.extent is None else self.facts.extent(t, **self.own)

    def chance(self, t: Table, guessed: Table | None = None) -> Floats:
        """What guessing with the same margins scores: the measure on the table of expectations
        (`t.independent`, given where it is at hand).

        Where that table cannot be read, because it is not whole, the stated number."""
        if "whole counts" in self.facts.needs and isinstance(self.facts.chance, (int, float)):
            return plain(np.full(t.shape, float(self.facts.chance)))
        return self(t.independent if guessed is None else guessed)

    def per_class(self, t: Table) -> Floats:
        """Its value for each class against the rest, shape ``(..., class)``."""
        return self(t.one_vs_rest())

    def reads(self, t: Table) -> bool:
        """Whether this table determines the measure at all (defined or not)."""
        try:
            self.check(t)
        except MeasureError:
            return False
        return True

    def check(self, t: Table, **parameters: Any) -> None:
        """Raise a MeasureError that says why, unless this table determines the measure."""
        if self.facts.ordered and t.order is None:
            own = {**dict(self.bound), **parameters}
            if isinstance(own.get("disagreement", ""), str):  # a matrix says which label is where
                raise MeasureError(order_needed(self.name, t.real_labels))
        if (self.facts.square or self.facts.classes == "two") and not t.is_square:
            raise MeasureError(
                f"{self.name} needs predictions and reality with the same labels; this table has "
                f"{len(t.predicted_labels)} predicted and {len(t.real_labels)} real ones. "
                "`informed.assign` matches clusters to classes."
            )
        if self.facts.classes == "two" and len(t.real_labels) != 2:
            raise MeasureError(
                f"{self.name} is about two classes and this table has {len(t.real_labels)} ({some(t.real_labels)}).",
                f'ask for {self.name}(average="macro") (or "micro", "prevalence", "bias")',
                "take `one_vs_rest()` for each class",
                "`collapse` to two and name the one that is `positive=`",
            )
        if self.sided and t.positive is None:
            raise MeasureError(
                f"{self.name} needs to know which of {some(t.real_labels)} is positive.",
                "name it by `positive=`",
                f'ask for {self.name}(average="macro")',
                "take `one_vs_rest()`",
            )

    def asked(self, t: Any, more: tuple[Any, ...], parameters: dict[str, Any]) -> Table:
        """The table that it was called with, or that of labels given by name, which are taken out."""
        if more:
            own = [name for name in self.parameters if name not in parameters]
            if isinstance(t, Table) and own:
                raise CallError(f"The parameters of {self.name} go by name: {self.name}(t, {own[0]}={more[0]!r}).")
            raise CallError(f"{self.name} was given {len(more) + 1} arguments by place; name them: real=, predicted=.")
        known = ("real", "predicted", *OPTIONS, *self.parameters)
        for name in parameters:
            if name not in known:
                raise no_option(self.name, name, known)
        if t is None and not self.facts.square:  # clusters have names of their own
            parameters.setdefault("square", False)
        return table_of(self.name, t, parameters)

    def at_limit(self, t: Table, value: Array) -> Array:
        """The value in the papers' limit: 0 for what is corrected for chance."""
        if self.facts.limit is None:
            return value
        return np.where(np.isnan(value) & (t.total > 0), self.facts.limit, value)


def _declared(name: str, function: Function, bound: tuple[tuple[str, Any], ...], facts: Facts | None = None) -> Measure:
    """A measure that comes from another process."""
    if facts is not None and name not in MEASURES:
        _know(Measure(name, function, facts))
    return replace(MEASURES[name], bound=bound)


def _know(measure: Measure) -> None:
    MEASURES[measure.name] = measure
    for alias in measure.facts.aka:
        assert alias not in ALIASES, f"{alias} is the name of two measures"
        ALIASES[alias] = measure.name


def forget(name: str) -> None:
    """Take back a declaration and its other names."""
    for alias in MEASURES.pop(name).facts.aka:
        del ALIASES[alias]


MEASURES: dict[str, Measure] = {}
ALIASES: dict[str, str] = {}


def _averaged(m: Measure, t: Table, average: str, parameters: dict[str, Any]) -> Array:
    if m.facts.classes != "two":
        raise MeasureError(f"{m.name} is one number for all classes; `average` is for measures of a single class.")
    one_of("average", average, ("macro", "micro", "prevalence", "bias", "weighted"), MeasureError)
    each = t.one_vs_rest()
    if average == "micro":
        return np.asarray(m.function(each.sum(-1), **parameters))
    values = np.moveaxis(np.asarray(m.function(each, **parameters)), -1, 0)
    if average == "macro":
        return np.asarray(values.mean(axis=0))
    margin = t.predicted_totals if average == "bias" else t.real_totals
    return mean_over(ratio(margin, t.total), values)


def _signature(function: Callable[..., Any], facts: Facts) -> inspect.Signature:
    first, *own = inspect.signature(function).parameters.values()
    table = first.replace(kind=inspect.Parameter.POSITIONAL_ONLY, default=None, annotation="Table | None")

    def by_name(name: str, default: str | None, annotation: str) -> inspect.Parameter:
        return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)

    labels = [by_name(name, None, "Any") for name in ("real", "predicted")]
    average = [by_name("average", None, "str | None")] if facts.classes == "two" else []
    shared = [*average, by_name("undefined", "nan", "str")]
    return inspect.Signature([table, *labels, *own, *shared], return_annotation="float | Array")
