"""One sentence for every surface: an argument or a call stands in backticks, and each surface says it its own way.

In Python a message stays as it is written: `level`, `positive='spam'`, `informed.sample_size(0.2)`. The command line
says --level, --positive spam, informed sample-size 0.2. A surface that has no word for it says nothing of it: what is
only advice is kept apart from what was seen (see `InformedError`), and left out there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

_MARKED = re.compile(r"""(?<![“'"])`([^`\n]+)`""")  # a quote before it: it is a label, and labels are data
_ARGUMENT = re.compile(r"(\w+)(?:=(.*))?", re.DOTALL)


@dataclass(frozen=True)
class Argument:
    """An argument by its name; with a value where one is meant."""

    name: str
    value: Any = None

    def __str__(self) -> str:
        return self.name if self.value is None else f"{self.name}={self.value!r}"


@dataclass(frozen=True)
class Call:
    """A function of `informed`, with its arguments."""

    name: str
    values: tuple[Any, ...] = ()
    options: tuple[Argument, ...] = ()

    def __str__(self) -> str:
        given = ", ".join([*map(repr, self.values), *map(str, self.options)])
        return f"informed.{self.name}({given})" if given else f"informed.{self.name}"


Mark = Argument | Call | str
Speak = Callable[[Mark], str | None]


def listed(words: Iterable[object], last: str = "and") -> str:
    """Words one after the other, as a sentence has them.

    >>> listed("abc"), listed([1, 2], "or"), listed(["one"])
    ('a, b and c', '1 or 2', 'one')
    """
    *most, end = map(str, words)
    return f"{', '.join(most)} {last} {end}" if most else end


def worded(said: str, speak: Speak) -> str:
    """A sentence with what stands in backticks as a surface says it; what it cannot say stays as it is.

    >>> worded("Give `level`; see `t.dual`.", lambda x: f"--{x.name}" if isinstance(x, Argument) else None)
    'Give --level; see `t.dual`.'
    """
    return _MARKED.sub(lambda found: speak(mark(found[1])) or found[0].replace("=`", "`"), said)


def sayable(said: str, speak: Speak) -> bool:
    """Whether a surface has words for all that stands in backticks."""
    return all(speak(mark(inside)) is not None for inside in _MARKED.findall(said))


def mark(inside: str) -> Mark:
    """What stands in backticks: an argument, a call, or a text of its own.

    >>> mark("level="), mark("average='macro'"), mark("informed.power(50, method='exact')")
    (Argument(name='level', value=None), Argument(name='average', value='macro'), \
Call(name='power', values=(50,), options=(Argument(name='method', value='exact'),)))
    >>> mark("t.answered")
    't.answered'
    """
    try:
        if argument := _ARGUMENT.fullmatch(inside):
            name, value = argument.groups()
            return Argument(name, ast.literal_eval(value) if value else None)
        call = ast.parse(inside, mode="eval").body
        if isinstance(call, ast.Attribute) and ast.unparse(call.value) == "informed":
            return Call(call.attr)
        if isinstance(call, ast.Call) and ast.unparse(call.func).startswith("informed."):
            values = tuple(map(ast.literal_eval, call.args))
            options = tuple(Argument(str(x.arg), ast.literal_eval(x.value)) for x in call.keywords)
            return Call(ast.unparse(call.func).removeprefix("informed."), values, options)
    except (SyntaxError, ValueError):
        pass
    return inside
