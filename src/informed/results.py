"""What every answer is made of: records that state its fields once, notes with a code, one base.

A result is data. `records()` says what it holds, as columns with a kind and rows; the frame, CSV,
JSON, the grids of its page, its text and its repr are made from that. How it looks is for
`documents` to say: the base class here is the one stair up to it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, cast, get_args

import numpy as np

from informed._arrays import plain as unboxed
from informed._files import write_whole
from informed.errors import one_of
from informed.evidence.frames import frame
from informed.measures.terms import TERMS

if TYPE_CHECKING:
    from informed.documents.document import Document
    from informed.evidence.joint import Joint
    from informed.evidence.table import Table

Severity = Literal["note", "warning"]
Axis = tuple[str, tuple[Any, ...]]  # what an axis of a stack runs over, and their names
Kind = Literal["label", "words", "number", "signed", "amount", "count", "p", "flag"]
KINDS = get_args(Kind)


UNFINISHED = "unfinished"  # the code of a note that a page says first: how a run ended that is not whole


@dataclass(frozen=True)
class Note:
    """What a careful reader should know; programs decide on its code, never on its text."""

    text: str  # two notes that say the same are one
    severity: Severity = field(default="note", compare=False)
    code: str = field(default="", compare=False)

    def __str__(self) -> str:
        return self.text


def warning(text: str, code: str = "") -> Note:
    """A note that must not be overlooked."""
    return Note(text, "warning", code)


@dataclass(frozen=True)
class Gate:
    """A condition that was asked for, and whether it holds; `bool(gate)` is that."""

    name: str  # such as informedness.low
    passed: bool
    sentence: str
    seen: float = math.nan
    wanted: float = math.nan
    pvalue: float = math.nan
    guard: bool = False  # it guards the others: where it fails, none of them was checked
    verdict: str = ""  # pass, fail, undecided where the data do not say, unchecked of a guard that fails
    counts_as: str = ""  # what an undecided one counts as, where that was asked for
    low: float = math.nan  # the limits that it was decided by
    high: float = math.nan
    enough: float = math.nan  # of an undecided one: how many items in all would decide it
    level: float = math.nan  # confidence level of these limits
    group: str = ""  # the group or slice that it is of; empty for the total
    at_most: bool = False  # whether what was seen must not exceed what is wanted

    def __post_init__(self) -> None:
        if not self.verdict:
            said = "pass" if self.passed else "unchecked" if self.guard else "fail"
            object.__setattr__(self, "verdict", said)

    def __bool__(self) -> bool:
        return self.passed

    def metrics(self) -> dict[str, float]:
        """Its numbers in one flat mapping: whether it holds, what was seen and wanted, and what decided it."""
        name = _key(self.name.replace(".", "_"))
        held = {"seen": self.seen, "wanted": self.wanted, "low": self.low, "high": self.high, "pvalue": self.pvalue}
        return finite({f"gate/{name}_passed": self.passed, **{f"gate/{name}_{key}": x for key, x in held.items()}})

    @property
    def open(self) -> bool:
        """Whether it neither holds nor fails: exit code 3."""
        return self.verdict in ("undecided", "unchecked") and not self.counts_as

    @property
    def said(self) -> str:
        """Its sentence as the line of a gate that does not hold."""
        return self.sentence if self.guard else f"{'gate undecided' if self.open else 'gate failed'}: {self.sentence}"


# ---------------------------------------------------------------------- records


@dataclass(frozen=True)
class Field:
    """A field of a result: its name, and how a person reads it."""

    name: str
    kind: Kind = "number"

    def __post_init__(self) -> None:
        assert self.kind in KINDS, f"{self.name} is of the kind {self.kind!r}"


@dataclass(frozen=True)
class Records:
    """What a result holds, stated once: columns and rows.

    >>> found = Records.of("class:label recall", [("spam", 0.5), ("ham", 1.0)])
    >>> found["recall"], len(found), found.names
    ((0.5, 1.0), 2, ('class', 'recall'))
    >>> found.dicts()[0]
    {'class': 'spam', 'recall': 0.5}
    """

    columns: tuple[Field, ...]
    rows: tuple[tuple[Any, ...], ...]

    @classmethod
    def of(cls, columns: Mapping[str, Kind] | str, rows: Iterable[Sequence[Any]]) -> Records:
        """Columns by name with their kinds (or as text: "class:label low high"), and rows of as many values."""
        if isinstance(columns, str):
            asked = (name.partition(":") for name in columns.split())
            columns = {name: cast("Kind", kind or "number") for name, _, kind in asked}
        return cls(tuple(Field(name, kind) for name, kind in columns.items()), tuple(tuple(row) for row in rows))

    @classmethod
    def beside(cls, columns: Mapping[str, tuple[Kind, Any]]) -> Records:
        """Columns by name with their kind and their values; single values are repeated."""
        held = {name: _many(values) for name, (_, values) in columns.items()}
        long = {len(values) for values in held.values() if values is not None}
        assert len(long) <= 1, f"columns of {sorted(long)} values"
        n = next(iter(long), 1)

        filled = [[columns[name][1]] * n if values is None else values for name, values in held.items()]
        kinds = {name: kind for name, (kind, _) in columns.items()}
        return cls.of(kinds, zip(*filled, strict=True))

    @classmethod
    def together(cls, several: Sequence[Records]) -> Records:
        """The rows of several, one after the other; what one of them does not hold is None there."""
        columns = {c.name: c.kind for held in several for c in held.columns}
        return cls.of(columns, [[row.get(name) for name in columns] for held in several for row in held])

    @classmethod
    def picked(cls, held: Result, names: str) -> Records:
        """Attributes of a result as columns: "bias won:signed=rows" has a kind and a name for the second, and
        "a=names.0" is the first of several."""
        found: dict[str, tuple[Kind, Any]] = {}
        for asked in names.split():
            column, _, where = asked.partition("=")
            name, _, kind = column.partition(":")
            x = _at(held, where or name)
            found[name] = (cast("Kind", kind) if kind else _kind(held, name, x), x)
        return cls.beside(found)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(c.name for c in self.columns)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.dicts())

    def __getitem__(self, name: str) -> tuple[Any, ...]:
        at = self.names.index(name)
        return tuple(row[at] for row in self.rows)

    def dicts(self) -> list[dict[str, Any]]:
        """A mapping for each row."""
        return [dict(zip(self.names, row, strict=True)) for row in self.rows]

    def select(self, *names: str) -> Records:
        """These columns, in this order."""
        places = [self.names.index(name) for name in names]
        return Records(
            tuple(self.columns[i] for i in places), tuple(tuple(row[i] for i in places) for row in self.rows)
        )

    def by(self, name: str) -> dict[str, dict[str, Any]]:
        """The rows by the values of a column."""
        return {str(row.pop(name)): row for row in self.dicts()}

    def where(self, **values: Any) -> Records:
        """The rows that have these values."""
        kept = [row for row, x in zip(self.rows, self, strict=True) if values.items() <= x.items()]
        return Records(self.columns, tuple(kept))

    def lists(self) -> dict[str, list[Any]]:
        """A list for each column."""
        return {name: list(self[name]) for name in self.names}

    def to_frame(self) -> Any:
        """A pandas or Polars data frame."""
        return frame(self.lists(), [c.name for c in self.columns if c.kind == "label"])


def axes_of(t: Table | Joint, *, classes: bool = False) -> tuple[Axis, ...]:
    """The axes of a stack with their names, or numbers; the last may be the classes.

    >>> from informed.evidence.table import Table
    >>> axes_of(Table.from_counts([[[1, 2], [3, 4]]] * 2, names=["en", "fr"]))
    (('table', ('en', 'fr')),)
    """
    size = len(t.shape) - classes
    said = ["table"] if size == 1 else [f"axis {i}" for i in range(size)]
    said += ["class"] * classes
    named = (*t.axes, *[None] * (len(t.shape) - len(t.axes)))
    each = zip(said, named, t.shape, strict=True)
    return tuple((name, tuple(range(n)) if held is None else held) for name, held, n in each)


def along(axes: tuple[Axis, ...]) -> dict[str, tuple[Kind, Any]]:
    """Columns that say for each element of a stack where it stands."""
    shape = tuple(len(names) for _, names in axes)
    places = np.indices(shape).reshape(len(shape), math.prod(shape))
    each = zip(axes, places, strict=True)
    return {name: ("label", [names[i] for i in at]) for (name, names), at in each}


def _many(values: Any) -> list[Any] | None:
    """A column of values; None for a single one."""
    if isinstance(values, np.ndarray):
        return values.ravel().tolist() if values.ndim else None
    return list(values) if isinstance(values, (list, tuple)) else None


def picked(held: object, names: str) -> dict[str, Any]:
    """Attributes by their names, or by others: "counts=table.counts" is the table's counts.

    >>> picked(Note("said", code="x"), "code words=text first=text.0")
    {'code': 'x', 'words': 'said', 'first': 's'}
    """
    asked = (name.partition("=") for name in names.split())
    return {name: _at(held, where or name) for name, _, where in asked}


def _at(held: Any, where: str) -> Any:
    """An attribute, one of its own, or one of several by its place."""
    for name in where.split("."):
        held = held[int(name)] if name.isdigit() else getattr(held, name)
    return held


def plain_dict(held: Mapping[Any, Any]) -> dict[str, Any]:
    """A mapping as JSON can hold it."""
    return {str(key): plain(value) for key, value in held.items()}


def plain(x: Any) -> Any:
    """What JSON can hold; NaN and infinity are null.

    >>> plain({"a": float("nan"), 2: (1, np.float64(0.5)), "note": Note("said", code="x")})
    {'a': None, '2': [1, 0.5], 'note': 'said'}
    """
    if isinstance(x, float):  # what there is most of comes first
        return float(x) if math.isfinite(x) else None
    if isinstance(x, str):
        return str(x)
    if x is None or isinstance(x, (bool, int)):
        return x
    if isinstance(x, (list, tuple)):
        return [plain(value) for value in x]
    if isinstance(x, Mapping):
        return plain_dict(x)
    if isinstance(x, Result):
        return plain(x.to_dict())
    if isinstance(x, Records):
        return plain(x.dicts())
    return plain(x.tolist()) if hasattr(x, "tolist") else str(x)


OF_ESTIMATE = ("estimate", "low", "high", "pvalue")
SETTINGS = ("level", "chance", "above_chance")  # numbers that are no finding


def flat_numbers(held: Records) -> dict[str, float]:
    """The finite numbers of records by name: of rows of the whole, or of all rows where each is of something.

    >>> flat_numbers(Records.of("class:label measure:words value low", [(None, "f1", 0.5, 0.1), ("a", "f1", 1, 1)]))
    {'f1': 0.5, 'f1_low': 0.1}
    """
    labels = [c.name for c in held.columns if c.kind == "label"]
    rows = held.dicts()
    whole = [row for row in rows if all(row[name] is None for name in labels)]
    numbers = [c.name for c in held.columns if c.kind not in ("label", "words") and c.name not in SETTINGS]

    differ = {"a", "b"} <= set(numbers)  # of two systems, which an estimate is the difference of

    found: dict[str, float] = {}
    for row in whole or rows:
        parts = [_key(row[name]) for name in (*labels, "measure") if row.get(name) not in (None, "")]
        for name in numbers:
            x = row[name]
            if isinstance(x, (bool, int, float, np.generic)) and math.isfinite(x):
                said = [*parts[:-1], f"{parts[-1]}_difference"] if differ and name in OF_ESTIMATE and parts else parts
                found[_unused("/".join(said), name, found)] = float(x)
    return found


def finite(numbers: Mapping[str, Any]) -> dict[str, float]:
    """The finite ones of numbers by name.

    >>> finite({"auc": 0.8, "low": float("nan")})
    {'auc': 0.8}
    """
    return {name: float(x) for name, x in numbers.items() if x is not None and math.isfinite(x)}


def _unused(of: str, name: str, found: Mapping[str, float]) -> str:
    """A key that is not there yet: two labels may differ by what a key cannot hold."""
    bare = of if of and name in ("estimate", "value") else f"{of}_{name}" if of else name
    key, n = bare, 2
    while key in found:
        key, n = f"{bare}_{n}", n + 1
    return key


def metric_name(text: str) -> str:
    """A name as trackers take it: letters, digits, spaces, "-", "_" and "/"."""
    return re.sub(r"[^\w\- /]", "_", text) or "_"


def _key(label: object) -> str:
    """A label as trackers take it in the name of a metric."""
    return re.sub(r"[^\w\- ]", "_", str(label)) or "_"


# ---------------------------------------------------------------------- the base of every answer


class Written:
    """What can be written: every format of `documents/writers`, by its name or by a suffix."""

    def write(self, form: str, **options: Any) -> str:
        """In a format, by its name or by the suffix of a file."""
        from informed.documents.paging import written

        return written(self, form, **options)

    def save(self, path: str | Path, **options: Any) -> Path:
        """Write it in the format that the suffix names; in a folder, as a page that is called by its title.

        An old file of that name stays as it is until the new one is complete.
        """
        path = Path(path)
        if path.is_dir():
            from informed.documents.paging import file_name

            path = path / file_name(self)
        write_whole(path, self.write(path.suffix.lower(), **options))
        return path

    def text(self, *, full: bool = False, **options: Any) -> str:
        """For a terminal or a pipe: one screen of it, or all (`full`); `width`, `colour`."""
        return self.write("text", full=full, **options)

    def html(self, **options: Any) -> str:
        """One page that needs no other file and no network."""
        return self.write("html", **options)

    def markdown(self, **options: Any) -> str:
        """For a repository, an issue, a chat."""
        return self.write("markdown", **options)

    def github(self, **options: Any) -> str:
        """Markdown for the step summary of a GitHub action."""
        return self.write("github", **options)

    def latex(self, **options: Any) -> str:
        """Sections and booktabs tables: a document, or with `whole=False` what goes into one."""
        return self.write("latex", **options)

    def csv(self, **options: Any) -> str:
        """Its records, at full precision."""
        return self.write("csv", **options)

    def json(self, **options: Any) -> str:
        """Numbers at full precision; what is undefined is null."""
        return self.write("json", **options)

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        from informed.documents.paging import notebook

        return notebook(self)


BESIDE = ("low", "high", "pvalue", "pvalue_low", "pvalue_high", "standard_error")  # what stands beside an estimate


def nothing_beside_undefined(result: object, *values: str) -> None:
    """Beside values that are undefined stands no limit and no p-value, and beside no lower limit no upper one."""
    held = {name: x for name in BESIDE if (x := vars(result).get(name)) is not None}
    ends = [held[name] for name in ("low", "high") if name in held]
    if not held or not all(isinstance(x, float | int | np.ndarray) for x in ends):
        return
    if all(type(x) is float for x in held.values()) and all(type(vars(result).get(x)) is float for x in values):
        lacking = any(map(math.isnan, ends)) if len(ends) == 2 else False
        if not lacking and not any(math.isnan(vars(result)[x]) for x in values):
            return  # nearly always, and of thousands of groups a hundred thousand times
    for value in values:
        x = vars(result).get(value)
        _undefined(result, np.isnan(x) if isinstance(x, float | np.ndarray) else False, held)
    if len(ends) == 2:
        _undefined(result, np.isnan(ends[0]) | np.isnan(ends[1]), {name: held[name] for name in ("low", "high")})


def _undefined(result: object, where: Any, held: Mapping[str, Any]) -> None:
    """NaN in all of these at these places."""
    if not np.any(where):
        return
    for name, x in held.items():
        if np.shape(x) == np.shape(where):
            object.__setattr__(result, name, unboxed(np.where(where, np.nan, x)))  # it is being made


class Result(Written):
    """An answer: frozen data that every format can write.

    A subclass is a frozen dataclass. It says what it holds in `records`, if that is more than its
    own fields, and names its page in `documents/pages`; everything else is made from those.
    """

    page: ClassVar[str] = ""  # the module in documents/pages that says it in words
    unlisted: ClassVar[tuple[str, ...]] = ()  # fields that are no columns
    kinds: ClassVar[Mapping[str, Kind]] = {}  # of fields whose kind their value does not show
    terms: str = "informed"  # whose names of measures its pages show; no field: data keep ours

    def __post_init__(self) -> None:
        nothing_beside_undefined(self, "estimate")

    def records(self) -> Records:
        """Its fields as columns: one row, or a row for each element of its arrays."""
        return Records.beside(dict(_columns(self)))

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data: what `json()` writes."""
        held = self.records()
        fields_ = held.dicts()[0] if len(held) == 1 else {"rows": held}
        return plain_dict({**fields_, "notes": getattr(self, "notes", ())})

    def metrics(self) -> dict[str, float]:
        """Its numbers in one flat mapping, as MLflow and W&B log them: `informedness`, `informedness_low`, …

        What has no finite value is left out. Of a report these are the numbers of the whole; its classes and groups
        are in `to_dict` and `to_frame`, and so are the points of a curve.
        """
        held = self.records()
        named = any(c.kind == "label" or c.name == "measure" for c in held.columns)
        return flat_numbers(held) if named or len(held) < 2 else {}

    def to_frame(self) -> Any:
        """A pandas or Polars data frame of its records."""
        return self.records().to_frame()

    def sentence(self) -> str:
        """The answer in a sentence or two; empty where only its page says it."""
        return ""

    def in_terms(self, terms: str) -> Self:
        """The same result, whose pages, text and repr name measures in these terms: "clinical" or "informed".

        >>> from informed import Table, interval
        >>> interval(Table.from_counts([[56, 20], [12, 12]]), "recall").in_terms("clinical")
        sensitivity 0.824 [0.719, 0.901] (95 % interval, mid-p)
        """
        one_of("terms", terms, TERMS)
        made = copy(self)
        vars(made)["terms"] = terms
        return made

    def document(self, **options: Any) -> Document:
        """What is said of it: an answer, sections, notes; `informed.report(result)` is the same."""
        from informed.documents.paging import document_of

        return document_of(self, **options)

    def __repr__(self) -> str:
        from informed.documents.paging import brief

        return brief(self)


class Plotted(Result):
    """An answer that has charts of its own: its page shows them, and `plot` draws them with matplotlib."""

    def plot(self, axes: Any = None) -> Any:
        """Draw its charts into these axes, or into a figure of its own, which is returned; needs the extra `plot`."""
        from informed.documents.paging import plotted

        return plotted(self, axes)


def _columns(result: Any) -> Iterator[tuple[str, tuple[Kind, Any]]]:
    """The fields of a dataclass that are columns, an interval as its three numbers."""
    held = [(f.name, getattr(result, f.name)) for f in fields(result)]
    listed = [
        (name, x)
        for name, x in held
        if name[0] != "_" and name not in ("axes", "notes", *result.unlisted) and x is not None
    ]
    shape = np.broadcast_shapes(*(x.shape for _, x in listed if isinstance(x, np.ndarray)))
    yield from along(getattr(result, "axes", ())).items()

    for name, x in listed:
        if isinstance(x, Result):  # an interval of its own
            for part, key in (("estimate", name), ("low", f"{name}_low"), ("high", f"{name}_high")):
                yield key, ("number", getattr(x, part))
        elif isinstance(x, np.ndarray):
            yield name, (_kind(result, name, x), np.broadcast_to(x, shape))
        elif isinstance(x, tuple) and shape and len(x) == math.prod(shape):
            yield name, (result.kinds.get(name, "label"), list(x))
        elif isinstance(x, (str, bool, int, float, np.generic)):
            yield name, (_kind(result, name, x), x)


def _kind(result: Any, name: str, x: Any) -> Kind:
    if name in result.kinds:
        return cast("Kind", result.kinds[name])
    if name == "pvalue":
        return "p"
    if isinstance(x, str):
        return "words"
    kind = np.asarray(x).dtype.kind
    return {"b": "flag", "i": "count", "u": "count", "f": "number"}.get(kind, "label")  # type: ignore[return-value]
