"""Charts on the axes of matplotlib: the same marks in the same places, by the same style."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from informed.documents.charts import marks, style, svg
from informed.documents.charts.marks import Axis, Mark, Numbers, each

if TYPE_CHECKING:
    from informed.documents.charts.chart import Chart

POINT = 0.75  # of a pixel
MOST_APART = 2000  # cells with white between them
ROOM = 28.0  # points that a figure leaves between its axes for numbers


def draw(chart: Chart, ax: Any) -> None:
    """Draw a chart, in dark colours where matplotlib's own text is light."""
    import matplotlib as mpl
    from matplotlib.colors import rgb_to_hsv, to_rgb

    with style.on_paper(bool(rgb_to_hsv(to_rgb(mpl.rcParams["text.color"]))[2] > 0.6)):
        _draw(chart, ax)


def _draw(chart: Chart, ax: Any) -> None:
    """What stands beside the frame takes its room from these axes only."""
    slot = ax.get_position(original=True)
    _frame(ax, chart)
    for side, axis in (("x", chart.x), ("y", chart.y)):
        _axis(ax, side, axis)
        _far(ax, side, axis)
    for i, mark in enumerate(chart.marks):
        _mark(ax, mark, chart.x, 2 + 0.01 * i)
    _legend(ax, chart)
    if chart.head:
        ax.set_title(chart.head, loc="left", fontsize=10, parse_math=False)
    if chart.foot:
        ax.set_xlabel("\n".join(filter(None, (chart.x.title, chart.foot))))
    _kept(ax, slot)


def _frame(ax: Any, chart: Chart) -> None:
    ax.set(xscale="log" if chart.x.log else "linear", yscale="log" if chart.y.log else "linear")
    ax.set(xlim=(chart.x.start, chart.x.end), ylim=(chart.y.start, chart.y.end))
    ax.spines[:].set_visible(chart.framed)
    ax.spines[:].set_color(style.look("frame")["stroke"])
    if chart.framed:
        ax.set_box_aspect(chart.height / chart.width)


def _axis(ax: Any, side: str, axis: Axis) -> None:
    """What stands at the near end of an axis, and lines at its ticks."""
    how = {"rotation": 45, "ha": "left", "rotation_mode": "anchor"} if axis.slanted else {}
    set_ticks = getattr(ax, f"set_{side}ticks")
    set_ticks([t.at for t in axis.ticks], [t.near for t in axis.ticks], **how, **_written(axis.words))
    set_ticks([], minor=True)
    ax.tick_params(axis=side, length=0)
    if axis.opposite:
        ax.xaxis.tick_top()
        ax.xaxis.set_label_position("top")
    getattr(ax, f"set_{side}label")(axis.title, **_written("axis"))
    _edge_to_edge(ax, [(t.at, t.role) for t in axis.ticks if t.role], upright=side == "x", order=0.5)


def _far(ax: Any, side: str, axis: Axis) -> None:
    """What stands at the far end of an axis."""
    edge, by, va = (0, -6, "top") if axis.opposite else (1, 6, "bottom")
    for t in axis.ticks:
        if side == "x":
            _note(ax, t.far, (t.at, edge), (0, by), "tot", xycoords=ax.get_xaxis_transform(), ha="center", va=va)
        else:
            _note(ax, t.far, (1, t.at), (8, 0), "tot", xycoords=ax.get_yaxis_transform(), ha="left")


def _edge_to_edge(ax: Any, held: Sequence[tuple[float, str]], *, upright: bool, order: float) -> None:
    """Lines from edge to edge."""
    for at, role in held:
        line = ax.axvline if upright else ax.axhline
        line(at, zorder=order, **_stroke(role))


def _note(ax: Any, said: str, at: tuple[float, float], by: tuple[float, float], role: str, **how: Any) -> None:
    """Words at a place, moved by so many points."""
    if said:
        moved = {"xytext": by, "textcoords": "offset points", "va": "center", "annotation_clip": False}
        ax.annotate(said, at, **(moved | how), **_written(role))


# ---------------------------------------------------------------------- what the style says


def _number(said: str) -> float:
    return float(said.removesuffix("px"))


def _stroke(role: str) -> dict[str, Any]:
    """Colour, width and dashes of a line."""
    look = style.look(role)
    wide = POINT * _number(look.get("stroke-width", "1"))
    dashes = [POINT * float(x) / wide for x in look.get("stroke-dasharray", "").split()]
    return {
        "color": look.get("stroke", "black"),
        "linewidth": wide,
        "alpha": float(look.get("stroke-opacity", 1)),
        "linestyle": (0, tuple(dashes)) if dashes else "solid",
    }


def _fill(role: str) -> dict[str, Any]:
    look = style.look(role)
    return {"color": look.get("fill", "black"), "alpha": float(look.get("fill-opacity", 1))}


def _written(role: str) -> dict[str, Any]:
    """Size and colour of words, which are never formulas."""
    look = style.look(role)
    return {
        "fontsize": POINT * _number(look.get("font-size", "12.5px")),
        "color": look.get("fill", style.look("ink")["fill"]),
        "fontweight": "bold" if "font-weight" in look else "normal",
        "parse_math": False,
    }


# ---------------------------------------------------------------------- marks


def _mark(ax: Any, mark: Mark, axis: Axis, order: float) -> None:
    match mark:
        case marks.Lines():
            ax.plot(mark.x, mark.y, zorder=order, **_stroke(mark.role))
        case marks.Bands():
            ax.fill_between(mark.x, mark.low, mark.high, linewidth=0, zorder=order, **_fill(mark.role))
        case marks.Dots():
            for role, (x, y) in _by_role(mark.role, mark.x, mark.y):
                ax.plot(x, y, zorder=order, clip_on=False, **_dot(mark, role))
        case marks.Ranges():
            for role, ends in _by_role(mark.role, mark.x, mark.x2, np.nan, mark.y, mark.y2, np.nan):
                xs, ys = np.reshape(ends, (2, 3, -1)).swapaxes(1, 2).reshape(2, -1)  # one line of many pieces
                ax.plot(xs, ys, zorder=order, clip_on=False, **_stroke(role))
        case marks.Cells():
            _cells(ax, mark, order)
        case marks.Rules():
            _rules(ax, mark, axis, order)
        case marks.Texts():
            ha = {"start": "left", "middle": "center", "end": "right"}[mark.anchor]
            by = POINT * mark.right, -POINT * mark.down
            for x, y, said in zip(mark.x, mark.y, mark.words, strict=True):
                _note(ax, said, (x, y), by, mark.role, xycoords="data", ha=ha, rotation=mark.turned)
        case marks.Moving():  # there is no slider
            pass


def _by_role(role: marks.Roles, *columns: Numbers | float) -> Iterable[tuple[str, Any]]:
    """Columns of what has one role, role by role."""
    held = np.broadcast_arrays(*(np.asarray(x, dtype=float) for x in columns))
    roles = np.asarray(each(role, len(held[0])))
    for one in dict.fromkeys(roles.tolist()):
        yield one, [x[roles == one] for x in held]


def _dot(mark: marks.Dots, role: str) -> dict[str, Any]:
    look, fill = style.look(role), _fill(role)
    return {
        "linestyle": "none",
        "marker": "o",
        "markersize": 2 * POINT * mark.size,
        "markerfacecolor": fill["color"],
        "markeredgecolor": look.get("stroke", fill["color"]),
        "markeredgewidth": POINT * _number(look.get("stroke-width", "0")),
    }


def _cells(ax: Any, mark: marks.Cells, order: float) -> None:
    from matplotlib.collections import PolyCollection

    depth = mark.depth if len(mark.depth) else [np.nan]
    for role, (x, y, x2, y2, d) in _by_role(mark.role, mark.x, mark.y, mark.x2, mark.y2, depth):
        corners = np.stack([np.stack([a, b], -1) for a, b in ((x, y), (x2, y), (x2, y2), (x, y2))])
        fill = _fill(role)
        gap = mark.gap if len(x) <= MOST_APART else 0.0
        ax.add_collection(
            PolyCollection(
                list(corners.transpose(1, 0, 2)), facecolors=fill["color"], zorder=order,
                edgecolors=style.look("ring")["fill"] if gap else "none", linewidths=2 * POINT * gap,
                alpha=np.where(np.isnan(d), fill["alpha"], d), rasterized=not gap,
            ),
            autolim=False,
        )  # fmt: skip


def _rules(ax: Any, mark: marks.Rules, axis: Axis, order: float) -> None:
    _edge_to_edge(ax, [(x, mark.role) for x in mark.at], upright=mark.upright, order=order)
    for i, (x, said) in enumerate(zip(mark.at, mark.words, strict=False)):
        left = axis.share(x) > svg.BESIDE
        by, ha = ((-3, -6 - 9 * i), "right") if left else ((3, -6 - 9 * i), "left")
        if mark.above:
            by, ha = (0, 6), "center"
        _note(ax, said, (x, 1), by, "tiny", xycoords=ax.get_xaxis_transform(), ha=ha)


# ---------------------------------------------------------------------- legend and room


def _legend(ax: Any, chart: Chart) -> None:
    """What has a name, outside the frame."""
    from matplotlib.transforms import ScaledTranslation

    named = chart.named
    if not named:
        return
    how: dict[str, Any] = {"frameon": False, "fontsize": 8, "loc": "upper left"}
    if chart.legend == "right":
        how |= {"bbox_to_anchor": (1.0, 1.0)}
    else:
        widest = 60 + max(svg.width(m.name, "tiny") for m in named)
        wide = ax.get_window_extent().width / ax.get_figure(root=True).dpi * 72 / POINT
        rows = chart.foot.count("\n") + 2 if chart.foot else 1
        below = ScaledTranslation(0, -(26 + 12 * rows) / 72, ax.figure.dpi_scale_trans)
        how |= {
            "bbox_to_anchor": (0.0, 0.0), "bbox_transform": ax.transAxes + below,
            "ncols": max(1, int(min(wide, chart.width) / widest)),
            "borderaxespad": 0.0,
        }  # fmt: skip
    before = ax.get_legend()  # of what was drawn into these axes already
    held = {} if before is None else {t.get_text(): h for t, h in zip(before.texts, before.legend_handles, strict=True)}
    held |= {m.name: _handle(m) for m in named}
    ax.legend(list(held.values()), list(held), **how)


def _handle(mark: Any) -> Any:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    role = each(mark.role, 1)[0]
    if isinstance(mark, marks.Dots):
        return Line2D([], [], **_dot(mark, role))
    if isinstance(mark, (marks.Cells, marks.Bands)):
        fill = _fill(role)
        return Patch(**(fill | {"alpha": 0.5} if len(getattr(mark, "depth", ())) else fill))
    return Line2D([], [], **_stroke(role))


def _kept(ax: Any, slot: Any) -> None:
    """Without a layout of its own, a figure gives each of its axes a slot: stay within it."""
    figure = ax.get_figure(root=True)
    if figure.get_layout_engine() is not None:
        return
    wide, tall = figure.bbox.width, figure.bbox.height
    room = ROOM * figure.dpi / 72
    x0, y0, x1, y1 = slot.x0, slot.y0, slot.x1, slot.y1
    for _ in range(3):  # a frame that keeps its shape moves when it shrinks
        reach = ax.get_tightbbox()
        x0 += max(slot.x0 - (reach.x0 + room) / wide, 0)
        y0 += max(slot.y0 - (reach.y0 + room) / tall, 0)
        x1 -= max(reach.x1 / wide - slot.x1, 0)
        y1 -= max(reach.y1 / tall - slot.y1, 0)
        ax.set_position([x0, y0, max(x1 - x0, 0.01), max(y1 - y0, 0.01)])
