"""Texts of the papers' claims, questions and figures: data, with numbers taken from a run.

A text names its numbers in braces; ``numbers`` beside it says where each is found::

    comment = "It finds {often} where there is none."
    numbers.often = {of = "b outside a's", show = "one in"}

A number is a column of the rows of a run (a claim has one row, of its results). ``where`` chooses
rows: by a value, one of several, or ``{not = …}``. ``take`` is the only one, the least, the most,
or the farthest from 0. ``less`` and ``over`` first subtract or divide by a number, by another
column, or by the row that differs in the columns of a table. ``of`` may be several columns; one that
ends with ``*`` is each that begins so, and a ``*`` in another column is what the first ended with.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.resources import files
from typing import Any, TypeAlias

from informed.simulation.estimates import MonteCarlo

Row: TypeAlias = Mapping[str, Any]

MISSING = "…"  # the run did not get so far
WORDS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip


def templates(name: str) -> dict[str, Any]:
    """A file of ``papers/data``."""
    source = files(__package__) / "data" / f"{name}.toml"
    return tomllib.loads(source.read_text(encoding="utf-8"))


def texts(name: str) -> dict[str, Any]:
    """The same, line ends inside a text being spaces."""
    held: dict[str, Any] = _joined(templates(name))
    return held


def _joined(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _joined(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_joined(v) for v in value]
    return re.sub(r"\s*\n\s*", " ", value) if isinstance(value, str) else value


def told(text: str, numbers: Mapping[str, Mapping[str, Any]], rows: Sequence[Row]) -> str:
    """The text with its numbers from these rows.

    >>> rows = [{"K": 2, "error": MonteCarlo(0.169)}, {"K": 5, "error": MonteCarlo(0.5)}]
    >>> told("{x}", {"x": {"of": "error", "where": {"K": 2}, "show": "one in"}}, rows)
    'one in six'
    >>> told("up to {x}", {"x": {"of": "error", "take": "most"}}, rows)
    'up to .50'
    """
    return text.format_map(fields(numbers, rows))


def fields(numbers: Mapping[str, Mapping[str, Any]], rows: Sequence[Row]) -> dict[str, str]:
    """The numbers of a text, as it shows them."""
    found = {name: (number(spec, rows), spec.get("show", ".2")) for name, spec in numbers.items()}
    return {name: MISSING if x is None else shown(x, form) for name, (x, form) in found.items()}


def estimate(cell: Any) -> MonteCarlo:
    """A cell of a row: as it was run, as a file holds it, or a plain number."""
    if isinstance(cell, Mapping):
        return MonteCarlo(cell["value"], cell["error"])
    return cell if isinstance(cell, MonteCarlo) else MonteCarlo(float(cell))


def chosen(rows: Sequence[Any], **wanted: Any) -> list[Any]:
    """Rows in which every named column has this value, one of these, or not that."""
    return [r for r in rows if all(c in r and _fits(r[c], v) for c, v in wanted.items())]


def _fits(cell: Any, wanted: Any) -> bool:
    if isinstance(wanted, Mapping):
        return bool(cell != wanted["not"])
    return cell in wanted if isinstance(wanted, (list, tuple)) else bool(cell == wanted)


def number(spec: Mapping[str, Any], rows: Sequence[Row]) -> float | None:
    """The number that is meant; None where no row has it."""
    found = [
        _value(r, each, rows)
        for r in chosen(rows, **spec.get("where", {}))
        for each in _columns(spec, r)
        if r.get(each["of"], "") != ""
    ]
    return TAKE[spec.get("take", "only")](found) if found else None


def _columns(spec: Mapping[str, Any], row: Row) -> list[Mapping[str, Any]]:
    """The same number of each column that is meant."""
    several: list[Mapping[str, Any]] = []
    for of in [spec["of"]] if isinstance(spec["of"], str) else spec["of"]:
        if not of.endswith("*"):
            several.append({**spec, "of": of})
            continue
        begins = of.removesuffix("*")
        for end in (c.removeprefix(begins) for c in row if c.startswith(begins)):
            others = {k: v.replace("*", end) for k, v in spec.items() if k in ("less", "over") and isinstance(v, str)}
            several.append({**spec, "of": begins + end, **others})
    return several


def _value(row: Row, spec: Mapping[str, Any], rows: Sequence[Row]) -> float:
    """A cell, less and over what it is compared with."""
    value = estimate(row[spec["of"]]).value
    if "less" in spec:
        value -= _other(row, spec["of"], spec["less"], rows)
    if "over" in spec:
        value /= _other(row, spec["of"], spec["over"], rows)
    return value


def _other(row: Row, column: str, what: Any, rows: Sequence[Row]) -> float:
    """A number, another column of this row, or the same column of the row that differs as said."""
    if isinstance(what, str):
        return estimate(row[what]).value
    if isinstance(what, Mapping):
        plain = {c: v for c, v in row.items() if not isinstance(v, (Mapping, MonteCarlo))}
        return estimate(chosen(rows, **plain | dict(what))[0][column]).value
    return float(what)


def _only(found: Sequence[float]) -> float:
    if len(found) != 1:
        raise LookupError(f"{len(found)} rows are meant where one is")
    return found[0]


TAKE: dict[str, Callable[[Sequence[float]], float]] = {
    "only": _only, "least": min, "most": max, "farthest": partial(max, key=abs)
}  # fmt: skip


def shown(value: float, form: str) -> str:
    """A number as the pages write it: ``.2`` decimals, its size (``|.2|``), ``%``, ``whole``, or in words.

    >>> [shown(0.169, x) for x in (".2", ".1", "%", "one in")]
    ['.17', '.2', '17 %', 'one in six']
    >>> shown(-0.064, ".2"), shown(-0.064, "|.2|"), shown(9, ".0"), shown(0.999, ".2")
    ('−.06', '.06', '9', '1')
    """
    if form == "whole":
        return f"{value:.0f}"
    if form == "%":
        return f"{100 * value:.0f} %"
    if form in ("words", "one in"):
        whole = round(value if form == "words" else 1 / value)
        word = WORDS[whole] if 0 <= whole < len(WORDS) else str(whole)
        return word if form == "words" else f"one in {word}"

    digits = f"{abs(value):{form.strip('|')}f}"
    digits = f"{float(digits):g}" if float(digits) in (0, 1) else digits.removeprefix("0")
    return f"−{digits}" if value < 0 and form[0] != "|" and digits != "0" else digits
