"""Comparison: two systems, any measure, on the same or on different items."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from informed._arrays import Array, Floats, plain, ratio
from informed._numbers import probability, pvalue_text, signed, span
from informed.errors import InferenceError, one_of
from informed.evidence.joint import Joint
from informed.evidence.labels import some
from informed.evidence.likeness import said_respelled
from informed.evidence.shown import system_name
from informed.evidence.table import Table
from informed.evidence.units import Units
from informed.inference.given import checked_level
from informed.inference.grade_notes import are_grades
from informed.inference.interval_methods import NONE, why_none
from informed.inference.sample import is_per_class
from informed.inference.worth_notes import difference_notes, worth_notes
from informed.measures import Measure, MeasureLike, find, why
from informed.measures.headline import COUNTS, Count, headline
from informed.measures.lookup import needs_prevalence
from informed.measures.shown import COMPARED, COMPARED_SIDED, OF_ALL, RELATIVE, RELATIVE_UNSIDED
from informed.results import Axis, Note, Records, Result, axes_of, warning
from informed.results import plain as plain_data
from informed.systems import powers_rules, unpaired
from informed.systems.difference import Difference, Equivalence, differences
from informed.systems.equivalence import margin_test
from informed.systems.guards import unfinished_notes
from informed.systems.paired_arc import PairedContrast
from informed.systems.paired_methods import METHODS as PAIRED
from informed.systems.paired_methods import NO_METHOD, default, for_margins
from informed.systems.scale import Scale, scale_of
from informed.systems.tails import ComparisonMethod, ComparisonOptions, quantile, two_sided
from informed.systems.unpaired import METHODS as UNPAIRED
from informed.systems.unpaired import UnpairedContrast

CASE_CONTROL = "case-control"  # the class sizes were chosen, and are not those of the field
SAMPLINGS = ("multinomial", "fixed-reals", CASE_CONTROL)
WHY_HIDDEN = "it depends on the prevalence, and the class sizes were chosen (case-control)"


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """Two systems compared: ``comparison[measure]`` is their `Difference`, a − b, or a / b of ratios.

    Any measure can be asked for; `measures` are those that are shown. Where some items got no
    answer, "informedness" and "accuracy" are over all items that count, in which no answer is no
    bet and not right; `answered` is the comparison of the items that both answered.
    """

    page = "comparison"

    joint: Joint | None  # of the same items
    tables: tuple[Table, Table]
    names: tuple[Any, Any] = ("a", "b")
    level: float = 0.95
    method: str = "auto"
    sampling: str = "multinomial"
    options: ComparisonOptions = field(default_factory=ComparisonOptions)
    count: Count = "tool"
    left_out: tuple[Note, ...] = ()  # what was known of the items before they were joined
    relative_only: bool = False  # whether it is of ratios: see `relative`
    thing: str = "item"  # what is compared: items, or only rows where nothing names the items
    _kept: dict[str, Difference] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        checked_level(self.level)
        one_of("sampling", self.sampling, SAMPLINGS, InferenceError)
        one_of("count", self.count, COUNTS, InferenceError)
        if self.sampling == CASE_CONTROL and self.over_all:
            raise InferenceError(
                "Some cases got no answer, and measures over all cases depend on the prevalence, which was chosen "
                "(case-control): give `count='answered'`."
            )

    @property
    def paired(self) -> bool:
        """Whether the systems were tried on the same items."""
        return self.joint is not None

    @property
    def n(self) -> Floats:
        """Items that count in both, or for different items those of each; with `count="answered"`
        those that were answered."""
        if self.joint is not None:
            return plain(self.joint.total if self.over_all else self.joint.common.total)
        return tuple(plain(t.total + (t.abstained.sum(axis=-1) if self.over_all else 0)) for t in self.tables)

    @property
    def _units(self) -> Units | None:
        """What the items were sampled in, where they belong together."""
        return self.tables[0].units if self.joint is None else self.joint.units

    @property
    def sampled(self) -> str:
        """What was sampled, and plans count: an item, or a unit by its name."""
        return self.thing if self._units is None else self._units.name

    @property
    def silent(self) -> bool:
        """Whether some item got no answer."""
        return any(t.abstained.any() for t in self.tables)

    @property
    def over_all(self) -> bool:
        """Whether items without an answer are compared, too."""
        return self.silent and self.count != "answered"

    @property
    def answered(self) -> Comparison:
        """The comparison of the items that both answered."""
        return replace(self, count="answered", _kept={}).in_terms(self.terms)

    @property
    def relative(self) -> Comparison:
        """The same two compared by ratios, a / b, on the scale of logarithms: relative recall, precision and the like.

        Of measures that have no sign; 1 is no difference.
        """
        return replace(self, relative_only=True, _kept={}).in_terms(self.terms)

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that are shown: of these, the ones that the method is of."""
        every: tuple[str, ...]
        if self.relative_only:
            every = RELATIVE_UNSIDED if self.tables[0].positive is None else RELATIVE
        elif self.over_all:
            every = OF_ALL
        elif self.method in powers_rules.KINDS:
            every = powers_rules.MEASURES if len(self.tables[0].labels) > 2 else powers_rules.MEASURES_OF_TWO
        else:
            every = (*COMPARED, *(COMPARED_SIDED if self.tables[0].positive is not None else ()))
        return tuple(m for m in every if not self._hidden(self.meant(m)) and self._compares(m))

    def _hidden(self, measure: MeasureLike) -> bool:
        """Whether a measure would describe how the classes were chosen."""
        return self.sampling == CASE_CONTROL and needs_prevalence(measure)

    def _compares(self, measure: MeasureLike) -> bool:
        """Whether the method compares two systems by this measure."""
        method = self._methods.get(self.method)
        return method is None or bool(method.applies(self._contrast(self.meant(measure))))

    def meant(self, measure: MeasureLike) -> Measure:
        """The measure that a name stands for: that over all items, where some got no answer."""
        return headline(measure, self.count, self.silent)

    def __getitem__(self, measure: MeasureLike) -> Difference:
        m = self.meant(measure)
        if self._hidden(m):
            raise InferenceError(f"{m.name} is not compared: {WHY_HIDDEN}.")
        if str(m) not in self._kept:
            self._kept[str(m)] = self._difference(m)
        return self._kept[str(m)]

    def scale(self, measure: MeasureLike) -> Scale:
        """How two values of a measure are compared: by their difference, or by their ratio."""
        return scale_of(self.meant(measure), self.relative_only)

    def at(self, *, level: float | None = None, method: str | None = None) -> Comparison:
        """The same comparison at another level or by another method."""
        return replace(self, level=self.level if level is None else level, method=method or self.method, _kept={})

    # ------------------------------------------------------------------ margins and plans

    def equivalence(self, measure: MeasureLike, *, margin: float, level: float = 0.95) -> Equivalence:
        """Whether the systems differ by less than the margin: two one-sided tests."""
        return self._margin(measure, margin, level, both=True)

    def noninferiority(self, measure: MeasureLike, *, margin: float, level: float = 0.95) -> Equivalence:
        """Whether a is worse than b by less than the margin: a one-sided test."""
        return self._margin(measure, margin, level, both=False)

    def _margin(self, measure: MeasureLike, margin: float, level: float, *, both: bool) -> Equivalence:
        s = self._contrast(self.meant(measure))
        self._check_covered(s)
        found = margin_test(s, *self._chosen(s, for_margins), self.options, margin, level, both=both)
        return replace(found, axes=self._axes(s))

    def pvalue(self, measure: MeasureLike, *, against: float | None = None, alternative: str = "two-sided") -> Floats:
        """p-value of any null difference or ratio, against another one, a greater or a smaller one."""
        one_of("alternative", alternative, ("two-sided", "greater", "less"), InferenceError)
        s = self._contrast(self.meant(measure))
        self._check_covered(s)
        chosen = self._chosen(s, default if alternative == "two-sided" else for_margins)
        greater, less = chosen[1].tails(
            s, float(s.scale.into(s.scale.equal if against is None else against)), self.options
        )
        return plain({"two-sided": two_sided((greater, less)), "greater": greater, "less": less}[alternative])

    def power(self, measure: MeasureLike = "informedness", *, n: Any = None, difference: float | None = None) -> Floats:
        """The chance that n such items (or units, where items belong to these) show this difference.

        At the level of the comparison. By default as many again, and the difference that was found: that is
        a plan for a repetition and no evidence about these items, which the p-value gives. From the spread
        of the difference after four pseudo-cases, in the normal approximation.
        """
        from scipy.special import ndtr

        error, items = self._error(measure)
        d = np.abs(self[measure].lead if difference is None else self.scale(measure).into(difference))
        away = ratio(d, error if n is None else error * np.sqrt(items / np.asarray(n, dtype=np.float64)))
        z = quantile(self.level)
        return plain(ndtr(away - z) + ndtr(-away - z))

    def sample_size(self, measure: MeasureLike = "informedness", *, difference: float, power: float = 0.8) -> Floats:
        """Items of this kind that show a difference of this size with this power; units, where items belong to these.

        For different items, of both tables together in the shares that they have now.
        """
        from scipy.special import ndtri

        scale = self.scale(measure)
        if not 0 < power < 1 or difference == scale.equal:
            said = f"`power` must lie between 0 and 1, and `difference` must not be {scale.equal:g}."
            raise InferenceError(said)
        error, items = self._error(measure)
        reach = (quantile(self.level) + float(ndtri(power))) * error / np.abs(scale.into(difference))
        return plain(np.ceil(items * reach**2))

    def plans(self, measure: MeasureLike = "informedness") -> Records:
        """Power of these items for true differences, and items (or units) for a power of 80 %, if known.

        A ratio by which the smaller of the two would be larger than can be is left out.
        """
        d, scale = self[measure], self.scale(measure)
        most = find(measure).facts.bounds[1] / np.max(np.minimum(d.a, d.b)) if scale.kind == "ratio" else np.inf
        error = np.asarray(d.standard_error)
        known = np.all(np.isfinite(error) & (error > 0) & ~np.isnan(d.lead))
        rows = [
            (x, self.power(measure, difference=x), self.sample_size(measure, difference=x))
            for x in (scale.planned if known else ())
            if x <= most
        ]
        return Records.of(f"{scale.kind} power {'items' if self._units is None else 'units'}:count", rows)

    def _error(self, measure: MeasureLike) -> tuple[Array, Array]:
        """The standard error, and how many were sampled."""
        return np.asarray(self[measure].standard_error), self.n_sampled(measure)

    def n_sampled(self, measure: MeasureLike = "informedness") -> Array:
        """How many were sampled, of which a plan needs more: units, or items, whatever they weigh."""
        s = self._contrast(self.meant(measure))
        if isinstance(s, PairedContrast):
            cases = s.joint.cells if s.joint.cases is None else s.joint.cases
            n = cases.sum(axis=(0, 1, 2)) if s.joint.units is None else s.joint.units.n
        else:
            n = sum(np.asarray(t.rows if t.units is None else t.units.n) for t in s.tables)
        return np.asarray(n, np.float64)

    # ------------------------------------------------------------------ how it is found

    def _contrast(self, m: Measure) -> PairedContrast | UnpairedContrast:
        if self._hidden(m):
            raise InferenceError(f"{m.name} is not compared: {WHY_HIDDEN}.")
        fixed = self.sampling != "multinomial"
        if self.joint is not None:
            joint = self.joint if m.facts.abstentions else self.joint.common
            joint = joint.one_vs_rest() if is_per_class(m, joint.a) else joint
            return PairedContrast(m, joint, fixed, self.relative_only)
        a, b = (t if m.facts.abstentions else t.answered for t in self.tables)
        a, b = (a.one_vs_rest(), b.one_vs_rest()) if is_per_class(m, a) else (a, b)
        return UnpairedContrast(m, a, b, fixed, self.level, self.relative_only)

    def _check_covered(self, s: PairedContrast | UnpairedContrast) -> None:
        """Refuse to test what has no interval that is known to cover, unless a method is asked for."""
        if self.method == "auto" and (reason := _why_none(s)):
            raise InferenceError(f"{reason} So two systems are not tested by it.")

    def _axes(self, s: PairedContrast | UnpairedContrast) -> tuple[Axis, ...]:
        """The axes of a stack, and the classes where a measure is of each of them."""
        t = s.tables[0]
        return axes_of(t, classes=len(t.shape) > len(self.tables[0].shape))

    @property
    def _methods(self) -> Mapping[str, ComparisonMethod]:
        return PAIRED if self.paired else UNPAIRED

    def _chosen(
        self, s: PairedContrast | UnpairedContrast, automatic: Callable[[PairedContrast], str] = default
    ) -> tuple[str, ComparisonMethod]:
        name = self.method
        if name == "auto" and _why_none(s):
            return NONE, NO_METHOD
        if name == "auto":
            margins = automatic is for_margins
            name = (
                automatic(s)
                if isinstance(s, PairedContrast)
                else (unpaired.for_margins if margins else unpaired.default)(s)
            )
        if name not in self._methods or not self._methods[name].applies(s):
            usable = ", ".join(key for key, way in self._methods.items() if way.applies(s))
            there = "is no method" if name not in self._methods else "is not a method"
            raise InferenceError(
                f"{name!r} {there} for the difference of {s.m.name} on "
                f"{'the same' if self.paired else 'different'} items; there are {usable}."
            )
        return name, self._methods[name]

    def _difference(self, m: Measure) -> Difference:
        s = self._contrast(m)
        chosen, method = self._chosen(s)
        low, high = method.limits(s, self.level, self.options)
        if s.scale.kind == "difference":
            bottom, top = m.facts.bounds
            low, high = (np.clip(x, bottom - top, top - bottom) for x in (low, high))
        pvalue = two_sided(method.tails(s, 0.0, self.options))

        # Where there is no case, there is nothing to say.
        empty = s.items <= 0 if self.paired else (s.items <= 0).any(axis=0)
        low, high, pvalue = (np.where(empty, np.nan, x) for x in (low, high, pvalue))
        a, b = s.values
        limits = plain(s.scale.back(low)), plain(s.scale.back(high))
        numbers = plain(s.scale.shown(s.estimate)), *limits, plain(pvalue), plain(a), plain(b)

        return Difference(
            *numbers,
            method=chosen,
            level=self.level,
            measure=str(m),
            hypothesis=method.hypothesis or s.scale.hypothesis,
            sampling=self.sampling,
            n=plain(s.items),
            effective_n=plain(s.effective_n),
            standard_error=plain(_smoothed_error(s) if chosen != NONE else np.full(s.estimate.shape, np.nan)),
            names=self.names,
            claims=powers_rules.claims(s, chosen, self.level) if chosen in powers_rules.KINDS else {},
            notes=self._notes(s, method),
            axes=self._axes(s),
            scale=s.scale.kind,
        )

    def _notes(self, s: PairedContrast | UnpairedContrast, method: ComparisonMethod) -> tuple[Note, ...]:
        notes = [] if method.note is None else [method.note]
        if method is NO_METHOD:
            notes.append(Note(_why_none(s), code="no-known-coverage"))
        for name, t, value in zip(map(system_name, self.names), s.tables, s.values, strict=True):
            undefined = np.isnan(value)
            if undefined.any():
                reason = f"in {undefined.sum()} of {undefined.size} tables" if undefined.ndim else why(t, s.m)
                said = f"{s.m.name} of {name} is undefined ({reason}), and so is the difference."
                notes.append(Note(said, code="undefined"))
            notes += s.scale.undefined(f"{s.m.name} of {name}", value)

        if isinstance(s, PairedContrast):
            if s.worth is not None:
                cases = s.joint.cells if s.joint.cases is None else s.joint.cases
                told = any(note.code == "items" for note in self.left_out)  # how often each system was asked
                answers = None if told else float(cases.sum())
                notes += difference_notes(s.worth, s.joint.units, answers, f"the difference of {s.m.name}")
        else:
            notes += [note for one in s.samples for note in worth_notes(one)]
        return tuple(notes)

    # ------------------------------------------------------------------ what to know

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """What a careful reader should know about these items."""
        found = _on_prevalence(self) if self.joint is None else _on_answers(self, self.joint)
        runs = unfinished_notes({name: t.unfinished for name, t in zip(self.names, self.tables, strict=True)})
        return (*runs, *self.left_out, *found, *_on_order(self))

    # ------------------------------------------------------------------ showing

    def records(self, measures: Sequence[str] = ()) -> Records:
        """A row for each measure (and table of a stack): those that are shown, or these."""
        return differences([self[m] for m in measures or self.measures])

    def to_dict(self, measures: Sequence[str] = ()) -> dict[str, Any]:
        """Who was compared on what, and the difference of each measure."""
        return {
            "systems": list(self.names),
            "same_items": self.paired,
            "n": plain_data(self.n),
            "count": self.count,
            "level": self.level,
            "measures": {m: self[m].to_dict() for m in measures or self.measures},
            **({"answered": self.answered.to_dict()} if self.over_all and self.method == "auto" else {}),
        }

    def sentence(self) -> str:
        """Of a stack, what it is; the page of one comparison says more."""
        first, second = map(system_name, self.names)
        shape = self.tables[0].shape
        return f"Comparison of {first} and {second}, a stack of the shape {shape}" if shape else ""

    @property
    def stacked(self) -> bool:
        """Whether it is of a stack of tables."""
        return bool(self.tables[0].shape)


def _why_none(s: PairedContrast | UnpairedContrast) -> str:
    """Why no interval of the difference is known to cover; empty where one is."""
    return why_none(s.m, len(s.tables[0].real_labels))


def _smoothed_error(s: PairedContrast | UnpairedContrast) -> Array:
    """Standard error of the difference after four pseudo-cases."""
    if s.m.facts.near is not None:
        s = replace(s, m=find(s.m.facts.near))
    return s.closed_form[1]


def _on_answers(c: Comparison, joint: Joint) -> Iterator[Note]:
    """What the answers themselves say: abstentions, constant systems, identical ones."""
    names = [system_name(name) for name in c.names]
    if joint.dropped:
        yield Note(f"{joint.dropped:,} items were left out because a label was missing.", code="left-out")
    if joint.respelled:
        yield Note(said_respelled(joint.respelled), code="respelled")
    yield from (Note(said, code="read") for said in joint.remarks)
    if joint.shape:
        return

    common = joint.common
    silent = [float(t.abstained.sum()) for t in (joint.a, joint.b)]
    if any(silent):
        seen = " and ".join(f"{name} of {x:,g}" for name, x in zip(names, silent, strict=True))
        said = f"No answer was given by {seen} of {float(joint.total):,g} items"
        how = "it is no bet, which wins and loses nothing, and not right."
        if not c.over_all:
            how = f"measures are of the {float(common.total):,g} items that both answered."
        yield Note(f"{said}; {how}", code="unanswered")

    common = joint if c.over_all else common
    reals = _used(common.labels, common.a.real_totals)
    if len(reals) == 1:
        said = (
            f"Every item is really {reals[0]!r}; with one real class nothing can be told from guessing, and only "
            "accuracy and its like can be compared."
        )
        yield warning(said, "one-real-class")
        return

    for name, t in zip(names, (common.a, common.b), strict=True):
        answers = _used(t.labels, t.predicted_totals)
        if len(answers) == 1:
            said = (
                f"{name} gave one label only, {answers[0]!r}: it tells no class from another, so that its informedness "
                "is 0 and its markedness undefined."
            )
            yield Note(said, code="one-label")
    if np.trace(common.cells, axis1=1, axis2=2).sum() == common.total > 0:
        yield Note("Both systems gave the same answer to every item.", code="same-answers")


def _used(labels: tuple[Any, ...], totals: Array) -> list[Any]:
    return [label for label, n in zip(labels, totals, strict=True) if n > 0]


def _on_order(c: Comparison) -> Iterator[Note]:
    """What the order of the labels says of the two systems, where they may be ordinal."""
    t = c.tables[0]
    if t.shape or not are_grades(t) or not c._compares("informedness_ordinal"):
        return
    main, d = c["informedness"], c["informedness_ordinal"]
    if math.isnan(d.pvalue) or math.isnan(main.pvalue):
        return
    if t.stated is None:
        kind = f"If the labels ({some(t.real_labels)}) are ordinal, compare the systems by ordinal informedness"
    else:
        kind = "The labels are ordinal: compare the systems by ordinal informedness, too"
    said = f"{kind}, which counts how far off an error is: it differs by {signed(d.estimate)} {span(d.low, d.high)}"
    said += f", {probability(d.pvalue)} (`measure='informedness_ordinal'`)."
    found = [np.sign(x.estimate) * (x.pvalue < 1 - c.level) for x in (d, main)]
    apart = found[0] != found[1]  # one finds a difference that the other does not, or the opposite one
    yield warning(said, "ordinal") if apart else Note(said, code="ordinal")


def _on_prevalence(c: Comparison) -> Iterator[Note]:
    """Where accuracy or F1 disagree with informedness and the classes are not equally frequent."""
    a, b = c.tables
    shares = [ratio(t.real_totals, t.total) for t in (a, b)]
    if a.shape or np.allclose(shares[0], shares[1]):
        return

    def verdict(d: Difference) -> tuple[float, bool]:
        return float(np.sign(d.estimate)), bool(d.pvalue < 1 - c.level)

    others = ("accuracy", "f1") if a.positive is not None else ("accuracy",)
    if not all(c._compares(name) for name in ("informedness", *others)):
        c = c.at(method="auto")  # one method for all of them
    main = c["informedness"]
    for name in others:
        other = c[name]
        if verdict(other) != verdict(main):
            said = (
                f"{name} and informedness disagree ({_verdict(other, c)}; {_verdict(main, c)}). The classes are not "
                f"equally frequent in both ({_shares(a, b, shares)}), and {name} moves with that while informedness "
                "does not."
            )
            yield Note(said, code="prevalence-differs")


def _verdict(d: Difference, c: Comparison) -> str:
    if abs(d.estimate) < 5e-4:
        return f"{d.measure} is the same, p = {pvalue_text(d.pvalue)}"
    better = system_name(c.names[0] if d.estimate > 0 else c.names[1])
    return f"{d.measure} is higher for {better} by {abs(d.estimate):.3f}, p = {pvalue_text(d.pvalue)}"


def _shares(a: Table, b: Table, shares: list[Array]) -> str:
    at = a.labels.index(a.positive) if a.positive is not None else int(np.argmax(np.abs(shares[0] - shares[1])))
    return f"{a.labels[at]!r} is {shares[0][at]:.2f} of one and {shares[1][at]:.2f} of the other"
