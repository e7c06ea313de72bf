"""What the command line calls the arguments and functions of Python."""

from __future__ import annotations

import shlex
from typing import Any

import click

from informed._wording import Argument, Call, Mark, Speak
from informed.cli._commands import COMMANDS


def speaker(command: click.Command | None) -> Speak:
    """How this command says what stands in backticks; None where it has no word for it."""
    known = {} if command is None else dict(_options(command))

    def speak(x: Mark) -> str | None:
        if isinstance(x, Argument):
            if x.name not in known and "choices" in known and x.name in _read_options():
                value = "…" if x.value is None else _word(x.value)
                return f"--option {shlex.quote(f'{x.name}={value}')}"
            return f"{known[x.name]}{_value(x.value)}" if x.name in known else None
        if isinstance(x, Call):
            x = _planned(x) if x.name == "power" else x
            name = x.name.replace("_", "-")
            said = [shlex.quote(_word(value)) for value in x.values]
            said += [f"--{option.name.replace('_', '-')}{_value(option.value)}" for option in x.options]
            return f"`{' '.join(('informed', name, *said))}`" if name in COMMANDS else None
        return f"`{x}`" if x.startswith("informed ") else None  # a command already

    return speak


def _planned(x: Call) -> Call:
    """The power of so many cases, which is asked of the sample size."""
    n, *informedness = x.values
    return Call("sample_size", tuple(informedness), (Argument("n", n), *x.options))


def _options(command: click.Command) -> list[tuple[str, str]]:
    """The options of a command by the names that Python has for them."""
    held = [(x, max(x.opts, key=len)) for x in command.params]
    return [
        (name, opt if isinstance(x, click.Option) else str(x.name).upper())
        for x, opt in held
        for name in (opt.lstrip("-").replace("-", "_"), str(x.name))
    ]


def _read_options() -> set[str]:
    """What --option takes: what `informed.read` and the readers of logs can be told."""
    from informed.sources.logs import ASKED, FORMATS
    from informed.sources.logs.parts import CALLED
    from informed.sources.read import ReadOptions

    own = (name for reader in FORMATS.values() for name in (*reader.options, reader.choose) if name)
    return {*ReadOptions.__annotations__, *ASKED, *own, *CALLED}


def _value(x: Any) -> str:
    return "" if x is None or x is True else f" {shlex.quote(_word(x))}"


def _word(x: Any) -> str:
    return ",".join(map(str, x)) if isinstance(x, (list, tuple)) else str(x)
