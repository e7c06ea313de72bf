"""Docstrings and signatures as Markdown, for the reference."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

WIDE = 96


class _Said:
    """An annotation that prints as it is written, without quotes."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def signature(path: str, function: Callable[..., Any], *, types: bool = True) -> str:
    """The call as it is written, without `self`; one parameter a line where it is long."""
    found = inspect.signature(function)
    kept = [p for name, p in found.parameters.items() if name not in ("self", "cls")]
    if types:
        kept = [p.replace(annotation=_said(p.annotation)) for p in kept]
        back = _said(found.return_annotation)
        back = inspect.Signature.empty if repr(back) == "None" else back
    else:
        kept = [p.replace(annotation=inspect.Parameter.empty) for p in kept]
        back = inspect.Signature.empty
    whole = path + str(inspect.Signature(kept, return_annotation=back))
    if len(whole) <= WIDE or not types:
        return whole
    each, starred = [], False
    for p in kept:
        if p.kind is p.KEYWORD_ONLY and not starred:
            each.append("*")
        starred = starred or p.kind in (p.KEYWORD_ONLY, p.VAR_POSITIONAL)
        each.append(str(p))
    tail = "" if back is inspect.Signature.empty else f" -> {back!r}"
    return f"{path}(\n" + "".join(f"    {line},\n" for line in each) + f"){tail}"


def _said(annotation: Any) -> Any:
    return _Said(annotation) if isinstance(annotation, str) else annotation


def first(doc: str) -> str:
    """The first paragraph, as Markdown."""
    return inline(doc.partition("\n\n")[0])


def markdown(doc: str) -> Iterator[str]:
    """Lines of Markdown: numpydoc's sections as lists, sessions and literals as code."""
    blocks = [block for block in re.split(r"\n\s*\n", doc) if block.strip()]
    section, literal = False, False
    for block in blocks:
        lines = block.split("\n")
        if len(lines) > 1 and re.fullmatch(r"-{3,}", lines[1]):
            yield from [f"**{lines[0]}**", ""]
            lines, section = lines[2:], lines[0] in ("Parameters", "Returns", "Raises")
            if not lines:
                continue
        if lines[0].startswith(">>>"):
            yield from ["```python", *lines, "```", ""]
        elif literal and lines[0].startswith(" "):
            yield from ["```", *inspect.cleandoc("\n".join(lines)).split("\n"), "```", ""]
        elif section:
            yield from [*_items(lines), ""]
        else:
            text = "\n".join(lines)
            literal = text.endswith("::")
            yield from [inline(text.replace("::", ":") if literal else text), ""]


def _items(lines: list[str]) -> Iterator[str]:
    """Names with what is said of them, as a list; plain words stay words."""
    names: list[str] = []
    words: list[str] = []
    for line in [*lines, None]:
        if line is None or (line and not line.startswith(" ")):
            if names and words:
                yield f"- {_names(names)}: {inline(' '.join(words))}"
                names, words = [], []
            if line is None:
                break
            names.append(line)
        else:
            words.append(line.strip())
    if names:
        yield inline(" ".join(names))


def _names(names: list[str]) -> str:
    each = [name.strip() for line in names for name in line.partition(" : ")[0].split(",")]
    return ", ".join(f"`{name}`" for name in each)


def inline(text: str) -> str:
    """Double backquotes as single ones; a star or a tag outside code is meant as it stands."""
    parts = re.split(r"(`+[^`]+`+)", text)
    for i, part in enumerate(parts):
        if i % 2:
            parts[i] = f"`{part.strip('`')}`"
        else:
            parts[i] = part.replace("*", "\\*").replace("<", "&lt;").replace("$", "\\$")
    return "".join(parts)
