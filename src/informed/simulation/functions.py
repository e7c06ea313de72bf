"""Functions that a user brings: found by import path, known by a hash of what they are, sent to other processes."""

from __future__ import annotations

import difflib
import inspect
import pickle
import sys
import sysconfig
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from threading import Lock
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from informed.errors import InferenceError, MissingExtra
from informed.measures import MEASURES
from informed.measures.registry import forget

PLAIN = (type(None), bool, int, float, complex, str, bytes)


def name_of(function: Callable[..., Any]) -> str:
    """What a function is called; of an object that can be called, what its class is."""
    if isinstance(function, partial):
        return name_of(function.func)
    return str(getattr(function, "__name__", type(function).__name__)).strip("<>")


# ------------------------------------------------------------------ by import path


def imported(path: str) -> Callable[..., Any]:
    """The function that "module:function" names; modules of the current directory are found, too.

    >>> imported("statistics:fmean")([1, 2])
    1.5
    """
    module_name, _, name = path.partition(":")
    if module_name.endswith(".py") or "/" in module_name or not (module_name and name):
        stem = Path(module_name).stem or "mymodule"
        raise InferenceError(
            f"{path!r} is no import path; write {stem}:{name or 'my_function'}, a module and its function."
        )
    found: Any = _module(module_name)
    for part in name.split("."):
        if not hasattr(found, part):
            near = difflib.get_close_matches(part, dir(found), n=1)
            raise InferenceError(
                f"{module_name} has no {part!r}.{f' Did you mean {near[0]}?' if near else ''} "
                f"({module_name} is {getattr(sys.modules[module_name], '__file__', 'built in')})"
            )
        found = getattr(found, part)
    if not callable(found):
        raise InferenceError(f"{path} is of the type {type(found).__name__}; it must be a function.")
    return found  # type: ignore[no-any-return]


def _module(name: str) -> ModuleType:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return import_module(name)
    except ModuleNotFoundError as problem:
        if problem.name and (name == problem.name or name.startswith(f"{problem.name}.")):
            raise InferenceError(f"There is no module {name!r}, neither in {here} nor installed.") from None
        raise InferenceError(f"{name} cannot be imported: it needs {problem.name!r}, which is not there.") from problem
    except SyntaxError as problem:
        where = f"{problem.filename}, line {problem.lineno}"
        raise InferenceError(f"{name} cannot be imported: {problem.msg} ({where}).") from problem
    except (Exception, SystemExit) as problem:
        raise InferenceError(f"{name} cannot be imported: {said(problem)}.") from problem


def said(problem: BaseException) -> str:
    """An exception in a line."""
    words = str(problem).strip().splitlines()
    return f"{type(problem).__name__}: {words[0]}".rstrip(".") if words else type(problem).__name__


# ------------------------------------------------------------------ what it is


def identity(function: Callable[..., Any]) -> str:
    """Where a function is from and a hash of its source, its defaults and the values and functions that it uses.

    Functions that it calls count as far as they are of the same module; what else it reads is not seen.

    >>> def twice(x, by=2): return by * x
    >>> identity(twice) == identity(twice) != identity(lambda x: x)
    True
    """
    inner = function.func if isinstance(function, partial) else function
    where = getattr(inner, "__module__", None) or "?"
    what = getattr(inner, "__qualname__", type(inner).__qualname__)
    return f"{where}:{what} sha256:{sha256(repr(_made_of(function, set())).encode()).hexdigest()}"


def _made_of(x: Any, seen: set[int]) -> Any:
    """Plain data that is the same in every process for the same value or function."""
    if isinstance(x, PLAIN):
        return x
    if id(x) in seen:
        return "again"
    seen = seen | {id(x)}
    if isinstance(x, (tuple, list, set, frozenset)):
        parts = [_made_of(y, seen) for y in x]
        return sorted(map(repr, parts)) if isinstance(x, (set, frozenset)) else parts
    if isinstance(x, dict):
        return [(_made_of(k, seen), _made_of(y, seen)) for k, y in x.items()]
    if isinstance(x, np.ndarray):
        return x.shape, str(x.dtype), sha256(np.ascontiguousarray(x).tobytes()).hexdigest()
    if isinstance(x, partial):
        return [_made_of(y, seen) for y in (x.func, x.args, x.keywords)]
    if isinstance(x, FunctionType):
        return [_source(x), *(_made_of(y, seen) for y in _used(x))]
    if isinstance(x, CodeType):
        return x.co_code, x.co_names, [_made_of(y, seen) for y in x.co_consts]
    if isinstance(x, type) or not callable(x):
        return f"{getattr(x, '__module__', '')}.{getattr(x, '__qualname__', type(x).__qualname__)}"
    return [_source(type(x)), _made_of(getattr(x, "__dict__", None), seen)]


def _source(x: Any) -> Any:
    try:
        return inspect.getsource(x)
    except (OSError, TypeError):  # typed in somewhere that keeps no text
        return _made_of(x.__code__, set()) if isinstance(x, FunctionType) else repr(type(x))


def _used(function: FunctionType) -> Iterator[Any]:
    """Defaults, what is enclosed, and what it names of its own module."""
    yield function.__defaults__
    yield function.__kwdefaults__
    for cell in function.__closure__ or ():
        yield cell.cell_contents
    for name in _names(function.__code__):
        held = function.__globals__.get(name)
        if isinstance(held, (*PLAIN, tuple, np.ndarray)) or getattr(held, "__module__", 0) == function.__module__:
            yield name
            yield held


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)


# ------------------------------------------------------------------ to other processes


def packed(work: Callable[..., Any]) -> bytes:
    """A function for another process, with all that is not installed there: notebook cells, lambdas, local modules."""
    cloudpickle = _cloudpickle()
    local = [m for m in list(sys.modules.values()) if _travels(m)]
    for module in local:
        cloudpickle.register_pickle_by_value(module)
    try:
        declared = [(name, what, cloudpickle.dumps(MEASURES[name])) for name, what in _declared_elsewhere().items()]
        return pickle.dumps((declared, cloudpickle.dumps(work)))
    except Exception as problem:  # whatever an object says when it is asked for its state
        raise InferenceError(
            f"This cannot be sent to other processes ({said(problem)}): run it with backend='threads'."
        ) from problem
    finally:
        for module in local:
            cloudpickle.unregister_pickle_by_value(module)


def _cloudpickle() -> Any:
    """It comes with joblib: as a package that joblib needs, or in older versions inside it."""
    for name in ("cloudpickle", "joblib.externals.cloudpickle"):
        try:
            return import_module(name)
        except ImportError:
            continue
    raise MissingExtra("Other processes need cloudpickle, which comes with joblib: pip install 'informed[parallel]'.")


def unpacked(held: bytes) -> Callable[..., Any]:
    """What `packed` made, in the other process, of bytes that came from ours."""
    declared, work = pickle.loads(held)
    for name, what, measure in declared:
        _declare(name, what, measure)
    return pickle.loads(work)  # type: ignore[no-any-return]  # it may name what was declared


_ARRIVED: dict[str, str] = {}  # measures that another process declared here, by what they are
_ONE_AT_A_TIME = Lock()


def declared_function(name: str) -> Callable[..., Any] | None:
    """What a user has declared as this measure; None where it is one of ours."""
    function: Callable[..., Any] = MEASURES[name].function
    return None if function.__module__.partition(".")[0] == "informed" else inspect.unwrap(function)


def _declared_elsewhere() -> dict[str, str]:
    """Measures that are not ours, with what each is."""
    found = {name: declared_function(name) for name in MEASURES}
    return {name: identity(function) for name, function in found.items() if function is not None}


def _declare(name: str, what: str, held: bytes) -> None:
    """Know a measure as the process does that sent it, whatever was sent under its name before."""
    with _ONE_AT_A_TIME:
        if _ARRIVED.get(name) == what or _declared_elsewhere().get(name) == what:
            return
        if name in MEASURES:
            forget(name)
        try:
            pickle.loads(held)
        except ImportError as problem:
            raise InferenceError(
                f"A worker cannot know the measure {name} ({said(problem)}): install there what declares it, or run it "
                "with backend='threads'."
            ) from problem
        _ARRIVED[name] = what


def _travels(module: ModuleType) -> bool:
    """Whether another process, or machine, may not have this module."""
    file, top = getattr(module, "__file__", None), module.__name__.partition(".")[0]
    if not isinstance(file, str) or top in ("informed", "__main__", "__mp_main__"):
        return False
    at = Path(file).resolve()
    return not any(at.is_relative_to(folder) for folder in _installed())


def _installed() -> list[Path]:
    folders = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    folders |= {path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")}
    return [Path(folder).resolve() for folder in folders if folder]
