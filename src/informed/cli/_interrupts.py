"""Ctrl-C and a request to end: the command cleans up and ends with one line and exit code 130 (or 143)."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from _thread import interrupt_main
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

from informed.cli._streams import say

INTERRUPTED = 128 + signal.SIGINT
AGAIN = 0.02  # seconds after which an interruption is tried again that came while nothing can be interrupted
DEFAULTS = {"SIGINT": signal.default_int_handler, "SIGTERM": signal.SIG_DFL, "SIGHUP": signal.SIG_DFL}


class Pressed(list[int]):
    """The signals that were heard, and the threads that there were before."""

    def __init__(self) -> None:
        super().__init__()
        self.before = frozenset(threading.enumerate())


@contextmanager
def heard_interrupts() -> Iterator[Pressed]:
    """Note the signals that are to end a command, since libraries may make something else of a KeyboardInterrupt.

    SIGTERM, and the SIGHUP of a terminal that closes, are heard as well, so that temporary files are removed.
    """
    pressed = Pressed()

    def press(number: int, frame: FrameType | None) -> None:
        pressed.append(number)
        if not _imports(frame):
            raise KeyboardInterrupt
        later(number)

    def later(number: int) -> None:
        again = threading.Timer(AGAIN, _signal, [number])
        again.daemon = True
        again.start()

    def swallowed(lost: sys.UnraisableHookArgs) -> None:  # one that came while an object was deleted ends nothing
        if issubclass(lost.exc_type, KeyboardInterrupt) and pressed:
            later(pressed[-1])
        else:
            unraisable(lost)

    if threading.current_thread() is not threading.main_thread():
        yield pressed
        return
    numbers = {getattr(signal, name): default for name, default in DEFAULTS.items() if hasattr(signal, name)}
    # One that is ignored (nohup), or heard by somebody else, stays so.
    heard = {number: default for number, default in numbers.items() if signal.getsignal(number) is default}
    for number in heard:
        signal.signal(number, press)
    unraisable, sys.unraisablehook = sys.unraisablehook, swallowed
    if signal.SIGINT in heard:
        atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)  # what is done has its exit code
    try:
        yield pressed
    finally:
        sys.unraisablehook = unraisable
        for number, default in heard.items():
            signal.signal(number, default)


def _signal(number: int) -> None:
    """Send the main thread a signal, which wakes it as well."""
    main = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main is not None:
        signal.pthread_kill(main, number)
    else:
        interrupt_main(signal.Signals(number))


def _imports(frame: FrameType | None) -> bool:
    """Whether a module is being imported: half of one is a fault to all that come later, and some end with an abort."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def end_interrupted(pressed: Pressed) -> NoReturn:
    """Say that the command was interrupted, and end.

    A thread that is still inside a library would end the process with a fault when the interpreter closes, so that the
    process leaves at once where there is one.
    """
    own = threading.current_thread() is threading.main_thread()
    if own:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # pressed again, it is on its way out
    if sys.stderr is not None:
        say(f"error: {said_of(pressed)}.", sys.stderr)
    code = code_of(pressed)
    began = [x for x in threading.enumerate() if x not in pressed.before and not isinstance(x, threading.Timer)]
    others = [x for x in began if x.daemon]
    if own and others:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):
                stream.flush()
        os._exit(code)
    sys.exit(code)


def said_of(pressed: list[int]) -> str:
    """What ended a command."""
    name = signal.Signals(pressed[0]).name if pressed else "SIGINT"
    return "interrupted" if name == "SIGINT" else f"ended by {name}"


def code_of(pressed: list[int]) -> int:
    """The exit code of a command that was ended by a signal."""
    return 128 + pressed[0] if pressed else INTERRUPTED
