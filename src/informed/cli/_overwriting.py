"""A command never writes over what it reads."""

from __future__ import annotations

import glob
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import click

from informed._files import same_file
from informed.errors import SourceError

WRITTEN = ("state", "out")  # options of commands that write a file of their own
MAY_NAME_FILES = ("other", "benchmark")  # options whose words may name a file that is read
LOCAL = ("sqlite", "duckdb", "file")  # URLs of files on this machine


def refuse_own_input(ctx: click.Context) -> None:
    """Refuse an --output that is one of the command's files, by whatever name, before anything is read."""
    output = ctx.params.get("output")
    if not output:
        return

    for name in WRITTEN:
        given = ctx.params.get(name)
        if given is not None and Path(given).resolve() == Path(output).resolve():
            raise SourceError(f"--output {output} and --{name} are the same file; give another name.")
    if not Path(output).is_file():
        return

    for given in _paths_of(ctx):
        if same_file(output, _read_for(given, output)) is not None:
            read = "the file that is read" if given == output else f"{given}, which is read"
            raise SourceError(f"--output {output} would write over {read}; give another name.")


def _paths_of(ctx: click.Context) -> Iterator[str]:
    """What names files among the words of a command: its arguments, and options that are paths."""
    for param in ctx.command.params:
        names_files = isinstance(param, click.Argument) or isinstance(param.type, click.Path)
        if param.name == "output" or not (names_files or param.name in MAY_NAME_FILES):
            continue
        value = ctx.params.get(str(param.name))
        yield from (str(x) for x in (value if isinstance(value, tuple) else (value,)) if x is not None)


def _read_for(given: str, output: str) -> Iterator[str | Path]:
    """The files that a path, a pattern, a folder or the URL of a database file stands for."""
    scheme, _, rest = given.partition("://")
    if rest:
        if scheme.lower() in LOCAL:
            yield unquote(rest.removeprefix("/"))
        return

    path = Path(given).expanduser()
    yield path
    if glob.has_magic(given):
        from informed.sources.folders import matching

        yield from matching(str(path))
    if path.is_dir() and path.resolve() in Path(output).resolve().parents and _is_data(Path(output)):
        yield output


def _is_data(path: Path) -> bool:
    """Whether a file in a folder of shards or logs is one of them; a page that was written there is not."""
    from informed.sources.logs import recognise
    from informed.sources.paths import COMPRESSED, KINDS

    suffixes = [s[1:].lower() for s in path.suffixes if s[1:].lower() not in COMPRESSED]
    return bool(suffixes and suffixes[-1] in KINDS) or recognise(path) is not None
