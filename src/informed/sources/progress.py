"""Long reads: progress on a terminal, and Ctrl-C that stops the engine."""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TypeVar

Result = TypeVar("Result")
Progress = bool | Callable[[float], None] | None

PATIENCE = 1.0  # seconds before anything is shown
STOPPING = 10.0  # seconds that an interrupted query may take to end


def watched(
    work: Callable[[], Result],
    *,
    interrupt: Callable[[], None],
    fraction: Callable[[], float] | None,
    title: str,
    progress: Progress = None,
    longest: float | None = None,
) -> Result:
    """Do `work` in a thread while this one shows how far it is; Ctrl-C interrupts it.

    `progress` is None (on a terminal only), True, False, or a function of the share done. Work that takes more than
    `longest` seconds is interrupted, and a TimeoutError.
    """
    answer: list[Result] = []
    failure: list[BaseException] = []
    done = threading.Event()  # not `Thread.join`: one that is interrupted takes the thread for ended (Python 3.11)

    def run() -> None:
        try:
            answer.append(work())
        except BaseException as error:
            failure.append(error)
        finally:
            done.set()

    worker = threading.Thread(target=run, daemon=True)
    try:
        worker.start()
        _wait(done, fraction, title, progress, longest)
    except BaseException:  # Ctrl-C, mostly: leave no query running
        _stop(worker, done, interrupt)
        raise
    worker.join()
    if failure:
        raise failure[0]
    return answer[0]


def _stop(worker: threading.Thread, done: threading.Event, interrupt: Callable[[], None]) -> None:
    """Interrupt the work until it ends: between two queries there is nothing that an interruption could stop."""
    until = time.monotonic() + STOPPING
    while worker.ident is not None and not done.is_set() and time.monotonic() < until:
        interrupt()
        done.wait(0.05)


def _wait(
    done: threading.Event, fraction: Callable[[], float] | None, title: str, progress: Progress, longest: float | None
) -> None:
    until = math.inf if longest is None else time.monotonic() + longest
    if done.wait(PATIENCE):
        return
    with _shown(title, fraction is not None, progress) as update:
        while not done.is_set():
            if time.monotonic() > until:
                raise TimeoutError
            update(max(0.0, fraction()) if fraction else 0.0)
            done.wait(0.1)


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
