"""Figures with matplotlib in scikit-learn's convention; needs the extra `plot`.

Each display is made by `from_predictions`, `from_estimator` or `from_table`, is drawn by `plot`,
and keeps what was drawn: `ax_` and `figure_`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self

import numpy as np

from informed._arrays import Array, ratio
from informed.errors import MissingExtra, TableError
from informed.evidence.table import Table
from informed.measures import Measure, find
from informed.measures.shown import BY_PREVALENCE, CORRECTED, TRADITIONAL

__all__ = [
    "ForestDisplay",
    "PowerDisplay",
    "PrevalenceDisplay",
    "RocPlaneDisplay",
    "TableDisplay",
]

# Okabe and Ito's colours, which the colour-blind can tell apart
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
_GREY = "#888888"


@dataclass(kw_only=True)
class _Display:
    """What all displays share: where the table comes from, and where it is drawn."""

    table: Table
    ax_: Any = field(default=None, init=False, repr=False)
    figure_: Any = field(default=None, init=False, repr=False)

    @classmethod
    def from_table(cls, table: Table, *, ax: Any = None, **options: Any) -> Self:
        """Draw a table; options are the fields of the display."""
        return cls(table=table, **options).plot(ax=ax)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        labels: Sequence[Any] | None = None,
        sample_weight: Any = None,
        pos_label: Any = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw real and predicted labels, in scikit-learn's order."""
        table = Table.from_labels(
            real=y_true, predicted=y_pred, labels=labels, weights=sample_weight, positive=pos_label
        )
        return cls.from_table(table, ax=ax, **options)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, **options: Any) -> Self:
        """Draw the predictions of a fitted classifier."""
        return cls.from_predictions(y, estimator.predict(X), **options)

    def plot(self, ax: Any = None) -> Self:
        """Draw into `ax`, or into a figure of its own."""
        plt = _pyplot()
        if ax is None:
            _, ax = plt.subplots(figsize=self._size(), layout="constrained")
        self.ax_, self.figure_ = ax, ax.figure
        self._draw(ax)
        return self

    def _size(self) -> tuple[float, float]:
        return 5.0, 4.0

    def _draw(self, ax: Any) -> None:
        raise NotImplementedError

    def _one(self) -> Table:
        if self.table.shape:
            raise TableError(
                f"{type(self).__name__} draws one table and this is a stack of the shape "
                f"{self.table.shape}: select one of it, or pool it with `t.sum()`."
            )
        return self.table


@dataclass(kw_only=True)
class TableDisplay(_Display):
    """The counts, coloured by how far they are from what guessing would give.

    Blue cells hold more cases than chance puts there, orange ones fewer; the colour is the
    deviation in standard errors (the adjusted residual), and saturates at 4.
    """

    show_expected: bool = True

    def _size(self) -> tuple[float, float]:
        wide = 2.4 + 0.85 * len(self.table.real_labels)
        return max(wide, 4.2), max(1.6 + 0.6 * len(self.table.predicted_labels), 3.0)

    def _draw(self, ax: Any) -> None:
        from matplotlib.colors import LinearSegmentedColormap

        t = self._one()
        counts, expected = t.counts, t.expected
        spread = np.sqrt(expected * np.outer(1 - t.bias, 1 - t.prevalence))
        residual = np.nan_to_num(ratio(counts - expected, spread), posinf=0, neginf=0)
        colours = LinearSegmentedColormap.from_list("", [_COLOURS[1], "#ffffff", _COLOURS[0]])
        image = ax.imshow(residual, cmap=colours, vmin=-4, vmax=4, aspect="auto")
        rows, columns = counts.shape
        few = max(rows, columns) <= 8
        for i, j in np.ndindex(rows, columns) if max(rows, columns) <= 20 else ():
            dark = abs(residual[i, j]) > 2.4
            text = _count(counts[i, j])
            lower = self.show_expected and few
            ax.text(
                j, i - 0.1 * lower, text, ha="center", va="center",
                color="white" if dark else "black", fontsize=11 if few else 8,
            )  # fmt: skip
            if lower:
                ax.text(
                    j, i + 0.22, f"chance {_count(expected[i, j], 1)}", ha="center", va="center",
                    color="white" if dark else "#555555", fontsize=7,
                )  # fmt: skip
        real, predicted = counts.sum(axis=0), counts.sum(axis=1)
        above = zip(t.real_labels, real, strict=True)
        beside = zip(t.predicted_labels, predicted, strict=True)
        ax.set_xticks(range(columns), [f"{_short(x, 10)}\n{_count(n)}" for x, n in above])
        ax.set_yticks(range(rows), [f"{_short(x)}  {_count(n)}" for x, n in beside])
        if columns > 8:
            ax.tick_params(axis="x", rotation=90)
        ax.set(xlabel=f"real (of {_count(counts.sum())})", ylabel="predicted")
        ax.xaxis.tick_top()
        ax.xaxis.set_label_position("top")
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        ax.set_xticks(np.arange(columns + 1) - 0.5, minor=True)
        ax.set_yticks(np.arange(rows + 1) - 0.5, minor=True)
        ax.grid(which="minor", color="white", linewidth=2)
        ax.tick_params(which="minor", length=0)
        bar = ax.figure.colorbar(image, ax=ax, shrink=0.9, ticks=[-4, -2, 0, 2, 4])
        bar.set_label("standard errors from chance", fontsize=8)
        bar.outline.set_visible(False)


@dataclass(kw_only=True)
class RocPlaneDisplay(_Display):
    """Where systems stand in the plane of false and true alarms.

    A stack is one point a table, a table of more than two classes one point a class. Informedness
    is the height above the chance diagonal, so that the thin lines are equally informed. With
    ``plane="pn"`` the axes count cases (false and true positives) instead of shares.
    """

    plane: Literal["roc", "pn"] = "roc"

    def _size(self) -> tuple[float, float]:
        return 5.0, 4.8

    def _draw(self, ax: Any) -> None:
        t = self.table if len(self.table.real_labels) == 2 else self.table.one_vs_rest()
        if self.plane not in ("roc", "pn"):
            raise TableError(f'`plane` is {self.plane!r}; it must be "roc" or "pn".')
        fallout = np.atleast_1d(np.asarray(ratio(t.fp, t.rn))).ravel()
        recall = np.atleast_1d(np.asarray(ratio(t.tp, t.rp))).ravel()
        wide, tall = (1.0, 1.0)
        if self.plane == "pn":
            negatives, positives = (np.unique(np.asarray(x).round(9)) for x in (t.rn, t.rp))
            if len(negatives) > 1 or len(positives) > 1:
                raise TableError(
                    'plane="pn" needs tables with equally many positives and negatives; plane="roc"'
                    " compares any."
                )
            wide, tall = float(negatives[0]), float(positives[0])
        for level in np.arange(-0.8, 0.81, 0.2):
            if abs(level) < 1e-9:
                continue
            x = np.array([max(0.0, -level), min(1.0, 1 - level)])
            ax.plot(x * wide, (x + level) * tall, color=_GREY, linewidth=0.4, zorder=1)
            if level > 0:
                ax.annotate(
                    f"{level:.1f}", ((1 - level) * wide, tall), xytext=(0, 3), fontsize=7,
                    textcoords="offset points", ha="center", color="#555555",
                )  # fmt: skip
        ax.annotate(
            "informedness", (wide, tall), xytext=(0, 3), textcoords="offset points",
            fontsize=7, ha="right", color="#555555",
        )  # fmt: skip
        ax.plot([0, wide], [0, tall], color="black", linestyle="--", linewidth=1, zorder=1)
        ax.text(
            0.9 * wide, 0.86 * tall, "chance", fontsize=8, rotation=45, ha="center", va="center"
        )
        names = _names(t, len(recall))
        for i, (x, y) in enumerate(zip(fallout * wide, recall * tall, strict=True)):
            colour = _COLOURS[i % len(_COLOURS)]
            ax.vlines(x, x / wide * tall, y, color=colour, linewidth=1.2, alpha=0.6, zorder=2)
            ax.plot(
                x, y, "o", color=colour, markersize=8, zorder=3, markeredgecolor="white",
                clip_on=False,
            )  # fmt: skip
            if names[i]:
                left = x > 0.7 * wide
                ax.annotate(
                    names[i], (x, y), xytext=(-8 if left else 8, 3), textcoords="offset points",
                    ha="right" if left else "left", fontsize=9, color=colour,
                )  # fmt: skip
        ax.set(xlim=(0, wide), ylim=(0, tall))
        ax.set_aspect(wide / tall)
        if self.plane == "roc":
            ax.set(xlabel="fallout (false positive rate)", ylabel="recall (true positive rate)")
        else:
            ax.set(xlabel="false positives", ylabel="true positives")
        ax.spines[["top", "right"]].set_visible(False)


@dataclass(kw_only=True)
class ForestDisplay(_Display):
    """Measures with their intervals, and a tick where chance would be."""

    measures: Sequence[Any] = ()
    level: float = 0.95
    method: str = "auto"

    def _chosen(self) -> list[Measure]:
        wanted = [find(m) for m in self.measures or (*CORRECTED, *TRADITIONAL)]
        return wanted if self.measures else [m for m in wanted if m.reads(self.table)]

    def _size(self) -> tuple[float, float]:
        return 5.6, 1.2 + 0.38 * len(self._chosen())

    def _draw(self, ax: Any) -> None:
        from informed.inference.intervals import interval

        t, chosen = self._one(), self._chosen()
        for m in chosen:
            m.check(t)
        low_edge = 0.0
        for row, m in enumerate(chosen):
            found = interval(t, m, level=self.level, method=self.method)
            chance = float(m.chance(t))
            colour = _COLOURS[0] if m.facts.chance == 0 else "#555555"
            ax.plot([found.low, found.high], [row, row], color=colour, linewidth=2, zorder=2)
            ax.plot(found.estimate, row, "o", color=colour, markersize=7, zorder=3)
            ax.plot([chance, chance], [row - 0.32, row + 0.32], color=_COLOURS[1], linewidth=2)
            said = (
                "undefined"
                if np.isnan(found.estimate)
                else f"{found.estimate:.3f} [{found.low:.3f}, {found.high:.3f}]"
            )
            ax.text(
                1.02, row, said.replace("-", "−"), va="center", fontsize=8,
                transform=ax.get_yaxis_transform(),
            )  # fmt: skip
            low_edge = np.nanmin([low_edge, found.low, chance])
        ax.set_yticks(range(len(chosen)), [str(m) for m in chosen])
        ax.invert_yaxis()
        ax.set_ylim(len(chosen) - 0.4, -0.6)
        ax.set_xlim(left=low_edge - 0.03)
        if all(m.facts.bounds[1] <= 1 for m in chosen):
            ax.set_xlim(right=1)
        ax.axvline(0, color=_GREY, linewidth=0.6, zorder=0)
        ax.grid(axis="x", color="#eeeeee", zorder=0)
        ax.set_axisbelow(True)
        ax.set_xlabel(f"value, {self.level:.0%} interval; orange: chance")
        ax.spines[["top", "right", "left"]].set_visible(False)
        ax.tick_params(axis="y", length=0)


@dataclass(kw_only=True)
class PrevalenceDisplay(_Display):
    """What each measure would be if the positive class were rarer or more common.

    Recall and fallout stay as they were found; the vertical line is the prevalence of the table.
    """

    measures: Sequence[Any] = BY_PREVALENCE
    prevalence: float | None = None  # a field prevalence to mark beside the table's own

    def _draw(self, ax: Any) -> None:
        t = self._one()
        share = np.linspace(0.002, 0.998, 250)
        recall, fallout = float(ratio(t.tp, t.rp)), float(ratio(t.fp, t.rn))
        cells = np.array(
            [
                [share * recall, (1 - share) * fallout],
                [share * (1 - recall), (1 - share) * (1 - fallout)],
            ]
        )
        curves = Table.from_counts(np.moveaxis(cells, -1, 0))
        ends = []
        for i, m in enumerate(find(x) for x in self.measures):
            value = np.broadcast_to(np.asarray(m(curves)), share.shape)
            colour = _COLOURS[i % len(_COLOURS)]
            wide = 2.5 if m.facts.chance == 0 else 1.6
            ax.plot(share, value, color=colour, linewidth=wide, label=str(m))
            ends.append(value)
        own = float(ratio(t.rp, t.total))
        for at, said, style in ((own, "this table", "-"), (self.prevalence, "field", "--")):
            if at is not None:
                ax.axvline(at, color=_GREY, linewidth=1, linestyle=style, zorder=0)
                ax.text(
                    at, 1.01, f"{said} {at:.3g}", ha="center", va="bottom", fontsize=8,
                    color="#555555", transform=ax.get_xaxis_transform(),
                )  # fmt: skip
        ax.set(xlim=(0, 1), xlabel="prevalence", ylabel="value")
        ax.set_ylim(min(0.0, float(np.nanmin(ends))), max(1.0, float(np.nanmax(ends))))
        ax.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
        ax.grid(color="#eeeeee")
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)


@dataclass(kw_only=True)
class PowerDisplay(_Display):
    """How likely a test set of each size would have shown that the system does not guess.

    By `informed.power`, for a system as informed as this one on classes as common as these.
    """

    size: float = 0.05  # of the test: how often it rejects a system that guesses
    wanted: float = 0.8  # the power to mark

    def _size(self) -> tuple[float, float]:
        return 5.2, 3.6

    def _system(self) -> dict[str, Any]:
        t = self._one()
        b = abs(float(np.asarray(find("informedness")(t))))
        if np.isnan(b) or np.count_nonzero(t.predicted_totals) < 2:
            raise TableError("Every case is of one class or of one prediction: there is no test.")
        prevalence, bias = t.real_totals / t.total, t.predicted_totals / t.total
        guess = (bias - b * prevalence) / (1 - b) if b < 1 else prevalence  # what it does not know
        return {
            "informedness": b,
            "prevalence": prevalence,
            "guess": guess if (guess >= 0).all() else None,
            "alpha": self.size,
        }

    def power(self, n: Any) -> Array:
        """The power with n cases."""
        from informed.inference.power import power

        return np.asarray(power(n, **self._system()).power)

    def needed(self) -> float:
        """The smallest number of cases that has the wanted power; infinite if none has."""
        from informed.inference.power import sample_size

        system = self._system()
        if system["informedness"] == 0:
            return np.inf
        return float(np.asarray(sample_size(**system, power=self.wanted).n))

    def _draw(self, ax: Any) -> None:
        needed, own = self.needed(), float(self.table.n)
        reach = max(own, needed if np.isfinite(needed) else own) * 3
        n = np.geomspace(4, max(reach, 40), 200)
        ax.plot(n, self.power(n), color=_COLOURS[0], linewidth=2.5)
        ax.axhline(self.wanted, color=_GREY, linewidth=0.8, linestyle=":")
        ax.plot(own, self.power(own), "o", color=_COLOURS[1], markersize=8, zorder=3)
        here = float(self.power(own))
        ax.annotate(
            f"this table: {own:g} cases,\npower {here:.2f}", (own, here), xytext=(10, -4),
            textcoords="offset points", fontsize=8, ha="left", va="top", color=_COLOURS[1],
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1},
        )  # fmt: skip
        if np.isfinite(needed):
            ax.axvline(needed, color=_GREY, linewidth=0.8, linestyle=":")
            ax.text(
                needed, 1.01, f"{needed:,.0f} cases for {self.wanted:.0%}", fontsize=8,
                ha="center", va="bottom", color="#555555", transform=ax.get_xaxis_transform(),
            )  # fmt: skip
        ax.set(xscale="log", ylim=(0, 1), xlim=(n[0], n[-1]))
        ax.set(xlabel="cases", ylabel="chance to show that it does not guess")
        ax.grid(color="#eeeeee")
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise MissingExtra("Figures need matplotlib: pip install 'informed[plot]'.") from None
    return plt


def _count(x: Any, digits: int = 0) -> str:
    return f"{x:.1f}" if digits or x != round(x) else f"{x:.0f}"


def _short(label: Any, longest: int = 14) -> str:
    """A label as plain text: no TeX, one line, not too long."""
    text = " ".join(str(label).split())
    text = text if len(text) <= longest else text[: longest - 1] + "…"
    return text.replace("$", r"\$")


def _names(t: Table, count: int) -> list[str]:
    if not t.shape:
        return [""]
    if len(t.axes) == 1 and t.axes[0] is not None:
        return [_short(x) for x in t.axes[0]]
    return [""] * count
