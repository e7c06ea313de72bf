"""Long reads: progress on a terminal, and Ctrl-C that stops the engine."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TypeVar

Result = TypeVar("Result")
Progress = bool | Callable[[float], None] | None

PATIENCE = 1.0  # seconds before anything is shown


def watched(
    work: Callable[[], Result],
    *,
    interrupt: Callable[[], None],
    fraction: Callable[[], float] | None,
    title: str,
    progress: Progress = None,
) -> Result:
    """Do `work` in a thread while this one shows how far it is; Ctrl-C interrupts it.

    `progress` is None (on a terminal only), True, False, or a function of the share done.
    """
    answer: list[Result] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            answer.append(work())
        except BaseException as error:
            failure.append(error)

    worker = threading.Thread(target=run, daemon=True)
    worker.start()
    try:
        _wait(worker, fraction, title, progress)
    except BaseException:  # Ctrl-C, mostly: leave no query running
        interrupt()
        worker.join(10)
        raise
    if failure:
        raise failure[0]
    return answer[0]


def _wait(worker: threading.Thread, fraction: Callable[[], float] | None, title: str, progress: Progress) -> None:
    worker.join(PATIENCE)
    if not worker.is_alive():
        return
    with _shown(title, fraction is not None, progress) as update:
        while worker.is_alive():
            update(max(0.0, fraction()) if fraction else 0.0)
            worker.join(0.1)


def _shown(title: str, known: bool, progress: Progress) -> AbstractContextManager[Callable[[float], object]]:
    """What is told the share done: the caller's function, nobody, or a bar."""
    if callable(progress):
        return nullcontext(progress)
    if progress is False or (progress is None and not sys.stderr.isatty()):
        return nullcontext(lambda _: None)
    return bar(f"Reading {title}", known=known, force=progress or None)


@contextmanager
def bar(title: str, *, known: bool = True, force: bool | None = None) -> Iterator[Callable[[float], None]]:
    """A bar on the terminal that is told the share done, and gone at the end."""
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    console = Console(stderr=True, force_terminal=force)
    with Bar(*columns, TimeElapsedColumn(), console=console, transient=True) as drawn:
        task = drawn.add_task(title, total=1.0 if known else None)
        yield lambda share: drawn.update(task, completed=share)
