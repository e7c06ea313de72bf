"""The command line: parse, call the API, print. No statistics here.

Each command lives in its own module and is loaded only when it is called, so that `informed --help`
answers at once.
"""

from __future__ import annotations

import os
import re
import sys
from importlib import import_module

import click

COMMANDS = {  # the name, which its module has too (sample_size): what `informed --help` says
    "report": "How much better than guessing: the full report of a file or log.",
    "table": "The report of counts typed in, e.g. 56 20 / 12 12.",
    "compare": "Is one system better than another, or is it luck?",
    "describe": "What an evaluation log holds, and the command for each choice.",
    "agree": "How much raters agree beyond chance.",
    "judge": "The true rate behind the verdicts of a noisy judge.",
    "roc": "A score at every threshold: its area, and which threshold to use.",
    "sample-size": "How many cases, or items, it takes to show an informedness.",
    "assign": "Names for clusters, and what naming them is worth.",
    "odds": "Fair odds, and what predictions win at them.",
    "recover": "Every table that agrees with published figures, or proof of none.",
    "lab": "The lab in the browser: tables to play with, files, a tour.",
    "measures": "The catalogue of measures, or one of them.",
    "simulate": "Random tables of known truth: judge measures, intervals, tests.",
    "reproduce": "The figures and tables of the papers, drawn again.",
    "claims": "The papers' empirical claims, run again, each with a verdict.",
}


class Lazy(click.Group):
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
    from informed.errors import InformedError

    try:
        code = cli.main(standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except (click.exceptions.Abort, KeyboardInterrupt):
        _fail("interrupted.", 130)
    except click.ClickException as error:
        if isinstance(error, click.UsageError) and error.ctx is not None:
            _fail(f"{error.format_message()} (see {error.ctx.command_path} --help)", 2)
        _fail(error.format_message(), 2)
    except BrokenPipeError:  # the reader of our output has gone, as head does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except (InformedError, OSError, MemoryError) as error:
        if "--traceback" in sys.argv:
            raise
        _fail(_said(error), 2)


def _said(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror}."
    if isinstance(error, MemoryError):
        return "not enough memory for this input."
    return _in_options(str(error))


def _in_options(said: str) -> str:
    """Arguments of Python as the options that this command has for them: `unit_size` as --unit-size."""
    name = next((word for word in sys.argv[1:] if word in COMMANDS), "")
    command = cli.get_command(click.Context(cli), name)
    known = {word.lstrip("-").replace("-", "_") for x in command.params for word in x.opts} if command else set()

    def option(found: re.Match[str]) -> str:
        if found[1] not in known and not found[0].endswith("=`"):
            return found[0]
        value = found.groupdict().get("value")
        return f"--{found[1].replace('_', '-')}{'' if value is None else f' {value}'}"

    said = re.sub(r"""\b(\w+)=(?P<quote>["'])(?P<value>[\w,-]+)(?P=quote)""", option, said)
    return re.sub(r"`(\w+)=?`", option, said)


def _fail(message: str, code: int) -> None:
    click.echo(f"error: {message}", err=True)
    sys.exit(code)
