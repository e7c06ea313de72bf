"""What `assets/style.css` says of a role: one place for the colours of pages, files and figures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from informed.documents.assets import asset


@cache
def for_files() -> str:
    """The part of the style that a picture needs as a file of its own."""
    css = asset("style.css")
    colours, rules = css[: css.index("* {")], css[css.index("\nsvg {") : css.index("\n.sr {")]
    font = 'system-ui, "Segoe UI", Roboto, Arial, sans-serif'
    return f"{colours}{rules}\nsvg {{ font-family: {font}; background: var(--paper) }}"


@cache
def look(role: str) -> dict[str, str]:
    """Properties of a role on light paper, names of colours replaced by colours.

    >>> look("chance")["stroke"], look("tiny ink")["font-size"]
    ('#d9730d', '10.5px')
    """
    held = set(role.split())
    found: dict[str, str] = {}
    for classes, properties in _rules():
        if classes <= held:
            found |= properties
    return {name: _coloured(value, found) for name, value in found.items()}


def _coloured(value: str, found: dict[str, str]) -> str:
    if value == "currentColor":
        value = found.get("color", "var(--ink)")
    return re.sub(r"var\(--([\w-]+)\)", lambda m: _colours()[m[1]], value)


@cache
def _colours() -> dict[str, str]:
    """The colours of light paper by their names."""
    first = asset("style.css").partition("}")[0]
    return dict(re.findall(r"--([\w-]+): ([^;]+);", first))


@cache
def _rules() -> list[tuple[set[str], dict[str, str]]]:
    return list(_read(for_files()))


def _read(css: str) -> Iterator[tuple[set[str], dict[str, str]]]:
    """Classes that a rule wants, and what it says; only rules of classes matter here."""
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", css):
        properties = dict(re.findall(r"([\w-]+):\s*([^;]+?)\s*(?:;|$)", body))
        for selector in selectors.split(","):
            if re.fullmatch(r"(svg )?(\.[\w-]+)+", selector.strip()):
                yield set(re.findall(r"\.([\w-]+)", selector)), properties
