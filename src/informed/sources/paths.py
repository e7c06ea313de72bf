"""Where the bytes are: paths, globs, folders of shards, standard input, URLs; and what they are."""

from __future__ import annotations

import codecs
import csv
import glob
import gzip
import io
import select
import sys
import tempfile
import zlib
from collections.abc import Hashable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from importlib import import_module
from pathlib import Path, PurePath
from typing import Any, BinaryIO
from urllib.parse import urlsplit, urlunsplit

from informed.errors import MissingExtra, SourceError, one_of
from informed.evidence.labels import text as shown_text
from informed.evidence.table_text import harmless
from informed.sources.conditions import Condition, conditions
from informed.sources.folders import files_below, matching
from informed.sources.progress import Progress
from informed.sources.unchanged import unchanged
from informed.sources.unpacking import check_readable, unpacked

HEAD = 1 << 20  # bytes in which a header must end
BLOCK = 1 << 20  # bytes of a stream that are kept at a time
TURN = 0.2  # seconds for which a pipe is waited for before signals are looked for
MOST_FILES = 100_000  # of a folder that is read as shards
KINDS = {
    **dict.fromkeys(("csv", "tsv", "tab", "psv", "txt", "dat"), "csv"),
    **dict.fromkeys(("parquet", "pq"), "parquet"),
    **dict.fromkeys(("json", "jsonl", "ndjson"), "json"),
    **dict.fromkeys(("arrow", "feather", "ipc", "arrows"), "arrow"),
    **dict.fromkeys(("xlsx", "xlsm"), "excel"),
    **dict.fromkeys(("db", "sqlite", "sqlite3"), "sqlite"),
    "duckdb": "duckdb",
}
MAGIC = (
    (b"PAR1", "parquet"),
    (b"ARROW1", "arrow"),
    (b"\xff\xff\xff\xff", "arrow"),
    (b"PK\x03\x04", "excel"),
    (b"SQLite format 3\x00", "sqlite"),
)
DATABASES = ("sqlite", "duckdb")
DELIMITERS = (",", "\t", ";", "|")
COMPRESSED = ("gz", "zst", "bz2")
BOM = "\ufeff"
MARKED = (  # the first bytes of a text, and what they say of its encoding
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True)
class Files:
    """Files of one kind that are read as one."""

    names: tuple[str, ...]  # paths, or URLs of `filesystem`
    shown: str
    filesystem: Any = None  # of fsspec, where the files are not on this machine
    kind: str = ""

    def open(self, name: str) -> BinaryIO:
        """The bytes of one of the files."""
        if self.filesystem is not None:
            stream: BinaryIO = self.filesystem.open(name, "rb")
            stream.seek(0)  # some filesystems hand out the same stream again
            return stream
        return Path(name).open("rb")


@dataclass(frozen=True, kw_only=True)
class Opening:
    """How sources are opened: the options that are not about labels."""

    cleanup: ExitStack  # closes what is opened
    delimiter: str | None = None
    quote: str = '"'
    encoding: str | None = None
    types: str | None = None
    input_format: str | None = None
    query: str | None = None
    table: str | tuple[str, ...] | None = None
    unknown: str = "error"
    where: str | None = None
    progress: Progress = None

    def __post_init__(self) -> None:
        one_of("types", self.types, (None, "text", "native"), SourceError)
        one_of("unknown", self.unknown, ("error", "ignore"), SourceError)
        quote: Any = self.quote  # as it was given
        if not isinstance(quote, str) or len(quote) > 1:
            raise SourceError(f"`quote` is {shown_text(quote)}; one character is needed, or '' for none.")
        encoding: Any = self.encoding
        if encoding is not None and not isinstance(encoding, str):
            raise SourceError(f"`encoding` is {shown_text(encoding)}; a name is needed, such as 'latin-1'.")

    def files(self, source: object) -> Files:
        """The files that a path, glob, folder, "-", URL or open file stands for, of the kind that
        was asked for or that they are."""
        path = str(once(source, self.cleanup))
        found = _remote(path) if "://" in path else _local(path)
        watch = ExitStack()
        if found.filesystem is None:
            watch.enter_context(unchanged(found.names))
        packed, found = found.names, unpacked(found, self.cleanup)
        for inner, name in zip(found.names, packed, strict=True):
            if inner != name:
                _SPOOLED[inner] = shown_as(name)
                self.cleanup.callback(_SPOOLED.pop, inner)
        asked = self.input_format
        found = replace(found, kind=KINDS.get(asked, asked) if asked else _kind_of_all(found))
        if found.kind not in DATABASES:  # which keep readers and writers apart by themselves
            self.cleanup.push(watch)
        return found

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        """What rows are to be read, where not all are."""
        return conditions(self.where)

    @property
    def native(self) -> bool:
        """Guess types, instead of taking labels as they are written."""
        return self.types == "native"


def can(source: object, method: str) -> bool:
    """Whether the class has this method; the frames of some libraries have every attribute."""
    return callable(getattr(type(source), method, None))


_SPOOLED: dict[str, str] = {}  # what streams and packed files are called, by the file that holds them


def redacted(source: str) -> str:
    """What a message calls a source: a URL without its user, password and query, a stream by its name.

    >>> redacted("postgresql://ann:secret@db.example.org:5432/evals?sslmode=require")
    'postgresql://db.example.org:5432/evals'
    """
    if "://" not in source:
        return shown_as(source)
    try:
        parts = urlsplit(source)
    except ValueError:
        return source.partition("://")[0] + "://…"
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def once(source: Any, cleanup: ExitStack) -> Any:
    """The same source, whose stream ("-", an open file, a pipe such as that of `<(…)`) is now a file."""
    if can(source, "read"):
        return _spooled(source, str(getattr(source, "name", "the stream")), cleanup)
    if not isinstance(source, (str, PurePath)):
        return source
    if str(source) == "-":
        if sys.stdin is None:
            raise SourceError("Standard input is closed; a file, or a pipe into -, is needed.")
        return _spooled(sys.stdin.buffer, "standard input", cleanup)
    try:
        here = Path(source).expanduser()
        if not here.is_fifo():
            return source
        with here.open("rb") as stream:
            return _spooled(stream, str(source), cleanup)
    except (OSError, ValueError):  # said where it is opened
        return source


def shown_as(source: object) -> str:
    """What messages and pages call a source."""
    return _SPOOLED.get(str(source), str(source))


def _spooled(stream: Any, shown: str, cleanup: ExitStack) -> str:
    """A stream in a temporary file: engines read files better than pipes."""
    spool = cleanup.enter_context(tempfile.NamedTemporaryFile(prefix="informed-"))  # noqa: SIM115
    try:
        for block in _blocks(stream):
            spool.write(block.encode() if isinstance(block, str) else block)
        spool.flush()
    except OSError as error:
        raise SourceError(f"{shown} cannot be read or kept in {spool.name}: {error.strerror or error}.") from None
    _SPOOLED[spool.name] = shown
    cleanup.callback(_SPOOLED.pop, spool.name)
    return spool.name


def _blocks(stream: Any) -> Iterator[Any]:
    """What a stream holds, to its end. A pipe is waited for in short turns: a signal that came just before it was read
    would wait for the next data, too."""
    pipe = sys.platform != "win32" and isinstance(stream, io.BufferedReader) and isinstance(stream.raw, io.FileIO)
    while True:
        while pipe and not select.select([stream], [], [], TURN)[0]:
            pass
        if not (block := stream.read1(BLOCK) if pipe else stream.read(BLOCK)):
            return
        yield block


def _local(path: str) -> Files:
    here = Path(path).expanduser()
    if here.is_char_device() or here.is_block_device() or here.is_socket():
        raise SourceError(f"{path} is a device or a socket, not a file.")
    if here.is_dir():
        names = list(map(str, files_below(here, hidden="._", most=MOST_FILES)))
        if not names:
            raise SourceError(f"The folder {path} holds no files; give a file or a folder of them.")
    elif here.exists():
        names = [str(here)]
    elif glob.has_magic(path):
        names = [str(p) for p in matching(str(here)) if p.is_file()]
        if not names:
            raise SourceError(f"No file matches {path}.")
    else:
        raise SourceError(f"There is no file {path}.{_meant(here)}")
    return Files(tuple(names), shown_as(path))


def _meant(path: Path) -> str:
    if "=" in str(path) and Path(str(path).partition("=")[2]).exists():
        return " NAME=path is for evaluation logs; systems in columns are called as their files."
    if not path.parent.is_dir():
        return f" There is no folder {path.parent} either."
    near = get_close_matches(path.name, [p.name for p in path.parent.iterdir()], n=1)
    return f" Did you mean {near[0]}?" if near else ""


def _remote(url: str) -> Files:
    try:
        fsspec: Any = import_module("fsspec")
    except ImportError:
        extra = "gcs" if url.startswith(("gs://", "gcs://")) else "s3"
        raise MissingExtra(f'Reading {redacted(url)} needs fsspec: pip install "informed[{extra}]"') from None

    shown = redacted(url)
    try:
        system, path = fsspec.core.url_to_fs(url)
        protocol = url.partition("://")[0]
        if system.isdir(path):
            found = [p for p in sorted(system.find(path)) if p.rpartition("/")[2][:1] not in (".", "_")]
        elif system.exists(path):
            found = [path]
        else:
            found = sorted(system.glob(path)) if glob.has_magic(path) else []
    except ImportError as error:
        raise MissingExtra(f"Reading {shown} needs one more package: {error}") from None
    except Exception as error:
        raise SourceError(f"{shown} cannot be reached: {_sentence(error)}") from None

    if not found:
        raise SourceError(f"There is no file {shown}.")
    names = tuple(p if "://" in p else f"{protocol}://{p.lstrip('/')}" for p in found)
    return Files(names, shown, system)


def _sentence(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".") + "."


def _kind_of_all(files: Files) -> str:
    """The kind that they all are."""
    kinds = {_kind(files, name): name for name in files.names}
    if len(kinds) > 1:
        (a, one), (b, other) = list(kinds.items())[:2]
        raise SourceError(
            f"{files.shown} holds files of several kinds: {one} is {a}, {other} is {b}. "
            "Give a pattern that matches one kind, such as *.csv."
        )
    kind = next(iter(kinds))
    if kind == "json" and not any(read_head(files, name, HEAD).strip() for name in files.names):
        raise SourceError(f"{redacted(files.shown)} is empty; at least one row is needed.")
    return kind


def _kind(files: Files, name: str) -> str:
    """What a file is: by its first bytes where they tell, else by its name."""
    head = read_head(files, name, 64)
    for magic, kind in MAGIC:
        if head.startswith(magic):
            return kind
    suffixes = [s[1:].lower() for s in Path(name).suffixes]
    if suffixes and suffixes[-1] in COMPRESSED:
        suffixes.pop()
    if suffixes and suffixes[-1] in KINDS:
        return KINDS[suffixes[-1]]
    return "json" if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[") else "csv"


def read_head(files: Files, name: str, size: int) -> bytes:
    """The first bytes of a file, decompressed."""
    packed = compression(files, name)
    with _reading(name), files.open(name) as stream:
        if packed != "gzip":
            return stream.read(size)
        with gzip.open(stream) as unzipped:
            return unzipped.read(size)


@contextmanager
def _reading(name: str) -> Iterator[None]:
    """Whatever goes wrong inside is said of this file."""
    try:
        yield
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise damaged(name) from None
    except IsADirectoryError:
        raise SourceError(f"{name} is a folder, not a file.") from None
    except PermissionError:
        raise SourceError(f"{name} cannot be opened: permission denied. Check who may read it.") from None
    except OSError as error:
        raise SourceError(f"{redacted(name)} cannot be read: {error.strerror or error}.") from None


def shortly(error: Exception) -> str:
    """What a library says of a file, on one line, without the file's bytes and not at length."""
    return harmless(" ".join(str(error).split())[:200])


def damaged(name: str) -> SourceError:
    return SourceError(f"{redacted(name)} is a damaged or incomplete gzip file; copy or download it again.")


def compression(files: Files, name: str) -> str | None:
    """How a text file is compressed, by its first bytes."""
    with _reading(name), files.open(name) as stream:
        start = stream.read(4)
    return "gzip" if start[:2] == b"\x1f\x8b" else None


def check_gzip(files: Files, name: str) -> None:
    """Read a gzip file to its end: DuckDB before 2.0 takes a truncated one for whole."""
    with _reading(name), files.open(name) as stream, gzip.open(stream) as unzipped:
        while unzipped.read(1 << 22):
            pass


# ---------------------------------------------------------------- the header of a text file


@dataclass(frozen=True)
class Header:
    """The first line of a text file."""

    columns: tuple[str, ...]
    delimiter: str
    compression: str | None
    encoding: str


def header(files: Files, name: str, wanted: Sequence[Hashable], how: Opening) -> Header:
    """Columns and delimiter of a text file: the delimiter is the one that gives `wanted`."""
    packed = compression(files, name)
    text, encoding = decoded(read_head(files, name, HEAD), name, how)

    def first(d: str) -> list[str]:
        return _record(text, d, how.quote, name)

    chosen = told_delimiter(name, how)
    if chosen is None:
        fitting = [d for d in DELIMITERS if all(w in first(d) for w in wanted)] if wanted else []
        chosen = fitting[0] if fitting else max(DELIMITERS, key=lambda d: len(first(d)))
    return Header(tuple(first(chosen)), chosen, packed, encoding)


def told_delimiter(name: str, how: Opening) -> str | None:
    """The delimiter that was given, or that the suffix of the file says."""
    if how.delimiter is None:
        return "\t" if Path(name).name.lower().removesuffix(".gz").endswith((".tsv", ".tab")) else None
    return one_character(how.delimiter)


def one_character(delimiter: str) -> str:
    """A delimiter by itself, which may have been given by its name."""
    named = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}
    found = named.get(delimiter.lower(), delimiter)
    if len(found) != 1 or found in '\r\n"':
        raise SourceError(f"`delimiter` is {delimiter!r}; one character is needed, such as ',' or 'tab'.")
    return found


def decoded(head: bytes, name: str, how: Opening) -> tuple[str, str]:
    """The beginning of a text file as text, and its encoding."""
    if not head.strip():
        raise SourceError(f"{redacted(name)} is empty; a header and at least one row are needed.")
    check_readable(head, redacted(name))
    encoding = _encoding(head, how)
    if not encoding.startswith(("utf-16", "utf-32")) and b"\x00" in head[:4096]:
        zeros = {e: head[at:400:2].count(0) for at, e in enumerate(("utf-16-be", "utf-16-le"))}
        wide = next((e for e, n in zeros.items() if n > 100 or 3 * n > len(head)), None)
        kinds = "CSV, Parquet, JSON, Arrow and Excel files can be read"
        can_be = kinds if wide is None else f'if it is text, give `encoding="{wide}"`'
        raise SourceError(f"{redacted(name)} is no text file (it holds zero bytes); {can_be}.")
    try:
        return head.decode(encoding).removeprefix(BOM), encoding
    except UnicodeDecodeError as error:
        if len(head) == HEAD and error.start > HEAD - 8:  # cut inside a character
            return head[: error.start].decode(encoding).removeprefix(BOM), encoding
        raise _undecodable(name, encoding, head[: error.start].count(b"\n") + 1) from None


def _encoding(head: bytes, how: Opening) -> str:
    """The encoding that was given, or that the first bytes say; else UTF-8."""
    if how.encoding is None:
        return next((name for mark, name in MARKED if head.startswith(mark)), "utf-8")
    try:
        known = codecs.lookup(how.encoding).name
    except LookupError:
        raise SourceError(f"There is no encoding {how.encoding!r}; try utf-8, cp1252 or latin-1.") from None
    return "utf-8" if known == "utf-8-sig" else known


def _undecodable(name: str, encoding: str, line: int) -> SourceError:
    return SourceError(
        f"{redacted(name)} is not in {encoding} (line {line:,}); say which encoding it is in, for instance "
        '`encoding="cp1252"` (Windows) or `encoding="latin-1"`.'
    )


def as_utf8(files: Files, name: str, encoding: str, cleanup: ExitStack) -> str:
    """The path of a text file in UTF-8 without a mark: DuckDB reads few other encodings, and Python all."""
    spool = cleanup.enter_context(tempfile.NamedTemporaryFile(prefix="informed-"))  # noqa: SIM115
    lines, first = 1, True
    packed = compression(files, name) == "gzip"
    with files.open(name) as raw, gzip.open(raw) if packed else nullcontext(raw) as stream:
        text = io.TextIOWrapper(stream, encoding, newline="")
        try:
            while block := text.read(1 << 20):
                spool.write((block.removeprefix(BOM) if first else block).encode())
                lines, first = lines + block.count("\n"), False
        except UnicodeError:
            raise _undecodable(name, encoding, lines) from None
        except (EOFError, gzip.BadGzipFile, zlib.error):
            raise damaged(name) from None
    spool.flush()
    return spool.name


def _record(text: str, delimiter: str, quote: str, name: str) -> list[str]:
    csv.field_size_limit(HEAD)
    quoting: Any = csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE
    lines = io.StringIO(text, newline="")
    try:
        record = next(csv.reader(lines, delimiter=delimiter, quotechar=quote or None, quoting=quoting))
    except (csv.Error, StopIteration):
        record = []
    if not record or (len(text) >= HEAD // 4 and lines.tell() >= len(text)):
        raise SourceError(
            f"{redacted(name)} does not begin with a header line of less than a megabyte; "
            "is it a text file with column names in its first line?"
        )
    return record
