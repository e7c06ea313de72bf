"""Where chunks run: threads, or any joblib backend. Which one never changes a number."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

from informed.errors import InferenceError, MissingExtra

STREAMING = ("loky", "threading", "multiprocessing")  # give results as they come


def spread(
    work: Callable[[Any, int], Any], shared: Any, todo: Sequence[int], *, jobs: int, backend: str
) -> Iterator[tuple[int, Any]]:
    """(index, work(shared, index)) for each index, in the order in which they finish."""
    if backend == "threads":
        if jobs == 1:
            return ((i, work(shared, i)) for i in todo)
        return _threads(work, shared, todo, jobs)
    return _joblib(work, shared, todo, jobs, backend)


def _threads(
    work: Callable[[Any, int], Any], shared: Any, todo: Sequence[int], jobs: int
) -> Iterator[tuple[int, Any]]:
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
    try:
        import joblib
    except ImportError:
        raise MissingExtra(
            f"The backend {backend!r} needs joblib: pip install 'informed[parallel]'."
        ) from None
    _register(backend)
    call = joblib.delayed(_numbered)
    try:
        with joblib.parallel_config(backend=backend, n_jobs=jobs):
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
        known = {"dask": "Make a dask.distributed.Client first."}
        hint = known.get(backend, 'There are "threads", "loky", "dask", "spark" and "ray".')
        raise InferenceError(
            f"The backend {backend!r} cannot be used: {str(problem).splitlines()[0]} {hint}"
        ) from None


def _numbered(work: Callable[[Any, int], Any], shared: Any, index: int) -> tuple[int, Any]:
    return index, work(shared, index)


def _register(backend: str) -> None:
    """Backends that joblib learns from another package."""
    homes = {"spark": ("joblibspark", "register_spark"), "ray": ("ray.util.joblib", "register_ray")}
    if backend not in homes:
        return
    from importlib import import_module

    package, name = homes[backend]
    try:
        getattr(import_module(package), name)()
    except ImportError:
        raise MissingExtra(
            f"The backend {backend!r} needs {package.partition('.')[0]}: "
            f"pip install {package.partition('.')[0]}."
        ) from None
