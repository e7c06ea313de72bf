"""The catalogue in words: what is known of each measure, as text for a person and as JSON.

Everything here is read off the facts and the docstrings; nothing is stated twice.
"""

from __future__ import annotations

import inspect
import math
import sys
import textwrap
from collections.abc import Iterable
from typing import Any

from informed.measures.lookup import find, search
from informed.measures.registry import MEASURES, Measure

_WIDTH = 88
_IGNORED = {
    "prevalence": "how common each real class is (prevalence)",
    "bias": "how often each label is predicted (bias)",
}
_ORDER = (
    "chance",
    "rates",
    "overlap",
    "agreement",
    "grades",
    "diagnosis",
    "cost_weighted",
    "association",
    "information",
)
_CLASSES = {"two": "two", "any": "two or more"}


def listing(text: str | None = None, width: int = 10_000) -> str:
    """All measures by family, a line each where that is not too wide; with a text, those that mention it.

    >>> print(listing("youden"))
    How much better than chance: informedness, markedness, correlation, and their determinants
      informedness  Probability that a prediction is informed about reality rather than guessed.
    """
    chosen = list(MEASURES.values()) if text is None else search(text)
    if not chosen:
        return f"No measure mentions {text!r}. See `informed measures` for all of them."
    wide = max(len(m.name) for m in chosen)
    entry = textwrap.TextWrapper(width, subsequent_indent=" " * (wide + 4), break_on_hyphens=False)
    blocks = [
        [*textwrap.wrap(title, width), *(entry.fill(f"  {m.name:<{wide}}  {m.summary}") for m in members)]
        for title, members in families(chosen)
    ]
    return "\n\n".join("\n".join(lines) for lines in blocks)


def page(name: str, width: int = _WIDTH) -> str:
    """All that is known of one measure, as plain text; a near miss is suggested.

    >>> print(page("tpr").splitlines()[0])
    recall: Recall
    """
    m, width = find(name), min(width, _WIDTH)
    body, example = _doc(m)
    lines = [f"{m}: {m.title}", "", textwrap.fill(m.summary, width)]
    for paragraph in body:
        lines += ["", textwrap.fill(paragraph, width)]
    lines.append("")
    known = facts(m)
    wide = max(len(label) for label, _ in known) + 2
    fact = textwrap.TextWrapper(width, subsequent_indent=" " * wide, break_long_words=False, break_on_hyphens=False)
    for label, words in known:
        fact.initial_indent = f"{label:<{wide}}"
        lines.append(fact.fill(words))
    if example:
        lines += ["", textwrap.indent(example, "  ")]
    return "\n".join(lines)


def facts_json(name: str | None = None, text: str | None = None) -> dict[str, Any]:
    """The facts of one measure, or by name of all, or of those that mention a text, as what JSON can hold."""
    if name is None:
        return {"measures": {m.name: _json(m) for m in (search(text) if text else MEASURES.values())}}
    return _json(find(name))


# ---------------------------------------------------------------------- used by the pages too


def families(measures: Iterable[Measure]) -> list[tuple[str, list[Measure]]]:
    """Measures under the title of their family, what this is all about first."""
    grouped: dict[str, list[Measure]] = {}
    for m in measures:
        grouped.setdefault(m.function.__module__, []).append(m)
    order = [f"informed.measures.{family}" for family in _ORDER]
    return [(_title(x), grouped[x]) for x in dict.fromkeys([*order, *grouped]) if x in grouped]


def facts(m: Measure) -> list[tuple[str, str]]:
    """What is declared of a measure, as (label, words); what is not stated is left out."""
    f = m.facts
    rows = [
        ("formula", f.tex),
        ("range", span(m)),
        ("best", "" if f.best is None else f"{number(f.best)}, for a perfect classifier"),
        ("chance", chance(m)),
        ("classes", _CLASSES[f.classes] + (", one of them positive" if m.sided else "")),
        ("undefined", "NaN without " + " or without ".join(f.needs)),
        ("limit", "" if f.limit is None else f'{number(f.limit)}, with undefined="limit"'),
        (
            "unchanged by",
            " and ".join(_IGNORED[i] for i in f.ignores) + (", for two classes only" if f.ignores_for_two else ""),
        ),
        ("dual", f.dual or ""),
        ("inverse", f.inverse or ""),
        ("parameters", ", ".join(f"{k}={v!r}" for k, v in m.parameters.items())),
        ("also called", ", ".join(f.aka)),
        ("references", "; ".join(f.refs)),
    ]
    return [(label, words) for label, words in rows if words]


def span(m: Measure) -> str:
    low, high = m.facts.bounds
    return f"{number(low)} to {number(high)}"


def chance(m: Measure) -> str:
    """What guessing scores: a number, another measure, or what it is on the expected table."""
    stated = m.facts.chance
    if stated is None:
        return "its value on the table of expected counts"
    if isinstance(stated, str):
        return "itself: guessing does not change it" if stated == m.name else f"the {stated}"
    return number(stated)


def number(x: float) -> str:
    """
    >>> number(-0.25), number(float("inf"))
    ('−0.25', '∞')
    """
    return "∞" if math.isinf(x) else f"{x:.4g}".replace("-", "−")


def _doc(m: Measure) -> tuple[list[str], str]:
    """Paragraphs of the docstring after its first line, and the example."""
    text = inspect.cleandoc(m.function.__doc__ or "")
    words, mark, example = text.partition(">>> ")
    paragraphs = [" ".join(p.split()) for p in words.split("\n\n")[1:]]
    return [p for p in paragraphs if p], (mark + example).strip()


def _title(module: str) -> str:
    return inspect.cleandoc(sys.modules[module].__doc__ or module).split("\n", 1)[0].rstrip(".")


def _json(m: Measure) -> dict[str, Any]:
    f = m.facts
    body, example = _doc(m)
    return {
        "name": m.name,
        "title": m.title,
        "family": m.function.__module__.rpartition(".")[2],
        "summary": m.summary,
        "description": body,
        "formula": f.tex,
        "bounds": [float(b) if math.isfinite(b) else None for b in f.bounds],
        "best": None if f.best is None or math.isinf(f.best) else float(f.best),
        "chance": f.chance,
        "classes": f.classes,
        "one_sided": m.sided,
        "needs": list(f.needs),
        "limit": f.limit,
        "ignores": list(f.ignores),
        "ignores_for_two_classes_only": f.ignores_for_two,
        "dual": f.dual,
        "inverse": f.inverse,
        "parameters": {k: _plain(v) for k, v in m.parameters.items()},
        "aliases": list(f.aka),
        "references": list(f.refs),
        "example": example,
    }


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, (bool, int, float, str)) else repr(value)
