"""Where chunks run: threads, or any joblib backend. Which one never changes a number."""

from __future__ import annotations

import os
import sys
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import Any

from informed.errors import InferenceError, InformedError, MissingExtra
from informed.simulation.functions import packed, unpacked

# what joblib learns from another package: its home, and what it is called there
LEARNT = {"spark": ("joblibspark", "register_spark"), "ray": ("ray.util.joblib", "register_ray")}
STREAMING = ("loky", "threading")  # give results as they come


def completed(work: Callable[[int], Any], todo: Sequence[int], *, jobs: int, backend: str) -> Iterator[tuple[int, Any]]:
    """(index, work(index)) for each index, in the order in which they finish."""
    if backend != "threads":
        return _joblib(work, todo, jobs, backend)
    return _threads(work, todo, jobs) if jobs > 1 else ((i, work(i)) for i in todo)


def _threads(work: Callable[[int], Any], todo: Sequence[int], jobs: int) -> Iterator[tuple[int, Any]]:
    left = deque(todo)
    with ThreadPoolExecutor(jobs) as pool:
        running: dict[Future[Any], int] = {}
        try:
            while left or running:
                while left and len(running) < 2 * jobs:  # memory: never all at once
                    index = left.popleft()
                    running[pool.submit(work, index)] = index
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                for one in finished:
                    yield running.pop(one), one.result()
        finally:
            for one in running:
                one.cancel()


def _joblib(work: Callable[[int], Any], todo: Sequence[int], jobs: int, backend: str) -> Iterator[tuple[int, Any]]:
    joblib = _imported("joblib", f"{backend!r} needs joblib", "'informed[parallel]'")
    if backend == "spark":
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # as here, not the system's
    if backend in LEARNT:
        package, register = LEARNT[backend]
        top = package.partition(".")[0]
        getattr(_imported(package, f"{backend!r} needs {top}", top), register)()

    held, call = packed(work), joblib.delayed(_numbered)
    try:
        with ExitStack() as opened:
            if backend == "dask":
                _join_cluster(opened, jobs)
            opened.enter_context(joblib.parallel_config(backend=backend, n_jobs=jobs))
            arriving = opened.enter_context(_left(_batches(joblib, todo, jobs, backend, lambda i: call(held, i))))
            for index, found in arriving:
                if isinstance(found, InformedError):
                    raise found
                yield index, found
    except InformedError:
        raise
    except (ValueError, KeyError) as problem:
        raise InferenceError(
            f"The backend {backend!r} cannot be used: {str(problem).splitlines()[0]} "
            'There are "threads", "loky", "dask", "spark" and "ray".'
        ) from None
    except TypeError as problem:  # joblib met what a worker of Spark raised, not what it gave
        if backend != "spark":
            raise
        raise InferenceError(
            "The workers of Spark failed; its log above says why. They need Python "
            "with informed and joblib: set PYSPARK_PYTHON to it."
        ) from problem


def _join_cluster(opened: ExitStack, jobs: int) -> None:
    """Use the Dask client that is there, or one for DASK_SCHEDULER_ADDRESS, or for a local cluster."""
    distributed = _imported("distributed", "'dask' needs it", "'dask[distributed]'")
    import dask.config

    try:
        distributed.get_client()
    except ValueError:  # there is none
        address = dask.config.get("scheduler-address", None) or opened.enter_context(
            distributed.LocalCluster(jobs, threads_per_worker=1, dashboard_address=None)
        )
        try:
            opened.enter_context(distributed.Client(address, timeout="10s"))
        except (OSError, ValueError):
            raise InferenceError(f"No Dask scheduler answers at {address}.") from None


def _batches(
    joblib: Any, todo: Sequence[int], jobs: int, backend: str, call: Callable[[int], Any]
) -> Generator[tuple[int, Any]]:
    if backend in STREAMING:
        yield from joblib.Parallel(return_as="generator_unordered")(map(call, todo))
        return
    for first in range(0, len(todo), 4 * jobs):  # these give a batch at once
        yield from joblib.Parallel()(map(call, todo[first : first + 4 * jobs]))


@contextmanager
def _left(batches: Generator[tuple[int, Any]]) -> Iterator[Iterator[tuple[int, Any]]]:
    """Results that may be left before the last, which joblib warns of."""
    try:
        yield batches
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            batches.close()


def _numbered(work: bytes, index: int) -> tuple[int, Any]:
    """What a worker does; an error of ours comes back as it is, since not every backend brings what was raised."""
    try:
        return index, unpacked(work)(index)
    except InformedError as problem:
        return index, problem


def _imported(package: str, needed: str, install: str) -> Any:
    """A package that only some backends need, and that has no types here."""
    try:
        return import_module(package)
    except ImportError:
        raise MissingExtra(f"The backend {needed}: pip install {install}.") from None
