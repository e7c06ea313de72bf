"""Systems on the same items, however the files hold them: what the Data panel shows of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from itertools import combinations, islice
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, TypeAlias

import informed
from informed.errors import InformedError
from informed.evidence.labels import some
from informed.evidence.marks import Marks
from informed.evidence.paired import Paired
from informed.results import picked
from informed.sources.columns import names_of
from informed.systems.marks_comparison import MarksDifference
from informed.web import Json, limits
from informed.web.evaluation_logs import typed
from informed.web.results import saved, stem

if TYPE_CHECKING:
    from informed.systems.board import Leaderboard
    from informed.systems.comparison import Comparison

PAIRS = 60  # differences that are listed
Systems: TypeAlias = Paired | dict[Hashable, Marks]  # answers, or marks where answers are no classes


def named(given: list[str]) -> list[str]:
    """What systems are called whose files have these names.

    >>> named(["new.csv", "old.csv.gz"]), named(["run.csv", "run.tsv"]), named(["a.csv", "a.csv"])
    (['new', 'old'], ['run.csv', 'run.tsv'], ['a.csv', 'a.csv (2)'])
    """
    short = [PurePosixPath(name).name.partition(".")[0] or name for name in given]
    if len(set(short)) == len(short):
        return short
    again = [given[: i + 1].count(name) for i, name in enumerate(given)]
    return [name if n == 1 else f"{name} ({n})" for name, n in zip(given, again, strict=True)]


def compared(job: Json, progress: Callable[[float], None]) -> Json:
    """Values, ranks that the data support, who is tied, and the difference of every two."""
    given: Json = {k: v for k, v in job["given"].items() if v is not None}
    logs, design = given.pop("layout", None) == "logs", given.pop("design", None)
    held = of_logs(job["files"], given) if logs else systems(job["files"], given, progress)
    n = len(held.names if isinstance(held, Paired) else held)
    if n > limits.SYSTEMS:
        why = "" if logs else " Is that the column that names them?"
        raise InformedError(f"There are {n:,} systems; the lab compares up to {limits.SYSTEMS}.{why}")
    if design is not None and n > 2:
        raise InformedError(f"Chosen class sizes (case-control) are for two systems, and there are {n}.")
    board = informed.leaderboard(predictions=held)
    two = _two(held, *(board.names[s] for s in board.order[:2]), design=design) if n == 2 else None
    page, folder = (two or board).document(), Path(job["folder"])
    answer = saved(page, folder, files=[file["name"] for file in job["files"]], task="compare")
    return {
        "id": job["id"],
        "stem": stem(folder),
        "answer": answer,
        "called": "informedness" if isinstance(held, Paired) else "score",
        **picked(board, "measure basis items notes"),
        "systems": _systems(board),
        "pairs": _pairs(board),
        "differences": [] if two is None else _differences(two),
    }


def _two(held: Systems, better: Hashable, worse: Hashable, *, design: Any) -> Comparison | MarksDifference:
    if isinstance(held, Paired):
        return informed.compare.paired(held, a=better, b=worse, sampling=design or "multinomial")
    return informed.compare(held[better], held[worse], names=(better, worse))


def of_logs(files: list[dict[str, str]], given: Json) -> Systems:
    """The systems of evaluation logs: their answers, or their marks where the answers of one are no classes."""
    from informed.sources import logs
    from informed.sources.logs.parts import CALLED

    paths = [file["path"] for file in files]
    logs.check_one_kind(paths)
    kind = logs.kind_of(paths)
    if kind is None:
        raise InformedError("These are no evaluation logs that are known.")
    choices = typed(kind, given.get("choices", {}))
    known = logs.FORMATS[kind]
    of_load = (*known.options, *CALLED)
    of_format = {k: choices.pop(k) for k in list(choices) if k in of_load and k != known.choose}
    read = [logs.load(file["path"], kind, **of_format) for file in files]
    called = [file["name"] for file in files]
    called = called if len(set(called)) == len(called) else named(called)
    read = [replace(log, path=Path(name)) for log, name in zip(read, called, strict=True)]
    tasks = dict.fromkeys(log.task for log in read if log.task)
    if len(tasks) > 1:
        raise InformedError(f"These logs are of different tasks ({some(tasks)}); a task at a time is compared here.")

    closed = all(log.closed(chosen=choices.get(known.choose or "")) for log in read)
    return logs.paired(read, kind, **choices) if closed else logs.paired_marks(read, kind, **choices)


def systems(files: list[dict[str, str]], given: Json, progress: Callable[[float], None]) -> Paired:
    """Columns side by side, rows below each other, or one file each joined on an id."""
    told: Json = {k: v for k, v in given.items() if v is not None} | {"missing": "abstain", "progress": progress}
    held = _joined(files, told) if len(files) > 1 else informed.read(files[0]["path"], **told)
    if not isinstance(held, Paired):
        raise InformedError("Which column names the item? Systems are compared on the same items.")
    return held


def _joined(files: list[dict[str, str]], told: Json) -> Any:
    """Files that all hold the real classes, or one that does and others with answers to join."""
    truth = told.pop("truth", None)
    called = named([file["name"] for file in files])
    paths = {name: file["path"] for name, file in zip(called, files, strict=True)}
    if truth is None:
        return informed.read(paths, **told)
    at = int(truth)
    own = told["predicted"] != told["real"] and told["predicted"] in names_of(files[at]["path"])
    answers = {name: path for i, (name, path) in enumerate(paths.items()) if i != at or own}
    if len(answers) < 2:
        raise InformedError("There is one file with predictions; two at least are compared.")
    return informed.read(files[at]["path"], join=answers, on=told["item"], **told)


def _systems(board: Leaderboard) -> list[Json]:
    """Every system, the best first, and the groups of those that it cannot be told apart from."""
    return [
        {
            **{name: x[name] for name in ("low", "high", "rank_low", "rank_high", "coverage")},
            "name": str(x["system"]),
            "value": x["estimate"],
            "chance": 0.0,
            "beyond": x.get("beyond_guessing"),
            "groups": [i for i, group in enumerate(board.groups) if x["system"] in group],
        }
        for x in board.records()
    ]


def _pairs(board: Leaderboard) -> list[Json]:
    """Every two systems, the better first."""
    two = combinations([board.names[s] for s in board.order], 2)
    held = [board[a, b] for a, b in islice(two, PAIRS)]
    return [{**picked(x, "value=estimate low high pvalue=adjusted"), "a": str(x.a), "b": str(x.b)} for x in held]


def _differences(c: Comparison | MarksDifference) -> list[Json]:
    held = {c.measure: c} if isinstance(c, MarksDifference) else {informed.find(m).title: c[m] for m in c.measures}
    return [{"title": title, **picked(d, "a b value=estimate low high pvalue")} for title, d in held.items()]
