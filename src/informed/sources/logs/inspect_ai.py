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
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, Literal

from informed._numbers import plural
from informed.errors import InformedError, MissingExtra
from informed.evidence.labels import text
from informed.evidence.states import State
from informed.sources.logs import bounded_files as files
from informed.sources.logs.bounded_files import Problem, mapping, number, opened, parsed, sequence, string
from informed.sources.logs.formats import Format
from informed.sources.logs.log import Case, Log, Reported, name_options
from informed.sources.logs.scorers import Scales, grade, marks_only, scaled, scales_of

ZSTANDARD = 93  # the method number of zstd in a zip, which zipfile knows from Python 3.14 on
CHUNK = 1 << 20
MEMBERS = (b"_journal/start.json", b"header.json")
OPENING = re.compile(r'\s*\{\s*"version":\s*\d+,\s*"status":\s*"\w+",\s*"eval":\s*\{')
DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OverflowError, RuntimeError, ValueError)
LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
YES_OR_NO = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
REFUSED = ("refusal", "no_response", "invalid_response_format")
CANCELLED = "CancelledError("  # how the message of a sample begins that was under way when the run ended
GRADER_FAILED = ("grader_failed", "scoring_failed")
MOST_EPOCHS = 10_000
MEANS = ("accuracy", "mean")  # metrics that are means of the numbers of a scorer
ENDED = {  # how a run ended, by its status
    "cancelled": "This run was cancelled: {} were run.",
    "started": "This log is still being written, or its run was killed: {} were run.",
    "error": "This run ended in an error: {} were run.",
}


def recognise(head: str) -> bool:
    """Whether the text begins as a `.json` log."""
    return bool(OPENING.match(head))


def recognise_zip(head: bytes, tail: bytes) -> bool:
    """Whether a zip is a `.eval` log, by the names of its members."""
    return head.startswith(b"PK\x03\x04") and any(name in head + tail for name in MEMBERS)


@Format("inspect", "Inspect AI log", recognise, ends=recognise_zip, choose="scorer")
def read(
    path: Path, *, accepted: Literal["matched"] | None = None, scale: str | Mapping[str, Sequence[float]] | None = None
) -> Log:
    """The cases of a log, one for each sample, epoch and scorer; those of a `scale`, such as "fluency:1:5", by their
    place on it."""
    scales = scales_of(scale)
    with opened(path) as file:
        zipped = file.read(4) == b"PK\x03\x04"
    header, samples = _from_zip(path) if zipped else _from_json(path)
    for place, sample in enumerate(samples, 1):
        if not isinstance(sample, dict):
            raise Problem(f"sample {place:,} is no JSON object.")

    twice = _keys_of_several(samples)
    held = [dict(_scores(sample, twice)) for sample in samples]
    names, silent = _scorings(held)
    cases = [
        case
        for place, (sample, scores) in enumerate(zip(samples, held, strict=True), 1)
        for case in _cases(sample, scores, place, names, silent, accepted)
    ]
    if not cases:
        raise Problem("there is no sample in this log.")
    every = list(names)
    cases, beyond = marks_only(scaled(cases, scales))
    names = [name for name in names if any(case.fields["scorer"] == name for case in cases)]

    positions = name_options(cases)
    if not positions:
        cases = [case._replace(options=None) for case in cases]
    shuffled = positions and _shuffled(header)
    notes = [*_notes(header, samples), *beyond]
    notes += [
        f"{name} was rated from {low:g} to {high:g}, and is given from 0 to 1." for name, (low, high) in scales.items()
    ]
    if shuffled:
        notes.append("the options were shuffled: letters are original places, not shown ones.")
    about = {name: held for name, held in mapping(header.get("eval")).items() if isinstance(held, str)}
    reported = _on_scale(_reported(header, twice), scales)
    first = mapping(mapping(header.get("results")).get("headline"))
    headline = next((told for told in reported if _is_headline(told, first, twice)), next(iter(reported), None))

    return Log(
        path=path,
        cases=[*cases, *_not_run(header, samples, names)],
        model=about.get("model"),
        task=about.get("task"),
        choose="scorer",
        headline=headline.scorer if headline is not None and headline.scorer in names else names[0],
        metric=None if headline is None else headline.name,
        reducer=None if headline is None else headline.reducer,
        multiple_choice=positions,
        reported=sorted(reported, key=lambda told: told is not headline),
        facts={
            "shuffled": shuffled,
            "status": header.get("status"),
            "run": about.get("eval_id"),
            "time": about.get("created"),
            "beyond": [name for name in every if name not in names],
        },
        notes=tuple(notes),
        unfinished=_unfinished(header, samples),
        stopped=_ended_by_rule(header),
        remarks=_limited(header),
        order=tuple(map(str, _scheduled(header))),
    )


def _is_headline(told: Reported, first: dict[str, Any], twice: Collection[str]) -> bool:
    score = first.get("score")
    named = told.scorer == score or (score in twice and str(told.scorer).endswith(f"/{score}"))
    reduced = told.reducer == first.get("reducer") or "reducer" not in first
    return named and reduced and told.name == first.get("metric")


def _notes(header: dict[str, Any], samples: list[Any]) -> list[str]:
    """What a reader should know of the run."""
    notes = []
    if failed := sum(_failure(sample) == "error" for sample in samples):
        notes.append(f"{failed:,} samples ended in an error; Inspect leaves those without a score out.")
    limits = Counter(str(sample["limit"]) for sample in samples if sample.get("limit") is not None)
    notes += [f"{n:,} samples reached a limit ({limit}) and were scored as they stood." for limit, n in limits.items()]
    return notes


def _unfinished(header: dict[str, Any], samples: Sequence[dict[str, Any]]) -> str:
    """How the run ended, if not all samples that were scheduled were answered."""
    status = header.get("status")
    asked, ran = _asked(header), sum(_failure(sample) != "not-run" for sample in samples)
    of = f"{ran:,} of {asked:,} samples" if asked else plural(ran, "sample")
    if early := _early(header):
        said = mapping(_stopping(header).get("metadata")).get("rule") or mapping(early[0]).get("reason")
        rule = f" ({said})" if isinstance(said, str) else ""
        how = "was stopped by its rule" if _ended_by_rule(header) else f"stopped {plural(len(early), 'sample')} early"
        return f"This run {how}{rule}: {of} were run."
    if status in ENDED:
        return f"{ENDED[status].format(of)} Its numbers are of these samples only."
    if status != "success":
        return f"This run did not end well, its status is {text(status)}: {of} were run."
    return f"This log is not whole: it holds {of} that were scheduled." if ran < asked else ""


def _asked(header: dict[str, Any]) -> int:
    """How many samples were scheduled, each epoch by itself; 0 where the log does not say it."""
    epochs = mapping(mapping(header.get("eval")).get("config")).get("epochs", 1)
    return len(_scheduled(header)) * min(epochs, MOST_EPOCHS) if isinstance(epochs, int) else 0


def _stopping(header: dict[str, Any]) -> dict[str, Any]:
    return mapping(mapping(header.get("results")).get("early_stopping"))


def _early(header: dict[str, Any]) -> list[Any]:
    """The samples that were not run because the run was stopped early."""
    return sequence(_stopping(header).get("early_stops"))


def _ended_by_rule(header: dict[str, Any]) -> bool:
    """Whether `informed.inspect.Stopping` ended the run, which looks at the items in their order."""
    return _stopping(header).get("manager") == "informed" and bool(_early(header))


def _limited(header: dict[str, Any]) -> tuple[str, ...]:
    """That only a part of the dataset was asked for."""
    held = mapping(mapping(header.get("eval")).get("dataset"))
    there, asked = number(held.get("samples")), len(_scheduled(header))
    if there is None or not 0 < asked < there:
        return ()
    return (
        f"{asked:,} of {there:,.0f} samples of the dataset were asked for (limit): the others are not in the score.",
    )


# ---------------------------------------------------------------- one sample


def _keys_of_several(samples: Sequence[dict[str, Any]]) -> set[str]:
    """Keys of values that are objects which more than one scorer has, or that are the name of another scorer."""
    holders: dict[str, set[str]] = {}
    for sample in samples:
        for scorer, held in mapping(sample.get("scores")).items():
            value = mapping(held).get("value")
            for key in value if isinstance(value, dict) else (scorer,):
                holders.setdefault(key, set()).add(scorer)
    return {key for key, scorers in holders.items() if len(scorers) > 1}


def _scorings(held: Sequence[dict[str, dict[str, Any]]]) -> tuple[list[str], set[str]]:
    """The scores that samples have, by name, and those that never came with an answer."""
    spoke: dict[str, bool] = {}
    for scores in held:
        for name, score in scores.items():
            spoke[name] = spoke.get(name, False) or score.get("answer") is not None
    return list(spoke) or ["none"], {name for name, any_answer in spoke.items() if not any_answer}


def _scores(sample: dict[str, Any], twice: Collection[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The scores of a sample by name; each key of a value that is an object is one, with the name of its
    scorer before it where another has that key, too."""
    for scorer, held in mapping(sample.get("scores")).items():
        score = mapping(held)
        if isinstance(score.get("value"), dict):
            for key, value in score["value"].items():
                yield _named(scorer, key, twice), {**score, "value": value}
        else:
            yield scorer, score


def _named(scorer: str | None, key: str, twice: Collection[str]) -> str:
    return f"{scorer}/{key}" if key in twice and scorer not in (None, key) else key


def _cases(
    sample: dict[str, Any],
    scores: dict[str, Any],
    place: int,
    names: Sequence[str],
    silent: Collection[str],
    accepted: str | None,
) -> Iterator[Case]:
    """The case of each scorer."""
    choices = sample.get("choices")
    options = len(choices) if isinstance(choices, list) and choices else None
    known = list(map(_collapsed, files.several(sample.get("target"), f"target of sample {place:,}")))
    epoch = sample.get("epoch", 1)
    fields = {**files.scalars(sample.get("metadata")), **({} if isinstance(epoch, list | dict) else {"epoch": epoch})}
    failure = _failure(sample)

    for scorer in names:
        score = scores.get(scorer, {})
        answer = files.written(score.get("answer"), f"answer of sample {place:,}")
        answer = None if answer is None else _collapsed(answer)
        mark = _mark(score.get("value"))
        if options is not None:
            real = _together(known)
            answer = None if answer is None else _together(re.split(r"[, ]+", answer))
        else:
            real = (
                files.accepted_one(known, answer, accepted, marked=mark is not None or failure is not None)
                if known
                else None
            )
        yield Case(
            real,
            answer,
            item=str(sample.get("id", place)),
            options=options,
            mark=mark,
            fields={**fields, "scorer": scorer},
            state=_state(score, mark, scorer in silent) if failure is None else failure,
            epoch=epoch if isinstance(epoch, int) else None,
        )


def _mark(value: Any) -> float | None:
    """A value as Inspect counts it; NaN and null are no mark."""
    return LETTERS[value] if isinstance(value, str) and value in LETTERS else grade(value, YES_OR_NO)


def _failure(sample: dict[str, Any]) -> State | None:
    """What became of a sample that did not end; one that was cancelled, because another failed, was not run."""
    error = sample.get("error")
    if error is None:
        return None
    message = error if isinstance(error, str) else mapping(error).get("message")
    return "not-run" if str(message).startswith(CANCELLED) else "error"


def _state(score: dict[str, Any], mark: float | None, silent: bool) -> State | None:
    """The state that a score says; None where it follows from mark and answer."""
    reason = score.get("reason")
    if reason in GRADER_FAILED or (mark is None and not isinstance(score.get("value"), str)):
        return "unscored"
    if score.get("value") == "N" or reason in REFUSED:
        return "abstained"
    if silent and mark is not None and mark <= 0:
        return "wrong"  # nobody wrote an answer, so that none was refused
    return None


def _not_run(header: dict[str, Any], samples: Sequence[dict[str, Any]], names: Sequence[str]) -> list[Case]:
    """Samples that a run which did not end well never came to."""
    epochs = mapping(mapping(header.get("eval")).get("config")).get("epochs", 1)
    if header.get("status") == "success" or not isinstance(epochs, int):
        return []
    asked = {(str(name), epoch) for name in _scheduled(header) for epoch in range(1, min(epochs, MOST_EPOCHS) + 1)}
    left = asked - {(str(sample.get("id")), sample.get("epoch", 1)) for sample in samples}
    return [
        Case(None, None, item=name, epoch=epoch, state="not-run", fields={"scorer": scorer, "epoch": epoch})
        for name, epoch in sorted(left)
        for scorer in names
    ]


def _scheduled(header: dict[str, Any]) -> list[Any]:
    """The ids of the samples in the order of the dataset."""
    return list(sequence(mapping(mapping(header.get("eval")).get("dataset")).get("sample_ids")))


def _collapsed(label: str) -> str:
    return " ".join(label.split())


def _together(names: Sequence[str]) -> str | None:
    """Several options that are right (or chosen) together, as one label."""
    return ", ".join(sorted(names)) or None


def _reported(header: dict[str, Any], twice: Collection[str]) -> list[Reported]:
    """The numbers of every score and reducer, in the order of the log."""
    scores = map(mapping, sequence(mapping(header.get("results")).get("scores")))
    return [
        Reported(value, metric, scorer=_own_name(score, twice), reducer=string(score.get("reducer")))
        for score in scores
        if isinstance(score.get("name"), str)
        for metric, held in mapping(score.get("metrics")).items()
        if (value := number(mapping(held).get("value"))) is not None
    ]


def _on_scale(reported: Sequence[Reported], scales: Scales) -> list[Reported]:
    """What Inspect reports, means of numbers on a scale by their place on it; other numbers of such a scorer are left
    out."""
    found = []
    for told in reported:
        low, high = scales.get(str(told.scorer), (0.0, 1.0))
        if str(told.scorer) not in scales or told.name in MEANS:
            found.append(told._replace(value=(told.value - low) / (high - low)))
    return found


def _own_name(score: dict[str, Any], twice: Collection[str]) -> str:
    return _named(string(score.get("scorer")), score["name"], twice)


def _shuffled(header: dict[str, Any]) -> bool:
    steps = sequence(mapping(header.get("plan")).get("steps"))
    held = [mapping(mapping(step).get("params")).get("shuffle") for step in steps]
    return any(value is not None and value is not False for value in held)


# ---------------------------------------------------------------- files


def _from_json(path: Path) -> tuple[dict[str, Any], list[Any]]:
    log = parsed(files.document(path))
    if not isinstance(log, dict) or not isinstance(log.get("eval"), dict):
        raise Problem("a log needs an object `eval`.")
    samples = log.get("samples")
    if not isinstance(samples, list):
        raise Problem("the log holds no `samples` (was only the header written?).")
    return log, samples


def _from_zip(path: Path) -> tuple[dict[str, Any], list[Any]]:
    with opened(path) as file:
        try:
            with zipfile.ZipFile(file) as archive:
                return _unpacked(archive, file)
        except InformedError:
            raise
        except DAMAGED as error:
            raise Problem(f"the zip is damaged or cut short ({error}).") from None


def _unpacked(archive: zipfile.ZipFile, file: BinaryIO) -> tuple[dict[str, Any], list[Any]]:
    """Header and samples; a run that was cut short has them in its journal."""
    names = archive.namelist()
    budget = files.DOCUMENT

    def inflated(name: str) -> Any:
        nonlocal budget
        raw = _member(archive, file, archive.getinfo(name), budget)
        budget -= len(raw)
        return parsed(raw)

    first = next((name for name in ("header.json", "_journal/start.json") if name in names), None)
    if first is None:
        raise Problem("the zip has no header.json; is it a log of Inspect AI?")
    header = inflated(first)
    if not isinstance(header, dict):
        raise Problem(f"{first} is no JSON object.")
    parts = ["summaries.json"]
    if "summaries.json" not in names:
        parts = sorted({name for name in names if re.fullmatch(r"_journal/summaries/\d+\.json", name)})
    return header, [sample for name in parts for sample in sequence(inflated(name))]


def _member(archive: zipfile.ZipFile, file: BinaryIO, info: zipfile.ZipInfo, budget: int) -> bytes:
    """One member, inflated piece by piece so that a zip bomb is refused and not unpacked."""
    inflated = io.BytesIO()
    stream, errors = _stream(archive, file, info)
    try:
        with stream:
            while piece := stream.read(min(CHUNK, budget + 1)):
                inflated.write(piece)
                if inflated.tell() > budget:
                    most = f"{files.size(files.DOCUMENT)}, the most that is read"
                    raise Problem(f"{info.filename} inflates to more than {most}.")
    except errors as error:
        raise Problem(f"{info.filename} is damaged or cut short ({error}).") from None
    raw = inflated.getvalue()
    if zlib.crc32(raw) != info.CRC:
        raise Problem(f"{info.filename} is damaged: its checksum is wrong.")
    return raw


def _stream(archive: zipfile.ZipFile, file: BinaryIO, info: zipfile.ZipInfo) -> tuple[Any, tuple[type[Exception], ...]]:
    """A member as it inflates, and the errors of the package that does it, where that is not `zipfile`."""
    if info.flag_bits & 1:
        raise Problem(f"{info.filename} is encrypted.")
    if info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return archive.open(info), ()
    if info.compress_type != ZSTANDARD:
        raise Problem(f"{info.filename} is compressed by method {info.compress_type}; zstd is needed.")
    file.seek(info.header_offset)
    start = file.read(30)
    if len(start) < 30 or not start.startswith(b"PK\x03\x04"):
        raise Problem(f"{info.filename} is not where the zip's directory says.")
    file.seek(sum(struct.unpack("<HH", start[26:30])), io.SEEK_CUR)

    packed = io.BytesIO(file.read(min(info.compress_size, files.DOCUMENT)))
    module = _zstd()
    plain = module.__name__ == "zstandard"
    stream = module.ZstdDecompressor().stream_reader(packed) if plain else module.ZstdFile(packed)
    return stream, (module.ZstdError, EOFError, MemoryError, OSError)


def _zstd() -> Any:
    for name in ("compression.zstd", "backports.zstd", "zstandard"):
        try:
            return import_module(name)
        except ImportError:
            continue
    raise MissingExtra(
        "it is compressed with zstd, which this Python cannot read; `pip install informed[zstd]`, or convert the "
        "log to JSON with `inspect log convert`."
    )
