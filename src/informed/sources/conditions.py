"""Which rows of a source are read: `where="split == 'test' and length > 20"`, the same at every door.

It is no SQL: a column, an operator and a value, joined by `and`. So nothing can be said in it that a source
would run, and a file, a frame and a database mean the same by it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, eq, ge, gt, le, lt, ne
from typing import Any

from informed.errors import SourceError
from informed.sources.engine import Name, Row, as_number

Value = str | float
HOW = "write column, operator and value, such as \"split == 'test' and length > 20\""
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
_SQL = {"==": "=", "!=": "<>"}
_SPELT = {"=": "==", "<>": "!="}
_TOKEN = re.compile(
    r"""\s*(?:(?P<quoted>"(?:[^"]|"")*"|'(?:[^']|'')*'|`[^`]*`)|(?P<op>==|!=|<>|<=|>=|=|<|>)|(?P<mark>[(),])"""
    r"""|(?P<word>[^\s"'`=!<>(),]+))"""
)


@dataclass(frozen=True)
class Condition:
    """A column, and what its value is to be: one of several for `in`."""

    column: str
    operator: str
    values: tuple[Value, ...]

    def sql(self, text: str, number: str, quote: Callable[[str], str]) -> str:
        """As SQL, of the column as text and as a number; a missing value is none."""
        each = [
            f"{text if isinstance(x, str) else number} {_SQL.get(self.operator, self.operator)} "
            f"{quote(x) if isinstance(x, str) else repr(x)}"
            for x in self.values
        ]
        return f"({' OR '.join(each)})"

    def expression(self, nw: Any, dtype: Any) -> Any:
        """As an expression of Narwhals, which is false where the value is missing."""
        column = nw.col(self.column)
        words = column if dtype in (nw.String, nw.Categorical, nw.Enum) else column.cast(nw.String)
        if dtype == nw.Boolean:  # libraries write it differently
            words = nw.when(column).then(nw.lit("true")).otherwise(nw.lit("false"))
        numeric = dtype.is_numeric()

        def one(x: Value) -> Any:
            if isinstance(x, str):
                return OPERATORS[self.operator](words.cast(nw.String), nw.lit(x))
            if not numeric:
                raise SourceError(f"The column {self.column!r} holds no numbers; put {x:g} into quotes.")
            return OPERATORS[self.operator](column, nw.lit(x))

        found = reduce(lambda a, b: a | b, map(one, self.values))
        return found & ~column.is_null()

    def holds(self, value: Any) -> bool:
        """Whether it is true of a value of Python."""
        if value is None:
            return False
        found = OPERATORS[self.operator]
        said = str(value).lower() if isinstance(value, bool) else str(value)
        return any(
            found(said, x) if isinstance(x, str) else (n := as_number(value)) is not None and found(n, x)
            for x in self.values
        )


def conditions(text: str | None) -> tuple[Condition, ...]:
    """The conditions that all must hold.

    >>> [(c.column, c.operator, c.values) for c in conditions("split = test and \\"my score\\" >= 0.5")]
    [('split', '==', ('test',)), ('my score', '>=', (0.5,))]
    >>> conditions("lang in ('en', 'fr')")[0].values
    ('en', 'fr')
    """
    if text is None:
        return ()
    if not isinstance(text, str):
        raise SourceError(f"`where` is a {type(text).__name__}; {HOW}. Filter a frame yourself for anything else.")
    tokens = _tokens(text)
    found: list[Condition] = []
    while True:
        found.append(_condition(tokens, text))
        if not tokens:
            return tuple(found)
        kind, word = tokens.pop(0)
        if kind != "word" or word.lower() != "and":
            raise SourceError(f"`where` is {text!r}, and {word!r} is not understood; {HOW}. There is `and`, and `in`.")


def kept(rows: list[Row], columns: Sequence[Name], asked: Sequence[Condition]) -> list[Row]:
    """The rows of which all conditions hold."""
    at = [(c, list(columns).index(c.column)) for c in asked]
    return [row for row in rows if all(c.holds(row[i]) for c, i in at)]


def filtered(frame: Any, nw: Any, asked: Sequence[Condition]) -> Any:
    """A frame of Narwhals with the rows of which all conditions hold."""
    schema = frame.collect_schema()
    return frame.filter(reduce(and_, [c.expression(nw, schema[c.column]) for c in asked]))


# ---------------------------------------------------------------- reading the text


def _tokens(text: str) -> list[tuple[str, str]]:
    found, at = [], 0
    while at < len(text.rstrip()):
        token = _TOKEN.match(text, at)
        if token is None:
            raise SourceError(f"`where` is {text!r}, which ends inside quotes or cannot be read; {HOW}.")
        found.append((str(token.lastgroup), token[token.lastgroup or 0]))
        at = token.end()
    return found


def _condition(tokens: list[tuple[str, str]], text: str) -> Condition:
    wrong = SourceError(f"`where` is {text!r}; {HOW}.")
    if len(tokens) < 3:
        raise wrong
    (kind, column), (how, operator) = tokens.pop(0), tokens.pop(0)
    if kind not in ("word", "quoted"):
        raise wrong
    name = _unquoted(column) if kind == "quoted" else column
    if how == "op":
        return Condition(name, _SPELT.get(operator, operator), (_value(tokens, wrong),))
    if operator.lower() != "in" or tokens.pop(0) != ("mark", "("):
        raise wrong

    values = [_value(tokens, wrong)]
    while tokens and tokens[0] == ("mark", ","):
        tokens.pop(0)
        values.append(_value(tokens, wrong))
    if not tokens or tokens.pop(0) != ("mark", ")"):
        raise wrong
    return Condition(name, "==", tuple(values))


def _value(tokens: list[tuple[str, str]], wrong: SourceError) -> Value:
    kind, word = tokens.pop(0) if tokens else ("", "")
    if kind == "quoted":
        return _unquoted(word)
    if kind != "word":
        raise wrong
    number = as_number(word)
    return word if number is None or number - number != 0 else number


def _unquoted(word: str) -> str:
    return word[1:-1].replace(word[0] * 2, word[0])
