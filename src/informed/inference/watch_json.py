"""The state of a watch as JSON, and what may be merged."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from informed.errors import InferenceError, InformedError
from informed.evidence import table_json
from informed.evidence.labels import some
from informed.evidence.seen import Seen
from informed.inference.watch_cases import Kind
from informed.inference.watch_looks import Look
from informed.inference.watch_settings import Settings

if TYPE_CHECKING:
    from informed.inference.watch import Watch


def written(w: Watch) -> str:
    """All that a watch needs to go on."""
    stream = w._stream
    held = {
        "informed": {"schema": 1, "kind": "watch"},
        "settings": w.settings.to_dict(),
        "id": w.id,
        "merged": sorted(w.merged),
        "labels": stream.kinds.labels,
        "kinds": stream.kinds.kinds,
        "counts": stream.counts.tolist(),
        "n": stream.n,
        "last": None if stream.last is None else stream.last.to_list(),
        "path": [look.to_list() for look in stream.path],
        "looked": stream.looked,
        "order": stream.order,
        "seen": w._seen.to_dict(),
        "next": w._next,
        "held": sorted(w._held.items()),
        "stopped": w._stopped,
        "checked": w._checked,
    }
    try:
        digest = table_json.digest_of(json.loads(json.dumps(held, allow_nan=False)))
        return json.dumps({**held, "digest": digest}, ensure_ascii=False, allow_nan=False)
    except TypeError:
        raise InferenceError(
            f"The labels {some(stream.kinds.labels)} cannot be written as JSON; use text or numbers."
        ) from None


def read(cls: type[Watch], text: str, like: Watch | None) -> Watch:
    """The watch that this is the state of."""
    try:
        held = json.loads(text)
        table_json.check_schema(held, "watch", (1,))
        digest = held.pop("digest", None)  # which older versions did not write
        if digest is not None and digest != table_json.digest_of(held):
            raise InferenceError("This is not a watch that `to_json` wrote: it was changed since.")
        made = Settings(**{name: _tupled(x) for name, x in held["settings"].items()})
        found = cls(made)
        if like is not None:
            check_settings(made, like.settings)
        _restore(found, held)
    except InformedError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError, OverflowError) as error:
        raise InferenceError(f"This is not a watch that `to_json` wrote ({type(error).__name__}: {error}).") from None
    return found


def _restore(w: Watch, held: dict[str, Any]) -> None:
    stream = w._stream
    w.id, w.merged = str(held["id"]), set(held["merged"])
    stream.kinds.labels = [_tupled(x) for x in held["labels"]]
    for real, said, theirs in held["kinds"]:
        stream.kinds.number((int(real), tuple(said), None if theirs is None else tuple(theirs)))
    stream.counts = np.asarray(held["counts"], np.int64)
    stream.n, stream.looked = int(held["n"]), int(held["looked"])
    if int(stream.counts.sum()) != stream.n or len(stream.counts) > len(stream.kinds):
        raise ValueError("the counts do not add up")
    stream.last = None if held["last"] is None else Look.from_list(held["last"])
    stream.path = [Look.from_list(row) for row in held["path"]]
    stream.order = [int(x) for x in held["order"]]
    w._seen, w._next = Seen.from_dict(held["seen"]), int(held["next"])
    w._held = {int(place): int(kind) for place, kind in held["held"]}
    w._stopped = None if held["stopped"] is None else (int(held["stopped"][0]), str(held["stopped"][1]))
    w._checked = int(held["checked"])


def _tupled(x: Any) -> Any:
    return tuple(_tupled(y) for y in x) if isinstance(x, list) else x


def check_settings(held: Settings, wanted: Settings, *, but: tuple[str, ...] = ("stop",)) -> None:
    """Refuse to go on with other settings: all were fixed before the first case. A rule to stop by may change."""
    mine, theirs = held.to_dict(), wanted.to_dict()
    for name, value in mine.items():
        if name not in but and theirs[name] != value:
            raise InferenceError(
                f"The watch was begun with {name}={value!r}, and {name}={theirs[name]!r} is asked for now; what was "
                "declared may not change after the first case."
            )


def check_mergeable(w: Watch, other: Watch) -> None:
    """Refuse what would make the limits of both together untrue."""
    if other is w or other.id == w.id or other.id in w.merged or {w.id, *w.merged} & other.merged:
        raise InferenceError("The counts of this watch are in already; the same items count once.")
    check_settings(w.settings, other.settings)
    if w.settings.benchmark is not None:
        raise InferenceError("Watches of a benchmark cannot be merged: their bets depend on what came before.")
    if w.held or other.held:
        raise InferenceError(
            f"{(w.held or other.held):,} items wait for those scheduled before; merge when all are in."
        )
    if again := w._seen.digests & other._seen.digests:
        raise InferenceError(f"{len(again):,} items were counted by both watches; an item counts once.")


def add_counts(w: Watch, other: Watch) -> None:
    """The counts of both; looks stay those of the first."""
    w._look()
    mine, theirs = w._stream.kinds, other._stream.kinds
    new = [label for label in theirs.labels if label not in mine.labels]
    if len(mine.labels) + len(new) > max(2, len(mine.labels)):
        raise InferenceError("The two watches have more than two labels together; declare `labels` in both.")
    mine.labels += new
    at = [mine.labels.index(label) for label in theirs.labels] + [-1]  # the last is no answer

    def moved(kind: Kind) -> Kind:
        real, said, theirs = kind
        if w.settings.scores:
            return kind
        return at[real], _sorted(said, at), None if theirs is None else _sorted(theirs, at)

    counts = other._stream.counts.tolist()
    numbers = [mine.number(moved(kind)) for kind in theirs.kinds[: len(counts)]]
    total = np.zeros(len(mine), np.int64)
    total[: len(w._stream.counts)] = w._stream.counts
    np.add.at(total, numbers, counts)
    w._stream.counts, w._stream.n = total, w._stream.n + other.n
    w.merged |= {other.id, *other.merged}
    w._seen.digests |= other._seen.digests
    w._stream.again()


def _sorted(said: tuple[int, ...], at: list[int]) -> tuple[int, ...]:
    return tuple(sorted(at[x] for x in said))
