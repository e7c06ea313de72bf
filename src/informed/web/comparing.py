"""Systems on the same items, however the files hold them: what the Data panel shows of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import informed
from informed.errors import InformedError
from informed.evidence.paired import Paired
from informed.sources.columns import names_of
from informed.systems.leaderboard import Leaderboard
from informed.web import limits
from informed.web.columns import names
from informed.web.numbers import Json, number
from informed.web.results import saved

PAIRS = 60  # differences that are listed


def compared(job: Json, progress: Callable[[float], None]) -> Json:
    """Values, ranks that the data support, who is tied, and the difference of every two."""
    held = systems(job["files"], job["given"], progress)
    if len(held.names) > limits.SYSTEMS:
        raise InformedError(
            f"There are {len(held.names):,} systems; the lab compares up to {limits.SYSTEMS}. Is "
            "that the column that names them?"
        )
    board = informed.leaderboard(predictions=held)
    two = None
    if len(held.names) == 2:
        better, worse = (board.names[s] for s in board.order)
        two = informed.compare.paired(held, a=better, b=worse)
    answer = saved(board if two is None else two, Path(job["folder"]))
    return {
        "id": job["id"],
        "answer": answer,
        "measure": board.measure,
        "basis": board.basis,
        "items": int(board.items),
        "systems": _systems(board),
        "pairs": _pairs(board),
        "differences": [] if two is None else _differences(two),
        "notes": list(map(str, board.notes)),
    }


def systems(files: list[dict[str, str]], given: Json, progress: Callable[[float], None]) -> Paired:
    """Columns side by side, rows below each other, or one file each joined on an id."""
    told: Json = {k: v for k, v in given.items() if v is not None}
    told |= {"missing": "abstain", "progress": progress}
    held = _joined(files, told) if len(files) > 1 else informed.read(files[0]["path"], **told)
    if not isinstance(held, Paired):
        raise InformedError("Which column names the item? Systems are compared on the same items.")
    return held


def _joined(files: list[dict[str, str]], told: Json) -> Any:
    """Files that all hold the real classes, or one that does and others with answers to join."""
    truth = told.pop("truth", None)
    called = names([file["name"] for file in files])
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
    return [
        {
            "name": str(board.names[s]),
            "value": number(board.estimate[s]),
            "low": number(board.low[s]),
            "high": number(board.high[s]),
            "chance": 0.0,
            "rank_low": int(board.rank_low[s]),
            "rank_high": int(board.rank_high[s]),
            "groups": [i for i, g in enumerate(board.groups) if board.names[s] in g],
            "beyond": bool(board.beyond_guessing[s]),
            "coverage": number(board.coverage[s]),
        }
        for s in board.order
    ]


def _pairs(board: Leaderboard) -> list[Json]:
    """Every two systems, the better first."""
    order = [board.names[s] for s in board.order]
    two = [board[a, b] for i, a in enumerate(order) for b in order[i + 1 :]]
    return [
        {"a": str(gap.a), "b": str(gap.b), **_difference(gap), "pvalue": number(gap.adjusted)} for gap in two[:PAIRS]
    ]


def _differences(c: Any) -> list[Json]:
    return [
        {
            "title": informed.find(d.measure).title,
            "a": number(d.a),
            "b": number(d.b),
            **_difference(d),
            "pvalue": number(d.pvalue),
        }
        for d in (c[m] for m in c.measures)
    ]


def _difference(d: Any) -> Json:
    return {"value": number(d.estimate), "low": number(d.low), "high": number(d.high)}
