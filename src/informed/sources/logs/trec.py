"""TREC: relevance judgements (qrels: topic, 0, document, relevance) and a run of a system
(topic, Q0, document, rank, score, tag), as trec_eval takes them.

A document is really relevant from the relevance `level` on, and predicted relevant if the run
retrieved it (within the first `rank`, or with at least this `score`). The order is trec_eval's:
by score, then by document, both descending; the rank column is not used. What is not relevant
and not retrieved depends on the `universe`: the judged documents, or a collection of N, where an
unjudged document counts as not relevant. Topics are those that both files have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, Literal, TypeVar

from informed.errors import SourceError
from informed.evidence.labels import text
from informed.sources.logs.bounded_files import Problem, in_file, lines, whole_lines
from informed.sources.logs.formats import Format
from informed.sources.logs.log import Case, Log

QRELS = re.compile(r"\s*\S+\s+\S+\s+\S+\s+-?\d+\s*")
RUN = re.compile(r"\s*\S+\s+Q0\s+\S+\s+\d+\s+[-+.\deE]+\s+\S+\s*")
LABELS = ("relevant", "not relevant")
UNJUDGED = "taken for not relevant"
PAIRS = tuple((real, predicted) for real in LABELS for predicted in LABELS)

Number = TypeVar("Number", int, float)


def recognise(head: str) -> bool:
    """Whether the first lines are judgements or a run."""
    full = [line for line in whole_lines(head)[:20] if line.strip()]
    if not full:
        return False
    return all(map(RUN.fullmatch, full)) or all(
        QRELS.fullmatch(line) and line.split()[1] in ("0", "Q0", "Q1") for line in full
    )


@Format("trec", "TREC qrels and run", recognise, certain=False, files=2)
def read(
    path: Path | Sequence[Path],
    *,
    qrels: str | Path | None = None,
    run: str | Path | None = None,
    level: int = 1,
    rank: int | None = None,
    score: float | None = None,
    universe: Literal["judged"] | int = "judged",
    complete: bool = False,
) -> Log:
    """The counts of a run against judgements; `complete` keeps topics that the run left out."""
    qrels_path, run_path = _two_files(path, qrels, run)
    _check_options(level, rank, score, universe)
    judged = _by_topic(qrels_path, _relevance, "judged", "a judgement is `topic 0 document relevance`")
    needed = "a retrieved document is `topic Q0 document rank score tag`, its score a number"
    retrieved = _by_topic(run_path, _score, "retrieved", needed)
    topics = sorted(judged if complete else judged.keys() & retrieved.keys())
    if not topics:
        raise SourceError(f"{run_path}: no topic of the run is judged in {qrels_path}.")

    cases: list[Case] = []
    unjudged = returned = 0
    for topic in topics:
        found = _cut(retrieved.get(topic, {}), rank, score)
        known = {document: rel for document, rel in judged[topic].items() if rel >= 0}
        cells = _cells(topic, found, known, level, universe)
        cases += [
            Case(real, predicted, count, fields={"topic": topic})
            for (real, predicted), count in zip(PAIRS, cells, strict=True)
        ]
        returned += len(found)
        unjudged += len(found - known.keys())

    notes = []
    if unjudged:
        inside = universe == "judged"
        where = "left out: the universe is the judged documents" if inside else UNJUDGED
        notes.append(f"{unjudged:,} of {returned:,} retrieved documents are unjudged and {where}.")
    passed = len(judged.keys() ^ retrieved.keys()) if not complete else 0
    if passed:
        notes.append(f"{passed:,} topics are in one of the two files only and are left out.")

    return Log(
        path=run_path,
        cases=cases,
        labels=LABELS,
        positive=LABELS[0],
        facts={"topics": len(topics), "retrieved": returned, "unjudged": unjudged},
        notes=tuple(notes),
    )


def _cells(
    topic: str, found: set[str], known: dict[str, int], level: int, universe: Literal["judged"] | int
) -> tuple[int, ...]:
    """How many documents of a topic there are of each pair in `PAIRS`."""
    relevant = {document for document, rel in known.items() if rel >= level}
    everything = known.keys() if universe == "judged" else known.keys() | found
    n = len(everything) if universe == "judged" else universe
    if n < len(everything):
        seen = f"topic {text(topic)} has {len(everything):,} documents judged or retrieved"
        raise Problem(f"{seen}; the collection (universe={n:,}) cannot be smaller.")
    taken = found & everything
    both = len(taken & relevant)
    counts = (both, len(relevant) - both, len(taken) - both)
    return (*counts, n - sum(counts))


def _check_options(level: object, rank: object, score: object, universe: object) -> None:
    def whole(value: object, least: int) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and value >= least

    if not whole(level, 0):
        raise SourceError(f"`level` is {text(level)}; a relevance of 0 or more is needed.")
    if rank is not None and score is not None:
        raise SourceError("Give `rank` or `score`, not both.")
    if rank is not None and not whole(rank, 1):
        raise SourceError(f"`rank` is {text(rank)}; a whole number from 1 on is needed.")
    if score is not None and not isinstance(score, int | float):
        raise SourceError(f"`score` is {text(score)}; a number is needed.")
    if universe != "judged" and not whole(universe, 1):
        raise SourceError(f'`universe` is {text(universe)}; it can be "judged" or the size of the collection.')


def _two_files(path: Any, qrels: Any, run: Any) -> tuple[Path, Path]:
    """The judgements and the run, whichever of them was given first."""
    if isinstance(path, list | tuple):
        if len(path) != 2:
            raise SourceError(f"{len(path)} files are given; the qrels and a run are needed.")
        first, other = map(Path, path)
    else:
        first, other = Path(path), qrels or run
    if other is None:
        raise Problem("judgements and a run are needed; give the other file as `qrels` or `run`.")
    pair = (first, Path(other))
    return pair if _columns(first) == 4 else (pair[1], pair[0])


def _columns(path: Path) -> int:
    with in_file(path):
        return next((len(fields) for _, fields in _rows(path)), 0)


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The fields of each line that has any, with its number."""
    return ((number, fields) for number, line in lines(path) if (fields := line.split()))


def _by_topic(path: Path, value: Callable[[list[str]], Number], done: str, needed: str) -> dict[str, dict[str, Number]]:
    """The value of each document of each topic of a file."""
    found: dict[str, dict[str, Number]] = {}
    with in_file(path):
        for line, fields in _rows(path):
            try:
                topic, _, document = fields[:3]
                own = value(fields)
            except ValueError:
                raise Problem(f"{needed}.", line) from None
            if document in found.setdefault(topic, {}):
                raise Problem(f"{text(document)} is {done} twice for {text(topic)}.", line)
            found[topic][document] = own
    return found


def _relevance(fields: list[str]) -> int:
    if len(fields) != 4 or not re.fullmatch(r"-?\d{1,9}", fields[3]):
        raise ValueError(fields)
    return int(fields[3])


def _score(fields: list[str]) -> float:
    if len(fields) != 6 or not isfinite(score := float(fields[4])):
        raise ValueError(fields)
    return score


def _cut(scores: dict[str, float], rank: int | None, score: float | None) -> set[str]:
    if score is not None:
        return {document for document, value in scores.items() if value >= score}
    if rank is None:
        return set(scores)
    return set(sorted(scores, key=lambda d: (scores[d], d), reverse=True)[:rank])
