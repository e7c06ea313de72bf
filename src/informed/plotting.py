"""Figures with matplotlib in scikit-learn's convention; needs the extra `plot`.

Each display is made by `from_predictions`, `from_estimator`, `from_table` or `from_curve`, says
what it draws as a `chart()`, is drawn by `plot`, and keeps what was drawn: `ax_` and `figure_`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, Self

import numpy as np

from informed._arrays import Array, ratio
from informed._numbers import count, percent, rate, span
from informed.decisions.costs import against_prevalence
from informed.decisions.curve import Curve
from informed.decisions.forecast import Probabilities
from informed.decisions.probability_input import refuse_scores
from informed.decisions.roc import roc
from informed.documents.charts.chart import Chart
from informed.documents.charts.curves import curve, shares, unit
from informed.documents.charts.forest import Row, forest, standing
from informed.documents.charts.marks import Bands, Dots, Lines, Mark, Rules, Texts, scale
from informed.documents.charts.matrix import matrix
from informed.documents.charts.plane import PlanePoint, precision_recall, roc_plane
from informed.documents.charts.reliability import reliability_diagram
from informed.errors import CallError, LabelError, MissingExtra, TableError, one_of
from informed.evidence.calls import no_option
from informed.evidence.labels import Label
from informed.evidence.table import Table
from informed.inference.intervals import interval
from informed.inference.power import power, sample_size
from informed.measures import Measure, find
from informed.measures.shown import BY_PREVALENCE, CORRECTED, TRADITIONAL

__all__ = [
    "ForestDisplay",
    "PowerDisplay",
    "PrecisionRecallDisplay",
    "PrevalenceDisplay",
    "ReliabilityDisplay",
    "RocCurveDisplay",
    "RocPlaneDisplay",
    "TableDisplay",
]

_COLOURS = 8  # of several systems or measures, in style.css
_SATURATED = 4.0  # standard errors from chance that have the full colour
_NO_VALUE = "No measure that was asked for has a value for this table."
_STOPS = 200  # thresholds whose precision has an interval


@dataclass(kw_only=True, repr=False)
class _Drawn:
    """What all displays share: they are drawn into axes, and say in a line what they are."""

    ax_: Any = field(default=None, init=False)
    figure_: Any = field(default=None, init=False)

    def chart(self) -> Chart:
        """What is drawn, as data."""
        raise NotImplementedError

    def plot(self, ax: Any = None, **options: Any) -> Self:
        """Draw into `ax`, or into a figure of its own."""
        _refuse_options(type(self), options)
        try:
            import matplotlib.pyplot as plt
        except ImportError:
            raise MissingExtra("Figures need matplotlib: pip install 'informed[plot]'.") from None
        chart = self.chart()
        if ax is None:
            _, ax = plt.subplots(figsize=chart.inches(), layout="constrained")
        self.ax_, self.figure_ = ax, ax.figure
        chart = self._beside(chart, ax)
        chart.plot(ax)
        return self

    def _beside(self, chart: Chart, ax: Any) -> Chart:
        """The chart in colours that the axes do not have yet."""
        return chart


# What scikit-learn's displays take and these do not, with what to do instead: of a class and those that come from it.
_AX = "change what was drawn through `display.ax_`"
_NAMED = "name the classes before: `{}.from_predictions(names[y_true], names[y_pred])`"
_CHANCE = {"plot_chance_level": "the line of guessing is always drawn; remove it from `display.ax_.lines`"}
_THEIRS = {
    "_Drawn": {
        **dict.fromkeys(("color", "linewidth", "despine", "text_kw"), _AX),
        "label": "here it is `name=`",
        "y_prob": "here it is `y_score`, the second argument",
        "response_method": "give the scores themselves to `from_predictions`",
    },
    "_OfTable": {"display_labels": _NAMED},
    "TableDisplay": {
        **dict.fromkeys(
            ("cmap", "colorbar", "im_kw"), f"the colour says how far a cell is from chance, and is fixed; {_AX}"
        ),
        **dict.fromkeys(("include_values", "values_format", "xticks_rotation"), _AX),
    },
    "RocPlaneDisplay": _CHANCE,
    "_OfCurve": {
        **dict.fromkeys(("chance_level_kw", "curve_kwargs"), _AX),
        **dict.fromkeys(("cmap", "colorbar", "im_kw"), f"a curve has one colour, without a scale; {_AX}"),
        **_CHANCE,
        "display_labels": "a curve has no labels of classes; `name=` is what its legend says",
        "drop_intermediate": "every threshold is drawn",
        "raw_values": "here it is `plane=`: of `RocPlaneDisplay`",
    },
    "ReliabilityDisplay": {
        **dict.fromkeys(("n_bins", "strategy"), "the curve is an isotonic regression, which has no bins"),
        "ref_line": "the diagonal of right probabilities is always drawn; remove it from `display.ax_.lines`",
    },
}


def _refuse_options(kind: type, given: dict[str, Any]) -> None:
    """Refuse options that a display has not, with what to do instead; the line of guessing may be asked for."""
    known = [f.name for f in fields(kind) if f.init]
    instead: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        instead |= _THEIRS.get(base.__name__, {})
    for name, value in list(given.items()):
        if name == "plot_chance_level" and value is True and name in instead:
            del given[name]
        elif name in instead and name not in known:
            raise CallError(f"{kind.__name__} has no option `{name}`: {instead[name].format(kind.__name__)}.")
        elif name not in known:
            raise no_option(kind.__name__, name, known)


@dataclass(kw_only=True, repr=False)
class _OfTable(_Drawn):
    """A display of one table or of a stack."""

    table: Table

    @classmethod
    def from_table(cls, table: Table, *, ax: Any = None, **options: Any) -> Self:
        """Draw a table; options are the fields of the display."""
        _refuse_options(cls, options)
        return cls(table=table, **options).plot(ax=ax)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        labels: Sequence[Label] | None = None,
        sample_weight: Any = None,
        pos_label: Any = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw real and predicted labels, in scikit-learn's order."""
        if _are_scores(y_pred):
            raise LabelError(
                f"{cls.__name__} draws labels, and `y_pred` holds scores: RocCurveDisplay.from_predictions(y_true, "
                "y_score) draws every threshold; compare them with one of them to draw that."
            )
        table = Table.from_labels(
            real=y_true, predicted=y_pred, labels=labels, weights=sample_weight, positive=pos_label
        )
        return cls.from_table(table, ax=ax, **options)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, **options: Any) -> Self:
        """Draw the predictions of a fitted classifier."""
        return cls.from_predictions(y, estimator.predict(X), **options)

    def __repr__(self) -> str:
        t = self.table
        cases = "" if t.shape else f", {count(t.n)} cases"
        stack = f"{' x '.join(map(str, t.shape))} tables of " if t.shape else ""
        return f"{type(self).__name__}({stack}{len(t.real_labels)} classes{cases})"

    def _one(self) -> Table:
        if self.table.shape:
            raise TableError(
                f"{type(self).__name__} draws one table and this is a stack of the shape "
                f"{self.table.shape}: select one of it, or pool it with `t.sum()`."
            )
        return self.table


def _are_scores(values: Any) -> bool:
    """Whether these are numbers between whole ones."""
    held = np.asarray(values)
    return held.dtype.kind == "f" and bool(np.any(np.isfinite(held) & (held != np.round(held))))


@dataclass(kw_only=True, repr=False)
class TableDisplay(_OfTable):
    """The counts, coloured by how far they are from what guessing would give.

    Blue cells hold more cases than chance puts there, orange ones fewer; the colour is the
    deviation in standard errors (the adjusted residual), and saturates at 4. With ``normalize``
    cells show shares of their real class, of their predicted class or of all cases.
    """

    normalize: Literal["real", "predicted", "all", "true", "pred"] | None = None
    show_expected: bool = True

    def residual(self) -> Array:
        """Standard errors from chance: the adjusted residual of each cell."""
        t = self._one()
        spread = np.sqrt(t.expected * np.outer(1 - t.bias, 1 - t.prevalence))
        return np.nan_to_num(ratio(t.counts - t.expected, spread), posinf=0, neginf=0)

    def chart(self) -> Chart:
        """What is drawn, as data."""
        t = self._one()
        shade = np.clip(self.residual() / _SATURATED, -1, 1)
        drawn = matrix(t, shade, normalize=self.normalize, chance=self.show_expected, most=None)
        return _something(drawn, "The table is empty: there is nothing to draw.")


def _something(drawn: Chart | None, why: str = _NO_VALUE) -> Chart:
    """The chart, or an error that says why there is none."""
    if drawn is None:
        raise TableError(why)
    return drawn


@dataclass(kw_only=True, repr=False)
class RocPlaneDisplay(_OfTable):
    """Where systems stand in the plane of false and true alarms.

    A stack is one point a table, a table of more than two classes one point a class. Informedness
    is the height above the chance diagonal, so that the thin lines are equally informed. With
    ``plane="pn"`` the axes count cases (false and true positives) instead of shares. Of scores it is the curve of all
    thresholds, and the point that is most informed.
    """

    plane: Literal["roc", "pn"] = "roc"
    curve: Curve | None = None  # of the scores behind the table

    @classmethod
    def from_predictions(cls, y_true: Any, y_pred: Any, **options: Any) -> Self:
        """Draw real and predicted labels, in scikit-learn's order; or real labels and scores."""
        if not _are_scores(y_pred):
            return super().from_predictions(y_true, y_pred, **options)
        how = {
            name: options.pop(given, None) for name, given in (("positive", "pos_label"), ("weights", "sample_weight"))
        }
        found = roc(real=y_true, score=y_pred, **how)
        best = int(np.nanargmax(found.recall - found.fallout)) if not found.why else 0
        return cls.from_table(found.at_positions(best), curve=found, **options)

    def chart(self) -> Chart:
        """What is drawn, as data."""
        two = len(self.table.real_labels) == 2
        t = self.table if two else self.table.one_vs_rest()
        one_of("plane", self.plane, ("roc", "pn"), TableError)
        fallout, recall = (np.ravel(ratio(a, b)) for a, b in ((t.fp, t.rn), (t.tp, t.rp)))
        points = [
            PlanePoint(name, float(x), float(y), role=f"mark c{i % _COLOURS + 1}")
            for i, (name, x, y) in enumerate(zip(_names(t), fallout, recall, strict=True))
        ]
        return roc_plane(
            "Where the systems stand in the ROC plane",
            points=points,
            curves=[] if self.curve is None else [Lines(self.curve.fallout, self.curve.recall, name="every threshold")],
            named=bool(t.shape),
            stems=True,
            of=t.positive if two and t.positive is not None else "the class",
            sizes=_sizes(t) if self.plane == "pn" else None,
            cases=self.plane == "pn",
        )


def _sizes(t: Table) -> tuple[float, float]:
    """Real negatives and positives, where all tables have equally many."""
    negatives, positives = (np.unique(np.asarray(x).round(9)) for x in (t.rn, t.rp))
    if len(negatives) > 1 or len(positives) > 1:
        raise TableError('plane="pn" needs tables with equally many positives and negatives; plane="roc" compares any.')
    return float(negatives[0]), float(positives[0])


def _names(t: Table) -> list[str]:
    if len(t.axes) == 1 and t.axes[0] is not None:
        return [str(x) for x in t.axes[0]]
    return [""] * max(int(np.prod(t.shape)), 1)


@dataclass(kw_only=True, repr=False)
class ForestDisplay(_OfTable):
    """Measures with their intervals, and a tick where chance would be."""

    measures: Sequence[Any] = ()
    level: float = 0.95
    method: str = "auto"

    def _chosen(self) -> list[Measure]:
        wanted = [find(m) for m in self.measures or (*CORRECTED, *TRADITIONAL)]
        return wanted if self.measures else [m for m in wanted if m.reads(self.table)]

    def _row(self, m: Measure) -> Row:
        t = self._one()
        m.check(t)
        found = interval(t, m, level=self.level, method=self.method)
        row = standing(str(m), *map(float, (found.estimate, found.low, found.high, m.chance(t))))
        said = "undefined" if np.isnan(row.value) else f"{rate(row.value)} {span(row.low, row.high)}"
        return replace(row, said=said, tip=f"{m}: {said}")

    def chart(self) -> Chart:
        """What is drawn, as data."""
        rows = [self._row(m) for m in self._chosen()]
        wide = f"{percent(self.level)} interval"
        drawn = _something(forest(rows, f"Measures with {wide}s", whole=True))
        return replace(drawn, x=replace(drawn.x, title=f"value, {wide}"))


@dataclass(kw_only=True, repr=False)
class PrevalenceDisplay(_OfTable):
    """What each measure would be if the positive class were rarer or more common.

    Recall and fallout stay as they were found; the vertical line is the prevalence of the table.
    """

    measures: Sequence[Any] = BY_PREVALENCE
    prevalence: float | None = None  # a field prevalence to mark beside the table's own

    def chart(self) -> Chart:
        """What is drawn, as data."""
        t = self._one()
        share = np.linspace(0.002, 0.998, 250)
        series = []
        for i, m in enumerate(find(x) for x in self.measures):
            role = f"curve c{i % _COLOURS + 1}" + (" thick" if m.facts.chance == 0 else "")
            y = np.broadcast_to(against_prevalence(t, m, share), share.shape)
            series.append(Lines(share, y, role, str(m)))

        own = float(ratio(t.rp, t.total))
        drawn = curve(
            series,
            title="Measures against prevalence",
            words=f"This table has a prevalence of {rate(own)}; informedness stays the same.",
            across=shares("prevalence"),
            up=unit(*(s.y for s in series), title="value"),
            here={f"this table {own:.3g}": own},
            there={f"field {p:.3g}": p for p in (self.prevalence,) if p is not None},
            above=True,
        )
        return replace(_something(drawn), legend="right")


@dataclass(kw_only=True, repr=False)
class PowerDisplay(_OfTable):
    """How likely a test set of each size would have shown that the system does not guess.

    By `informed.power`, for a system as informed as this one on classes as common as these.
    """

    level: float = 0.95  # of the test: how often it does not reject a system that guesses
    wanted: float = 0.8  # the power to mark

    def _system(self) -> dict[str, Any]:
        t = self._one()
        b = abs(float(np.asarray(find("informedness")(t))))
        if np.isnan(b) or np.count_nonzero(t.predicted_totals) < 2:
            raise TableError("Every case is of one class or of one prediction: there is no test.")
        prevalence, bias = t.real_totals / t.total, t.predicted_totals / t.total
        guess = (bias - b * prevalence) / (1 - b) if b < 1 else prevalence  # what it does not know
        known = guess if (guess >= 0).all() else None
        return {"informedness": b, "prevalence": prevalence, "guess": known, "level": self.level}

    def power(self, n: Any) -> Array:
        """The power with n cases."""
        return np.asarray(power(n, **self._system()).power)

    def needed(self) -> float:
        """The smallest number of cases that has the wanted power; infinite if none has."""
        system = self._system()
        if system["informedness"] == 0:
            return np.inf
        return float(np.asarray(sample_size(**system, power=self.wanted).n))

    def chart(self) -> Chart:
        """What is drawn, as data."""
        needed, own = self.needed(), float(self._one().n)
        here = float(self.power(own))
        most = max(3 * own, 3 * needed if np.isfinite(needed) else 0.0, 40.0)
        n = np.geomspace(4, most, 200)
        decades = [float(m * 10**p) for p in range(9) for m in (1, 2, 5) if 4 <= m * 10**p <= most]
        some = decades[:: max(1, len(decades) // 8)]
        said = f"this table: {count(own)} cases, power {rate(here, 2)}"
        drawn = curve(
            [Lines(n, self.power(n))],
            title="Power against the number of cases",
            words=f"With {count(own)} cases the power is {rate(here)}.",
            across=scale(4, most, "cases", at=some, said=count, log=True),
            up=scale(0, 1, "chance to show that it does not guess"),
            wanted=self.wanted,
        )
        marks: list[Mark] = [
            Dots([own], [here], "less-dot", 5),
            Texts([own], [here], [said], "tiny less-ink", "start", 8, 12),
        ]
        if np.isfinite(needed):
            words = [f"{count(needed)} cases for {percent(self.wanted)}"]
            marks.insert(0, Rules([needed], "here", words=words, above=True))
        drawn = _something(drawn)
        return replace(drawn, marks=(*drawn.marks, *marks))


# ---------------------------------------------------------------------- curves of a score


@dataclass(kw_only=True, repr=False)
class _OfCurve(_Drawn):
    """A display of a score at every threshold."""

    curve: Curve
    name: str = ""
    level: float = 0.95

    @classmethod
    def from_curve(cls, curve: Curve, *, ax: Any = None, **options: Any) -> Self:
        """Draw a curve that `informed.roc` made; options are the fields of the display."""
        _refuse_options(cls, options)
        return cls(curve=curve, **options).plot(ax=ax)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any = None,
        *,
        pos_label: Any = None,
        sample_weight: Any = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw real labels and scores, in scikit-learn's order."""
        for name in ("y_prob", "y_pred"):  # as scikit-learn calls them, or did
            y_score = options.pop(name, None) if y_score is None else y_score
        if y_score is None:
            raise CallError(f"{cls.__name__} needs scores: give `y_score`, such as `model.predict_proba(X)[:, 1]`.")
        found = roc(real=y_true, score=y_score, positive=pos_label, weights=sample_weight)
        return cls.from_curve(found, ax=ax, **options)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        pos_label: Any = None,
        response_method: Literal["auto", "predict_proba", "decision_function"] = "auto",
        **options: Any,
    ) -> Self:
        """Draw the probabilities of a fitted classifier of two classes, or its decision values."""
        one_of("response_method", response_method, ("auto", "predict_proba", "decision_function"), TableError)
        classes = list(estimator.classes_)
        if len(classes) != 2:
            raise TableError(f"{type(estimator).__name__} knows {len(classes)} classes; a curve needs 2.")
        positive = classes[1] if pos_label is None else pos_label
        if response_method != "decision_function" and hasattr(estimator, "predict_proba"):
            score = np.asarray(estimator.predict_proba(X))[:, classes.index(positive)]
        else:
            score = np.asarray(estimator.decision_function(X))
            score = score if positive == classes[1] else -score
        options.setdefault("name", type(estimator).__name__)
        return cls.from_predictions(y, score, pos_label=positive, **options)

    def __repr__(self) -> str:
        of = f"{self.name}: " if self.name else ""
        c = self.curve
        cases = f"{count(c.positives)} positive and {count(c.negatives)} negative cases"
        return f"{type(self).__name__}({of}{self._value()}, {cases})"

    def _value(self) -> str:
        """The number that the display is about."""
        return f"AUC {rate(self.curve.auc)}"

    def _beside(self, chart: Chart, ax: Any) -> Chart:
        """A second curve in the same axes has a colour of its own, and no second band of the same name."""
        drawn = getattr(ax, "_informed_curves", 0)
        ax._informed_curves = drawn + 1
        if not drawn:
            return chart
        role = f"curve c{(drawn + 1) % _COLOURS + 1}"
        marks = [replace(m, role=role) if isinstance(m, Lines) and m.name else m for m in chart.marks]
        return replace(chart, marks=tuple(m for m in marks if not isinstance(m, Bands)))

    def _known(self) -> Curve:
        if self.curve.why:
            raise TableError(f"There is no curve: {self.curve.why}.")
        return self.curve


@dataclass(kw_only=True, repr=False)
class RocCurveDisplay(_OfCurve):
    """Recall against fallout at every threshold, with a band around the whole curve.

    The band is that of `Curve.band`: with this confidence the whole curve lies within it, for any
    distributions of the score (Kolmogorov's limits, Campbell 1994). The legend has the area under
    the curve with its interval.
    """

    def chart(self) -> Chart:
        """What is drawn, as data."""
        c = self._known()
        area, band = c.interval(self.level), c.band(self.level)
        name = f"{self.name}, area" if self.name else "area"
        low, high = float(area.low), float(area.high)
        return roc_plane(
            "Recall against fallout at every threshold (the ROC plane)",
            curves=[Lines(c.fallout, c.recall, name=f"{name} {rate(c.auc)} {span(low, high)}")],
            band=Bands(band.fallout, band.low, band.high, name=f"{percent(self.level)} band of the whole curve"),
            of=c.positive,
            sizes=(c.negatives, c.positives),
        )


@dataclass(kw_only=True, repr=False)
class ReliabilityDisplay(_OfCurve):
    """The share of positives by probability (isotonic regression), over the diagonal of right numbers.

    The band is where the curve of right probabilities lies, 90 % of the time at each point by itself; the rug below
    says where the cases are.
    """

    n_draws: int | None = None  # of the band; 0 leaves it out

    def _value(self) -> str:
        return f"Brier skill {rate(float(Probabilities(self.curve, self.level, n_draws=0).brier_skill.estimate))}"

    def chart(self) -> Chart:
        """What is drawn, as data."""
        c = self._known()
        refuse_scores(c.thresholds[1:])
        found = Probabilities(c, self.level, n_draws=self.n_draws)
        curve = found.curve
        return reliability_diagram(
            (curve.start, curve.end, curve.share),
            (curve.at, curve.low, curve.high),
            curve.rug,
            level=curve.level,
            positive=c.positive,
            words=found.log.sentence(),
        )


@dataclass(kw_only=True, repr=False)
class PrecisionRecallDisplay(_OfCurve):
    """Precision against recall at every threshold, with an interval of each precision.

    The band is pointwise: at each threshold it is the interval of the precision, a share of the
    cases that are called positive, by `informed.interval` and the method that the legend names.
    It holds for one threshold at a time and says nothing of the recall. The line of guessing is
    the prevalence, so that precision is high already where positives are common.
    """

    method: str = "auto"

    def _value(self) -> str:
        return f"average precision {rate(self.curve.average_precision())}"

    def intervals(self) -> tuple[Array, Array, Array, str]:
        """Recall, lowest and highest precision at up to 200 thresholds, and the method."""
        c = self._known()
        last = len(c.tp) - 1
        spread = np.searchsorted(c.tp, np.linspace(0, c.positives, _STOPS))
        at = np.unique(np.clip([*spread, last], 1, last))  # nothing is called positive at the first
        found = interval(c.table_at(c.thresholds[at]), "precision", level=self.level, method=self.method)
        low, high = (np.asarray(x, dtype=np.float64) for x in (found.low, found.high))
        return c.recall[at], low, high, found.method

    def chart(self) -> Chart:
        """What is drawn, as data."""
        c = self._known()
        precision, recall = c.precision_recall()
        x, low, high, method = self.intervals()
        name = f"{self.name}, average" if self.name else "average"
        return precision_recall(
            Lines(recall, precision, name=f"{name} precision {rate(c.average_precision())}"),
            Bands(x, low, high, name=f"{percent(self.level)} interval of each precision ({method})"),
            prevalence=c.prevalence,
            of=c.positive,
        )
