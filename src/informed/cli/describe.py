"""informed describe"""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path
from shlex import quote
from typing import Any

import click

from informed.cli._options import FULL, Source, output_options, written
from informed.documents.screen import LINES
from informed.evidence.shown import shown
from informed.evidence.table_text import width

COUNTED = (
    "format",
    "model",
    "systems",
    "task",
    "rows",
    "items",
    "repeats",
    "states",
    "closed",
    "why",
    "choose",
    "chosen",
    "choices",
)


@click.command("describe")
@click.argument("files", nargs=-1, required=True, metavar="LOG…", type=Source())
@click.option("--input-format", metavar="NAME", help="Read it as this kind of log.")
@output_options("text", "json")
def command(files: tuple[str, ...], input_format: str | None, form: str, output: str | None) -> None:
    """What an evaluation log holds, and the command for each choice.

    \b
    informed describe samples_mmlu.jsonl
    informed describe logs/
    """
    from informed.errors import SourceError
    from informed.sources.folders import without_target

    lost: list[Path] = []
    below = [path for file in files for path in (_below(file, lost) if input_format is None else [file])]
    found, problems = [], [without_target(link) for link in lost]
    for file in below:
        try:
            found.append(_described(file, input_format))
        except SourceError as error:
            if len(below) == 1:
                raise
            problems.append(f"{file}: {str(error).removeprefix(f'{file}: ')}")
    if form == "json":
        import json

        return written(json.dumps(found, indent=2, ensure_ascii=False, default=str), output)
    whole = output not in (None, "-") or click.get_current_context().meta.get(FULL, False)
    return written(_whole(found, problems) if whole else _screen(found, problems), output)


def _described(file: str, kind: str | None) -> dict[str, Any]:
    """What one log holds, and what can be asked of it."""
    from informed.errors import SourceError
    from informed.sources import logs
    from informed.sources.logs.reports import commands, described

    kind = kind or logs.recognise(file)
    if kind is None:
        raise SourceError(_no_log(file))
    log = logs.load(file, kind)
    systems = list(dict.fromkeys(case.system for case in log.cases if case.system))
    return {**described(log), "systems": systems, "commands": dict(commands(log, file))}


def _whole(found: list[dict[str, Any]], problems: list[str]) -> str:
    return "\n\n".join([*map(_text, found), *problems])


def _screen(found: list[dict[str, Any]], problems: list[str]) -> str:
    """One screen: all of a log, or a line for each of several."""
    lines = _whole(found, problems).splitlines()
    if len(lines) <= LINES:
        return "\n".join(lines)
    if len(found) > 1:
        files = [str(held["file"]) for held in found]
        parts = zip(*(file.split("/")[:-1] for file in files), strict=False)
        folder = "/".join(x[0] for x in takewhile(lambda names: len(set(names)) == 1, parts))
        named = [
            _line(x, file.removeprefix(f"{folder}/") if folder else file) for x, file in zip(found, files, strict=True)
        ]
        lines = [*([f"{folder}:"] if folder else []), *named, *problems]
    left = len(lines) - (LINES - 2)
    kept = lines if left <= 0 else [*lines[: LINES - 2], f"… {left:,} more"]
    return "\n".join([*kept, "More: --full shows all of it, with the command for each choice."])


def _line(held: dict[str, Any], file: str) -> str:
    """A log in a line: what it is, and how much."""
    counted = "items" if held["items"] else "rows"
    told = [str(held[x]) for x in ("format", "task") if held[x]]
    about = " · ".join(["", *told, f"{held[counted] or 0:,} {counted}"])
    return f"{shown(file, 80 - width(about))}{about}"


def _no_log(file: str) -> str:
    """Why nothing can be described."""
    path = Path(file)
    if not path.exists():
        return f"{file}: there is no such file or folder."
    if path.is_dir():
        return f"There is no evaluation log in {file}."
    if not path.stat().st_size:
        return f"{file} is empty; a log is needed."
    return (
        f"{file} is no evaluation log that is known; of a table with a row for each case, "
        f"`informed report {quote(file)} --real COLUMN --predicted COLUMN` makes the report."
    )


def _below(file: str, lost: list[Path]) -> list[str]:
    """The logs below a folder; what is a log, or nothing that is known, is itself."""
    from informed.sources.logs.suites import logs_in

    return logs_in(file, lost) or [file]


def _text(held: dict[str, Any]) -> str:
    """A log in lines: what it is, its numbers, and what can be asked of it."""
    lines = [str(held["file"]), *([f"  ! {held['unfinished']}"] if held["unfinished"] else [])]
    for name in COUNTED:
        value = held[name]
        if isinstance(value, dict):
            value = ", ".join(f"{n:,g} {state}" for state, n in value.items())
        if isinstance(value, list):
            value = ", ".join(map(str, value))
        value = ("no", "yes")[value] if isinstance(value, bool) else value
        if value not in (None, ""):
            lines.append(f"  {name:<10}{value}")
    for told in held["reported"]:
        of = ", ".join(str(told[x]) for x in ("scorer", "filter", "reducer", "task", "system") if x in told)
        lines.append(f"  reports   {told['name']} {told['value']:.4f}{f' ({of})' if of else ''}")
    wide = max((len(name) for name in held["commands"]), default=0)
    lines += [f"  {name:<{wide}}  {command}" for name, command in held["commands"].items()]
    return "\n".join(lines)
