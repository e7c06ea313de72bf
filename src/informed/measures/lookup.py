"""Finding a measure by its names, measures by a word, and why one is undefined."""

from __future__ import annotations

import ast
import difflib
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from informed.errors import MeasureError
from informed.evidence.calls import explained
from informed.evidence.labels import Label
from informed.evidence.table import Table
from informed.measures.elsewhere import INSTEAD
from informed.measures.needs import unmet
from informed.measures.registry import ALIASES, MEASURES, Function, Measure

SHORTEST = 3  # letters that begin a name and may stand for it in a suggestion
MeasureLike: TypeAlias = str | Measure | Function  # how a measure may be asked for

ENDS = {"'": "prime", "′": "prime", "+": "plus", "-": "minus", "−": "minus"}  # what a name of the papers may end in


@explained
def find(name: MeasureLike) -> Measure:
    """A measure by any of its names, with parameters if wanted.

    >>> find("mcc").name, str(find("f_beta(beta=2)"))
    ('matthews', 'f_beta(beta=2)')
    """
    if isinstance(name, Measure):
        return name
    if not isinstance(name, str):
        name = getattr(name, "__name__", None) or _no_measure(name)
    bare, bound = _parsed(name)
    found = _called(bare)
    takes = [*found.parameters, "average", "undefined"]
    for parameter in bound:
        if parameter not in takes:
            raise MeasureError(f"{found.name} has no parameter {parameter!r}; it takes {', '.join(takes)}.")
    return replace(found, bound=tuple(bound.items()))


def _called(bare: str) -> Measure:
    """The measure of this name, alias or title, however it is spaced and spelt."""
    plain = bare.strip().lower().replace("’", "'")
    for end, word in ENDS.items():
        if plain.endswith(end):  # DeltaP' is the dual of DeltaP, and PS+ and PS- are two measures
            plain = f"{plain.removesuffix(end).rstrip()}_{word}"
    for said in (plain.replace("'", ""), plain.replace("'s", "")):
        key = said.replace("-", "_").replace(" ", "_")
        found = MEASURES.get(ALIASES.get(key, key))
        if found is not None:
            return found
    spelt = bare.strip().lower().replace("’", "'")
    titled = next((m for m in MEASURES.values() if spelt in (m.title.lower(), m.facts.clinical.lower())), None)
    if titled is not None:
        return titled

    names = [*MEASURES, *ALIASES]
    near = difflib.get_close_matches(key, names)
    if not near and len(key) >= SHORTEST:
        near = [name for name in names if name.startswith(key)][:3]
    hint = f" Did you mean {', '.join(near)}?" if near else " See `informed measures`."
    if key in INSTEAD:
        hint = f" Type {INSTEAD[key]}."
    raise MeasureError(f"There is no measure called {bare.strip()!r}.{hint}")


def _no_measure(x: Any) -> str:
    raise MeasureError(f"A {type(x).__name__} is no measure; give its name, such as 'informedness', or its function.")


@explained
def search(text: str) -> list[Measure]:
    """Measures whose name, alias, title or description contains the text.

    >>> [m.name for m in search("youden")]
    ['informedness']
    """
    wanted = text.lower()

    def mentioned(m: Measure) -> bool:
        words = "\n".join((m.name, m.title, m.function.__doc__ or "", *m.facts.aka)).lower()
        return wanted in words or wanted in words.replace("_", " ")

    return [m for m in MEASURES.values() if mentioned(m)]


@explained
def why(t: Table, measure: MeasureLike, *, label: Label | None = None) -> Any:
    """Why a measure of this table is undefined; None where it is defined.

    For a stack, an array of reasons. With `label`, for that class against the rest.

    >>> why(Table.from_counts([[90, 10], [0, 0]]), "inverse_precision")
    "no case was predicted '−'"
    """
    m = find(measure)
    if label is not None:
        t = t.one_vs_rest(label)
    value = np.asarray(m(t))
    reasons = np.full(value.shape, None, dtype=object)
    for at in np.argwhere(np.isnan(value)):
        one = t[tuple(int(i) for i in at)] if t.shape else t
        reasons[tuple(at)] = _reason(m, one) or "it is 0/0 for this table"
    return reasons if t.shape else reasons.item()


def needs_prevalence(measure: MeasureLike) -> bool:
    """Whether a measure changes with the prevalence while recall and specificity stay.

    >>> needs_prevalence("precision"), needs_prevalence("recall"), needs_prevalence("informedness")
    (True, False, False)
    """
    return "prevalence" not in find(measure).facts.ignores


def _reason(m: Measure, t: Table) -> str | None:
    if "average" not in dict(m.bound):
        return unmet(t, m.facts.needs)
    for label in t.labels if t.n else ():  # the first class that has no value of its own
        if np.isnan(m.function(t.one_vs_rest(label), **m.own)):
            return unmet(t.one_vs_rest(label), m.facts.needs)
    return unmet(t, ("cases",))


def _parsed(text: str) -> tuple[str, dict[str, Any]]:
    """'f_beta(beta=2)' -> ('f_beta', {'beta': 2})"""
    if not text.rstrip().endswith(")"):
        return text, {}
    bare, _, inside = text.partition("(")
    try:
        call = ast.parse(f"f({inside}", mode="eval").body
        assert isinstance(call, ast.Call)
        if call.args or any(k.arg is None for k in call.keywords):
            raise ValueError
        return bare, {str(k.arg): _held(ast.literal_eval(k.value)) for k in call.keywords}
    except (SyntaxError, ValueError, AssertionError):
        raise MeasureError(f"{text!r} cannot be read; write a measure with parameters as f_beta(beta=2).") from None


def _held(value: Any) -> Any:
    """A list as something that a measure can be known by."""
    return tuple(map(_held, value)) if isinstance(value, list) else value
