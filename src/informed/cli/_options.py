"""Options that several commands share, each said once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from informed.documents import writers

F = TypeVar("F", bound=Callable[..., Any])


ANNOTATE = click.option(
    "--annotate", is_flag=True, help="Failed gates as ::error lines, for a GitHub action."
)


def output_options(*forms: str) -> Callable[[F], F]:
    """--format and --output, for a command that writes every format, or only these.

    Without --format the suffix of the file says it, where it is one of these forms.
    """
    forms = forms or writers.names()

    def chosen(ctx: click.Context, _: click.Parameter, form: str | None) -> str:
        output = ctx.params.get("output")
        if form is not None or output is None:
            return form or forms[0]
        meant = writers.suffixes().get(Path(output).suffix.lower(), forms[0])
        return meant if meant in forms else forms[0]

    def decorate(function: F) -> F:
        function = click.option(
            "--format",
            "form",
            type=click.Choice(forms),
            callback=chosen,
            help=f"What to write; by default what the suffix of --output says, or {forms[0]}.",
        )(function)
        return click.option(
            "--output",
            "-o",
            type=click.Path(dir_okay=False),
            is_eager=True,
            help="Write to this file.",
        )(function)

    return decorate


def source_options(function: F) -> F:
    """How to read a file, a query or a log; `reading` gathers what was given."""
    for option in reversed(SOURCE):
        function = option(function)
    return function


def columns(ctx: click.Context, _: click.Parameter, typed: str) -> list[str]:
    """Names of columns that begin with what was typed, from the head of the file: for the shell."""
    from informed.errors import InformedError
    from informed.sources.columns import names_of

    files = ctx.params.get("files") or ctx.args  # unparsed while an option waits for its value
    try:
        found = names_of(files[0]) if files else ()
    except (InformedError, OSError):
        return []
    return [name for name in found if name.startswith(typed)]


SOURCE = [
    click.option(
        "--real", metavar="COL", shell_complete=columns, help="Column of the real classes."
    ),
    click.option(
        "--predicted", metavar="COL", shell_complete=columns, help="Column of the predictions."
    ),
    click.option(
        "--by",
        metavar="COL",
        multiple=True,
        shell_complete=columns,
        help="A table for each value of this column.",
    ),
    click.option("--weights", metavar="COL", shell_complete=columns, help="Column of weights."),
    click.option("--frequency", is_flag=True, help="Weights are numbers of identical cases."),
    click.option("--positive", metavar="LABEL", help="Of two classes, the positive one."),
    click.option("--labels", metavar="A,B,…", help="The classes and their order."),
    click.option(
        "--abstain", metavar="LABEL", multiple=True, help="A prediction that is no answer."
    ),
    click.option(
        "--missing",
        type=click.Choice(["error", "drop", "abstain"]),
        help="What a missing label does: error, drop the case, or abstain where the prediction is "
        "missing. By default error; in logs and joins, where it is no answer, abstain.",
    ),
    click.option("--delimiter", metavar="CHAR", help="Between the columns of a text file."),
    click.option("--input-format", metavar="NAME", help="Read it as this kind of file or log."),
    click.option(
        "--option",
        "choices",
        metavar="NAME=VALUE",
        multiple=True,
        help="A choice of the source, such as filter=none of a log with several filters.",
    ),
    click.option("--on", metavar="COL", help="Two files: join them on this id."),
    click.option("--query", metavar="SQL", help="A database: the rows to count."),
    click.option("--table", "table_name", metavar="NAME", help="A database: the table to count."),
]


def reading(options: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `informed.read` among a command's options, those that were given."""
    by = tuple(options.pop("by"))
    labels, abstain = options.pop("labels"), list(options.pop("abstain"))
    given = {
        "real": options.pop("real"),
        "predicted": options.pop("predicted"),
        "by": (by[0] if len(by) == 1 else list(by)) if by else None,
        "weights": options.pop("weights"),
        "frequency": options.pop("frequency") or None,
        "positive": options.pop("positive"),
        "labels": None if labels is None else labels.split(","),
        "abstain": abstain or None,
        "missing": options.pop("missing"),
        "delimiter": options.pop("delimiter"),
        "input_format": options.pop("input_format"),
        "on": options.pop("on"),
        "query": options.pop("query"),
        "table": options.pop("table_name"),
        **dict(_choice(text) for text in options.pop("choices")),
    }
    return {name: value for name, value in given.items() if value is not None}


def _choice(text: str) -> tuple[str, Any]:
    """'rank=10' as a name and a value: a number or true/false where it is one."""
    import ast

    name, equals, value = text.partition("=")
    if not equals or not name:
        raise click.UsageError(f"{text!r} is no choice; write it as NAME=VALUE.")
    try:
        return name, ast.literal_eval(value.title() if value in ("true", "false") else value)
    except (ValueError, SyntaxError):
        return name, value


def written(text: str, output: str | None) -> None:
    """To the file, or to standard output."""
    if output is None or output == "-":
        click.echo(text)
    else:
        Path(output).write_text(text if text.endswith("\n") else text + "\n", encoding="utf-8")
        click.echo(f"wrote {output}", err=True)
