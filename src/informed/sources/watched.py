"""Units of a run that is still going on: cases, or items with all their attempts, in the order in which they come."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from informed._numbers import plural
from informed.errors import SourceError
from informed.evidence.labels import text
from informed.evidence.seen import Seen
from informed.sources.following import STDIN, Columns, Growing, Rows
from informed.sources.logs.following import items_of
from informed.sources.logs.scheduled import Items

Answer = Hashable | None | list[Hashable | None]  # one, or those of all attempts


@dataclass(frozen=True)
class Batch:
    """Units that are there now."""

    real: list[Hashable] = field(default_factory=list)
    predicted: list[Answer] = field(default_factory=list)
    other: list[Answer] | None = None
    names: list[str | None] | None = None  # of items, where these have names
    index: list[int] | None = None  # at which place each was scheduled, where a column says it
    rows: list[int] = field(default_factory=list)  # that each ends at, with those left out behind it
    front: int = 0  # rows that are left out before the first
    again: list[tuple[int, str, int]] = field(default_factory=list)  # units before, item, rows of what was counted
    uneven: list[int] = field(default_factory=list)  # units with another number of attempts than was said
    problem: SourceError | None = None  # with what follows them

    def __len__(self) -> int:
        return len(self.real)


class Watched(Protocol):
    """What units come from."""

    @property
    def ended(self) -> bool:
        """Whether nothing more can come."""

    @property
    def stream(self) -> bool:
        """Whether it has an end that is waited for: standard input."""

    @property
    def rewritten(self) -> bool:
        """Whether it is written as a whole again and again, and may be met in the middle of that."""

    def batch(self, *, wait: float = 0.0, last: bool = False) -> Batch:
        """Units that are there now; with `last` those, too, that might have waited for more."""

    def took(self, batch: Batch, n: int) -> bool:
        """The first n units of a batch were counted; whether that brought anything further."""

    def where(self, batch: Batch, at: int) -> str:
        """Where a unit stands, for a sentence."""

    def said(self) -> list[str]:
        """What was not counted, and why."""

    def state(self) -> dict[str, Any]:
        """How far it is, as JSON can hold it."""

    def resume(self, held: dict[str, Any]) -> None:
        """Go on where a state was."""


# ---------------------------------------------------------------------- columns


@dataclass
class WatchedColumns:
    """JSON lines or CSV: a row is a case, or one of the attempts at an item, which follow each other."""

    columns: Columns
    roles: tuple[str, ...]  # what each column is: real, predicted, other, item, index
    epochs: int | None = None  # attempts at an item, if known
    abstain: frozenset[str] = frozenset()
    missing: str = "abstain"
    seen: Seen = field(default_factory=Seen)
    unread: str = ""  # what is said of the end of the file, where not all of it was counted
    left_out: int = 0  # rows without a real label
    uneven: int = 0  # items with another number of attempts than was said
    _rows: Rows | None = None
    _half: bool = False  # whether the rows are a last line without its end

    rewritten = False

    @property
    def ended(self) -> bool:
        """Whether a stream has ended; a file may always grow."""
        return self.stream and self.columns.source.ended

    @property
    def stream(self) -> bool:
        """Whether it is standard input."""
        return self.columns.source.path == STDIN

    def batch(self, *, wait: float = 0.0, last: bool = False) -> Batch:
        """Rows that are there, as units."""
        rows = self.columns.read(wait=wait)
        self._half, self.unread = False, ""
        if last and not len(rows) and rows.problem is None:
            rows = self._left(rows)
        self._rows = rows
        return self._units(rows, last=last and self.columns.source.ended)

    def took(self, batch: Batch, n: int) -> bool:
        """Be done with the lines of what was counted, and of what is left out before the next unit."""
        assert self._rows is not None
        for name in (batch.names or ())[:n]:
            if name is not None:
                self.seen.add(name)
        for before, name, rows in batch.again:
            if before <= n:
                self.seen.twice(name, rows)
        upto = batch.rows[n - 1] if n else batch.front
        self.left_out += self._rows.columns[self.roles.index("real")][:upto].count(None)
        self.uneven += sum(at < n for at in batch.uneven)
        if upto and self._half:
            self.columns.source.took([self.columns.source.half])
        else:
            self.columns.source.took(self._rows.until(upto))
        return upto > 0

    def where(self, batch: Batch, at: int) -> str:
        """The line at which a unit ends."""
        assert self._rows is not None
        return f"{self.columns.source.said}, line {self._rows.line(batch.rows[at] - 1):,}"

    def _left(self, rows: Rows) -> Rows:
        """What stands behind the last whole record: a line without its end is counted where it is whole, as JSON can
        be; what may be half of one is said, and what cannot be one is refused."""
        source = self.columns.source
        if rows.open and self.columns.swallowed(rows):
            return replace(rows, problem=self.columns.unclosed(rows))
        if rows.open:
            said = f"{source.said} ends in a quoted value that begins in line {rows.after + 1:,} and has no end: "
            self.unread = f"{said}{plural(rows.open, 'line')} not counted."
            return rows
        if not source.half.strip():
            return rows
        if not self.columns.kind and b"\r" in source.half.strip():
            said = f"{source.said} has lines that end with CR alone; write them with LF, as tr '\\r' '\\n' does."
            return replace(rows, problem=SourceError(said))
        whole = self.columns.last()
        if whole is None:
            self.unread = f"The last line of {source.said} has no end and may be half of one: it was not counted."
            return rows
        self._half = True
        return whole

    def _units(self, rows: Rows, *, last: bool) -> Batch:
        held = dict(zip(self.roles, rows.columns, strict=True))
        n, problem = self._refused(held, rows)
        if "item" not in held and None not in held["real"][:n]:  # every row is a unit
            answers = [self._answers(held, role, slice(n)) for role in ("predicted", "other")]
            real: list[Any] = held["real"][:n]
            index = [int(x or 0) for x in held["index"][:n]] if "index" in held else None
            return Batch(real, answers[0] or [], answers[1], index=index, rows=list(range(1, n + 1)), problem=problem)

        item = held.get("item", [None] * n)
        found = Batch(names=[], problem=problem)
        found = replace(found, other=[] if "other" in held else None, index=[] if "index" in held else None)
        starts = [i for i in range(n) if i == 0 or item[i] is None or item[i] != item[i - 1]]
        stops = [*starts[1:], n] if starts else []
        waits = bool(starts) and not last and problem is None and item[starts[-1]] is not None
        if waits and (self.epochs is None or stops[-1] - starts[-1] < self.epochs):  # more attempts may come
            starts, stops = starts[:-1], stops[:-1]
        now: set[str] = set()
        for a, b in zip(starts, stops, strict=True):
            found = self._unit(found, held, rows, a, b, now)
            if found.problem is not problem:
                break
        return found

    def _unit(
        self, found: Batch, held: dict[str, list[str | None]], rows: Rows, a: int, b: int, now: set[str]
    ) -> Batch:
        """A batch with the unit of these rows, or with these rows left out."""
        name = held["item"][a] if "item" in held else None
        at = [i for i in range(a, b) if held["real"][i] is not None]
        if name is not None and (name in self.seen or name in now):
            found.again.append((len(found), name, b - a))
            at = []
        if not at:
            if not len(found):
                return replace(found, front=b)
            found.rows[-1] = b
            return found

        labels = dict.fromkeys(held["real"][i] for i in at)
        if len(labels) > 1:
            said = f"{self.columns.source.said}, line {rows.line(b - 1):,}: the item {text(name)} is really"
            return replace(found, problem=SourceError(f"{said} {' and '.join(map(text, labels))}."))
        now.update([] if name is None else [name])
        if name is not None and self.epochs not in (None, b - a):
            found.uneven.append(len(found))
        found.real.append(next(iter(labels)))
        for role, column in (("predicted", found.predicted), ("other", found.other)):
            if column is not None:
                given = [None if held[role][i] in self.abstain else held[role][i] for i in at]
                column.append(given[0] if len(at) == 1 else list(given))
        if found.index is not None:
            found.index.append(int(held["index"][at[0]] or 0))
        assert found.names is not None
        found.names.append(name)
        found.rows.append(b)
        return found

    def _answers(self, held: dict[str, list[str | None]], role: str, at: slice) -> list[Answer] | None:
        if role not in held:
            return None
        return [None if x in self.abstain else x for x in held[role][at]]

    def _refused(self, held: dict[str, list[str | None]], rows: Rows) -> tuple[int, SourceError | None]:
        """How many rows stand before one without a label that is needed, and what is said of that."""
        asked = {"real": "`missing='drop'` leaves such cases out"} if self.missing != "drop" else {}
        if self.missing == "error":
            answer = "`missing='abstain'` takes it as no answer, which is no bet"
            asked |= dict.fromkeys(("predicted", "other"), answer)
        at, role = min(((held[x].index(None), x) for x in asked if x in held and None in held[x]), default=(-1, ""))
        placed = held.get("index", [])
        astray = next((i for i, x in enumerate(placed) if not (x or "").isdecimal()), -1)
        if astray >= 0 and (at < 0 or astray < at):
            said = f"{self.columns.source.said}, line {rows.line(astray):,}: the place in the schedule is"
            return astray, SourceError(f"{said} {text(placed[astray])}; a whole number from 0 on is needed.")
        if at < 0:
            return len(rows), rows.problem
        label = "real label" if role == "real" else "answer"
        said = f"{self.columns.source.said}, line {rows.line(at):,}: the {label} is missing; {asked[role]}."
        return at, SourceError(said)

    def said(self) -> list[str]:
        """What was not counted, and why."""
        told = [self.unread] * bool(self.unread) + self.seen.said()
        if self.left_out:
            many = (
                f"{plural(self.left_out, 'row')} without a real label {'is' if self.left_out == 1 else 'are'} left out"
            )
            told.append(f"{many}: what is watched is the rest.")
        if self.uneven:
            many = f"{plural(self.uneven, 'item')} {'has' if self.uneven == 1 else 'have'}"
            told.append(
                f"{many} fewer or more than {plural(self.epochs or 0, 'attempt')} (`epochs`): counted as they are."
            )
        return told

    def asked(self) -> dict[str, Any]:
        """What is read from where; not how rows were refused, which none that was counted is."""
        return {**dict(zip(self.roles, self.columns.names, strict=True)), "epochs": self.epochs}

    def state(self) -> dict[str, Any]:
        """How far it is."""
        source = self.columns.source
        held = {"path": source.path, "offset": source.offset, "line": source.line, "head": source.known_by()}
        held |= {"kind": self.columns.kind, "header": self.columns.header, "delimiter": self.columns.delimiter}
        held |= {"ending": self.columns.ending.decode()}
        held |= {"asked": self.asked(), "abstain": sorted(self.abstain)}
        return {**held, "left_out": self.left_out, "uneven": self.uneven, "seen": self.seen.to_dict()}

    def resume(self, held: dict[str, Any]) -> None:
        """Go on behind the last line that was counted; standard input goes on by itself."""
        _check_asked(held, self.asked())
        if dropped := sorted(set(held["abstain"]) - self.abstain):
            raise _begun({"abstain": dropped[0]}, {"abstain": None}, "abstain")
        self.left_out, self.uneven = int(held["left_out"]), int(held["uneven"])
        self.seen = Seen.from_dict(held["seen"])
        source = self.columns.source
        if source.path == STDIN:
            return
        self.columns.kind, self.columns.header = held["kind"], held["header"]
        self.columns.delimiter, self.columns.ending = held["delimiter"], str(held.get("ending", "")).encode()
        self.columns.source = Growing(source.path, int(held["offset"]), int(held["line"]), held["head"])
        self.columns.source.check()


# ---------------------------------------------------------------------- logs


@dataclass
class WatchedLog:
    """An evaluation log, read again when it has grown; items that have all their attempts count."""

    path: str
    other: str | None = None  # the log of a second system on the same items
    kind: str | None = None
    how: dict[str, Any] = field(default_factory=dict)
    seen: Seen = field(default_factory=Seen)
    left_out: int = 0
    waiting: int = 0
    cut: bool = False
    ended: bool = False
    stream = False
    rewritten = True

    def batch(self, *, wait: float = 0.0, last: bool = False) -> Batch:
        """Items that were not counted yet."""
        paths = [self.path] if self.other is None else [self.path, self.other]
        first, *rest = (items_of(path, self.kind, **self.how) for path in paths)
        self.left_out, self.waiting, self.cut = first.left_out, first.waiting, first.cut
        theirs = _by_name(rest[0]) if rest else {}

        names: list[str | None] = []
        found = Batch(other=[] if rest else None, names=names)
        for name, real, answers, whole in zip(first.names, first.real, first.answers, first.whole, strict=True):
            if rest and name in rest[0].coming:  # all behind it wait, too
                self.waiting += len(first.names) - first.names.index(name)
                break
            if name in self.seen or not (whole or last) or (rest and name not in theirs):
                continue
            found.real.append(real)
            found.predicted.append(answers[0] if len(answers) == 1 else list(answers))
            if found.other is not None:
                other = theirs[name]
                found.other.append(other[0] if len(other) == 1 else list(other))
            names.append(name)
        return found

    def took(self, batch: Batch, n: int) -> bool:
        """Remember what was counted."""
        for name in (batch.names or ())[:n]:
            self.seen.add(str(name))
        return n > 0

    def where(self, batch: Batch, at: int) -> str:
        """The name of an item."""
        return f"{self.path}, item {text((batch.names or ())[at])}"

    def said(self) -> list[str]:
        """What was not counted, and why."""
        told = []
        if self.cut:
            told.append(f"The last line of {self.path} has no end and may be half of one: it was not counted.")
        if self.waiting:
            many = f"{plural(self.waiting, 'item')} {'waits' if self.waiting == 1 else 'wait'}"
            told.append(f"{many} for one that was scheduled before: not counted yet.")
        if self.left_out:
            told.append(
                f"{plural(self.left_out, 'case')} without a mark {'is' if self.left_out == 1 else 'are'} left out."
            )
        return told

    def state(self) -> dict[str, Any]:
        """What was counted."""
        return {"path": self.path, "asked": self.asked(), "seen": self.seen.to_dict()}

    def asked(self) -> dict[str, Any]:
        """What is read from where."""
        return {"other": self.other, "input_format": self.kind, **self.how}

    def resume(self, held: dict[str, Any]) -> None:
        """Go on with what was not counted, of the same log."""
        if Path(held["path"]).resolve() != Path(self.path).resolve():
            raise SourceError(f"What was begun is the log {held['path']}, and this is {self.path}.")
        _check_asked(held, self.asked())
        self.seen = Seen.from_dict(held["seen"])


def _check_asked(held: dict[str, Any], asked: dict[str, Any]) -> None:
    """Refuse to go on with other columns, or another part of a log, than what was begun."""
    begun = held.get("asked")
    if not isinstance(begun, dict):
        raise SourceError("This state does not say what was read; begin again, with a new file as `state`.")
    for role in dict.fromkeys([*begun, *asked]):
        if begun.get(role) != asked.get(role):
            raise _begun(begun, asked, role)


def _begun(begun: dict[str, Any], asked: dict[str, Any], role: str) -> SourceError:
    was, now = (f"`{role}={x[role]!r}`" if x.get(role) is not None else f"no `{role}`" for x in (begun, asked))
    return SourceError(f"What was begun has {was}, and here is {now}; another run needs a new file as `state`.")


def _by_name(held: Items) -> dict[str, Sequence[Hashable | None]]:
    return dict(zip(held.names, held.answers, strict=True))
