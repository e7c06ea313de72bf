"""Two files joined on an id: the solution with the real labels, the submission with the answers."""

from __future__ import annotations

from informed.errors import SourceError
from informed.evidence.labels import text
from informed.sources import sql as _sql
from informed.sources.engine import MOST_GROUPS, Bins, Name, Names, Row, Span, refuse_too_many
from informed.sources.files import DISTINCT, FileEngine

SIDES = {"solution": "real labels", "submission": "predictions"}


class JoinEngine:
    """Every row of the solution with the answer that the submission gives, or with none."""

    def __init__(
        self,
        solution: FileEngine,
        submission: FileEngine,
        on: Name,
        answer: Name,
        ignore_unknown: bool = False,
    ) -> None:
        self.ignore_unknown = ignore_unknown
        self.solution, self.submission, self.on, self.answer = solution, submission, on, answer
        self.shown = f"{solution.shown} joined with {submission.shown}"
        self.columns: dict[Name, str] = {}

    def check(self, names: Names) -> None:
        """Load both files, and refuse ids that are missing, repeated or unknown."""
        own = [name for name in dict.fromkeys(names) if name != self.answer]
        own += [self.answer] if list(names).count(self.answer) > 1 else []  # real has that name too
        self._load("solution", self.solution, own, "r")
        self._load("submission", self.submission, [self.answer], "p")
        unknown = self._run(
            "SELECT submission.id, COUNT(*) OVER () FROM submission LEFT JOIN solution "
            "ON submission.id = solution.id WHERE solution.id IS NULL ORDER BY 1 LIMIT 1"
        )
        if unknown and not self.ignore_unknown:
            example, how_many = unknown[0]
            raise SourceError(
                f"{self.submission.shown} answers {how_many:,} ids that {self.solution.shown} does "
                f'not have, for instance {text(example)}; use unknown="ignore" if that is right.'
            )
        self.columns = {name: f"r{i}" for i, name in enumerate(own)}

    def _load(self, side: str, engine: FileEngine, names: Names, letter: str) -> None:
        source, values, at = engine.subquery([self.on, *names], {})
        chosen = "".join(f", {k} AS {letter}{i}" for i, k in enumerate(at[1:]))
        if engine is not self.solution and engine.files.filesystem is not None:
            self.solution.connection.register_filesystem(engine.files.filesystem)
        engine.run_on(
            self.solution.connection,
            f"CREATE OR REPLACE TEMP TABLE {side} AS "
            f"SELECT CAST({at[0]} AS VARCHAR) AS id{chosen} FROM {source}",
            values,
        )
        twice = self._run(
            f"SELECT id, COUNT(*) FROM {side} GROUP BY id HAVING COUNT(*) > 1 OR id IS NULL "
            "ORDER BY id LIMIT 1"
        )
        if twice:
            (which, how_often), where = twice[0], f"{engine.shown} (the {SIDES[side]})"
            if which is None:
                raise SourceError(f"{where} has {how_often:,} rows without {text(self.on)}.")
            raise SourceError(
                f"{where} has {how_often:,} rows with the {text(self.on)} {text(which)}; "
                "each id may appear once."
            )

    def grouped(
        self, keys: Names, weights: Name | None = None, most: int | None = MOST_GROUPS
    ) -> list[Row]:
        source, at = self._joined(keys, weights)
        rows = self._run(_sql.grouped(source, at, None if weights is None else "w"), most)
        if most is not None and len(rows) > most:
            raise refuse_too_many(self.shown, most)
        return rows

    def span(self, score: Name) -> Span:
        source, _ = self._joined((), None, score)
        return Span(*self._run(_sql.span(source, "s", DISTINCT))[0])

    def binned(self, keys: Names, weights: Name | None, score: Name, bins: Bins) -> list[Row]:
        source, at = self._joined(keys, weights, score)
        weight = None if weights is None else "w"
        return self._run(_sql.binned(source, at, weight, "s", bins))

    def _joined(
        self, keys: Names, weights: Name | None, score: Name | None = None
    ) -> tuple[str, list[str]]:
        """The last key is the answer; with a score, the score is."""
        at = [f"k{i}" for i in range(len(keys))]
        columns = [self.columns.get(key, "p0") for key in keys]
        if score is None and self.answer in keys:
            columns[len(keys) - 1 - list(keys)[::-1].index(self.answer)] = "p0"
        chosen = [f"{c} AS {k}" for c, k in zip(columns, at, strict=True)]
        if weights is not None:
            chosen.append(f"TRY_CAST({self.columns[weights]} AS DOUBLE) AS w")
        if score is not None:
            chosen.append("TRY_CAST(p0 AS DOUBLE) AS s")
        return (
            f"(SELECT {', '.join(chosen)} FROM solution LEFT JOIN submission "
            "ON solution.id = submission.id)",
            at,
        )

    def _run(self, sql: str, most: int | None = None) -> list[Row]:
        return self.solution.run_on(self.solution.connection, sql, (), most)
