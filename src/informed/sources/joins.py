"""Two files joined on an id: the solution with the real labels, the submission with the answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from informed._numbers import plural
from informed.errors import SourceError
from informed.evidence.labels import text
from informed.sources.engine import ROW_THERE, Name, Names, Row
from informed.sources.files import FileEngine, said_of_log
from informed.sources.sql import SqlEngine

SIDES = {"solution": "real labels", "submission": "predictions"}


class JoinEngine(SqlEngine):
    """Every row of the solution with the answer that the submission gives, or with none.

    Both files are read by one connection.
    """

    distinct = FileEngine.distinct
    joins = True

    def __init__(
        self, solution: FileEngine, submission: FileEngine, on: Name, answers: Names, ignore_unknown: bool = False
    ) -> None:
        self.ignore_unknown = ignore_unknown
        self.solution, self.submission, self.on, self.answers = solution, submission, on, list(answers)
        self.shown = f"{solution.shown} joined with {submission.shown}"
        self.columns: dict[Name, str] = {}

    def check(self, names: Names) -> None:
        """Load both files, and refuse ids that are missing, repeated or unknown."""
        often = Counter(names)  # twice, where the real labels have the name of the answers
        own = [name for name in often if name not in self.answers or often[name] > 1]
        self._load("solution", self.solution, own, "r")
        self._load("submission", self.submission, self.answers, "p")
        unknown = self.run(
            "SELECT submission.id, COUNT(*) OVER () FROM submission LEFT JOIN solution "
            "ON submission.id = solution.id WHERE solution.id IS NULL ORDER BY 1 LIMIT 1"
        )
        if unknown and not self.ignore_unknown:
            example, how_many = unknown[0]
            raise SourceError(
                f"{self.submission.shown} answers {how_many:,} ids that {self.solution.shown} does "
                f'not have, for instance {text(example)}; use `unknown="ignore"` if that is right.'
            )
        self.unlabelled = {None: int(unknown[0][1])} if unknown else {}
        self.columns = {name: f"r{i}" for i, name in enumerate(own)} | {ROW_THERE: "submission.id IS NOT NULL"}

    def _load(self, side: str, engine: FileEngine, names: Names, letter: str) -> None:
        source, values = engine.selected([self.on, *names])
        chosen = "".join(f", k{i + 1} AS {letter}{i}" for i in range(len(names)))
        engine.run(
            f"CREATE OR REPLACE TEMP TABLE {side} AS SELECT CAST(k0 AS VARCHAR) AS id{chosen} FROM {source}", values
        )
        twice = self.run(
            f"SELECT id, COUNT(*) FROM {side} GROUP BY id HAVING COUNT(*) > 1 OR id IS NULL ORDER BY id LIMIT 1"
        )
        if twice:
            (which, how_often), where = twice[0], f"{engine.shown} (the {SIDES[side]})"
            if which is None:
                log = said_of_log(engine.files.names, engine.shown)
                raise SourceError(f"{where} has {plural(how_often, 'row')} without {text(self.on)}. {log}".rstrip())
            raise SourceError(
                f"{where} has {how_often:,} rows with the {text(self.on)} {text(which)}; each id may appear once."
            )

    def names(self) -> Names:
        return self.solution.names()

    def selected(self, keys: Names, weights: Name | None = None, score: Name | None = None) -> tuple[str, list[Any]]:
        """Of two keys with the name of an answer, the last one is it; with a score, the score is."""
        columns = [self.columns.get(key, "") for key in keys]
        for i, answer in enumerate(self.answers if score is None else ()):
            if answer in keys:
                columns[len(keys) - 1 - list(keys)[::-1].index(answer)] = f"p{i}"
        weight = None if weights is None else self.columns[weights]
        chosen = self.chosen(columns, weight, None if score is None else "p0")
        joined = "solution LEFT JOIN submission ON solution.id = submission.id"
        return f"(SELECT {chosen} FROM {joined})", []

    def number(self, column: str) -> str:
        return self.solution.number(column)

    def run(self, sql: str, values: Sequence[Any] = (), most: int | None = None) -> list[Row]:
        return self.solution.run(sql, values, most)
