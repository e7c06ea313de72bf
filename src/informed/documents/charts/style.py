"""What `assets/style.css` says of a role: one place for the colours of pages, files and figures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import TypeAlias

from informed.documents.assets import asset

Rule: TypeAlias = tuple[tuple[str, ...], str]  # its selectors, and what it says

_DARK: ContextVar[bool] = ContextVar("dark", default=False)
FONT = 'svg { font-family: system-ui, "Segoe UI", Roboto, Arial, sans-serif; background: var(--paper) }'


@cache
def _rules() -> tuple[Rule, ...]:
    """What the style says of pictures: of all text, and of classes."""
    css = asset("style.css")
    part = css[css.index("\nsvg {") : css.index("\n.sr {")]
    found = []
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", part):
        names = tuple(x.strip() for x in selectors.split(","))
        kept = tuple(x for x in names if re.fullmatch(r"svg( text)?|(svg )?(\.[\w-]+)+", x))
        if kept:
            found.append((kept, " ".join(body.split())))
    return tuple(found)


@cache
def colours(dark: bool = False) -> dict[str, str]:
    """The colours of light or dark paper by their names."""
    blocks = re.findall(r":root \{([^}]*)\}", asset("style.css"))
    return dict(re.findall(r"--([\w-]+): ([^;]+);", blocks[dark]))


def _classes(selector: str) -> set[str]:
    return set(re.findall(r"\.([\w-]+)", selector))


def for_file(drawn: str) -> str:
    """As much of the style as this picture needs as a file of its own."""
    used = {name for names in re.findall(r'class="([^"]*)"', drawn) for name in names.split()}
    rules = [FONT]
    for selectors, body in _rules():
        kept = [x for x in selectors if _classes(x) <= used]
        if kept:
            rules.append(f"{', '.join(kept)} {{ {body} }}")
    wanted = sorted(set(re.findall(r"var\(--([\w-]+)\)", "".join(rules))))

    def root(dark: bool) -> str:
        held = colours(dark)
        return f":root {{ {'; '.join(f'--{name}: {held[name]}' for name in wanted)} }}"

    scheme = ":root { color-scheme: light dark }"
    dark = f"@media (prefers-color-scheme: dark) {{ {root(True)} }}"
    return "\n".join((scheme, root(False), dark, *rules))


@contextmanager
def on_paper(dark: bool) -> Iterator[None]:
    """Within it, roles look as they do on dark paper, or on light."""
    before = _DARK.set(dark)
    try:
        yield
    finally:
        _DARK.reset(before)


def look(role: str) -> dict[str, str]:
    """Properties of a role, names of colours replaced by colours; on light paper unless `on_paper` says otherwise.

    >>> look("chance")["stroke"], look("tiny ink")["font-size"]
    ('#d9730d', '10.5px')
    """
    return _look(role, _DARK.get())


@cache
def _look(role: str, dark: bool) -> dict[str, str]:
    held = set(role.split())
    found: dict[str, str] = {}
    for selectors, body in _rules():
        if any(_classes(x) and _classes(x) <= held for x in selectors):
            found |= dict(re.findall(r"([\w-]+):\s*([^;]+?)\s*(?:;|$)", body))
    return {name: _coloured(value, found, dark) for name, value in found.items()}


def _coloured(value: str, found: dict[str, str], dark: bool) -> str:
    if value == "currentColor":
        value = found.get("color", "var(--ink)")
    return re.sub(r"var\(--([\w-]+)\)", lambda m: colours(dark)[m[1]], value)
