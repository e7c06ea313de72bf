"""The command line: parse, call the API, print. No statistics here.

Each command lives in its own module and is loaded only when it is called, so that `informed --help`
answers at once.
"""

from __future__ import annotations

import sys
from importlib import import_module
from itertools import pairwise
from typing import NoReturn

import click

from informed.cli._commands import COMMANDS as COMMANDS
from informed.cli._interrupts import INTERRUPTED, code_of, end_interrupted, heard_interrupts
from informed.cli._streams import Heard, prepare, say

FAULT = 70  # a mistake in informed itself, as sysexits.h has it
OF_JUDGES = dict.fromkeys(  # options that are looked for elsewhere
    ("--verdict", "--gold", "--judge"), "see informed judge for one system, informed verify for two or for a table"
)
LONGEST_WORD = 300  # of what is said again when it is refused


class Lazy(Heard):
    """A group that imports a command when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"informed.cli.{cmd_name.replace('-', '_')}")
        command = module.command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            ctx.fail(f"There is no command {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from informed import __version__

        click.echo(f"informed {__version__}")
        ctx.exit()


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, callback=_version, expose_value=False, is_eager=True)
@click.option("--traceback", is_flag=True, help="Show where an error came from.")
def cli(traceback: bool) -> None:
    """How much better than guessing is a classifier, and how sure are we?

    \b
    informed report predictions.csv --real truth --predicted answer
    informed table 56 20 / 12 12
    informed measures informedness
    """


def main() -> None:
    """Run, and turn every error raised on purpose into one line and exit code 2."""
    prepare()
    with heard_interrupts() as pressed:
        try:
            code = cli.main(prog_name="informed", standalone_mode=False)
            code = code if isinstance(code, int) else 0
            code = code_of(pressed) if pressed and code == INTERRUPTED else code
        except (Exception, KeyboardInterrupt) as error:
            if pressed or isinstance(error, click.exceptions.Abort | KeyboardInterrupt):
                end_interrupted(pressed)  # whatever was made of it on the way
            _failed(error)
        sys.exit(code)


def _failed(error: BaseException) -> NoReturn:
    from informed.errors import InformedError

    if isinstance(error, click.ClickException):
        if isinstance(error, click.NoSuchOption) and error.option_name in OF_JUDGES:
            _fail(f"{error.option_name} is of verdicts beside what people say: {OF_JUDGES[error.option_name]}.", 2)
        if isinstance(error, click.UsageError) and error.ctx is not None:
            _fail(f"{error.format_message()} (see {error.ctx.command_path} --help)", 2)
        _fail(error.format_message(), 2)
    if "--traceback" in sys.argv:
        raise error
    if isinstance(error, InformedError | OSError | MemoryError):
        _fail(_said(error), 2)
    said = " ".join(f"{type(error).__name__} {error}".split())  # no traceback reaches a user, and exit 1 means a gate
    _fail(f"this is a fault of informed, not of your input: {said} (informed --traceback … shows where).", FAULT)


def _said(error: BaseException) -> str:
    from informed.cli._wording import speaker
    from informed.errors import InformedError

    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror}."
    if isinstance(error, MemoryError):
        return "not enough memory for this input."
    name = next((word for word in sys.argv[1:] if word in COMMANDS), "")
    speak = speaker(cli.get_command(click.Context(cli), name))
    return _in_terms(error.worded(speak)) if isinstance(error, InformedError) else str(error)


def _in_terms(said: str) -> str:
    """An error in the terms that were asked for, wherever on the line they stand."""
    words = sys.argv[1:]
    if "--terms=clinical" not in words and ("--terms", "clinical") not in pairwise(words):
        return said
    from informed.measures.terms import spoken_in

    return spoken_in("clinical")(said)


def _fail(message: str, code: int) -> NoReturn:
    from informed.evidence.table_text import harmless

    short = (f"{word[:80]}…" if len(word) > LONGEST_WORD else word for word in message.split())
    if sys.stderr is not None:
        say(f"error: {harmless(' '.join(short))}", sys.stderr)
    sys.exit(code)
