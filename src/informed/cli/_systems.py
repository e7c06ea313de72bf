"""What `informed compare` reads: several systems on the same items, or on different ones."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from informed.cli._options import reading

if TYPE_CHECKING:
    from informed.evidence.paired import Paired
    from informed.evidence.table import Table

# The answers, the names of the systems in the order given, and which file holds the truth
Found = tuple["Paired | Table", tuple[Hashable, ...], int | None]


@dataclass(frozen=True)
class Systems:
    """Answers of systems, and how they are to be cut."""

    held: Paired | Table  # the same items, or a stack of tables of different ones
    names: tuple[Hashable, ...]  # in the order in which they were given
    slices: tuple[str, ...] = ()
    fold: str | None = None
    truth: int | None = None  # which file holds the real labels of all

    @property
    def paired(self) -> Paired | None:
        from informed import Paired

        return self.held if isinstance(self.held, Paired) else None


@dataclass(frozen=True)
class _Asked:
    """Which columns hold the systems, their items and what they are cut by."""

    predicted: tuple[str, ...]
    by: tuple[str, ...]
    item: str | None
    on: str | None
    fold: str | None
    unit: str | None
    one_file: bool

    @property
    def side_by_side(self) -> bool:
        return len(self.predicted) > 1

    @property
    def system(self) -> str | None:
        """The column that names the system, where one column holds the answers of all."""
        below = self.one_file and not self.side_by_side
        return self.by[0] if below and self.by else None

    @property
    def slices(self) -> tuple[str, ...]:
        return self.by if self.system is None else self.by[1:]

    @property
    def others(self) -> list[str]:
        """Columns of the items that are kept."""
        named = [x for x in (self.fold, self.unit) if x is not None]
        return list(dict.fromkeys([*self.slices, *named]))


def read_systems(files: tuple[str, ...], options: dict[str, Any]) -> Systems:
    """The systems of one file or several, from a command's options."""
    from informed import Paired
    from informed.errors import SourceError

    given = {name: options.pop(name) for name in ("predicted", "by", "item", "on")}
    given |= {name: options.pop(name) for name in ("fold", "unit")}
    asked = _Asked(**given, one_file=len(files) == 1)
    how = reading({**options, "predicted": None, "by": (), "on": None})

    logs = None if asked.predicted or "real" in how else _logs(files, how)
    if logs is not None:
        for name, value in {**given, "score": options.get("scores")}.items():
            if value:
                raise SourceError(f"Logs name their own items and columns; they take no --{name}.")
        return Systems(logs, logs.names)

    _check(asked, how)
    if not asked.one_file and (asked.on or asked.item):
        how.setdefault("missing", "abstain")  # in a join a missing answer is by nature no answer
    how["predicted"] = list(asked.predicted) if asked.side_by_side else asked.predicted[0]
    read_them = _one_file if asked.one_file else _files
    held, order, truth = read_them(files, how, asked)

    if isinstance(held, Paired):
        held = _with_clusters(held, asked)
    elif asked.others:
        raise SourceError(
            "Slices, folds and clusters are of the same items; give --item (or --on) with the "
            "column that names the item."
        )
    if len(order) < 2:
        raise SourceError(f"There is one system, {order[0]!r}; two at least are needed.")
    held = held.among(order) if isinstance(held, Paired) else held
    return Systems(held, order, asked.slices, asked.fold, truth)


def _check(asked: _Asked, how: dict[str, Any]) -> None:
    """Refuse what does not say which columns the systems are in."""
    from informed.errors import SourceError

    if not asked.predicted or "real" not in how:
        lacking = "--real" if "real" not in how else "--predicted"
        raise SourceError(f"Which columns hold the labels? Give {lacking} COL.")
    if len(set(asked.predicted)) < len(asked.predicted):
        raise SourceError("A column was given twice as --predicted; each system needs its own.")
    if not asked.one_file and asked.side_by_side:
        raise SourceError("Several files are a system each, so one --predicted is needed.")
    if asked.one_file and asked.on is not None:
        raise SourceError("--on joins several files; one file was given (use --item).")
    if asked.one_file and not asked.side_by_side and asked.system is None:
        raise SourceError(
            "There is one system. Give --predicted for each column of predictions, --by with "
            "the column that names the system, or a file for each system."
        )


def _with_clusters(held: Paired, asked: _Asked) -> Paired:
    """The same items in their clusters, without columns that nobody asked for."""
    from dataclasses import replace

    from informed.evidence.answers import weighed

    if asked.unit is not None:
        held = weighed(held, None, held.kept[asked.unit])
    return held if asked.others else replace(held, kept={})


def _logs(files: tuple[str, ...], how: dict[str, Any]) -> Paired | None:
    """Evaluation logs of the same items, a system each; None where the files are no logs."""
    from pathlib import Path

    from informed.sources import logs

    asked = how.get("input_format")
    if len(files) < 2 or asked not in (None, *logs.FORMATS):
        return None
    kinds = {logs.recognise(file) if Path(file).is_file() else None for file in files}
    kind = asked or (kinds.pop() if len(kinds) == 1 else None)
    if kind is None:
        return None
    given = {k: v for k, v in how.items() if k != "input_format"}
    return logs.paired(files, kind, **given)


def _one_file(files: tuple[str, ...], how: dict[str, Any], asked: _Asked) -> Found:
    """Systems side by side, or below each other."""
    from informed import read

    named: dict[str, Any] = {} if asked.item is None else {"item": asked.item}
    if asked.others and (asked.side_by_side or named):
        named["keep"] = asked.others
    if asked.system is not None:
        named["by"] = asked.system
    held = read(files[0], **how, **named)
    return held, tuple(held.names), None


def _files(files: tuple[str, ...], how: dict[str, Any], asked: _Asked) -> Found:
    """A file for each system; or the truth in one file, and predictions alone in the others."""
    from informed import read
    from informed.errors import SourceError
    from informed.sources.opening import names_of_files

    order = tuple(names_of_files(files))
    same = asked.on if asked.on is not None else asked.item
    if same is None:
        return read(list(files), **how), order, None

    keep: dict[str, Any] = {"keep": asked.others} if asked.others else {}
    at = _truth(files, how)
    if at is None:
        return read(list(files), **how, item=same, **keep), order, None

    answers = answering(files, at, how)
    if len(answers) < 2:
        raise SourceError(
            f"{files[at]} has the real labels and {answers[0]} the predictions of one system; give "
            "a file for each of two systems at least (informed report takes one)."
        )
    held = read(files[at], join=answers, on=same, item=same, **how, **keep)
    return held, tuple(names_of_files(answers)), at


def answering(files: tuple[str, ...], at: int, how: dict[str, Any]) -> list[str]:
    """The files with predictions; that of the real labels may have some of its own."""
    own = how["real"] != how["predicted"] and _has(files[at], how["predicted"], how)
    return [file for i, file in enumerate(files) if i != at or own]


def _truth(files: tuple[str, ...], how: dict[str, Any]) -> int | None:
    """Which file alone has the real labels, if the others have only predictions."""
    from informed.errors import SourceError

    real = how["real"]
    there = [_has(file, real, how) for file in files]
    if real == how["predicted"]:
        return 0  # the first file is the truth, as no column is both in one file
    if all(there) or not any(there):  # none: reading will say which column is missing
        return None
    if sum(there) == 1:
        return there.index(True)
    lacking = files[there.index(False)]
    raise SourceError(
        f"{sum(there)} files have the column {real!r}, and {lacking} has not; either every file "
        "has the real labels, or one file has them and the others hold predictions only."
    )


def _has(file: str, column: str, how: dict[str, Any]) -> bool:
    from informed.sources.columns import names_of

    opening = ("delimiter", "input_format", "query", "table")
    return column in names_of(file, **{name: how[name] for name in opening if name in how})
