"""A Monte Carlo experiment: a frozen description, the same numbers wherever it runs.

The work is cut into chunks. A chunk draws `chunk` tables at every level from a random stream of its
own, ``SeedSequence(seed, spawn_key=(i,))``, and gives sums; sums are added in the order of the
chunks. So one thread, many threads, processes and clusters give identical results, and a run that
was killed goes on where it stopped.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np

from informed.errors import InferenceError
from informed.measures.shown import CORRECTED
from informed.results import plain_dict
from informed.simulation import checkpoint
from informed.simulation.backends import completed
from informed.simulation.checks import check, whole
from informed.simulation.generators import GENERATORS, Generator
from informed.simulation.judging import Judged
from informed.simulation.own import OwnMeasure, identities
from informed.simulation.results import Results
from informed.simulation.sums import Sums, chunk_sums, plus, tidy

LEVELS = tuple(i / 10 for i in range(11))


@dataclass(frozen=True)
class Experiment:
    """What is simulated, and what is judged on it.

    Parameters
    ----------
    generator, options
        A name of `GENERATORS`, and its own options (``{"prevalence": "long-tailed"}``). Or a function
        of your own of ``(level, k, n, rng)`` that gives the counts of a table, predictions in rows
        (of ``(level, k, n, rng, size)``: of so many tables), whose other arguments are the options.
    k, n, levels
        Classes, cases in a table, and the levels of informedness to aim at.
    replicates
        Tables at each level.
    measures
        Measures by name, or functions of your own that take a `Table` and give a number (or an
        array, for a stack of tables). Each is compared with its value in the population (for the
        papers' recipes and your own, which have none, with the level).
    intervals, tests
        Methods of `informed.interval` and `informed.test`; ``"markedness:arc"`` names the measure,
        which otherwise is informedness.
    level
        Of the intervals; tests reject where p is below 1 − level.
    seed, chunk
        Both fix the numbers. By default a chunk has as many tables as fit comfortably in memory.

    >>> e = Experiment(k=3, n=60, levels=(0, 0.5), replicates=500)
    >>> result = e.run()
    >>> round(result.value("informedness", "mean", level=0.5), 2)
    0.5
    """

    generator: str | Generator | Callable[..., Any] = "multinomial"
    k: int = 4
    n: int = 128
    levels: tuple[float, ...] = LEVELS
    replicates: int = 1000
    measures: tuple[Judged, ...] = CORRECTED
    intervals: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    level: float = 0.95
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 7
    chunk: int | None = None

    def __post_init__(self) -> None:
        for name in ("levels", "measures", "intervals", "tests"):
            given = getattr(self, name)
            if isinstance(given, (str, float, int)) or callable(given):
                given = (given,)
            object.__setattr__(self, name, tuple(given))
        object.__setattr__(self, "options", dict(self.options))
        check(self)

    @property
    def recipe(self) -> Generator:
        """The generator and its options."""
        return GENERATORS[self.generator] if isinstance(self.generator, str) else cast("Generator", self.generator)

    @property
    def size_of_tests(self) -> float:
        """1 − level: the share of chance tables that a test is to reject."""
        return round(1 - self.level, 12)

    @property
    def chunk_size(self) -> int:
        """Tables at each level in a chunk: memory is bounded by it."""
        fits = int(np.clip(400_000 // self.k**2, 64, 20_000))
        if self.intervals:
            fits = int(np.clip(40_000 // self.k**2, 16, 2_000))
        return min(self.chunk or fits, self.replicates)

    @property
    def chunks(self) -> int:
        """Number of chunks that the work is cut into."""
        return -(-self.replicates // self.chunk_size)

    def size(self, index: int) -> int:
        """Tables at each level in this chunk; the last may be smaller."""
        return min(self.chunk_size, self.replicates - index * self.chunk_size)

    def description(self) -> dict[str, Any]:
        """Everything that fixes the numbers, as JSON would hold it."""
        held = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "level"}  # a row's is of informedness
        held |= {"generator": self.recipe.name, "chunk": self.chunk_size, "alpha": self.size_of_tests}
        if functions := identities(self.recipe, cast("tuple[str | OwnMeasure, ...]", self.measures)):
            held["functions"] = functions
        return plain_dict(held)

    def run(
        self,
        *,
        jobs: int = 1,
        backend: str = "threads",
        out: str | Path | None = None,
        resume: bool = False,
        progress: bool | None = None,
        precision: float | None = None,
    ) -> Results:
        """Simulate, and judge.

        Parameters
        ----------
        jobs, backend
            Workers; "threads", or any joblib backend: "loky" (processes), "dask" (needs a client),
            "spark" (needs joblibspark and a session), "ray". None of it changes a number.
        out, resume
            A Parquet file for the rows. While it runs, finished chunks lie in a folder beside it;
            ``resume=True`` takes them up again.
        progress
            A bar with the time left; by default on a terminal only.
        precision
            Stop as soon as no bias, coverage, size or power has a larger Monte Carlo error.
        """
        if precision is not None and not precision > 0:
            raise InferenceError(f"`precision` is {precision!r}; it must be above 0.")
        whole("jobs", jobs, least=1)

        started = time.perf_counter()
        store = checkpoint.opened(out, self.description(), resume=resume)
        total, used = _added(self, _arriving(self, store, jobs, backend, progress), precision)

        run = {
            **self.description(),
            "seconds": round(time.perf_counter() - started, 3),
            "backend": backend,
            "jobs": jobs,
            "chunks": used,
            "tables": int(sum(self.size(i) for i in range(used))) * len(self.levels),
            "stopped_early": used < self.chunks,
        }
        found = Results(tidy(self, total), run)
        if store:
            store.finish(found.records())
        return found


def run_chunk(experiment: Experiment, index: int) -> Sums:
    """The sums of one chunk, from its own random stream: what a worker does."""
    stream = np.random.SeedSequence(experiment.seed, spawn_key=(index,))
    return chunk_sums(experiment, np.random.default_rng(stream), experiment.size(index))


def _arriving(
    e: Experiment, store: checkpoint.Store | None, jobs: int, backend: str, progress: bool | None
) -> Iterator[tuple[int, Sums]]:
    """The chunks that are stored, then the others as they are done."""
    done = store.read(e.chunks, lambda: chunk_sums(e, np.random.default_rng(0), 2)) if store else {}
    yield from done.items()

    todo = [i for i in range(e.chunks) if i not in done]
    with _bar(progress, len(done), e.chunks) as tick:
        for index, sums in completed(partial(run_chunk, e), todo, jobs=jobs, backend=backend):
            if store:
                store.write(index, sums)
            tick()
            yield index, sums


def _added(e: Experiment, arriving: Iterable[tuple[int, Sums]], precision: float | None) -> tuple[Sums, int]:
    """Sums over the chunks in their order, and how many were needed."""
    waiting: dict[int, Sums] = {}
    total: Sums = {}
    used = 0
    for index, sums in arriving:
        waiting[index] = sums
        while used in waiting:
            total = plus(total, waiting.pop(used))
            used += 1
            if precision is not None and _error(e, total) <= precision:
                return total, used
    return total, used


def _error(e: Experiment, total: Sums) -> float:
    judged = {"bias", "coverage", "size", "power"}
    return max(r["error"] or 0.0 for r in tidy(e, total) if r["statistic"] in judged)


@contextmanager
def _bar(wanted: bool | None, done: int, chunks: int) -> Iterator[Callable[[], None]]:
    """Progress with the time left, on a terminal (or where asked for), else nothing."""
    if not (sys.stderr.isatty() if wanted is None else wanted):
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("simulating", total=chunks, completed=done)
        yield lambda: bar.advance(task)


def parsed_levels(text: str) -> tuple[float, ...]:
    """Levels as written on a command line: ``0:1:0.1`` (with its end), or ``0,.5,1``.

    >>> parsed_levels("0:1:0.25"), parsed_levels("0, .5")
    ((0.0, 0.25, 0.5, 0.75, 1.0), (0.0, 0.5))
    """
    try:
        if ":" in text:
            first, last, step = (float(x) for x in text.split(":"))
            if step <= 0 or last < first:
                raise ValueError
            count = int(np.floor((last - first) / step + 1e-9)) + 1
            return tuple(round(first + i * step, 12) for i in range(count))
        return tuple(float(x) for x in text.split(","))
    except (ValueError, OverflowError):
        raise InferenceError(
            f"The levels {text!r} cannot be read; write first:last:step, as 0:1:0.1, or a list."
        ) from None


def simulate(**description: Any) -> Results:
    """An `Experiment` made and run: its arguments and those of `Experiment.run` together."""
    names = ("jobs", "backend", "out", "resume", "progress", "precision")
    running = {name: description.pop(name) for name in names if name in description}
    return Experiment(**description).run(**running)
