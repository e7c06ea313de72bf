"""Small pieces of SVG: text is escaped here, numbers are short, every picture has its words."""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape

from informed.evidence.shown import shown


def n(x: float) -> str:
    """A coordinate: at most one decimal.

    >>> n(3.0), n(2.25)
    ('3', '2.2')
    """
    return f"{x:.1f}".removesuffix(".0")


def attributes(**held: object) -> str:
    parts = []
    for name, value in held.items():
        if value is None or value == "":
            continue
        shown = n(value) if isinstance(value, float) else str(value)
        parts.append(f' {name.rstrip("_").replace("_", "-")}="{escape(shown)}"')
    return "".join(parts)


def text(x: float, y: float, said: str, class_: str = "", **more: object) -> str:
    held = attributes(x=float(x), y=float(y), class_=class_, **more)
    return f"<text{held}>{escape(said)}</text>"


def line(x1: float, y1: float, x2: float, y2: float, class_: str = "", **more: object) -> str:
    held = attributes(x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), class_=class_, **more)
    return f"<line{held}/>"


def rect(x: float, y: float, w: float, h: float, class_: str = "", **more: object) -> str:
    held = attributes(
        x=float(x), y=float(y), width=float(max(w, 0)), height=float(h), class_=class_, **more
    )
    return f"<rect{held}/>"


def circle(x: float, y: float, r: float, class_: str = "", **more: object) -> str:
    return f"<circle{attributes(cx=float(x), cy=float(y), r=float(r), class_=class_, **more)}/>"


def path(points: Iterable[tuple[float, float]], class_: str) -> str:
    """A line through points; broken where one is undefined."""
    said, pen = [], "M"
    for x, y in points:
        if math.isnan(y):
            pen = "M"
            continue
        said.append(f"{pen}{n(x)} {n(y)}")
        pen = "L"
    return f'<path class="{class_}" d="{"".join(said)}"/>' if said else ""


def picture(
    key: str, width: float, height: float, title: str, description: str, body: str, class_: str = ""
) -> str:
    """A whole picture with its title and description for those who do not see it."""
    return (
        f'<svg class="chart {class_}" viewBox="0 0 {n(width)} {n(height)}" width="{n(width)}" '
        f'height="{n(height)}" role="img" aria-labelledby="{key}-t {key}-d">'
        f'<title id="{key}-t">{escape(title)}</title><desc id="{key}-d">{escape(description)}'
        f"</desc>{body}</svg>"
    )


def label(x: object, widest: int = 18) -> str:
    return shown(x, widest)
