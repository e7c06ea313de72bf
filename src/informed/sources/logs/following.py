"""Items of an evaluation log that may still be written: those that have all their attempts, in the order of the log."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from informed.errors import SourceError
from informed.sources.logs import FORMATS, kind_of, load
from informed.sources.logs.log import Log
from informed.sources.logs.scheduled import Items, items_in


def items_of(
    path: str,
    kind: str | None = None,
    *,
    marks: bool = False,
    labels: Sequence[Hashable] | None = None,
    abstain: Any = None,
    **choices: Any,
) -> Items:
    """The items of a log that is there now; with `marks`, the scores of their answers, of any log.

    What ended in an error is no answer, with a score of 0, and what has no mark is left out. A last line without its
    end is left out. Of a log that knows the order in which items were scheduled, an item is there when all before it
    are: quick answers are more often right.
    """
    kind = kind or kind_of([path])
    if kind is None:
        raise SourceError(f"{path}: this is no evaluation log that is known.")
    chosen = choices.pop(FORMATS[kind].choose or "", None)
    log, cut = _loaded(path, kind, choices)
    cases = log.selected(None, None, chosen)
    held = log.selection(cases, count="errors", labels=labels, abstain=abstain)
    if not held.closed and not marks:
        if held.closed.so_far and log.facts.get("status") == "started":
            return Items((), (), (), ())  # items that are still to come may ask for other classes
        raise SourceError(f"{path}: {held.closed.why} Watch its score: --measure score --against 0.5.")
    return items_in(held, log.order, marks=marks, cut=cut)


def _loaded(path: str, kind: str, choices: dict[str, Any]) -> tuple[Log, bool]:
    """The log; of one whose last line has no end, its whole lines."""
    try:
        return load(path, kind, **choices), False
    except SourceError:
        with Path(path).open("rb") as file:
            raw = file.read()
        whole = raw[: raw.rfind(b"\n") + 1]
        if not whole or len(whole) == len(raw) or b"\0" in raw[:1000]:
            raise
        with TemporaryDirectory() as folder:
            beside = Path(folder) / Path(path).name
            beside.write_bytes(whole)
            return load(beside, kind, **choices), True
