"""Where chunks run: threads, or any joblib backend. Which one never changes a number."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import Any

from informed.errors import InferenceError, MissingExtra

LEARNT = {  # what joblib learns from another package: its home, and what it is called there
    "spark": ("joblibspark", "register_spark"),
    "ray": ("ray.util.joblib", "register_ray"),
}
STREAMING = ("loky", "threading", "multiprocessing")  # give results as they come


def completed(
    work: Callable[[Any, int], Any], shared: Any, todo: Sequence[int], *, jobs: int, backend: str
) -> Iterator[tuple[int, Any]]:
    """(index, work(shared, index)) for each index, in the order in which they finish."""
    if backend == "threads":
        if jobs == 1:
            return ((i, work(shared, i)) for i in todo)
        return _threads(work, shared, todo, jobs)
    return _joblib(work, shared, todo, jobs, backend)


def _threads(work: Callable[[Any, int], Any], shared: Any, todo: Sequence[int], jobs: int) -> Iterator[tuple[int, Any]]:
    left = deque(todo)
    with ThreadPoolExecutor(jobs) as pool:
        running: dict[Future[Any], int] = {}
        try:
            while left or running:
                while left and len(running) < 2 * jobs:  # memory: never all at once
                    index = left.popleft()
                    running[pool.submit(work, shared, index)] = index
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                for one in finished:
                    yield running.pop(one), one.result()
        finally:
            for one in running:
                one.cancel()


def _joblib(
    work: Callable[[Any, int], Any], shared: Any, todo: Sequence[int], jobs: int, backend: str
) -> Iterator[tuple[int, Any]]:
    joblib = _imported("joblib", f"{backend!r} needs joblib", "'informed[parallel]'")
    if backend == "spark":
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # as here, not the system's
    if backend in LEARNT:
        package, register = LEARNT[backend]
        top = package.partition(".")[0]
        getattr(_imported(package, f"{backend!r} needs {top}", top), register)()

    call = joblib.delayed(_numbered)
    try:
        with _cluster(backend, jobs), joblib.parallel_config(backend=backend, n_jobs=jobs):
            if backend in STREAMING:
                pool = joblib.Parallel(return_as="generator_unordered")
                yield from pool(call(work, shared, i) for i in todo)
                return
            for first in range(0, len(todo), 4 * jobs):  # these give a batch at once
                some = todo[first : first + 4 * jobs]
                yield from joblib.Parallel()(call(work, shared, i) for i in some)
    except (ValueError, KeyError) as problem:
        if isinstance(problem, InferenceError):
            raise
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


@contextmanager
def _cluster(backend: str, jobs: int) -> Iterator[None]:
    """The Dask client that is there, or one for DASK_SCHEDULER_ADDRESS, or for a local cluster."""
    with ExitStack() as opened:
        if backend == "dask":
            distributed = _imported("distributed", "'dask' needs it", "'dask[distributed]'")
            try:
                distributed.get_client()
            except ValueError:  # there is none
                opened.enter_context(_client(distributed, jobs))
        yield


@contextmanager
def _client(distributed: Any, jobs: int) -> Iterator[None]:
    import dask.config

    address = dask.config.get("scheduler-address", None)
    with ExitStack() as opened:
        if not address:
            local = distributed.LocalCluster(jobs, threads_per_worker=1, dashboard_address=None)
            address = opened.enter_context(local)
        try:
            client = distributed.Client(address, timeout="10s")
        except (OSError, ValueError):
            raise InferenceError(f"No Dask scheduler answers at {address}.") from None
        opened.enter_context(client)
        yield


def _numbered(work: Callable[[Any, int], Any], shared: Any, index: int) -> tuple[int, Any]:
    return index, work(shared, index)


def _imported(package: str, needed: str, install: str) -> Any:
    """A package that only some backends need, and that has no types here."""
    try:
        return import_module(package)
    except ImportError:
        raise MissingExtra(f"The backend {needed}: pip install {install}.") from None
