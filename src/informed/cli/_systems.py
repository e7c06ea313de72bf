"""What `informed compare` reads: several systems on the same items, or on different ones."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from informed.cli._options import reading

if TYPE_CHECKING:
    from informed.evidence.paired import Paired
    from informed.evidence.table import Table


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


def read_systems(files: tuple[str, ...], options: dict[str, Any]) -> Systems:
    """The systems of one file or several, from a command's options."""
    from dataclasses import replace

    from informed import Paired, read
    from informed.errors import SourceError
    from informed.evidence.answers import weighed

    predicted, by, item, on = (options.pop(name) for name in ("predicted", "by", "item", "on"))
    fold, cluster = options.pop("fold"), options.pop("cluster")
    how = reading({**options, "predicted": None, "by": (), "on": None})
    logs = None if predicted or "real" in how else _logs(files, how)
    if logs is not None:
        given = {"by": by, "item": item, "on": on, "fold": fold, "cluster": cluster}
        given["score"] = options.get("scores")
        for name, value in given.items():
            if value:
                raise SourceError(f"Logs name their own items and columns; they take no --{name}.")
        return Systems(logs, logs.names)
    if not predicted or "real" not in how:
        lacking = "--real" if "real" not in how else "--predicted"
        raise SourceError(f"Which columns hold the labels? Give {lacking} COL.")
    if len(set(predicted)) < len(predicted):
        raise SourceError("A column was given twice as --predicted; each system needs its own.")
    how["missing"] = how.get("missing", "abstain")
    side_by_side = len(predicted) > 1
    system, slices = (None, by) if side_by_side or len(files) > 1 else (by[:1], by[1:])
    how["predicted"] = list(predicted) if side_by_side else predicted[0]
    others = tuple(dict.fromkeys([*slices, *(x for x in (fold, cluster) if x is not None)]))
    truth = None
    if len(files) > 1:
        if side_by_side:
            raise SourceError("Several files are a system each, so one --predicted is needed.")
        held, order, truth = _files(files, how, on if on is not None else item, others)
    else:
        if on is not None:
            raise SourceError("--on joins several files; one file was given (use --item).")
        if not side_by_side and not system:
            raise SourceError(
                "There is one system. Give --predicted for each column of predictions, --by with "
                "the column that names the system, or a file for each system."
            )
        named: dict[str, Any] = {} if item is None else {"item": item}
        if system:
            how["by"] = system[0]
        if others and (side_by_side or named):
            named["keep"] = list(others)
        held = read(files[0], **how, **named)
        order = tuple(held.names)
    if not isinstance(held, Paired) and others:
        raise SourceError(
            "Slices, folds and clusters are of the same items; give --item (or --on) with the "
            "column that names the item."
        )
    if isinstance(held, Paired) and cluster is not None:
        held = weighed(held, None, held.kept[cluster])
    if isinstance(held, Paired) and not others:
        held = replace(held, kept={})
    if len(order) < 2:
        raise SourceError(f"There is one system, {order[0]!r}; two at least are needed.")
    held = held.among(order) if isinstance(held, Paired) else held
    return Systems(held, order, tuple(slices), fold, truth)


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
    if given.get("missing") == "abstain":
        del given["missing"]  # it is what logs do
    return logs.paired(files, kind, **given)


def _files(
    files: tuple[str, ...], how: dict[str, Any], same: str | None, others: tuple[str, ...]
) -> tuple[Any, tuple[Hashable, ...], int | None]:
    """A file for each system; or the truth in one file, and predictions alone in the others."""
    from informed import read
    from informed.errors import SourceError
    from informed.sources.read import _names

    order = tuple(_names(files))
    if same is None:
        return read(list(files), **how), order, None
    keep: dict[str, Any] = {"keep": list(others)} if others else {}
    at = _truth(files, how["real"], how["predicted"])
    if at is None:
        return read(list(files), **how, item=same, **keep), order, None
    answers = answering(files, at, how["real"], how["predicted"])
    if len(answers) < 2:
        raise SourceError(
            f"{files[at]} has the real labels and {answers[0]} the predictions of one system; give "
            "a file for each of two systems at least (informed report takes one)."
        )
    held = read(files[at], join=answers, on=same, item=same, **how, **keep)
    return held, tuple(_names(answers)), at


def answering(files: tuple[str, ...], at: int, real: str, predicted: str) -> list[str]:
    """The files with predictions; that of the real labels may have some of its own."""
    from informed.sources.columns import names_of

    own = real != predicted and predicted in names_of(files[at])
    return [file for i, file in enumerate(files) if i != at or own]


def _truth(files: tuple[str, ...], real: str, predicted: str) -> int | None:
    """Which file alone has the real labels, if the others have only predictions."""
    from informed.errors import SourceError
    from informed.sources.columns import names_of

    there = [real in names_of(file) for file in files]
    if real == predicted:
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
