"""Inspect AI: `.eval` (a zip, usually of zstd members) and `.json` logs.

The real label is the target and the answer is what the scorer extracted; an empty answer is an
abstention. Letters are places of options, so the bias of a table is the model's position bias,
unless the solver shuffled the options: Inspect then writes the original letters.
Of a zip, only the header and the summaries of the samples are read. Summaries hold answers with
runs of white space made one (and cut after 1024 characters), so that is done to all labels here.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import IO, Any, BinaryIO, Literal

from informed.errors import InformedError, MissingExtra
from informed.evidence.labels import text
from informed.sources.logs import bounded_files as _files
from informed.sources.logs.bounded_files import (
    accepted_one,
    letters,
    mapping,
    mark,
    number,
    opened,
    parsed,
    problem,
    scalars,
    sequence,
    several,
    written,
)
from informed.sources.logs.formats import Format
from informed.sources.logs.log import Case, Log

ZSTANDARD = 93  # the method number of zstd in a zip, which zipfile knows from Python 3.14 on
CHUNK = 1 << 20
MEMBERS = (b"_journal/start.json", b"header.json")
OPENING = re.compile(r'\s*\{\s*"version":\s*\d+,\s*"status":\s*"\w+",\s*"eval":\s*\{')
VALUES = {"C": True, "I": False, "N": False}


def recognise(head: str) -> bool:
    """Whether the text begins as a `.json` log."""
    return bool(OPENING.match(head))


def recognise_zip(head: bytes, tail: bytes) -> bool:
    """Whether a zip is a `.eval` log, by the names of its members."""
    return head.startswith(b"PK\x03\x04") and any(name in head + tail for name in MEMBERS)


@Format("inspect", "Inspect AI log", recognise, ends=recognise_zip, choose="scorer")
def read(path: Path, *, accepted: Literal["matched"] | None = None) -> Log:
    """The cases of a log, one for each sample, epoch and scorer."""
    with opened(path) as file:
        zipped = file.read(4) == b"PK\x03\x04"
    header, samples = _from_zip(path) if zipped else _from_json(path)
    for place, sample in enumerate(samples, 1):
        if not isinstance(sample, dict):
            raise problem(path, f"sample {place:,} is no JSON object.")

    about = mapping(header.get("eval"))
    shared = {name: about[name] for name in ("model", "task") if isinstance(about.get(name), str)}
    silent = _silent(samples, path)
    found = [pair for place, sample in enumerate(samples, 1) for pair in _cases(sample, place, silent, accepted, path)]
    if not found:
        raise problem(path, "there is no sample in this log.")

    cases = _scored_by_all([case for case, _ in found])
    positions = all(case.options is not None and case.real in letters(case.options) for case in cases)
    if not positions:
        cases = [case._replace(options=None) for case in cases]
    shuffled = positions and _shuffled(header)
    notes = _notes(header, samples, silent, sum(changed for _, changed in found))
    if shuffled:
        notes.append("the options were shuffled: letters are original places, not shown ones.")

    return Log(
        path=path,
        cases=cases,
        model=shared.get("model"),
        task=shared.get("task"),
        choose="scorer",
        multiple_choice=positions,
        reported=_reported(header),
        facts={"shuffled": shuffled},
        notes=tuple(notes),
    )


def _notes(header: dict[str, Any], samples: list[Any], silent: Sequence[str], taken: int) -> list[str]:
    """What a reader should know of the run."""
    notes = []
    if silent:
        notes.append(f"left out, for they wrote marks and no answers: {', '.join(silent)}.")
    if header.get("status") != "success":
        notes.append(f"the run did not end well: its status is {text(header.get('status'))}.")
    if failed := sum(sample.get("error") is not None for sample in samples):
        notes.append(f"{failed:,} samples ended in an error and are unanswered.")
    if taken:
        notes.append(f"{taken:,} answers count as the real label: the scorer called them right.")
    return notes


# ---------------------------------------------------------------- one sample


def _silent(samples: Sequence[dict[str, Any]], path: Path) -> list[str]:
    """Scorers that wrote marks and no answers: nothing says what was predicted."""
    held: dict[str, bool] = {}
    for sample in samples:
        for name, score in mapping(sample.get("scores")).items():
            held[name] = held.get(name, False) or mapping(score).get("answer") is not None
    if held and not any(held.values()):
        raise problem(path, f"the scorers ({', '.join(held)}) wrote marks and no answers.")
    return [name for name, spoke in held.items() if not spoke]


def _cases(
    sample: dict[str, Any], place: int, silent: Sequence[str], accepted: str | None, path: Path
) -> Iterator[tuple[Case, bool]]:
    """The case of each scorer, and whether the scorer's word replaced the answer's text."""
    choices = sample.get("choices")
    options = len(choices) if isinstance(choices, list) and choices else None
    targets = several(sample.get("target"), path, None, f"target of sample {place:,}")
    known = [_collapsed(x) for x in targets]

    spoken = {k: v for k, v in mapping(sample.get("scores")).items() if k not in silent}
    scores: dict[Any, Any] = spoken if spoken else {None: {}}
    epoch = sample.get("epoch", 1)
    for scorer, score in scores.items():
        score = mapping(score)

        answer = written(score.get("answer"), path, None, f"answer of sample {place:,}")
        answer = None if answer is None else _collapsed(answer)
        correct = _correct(score.get("value"))
        if options is not None:
            real = _together(known)
            answer = None if answer is None else _together(re.split(r"[, ]+", answer))
        else:
            real = accepted_one(known, answer, accepted, path, None)

        changed = options is None and correct is True and answer != real
        yield (
            Case(
                real=real,
                predicted=real if changed else answer,
                item=str(sample.get("id", place)),
                options=options,
                correct=correct,
                fields={
                    **scalars(sample.get("metadata")),
                    **({} if isinstance(epoch, list | dict) else {"epoch": epoch}),
                    "scorer": scorer,
                },
            ),
            changed,
        )


def _collapsed(label: str) -> str:
    return " ".join(label.split())


def _together(names: Sequence[str]) -> str | None:
    """Several options that are right (or chosen) together, as one label."""
    return ", ".join(sorted(names)) or None


def _correct(value: Any) -> bool | None:
    return VALUES.get(value) if isinstance(value, str) else mark(value)


def _scored_by_all(cases: list[Case]) -> list[Case]:
    """Samples without any score (they failed) are unanswered for every scorer."""
    names = list(dict.fromkeys(c.fields["scorer"] for c in cases if c.fields["scorer"] is not None))
    spread = []
    for case in cases:
        scored = case.fields["scorer"] is not None
        spread += [
            case._replace(fields={**case.fields, "scorer": name})
            for name in ([case.fields["scorer"]] if scored else names or ["none"])
        ]
    return spread


def _reported(header: dict[str, Any]) -> dict[str, dict[str, float]]:
    reported: dict[str, dict[str, float]] = {}
    for score in sequence(mapping(header.get("results")).get("scores")):
        name = mapping(score).get("name")
        metrics = mapping(mapping(score).get("metrics"))
        values = {metric: number(mapping(held).get("value")) for metric, held in metrics.items()}
        if isinstance(name, str):
            reported[name] = {m: v for m, v in values.items() if v is not None}
    return reported


def _shuffled(header: dict[str, Any]) -> bool:
    steps = sequence(mapping(header.get("plan")).get("steps"))
    held = [mapping(mapping(step).get("params")).get("shuffle") for step in steps]
    return any(value is not None and value is not False for value in held)


# ---------------------------------------------------------------- files


def _from_json(path: Path) -> tuple[dict[str, Any], list[Any]]:
    log = parsed(_files.document(path), path)
    if not isinstance(log, dict) or not isinstance(log.get("eval"), dict):
        raise problem(path, "a log needs an object `eval`.")
    samples = log.get("samples")
    if not isinstance(samples, list):
        raise problem(path, "the log holds no `samples` (was only the header written?).")
    return log, samples


def _from_zip(path: Path) -> tuple[dict[str, Any], list[Any]]:
    with opened(path) as file:
        try:
            with zipfile.ZipFile(file) as archive:
                return _unpacked(archive, file, path)
        except InformedError:
            raise
        except (
            zipfile.BadZipFile,
            zlib.error,
            struct.error,
            EOFError,
            OverflowError,
            RuntimeError,
            ValueError,
        ) as error:
            raise problem(path, f"the zip is damaged or cut short ({error}).") from None


def _unpacked(archive: zipfile.ZipFile, file: BinaryIO, path: Path) -> tuple[dict[str, Any], list[Any]]:
    """Header and samples; a run that was cut short has them in its journal."""
    names = set(archive.namelist())
    budget = _files.DOCUMENT

    def inflated(name: str) -> Any:
        nonlocal budget
        raw = _member(archive, file, archive.getinfo(name), budget, path)
        budget -= len(raw)
        return parsed(raw, path)

    first = next((name for name in ("header.json", "_journal/start.json") if name in names), None)
    if first is None:
        raise problem(path, "the zip has no header.json; is it a log of Inspect AI?")
    header = inflated(first)
    parts = (
        ["summaries.json"]
        if "summaries.json" in names
        else sorted(name for name in names if re.fullmatch(r"_journal/summaries/\d+\.json", name))
    )
    if not isinstance(header, dict):
        raise problem(path, f"{first} is no JSON object.")
    samples = [sample for name in parts for sample in sequence(inflated(name))]
    return header, samples


def _member(archive: zipfile.ZipFile, file: BinaryIO, info: zipfile.ZipInfo, budget: int, path: Path) -> bytes:
    """One member, inflated piece by piece so that a zip bomb is refused and not unpacked."""
    inflated = io.BytesIO()
    with _stream(archive, file, info, path) as stream:
        while piece := stream.read(min(CHUNK, budget + 1)):
            inflated.write(piece)
            if inflated.tell() > budget:
                raise problem(
                    path,
                    f"{info.filename} inflates to more than {_files.size(_files.DOCUMENT)}, the most that is read.",
                )
    raw = inflated.getvalue()
    if zlib.crc32(raw) != info.CRC:
        raise problem(path, f"{info.filename} is damaged: its checksum is wrong.")
    return raw


def _stream(archive: zipfile.ZipFile, file: BinaryIO, info: zipfile.ZipInfo, path: Path) -> IO[bytes] | _Zstd:
    if info.flag_bits & 1:
        raise problem(path, f"{info.filename} is encrypted.")
    if info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return archive.open(info)
    if info.compress_type != ZSTANDARD:
        raise problem(path, f"{info.filename} is compressed by method {info.compress_type}; zstd is needed.")
    file.seek(info.header_offset)
    start = file.read(30)
    if len(start) < 30 or not start.startswith(b"PK\x03\x04"):
        raise problem(path, f"{info.filename} is not where the zip's directory says.")
    file.seek(sum(struct.unpack("<HH", start[26:30])), io.SEEK_CUR)
    return _Zstd(io.BytesIO(file.read(min(info.compress_size, _files.DOCUMENT))), info, path)


class _Zstd(io.RawIOBase):
    """A zstd stream of whichever package is there, whose errors are ours."""

    def __init__(self, packed: io.BytesIO, info: zipfile.ZipInfo, path: Path) -> None:
        self.module = _zstd(path)
        self.inner: Any = (
            self.module.ZstdDecompressor().stream_reader(packed)
            if self.module.__name__ == "zstandard"
            else self.module.ZstdFile(packed)
        )
        self.info, self.path = info, path

    def read(self, size: int = -1) -> bytes:
        try:
            return bytes(self.inner.read(size))
        except (self.module.ZstdError, EOFError, MemoryError, OSError) as error:
            raise problem(self.path, f"{self.info.filename} is damaged or cut short ({error}).") from None


def _zstd(path: Path) -> Any:
    for name in ("compression.zstd", "backports.zstd", "zstandard"):
        try:
            return import_module(name)
        except ImportError:
            continue
    raise MissingExtra(
        f"{path} is compressed with zstd, which this Python cannot read; "
        "`pip install informed[inspect]`, or convert the log to JSON with `inspect log convert`."
    )
