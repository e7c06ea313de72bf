"""A measure or a generator of one's own: a plain function, with the same numbers wherever it runs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import informed
from command_line import run
from informed import InformedError, Table
from informed.measures import MEASURES, Facts
from informed.measures.registry import forget
from informed.simulation import Experiment, Generator, population
from informed.simulation.functions import identity, imported, packed, unpacked
from informed.simulation.own import OwnMeasure

HOW: dict[str, Any] = {"k": 2, "n": 40, "levels": (0, 0.5), "replicates": 60, "chunk": 20}


def mine(t: Table) -> Any:
    """Informedness, as anyone would write it."""
    (tp, fp), (fn, tn) = t.cells
    return tp / (tp + fn) - fp / (fp + tn)


def branching(t: Table) -> float:
    """The same with an if, for one table."""
    if t.tp + t.fn == 0 or t.fp + t.tn == 0:
        return float("nan")
    return float(t.tp / (t.tp + t.fn) - t.fp / (t.fp + t.tn))


def divides(t: Table) -> float:
    """The same by Python's own division, which fails at 0/0."""
    (tp, fp), (fn, tn) = t.counts.tolist()
    return tp / (tp + fn) - fp / (fp + tn)  # type: ignore[no-any-return]


def known_or_guessed(level: float, k: int, n: int, rng: np.random.Generator) -> Any:
    """Case by case, as the papers tell it."""
    real = rng.integers(k, size=n)
    said = np.where(rng.random(n) < level, real, rng.integers(k, size=n))
    return np.histogram2d(said, real, bins=np.arange(k + 1))[0]


def all_at_once(level: float, k: int, n: int, rng: np.random.Generator, size: int, common: float = 0.5) -> Any:
    p = population(level, k=k, prevalence=common).counts
    return rng.multinomial(n, p.ravel(), size=size).reshape(size, k, k)


# ------------------------------------------------------------------ the same numbers as what is built in


@pytest.mark.parametrize("function", [mine, branching, divides])
def test_a_function_is_judged_as_the_measure_that_it_is(function: Any) -> None:
    e = Experiment(**HOW, measures=(function, "informedness", informed.matthews, informed.find("f_beta(beta=2)")))
    found = e.run()
    name = function.__name__
    assert e.description()["measures"] == [name, "informedness", "matthews", "f_beta(beta=2)"]
    for mine_, theirs in zip(found.select(measure=name), found.select(measure="informedness"), strict=True):
        assert mine_["value"] == pytest.approx(theirs["value"], abs=1e-12)
        assert mine_["count"] == theirs["count"]
    assert found.value(f"{name} & informedness", "correlation", level=0.5) == pytest.approx(1)
    assert isinstance(e.measures[0], OwnMeasure)
    assert e.measures[0].alone == (function is not mine)


def test_a_function_that_mixes_tables_is_asked_one_by_one() -> None:
    def by_the_largest(t: Table) -> Any:
        return t.tp / t.tp.max()

    e = Experiment(**HOW, measures=(by_the_largest,))
    assert e.measures[0].alone  # type: ignore[union-attr]
    assert e.run().value("by_the_largest", "mean", level=0.5) == 1


def test_a_generator_draws_what_it_says() -> None:
    found = Experiment(**{**HOW, "replicates": 2000}, generator=known_or_guessed).run()
    assert found.run["generator"] == "known_or_guessed"
    value, error = found.value("informedness", "bias", level=0.5), found.select(measure="informedness", level=0.5)
    assert abs(value) < 4 * error[2]["error"]

    ours = Experiment(**HOW, options={"prevalence": 0.3}, measures=("accuracy",)).run()
    theirs = Experiment(**HOW, generator=all_at_once, options={"common": 0.3}, measures=("accuracy",)).run()
    assert theirs.value("accuracy", "mean", level=0.5) == pytest.approx(ours.value("accuracy", "mean", level=0.5))

    honest = Generator("honest", partial(draws, by=0.3), lambda level, *, k, n: population(level, k=k, prevalence=0.3))
    again = Experiment(**HOW, generator=honest, measures=("accuracy",)).run()
    assert again.rows == ours.rows  # with the population, the truth is known


def draws(rng: np.random.Generator, level: float, *, k: int, n: int, size: int, by: float) -> Table:
    return Table.from_counts(all_at_once(level, k, n, rng, size, by))


# ------------------------------------------------------------------ everywhere


SHIFT = 0.25


def with_a_global(t: Table) -> Any:
    return mine(t) + SHIFT


def test_threads_and_processes_give_the_same_numbers() -> None:
    beta = 0.5
    here = (with_a_global, lambda t: mine(t) * beta, partial(mine))  # a module, a cell of a notebook, an object
    e = Experiment(**HOW, measures=here, generator=known_or_guessed)
    rows = e.run().rows
    assert {r["measure"] for r in rows if r["subject"] == "measure"} == {"with_a_global", "lambda", "mine"}
    assert e.run(jobs=2).rows == rows
    assert e.run(jobs=2, backend="loky").rows == rows


@contextmanager
def declared(times: float) -> Iterator[Any]:
    """A measure with facts that is not ours, until it is forgotten."""

    @Facts(
        title="Hits", tex="h", bounds=(0, times), needs=("cases",), best=times, dual="hits_of_mine", aka=("my_hits",)
    )
    def hits_of_mine(t: Table) -> Any:
        return times * t.hits.sum(axis=0) / t.total

    try:
        yield hits_of_mine
    finally:
        if "hits_of_mine" in MEASURES:
            forget("hits_of_mine")


def test_a_declared_measure_is_known_to_processes() -> None:
    with declared(0.5) as measure:
        e = Experiment(**HOW, measures=("hits_of_mine", "informedness", lambda t: 2 * measure(t)))
        assert e.run(jobs=2, backend="loky").rows == e.run().rows
        assert MEASURES["hits_of_mine"].function is measure
        assert list(e.description()["functions"]) == ["lambda", "hits_of_mine"]


def test_a_worker_knows_the_measure_that_was_sent_last() -> None:
    sent = []
    for times in (0.5, 0.25):
        with declared(times):
            sent.append(packed(partial(informed.find, "my_hits")))
    t = Table.from_counts([[3, 1], [1, 3]])
    try:
        for held, wanted in ((sent[0], 0.375), (sent[0], 0.375), (sent[1], 0.1875), (sent[0], 0.375)):
            assert unpacked(held)()(t) == wanted
    finally:
        forget("hits_of_mine")


def test_a_measure_that_a_worker_cannot_import_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "site-packages"
    folder.mkdir()
    source = "from informed.measures import Facts\n\n@Facts(title='A', tex='a', bounds=(0, 1), needs=())\n"
    (folder / "theirs.py").write_text(f"{source}def a_theirs(t):\n    return t.tp / t.tp\n", encoding="utf-8")
    with monkeypatch.context() as here:
        here.syspath_prepend(folder)
        import_module("theirs")
        held = packed(mine)
    del sys.modules["theirs"]
    forget("a_theirs")
    with pytest.raises(
        InformedError, match=r"A worker cannot know the measure a_theirs \(ModuleNotFoundError: .*theirs"
    ):
        unpacked(held)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of the cluster's own shutting down
def test_dask_gives_the_same_numbers() -> None:
    import distributed as package

    distributed: Any = package
    e = Experiment(**HOW, measures=(with_a_global,), generator=known_or_guessed)
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster),
    ):
        assert e.run(jobs=2, backend="dask").rows == e.run().rows


def test_what_cannot_be_sent_is_said() -> None:
    import threading

    lock = threading.Lock()

    def locked(t: Table) -> Any:
        with lock:
            return mine(t)

    e = Experiment(**HOW, measures=(locked,))
    assert e.run(jobs=2).rows
    with pytest.raises(
        InformedError, match=r"cannot be sent to other processes .*lock.*: run it with backend='threads'"
    ):
        e.run(jobs=2, backend="loky")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # loky's, as it is shut down
def test_a_function_that_fails_in_a_worker_is_said() -> None:
    def rarely(t: Table) -> Any:
        if (t.tp == 22).any():
            raise OverflowError("too many")
        return mine(t)

    e = Experiment(**{**HOW, "replicates": 400}, measures=(rarely,))
    for how in ({}, {"jobs": 2}, {"jobs": 2, "backend": "loky"}):
        with pytest.raises(InformedError, match=r"^rarely fails on a stack of .*: OverflowError: too many\.$"):
            e.run(**how)


# ------------------------------------------------------------------ what is refused


def two_values(t: Table) -> Any:
    return mine(t) + np.random.default_rng().random()


def informedness(t: Table) -> Any:
    return 0.5


def elsewhere(level: float, k: int, n: int, rng: Any) -> Any:
    return known_or_guessed(level, k, n, np.random.default_rng())


def grid(level: float, k: int, n: int, rng: Any) -> Any:
    return [[1, 2, 3]]


def negative(level: float, k: int, n: int, rng: Any) -> Any:
    return -np.ones((k, k))


def order(k: int, n: int, level: float, rng: Any) -> Any:
    return np.ones((k, k))


def breaks(*x: Any) -> Any:
    raise KeyError("what")


def multinomial(level: float, k: int, n: int, rng: Any) -> Any:
    return np.ones((k, k))


BAD: list[tuple[dict[str, Any], str]] = [
    ({"measures": breaks}, "breaks fails on a table of 2 classes: KeyError: 'what'."),
    ({"measures": lambda t: None}, "lambda gives None for a table of 2 classes; it must return a number."),
    ({"measures": lambda t: "high"}, "gives str, no number, for a table"),
    ({"measures": lambda t: t.counts}, r"gives an array of shape \(2, 2\) for a table of 2 classes; .* one number"),
    ({"measures": lambda t: mine(t) + 1j}, "gives complex numbers"),
    ({"measures": lambda t: np.nan}, r"undefined \(NaN\) for every one of 16 tables"),
    ({"measures": two_values}, "gives two values for one table"),
    ({"measures": informedness}, "There is a measure called informedness already"),
    ({"measures": (lambda t: t.tp, lambda t: t.fp)}, "Two of the measures are called lambda"),
    ({"measures": (3,)}, "A measure is 3; it must be a name, or a function"),
    ({"generator": elsewhere}, "elsewhere gives other tables for the same random stream"),
    ({"generator": grid}, r"grid gives an array of shape \(1, 3\); it must return counts of shape \(2, 2\)"),
    ({"generator": negative}, "negative gives no table at level 0: "),
    ({"generator": order}, "order takes k, n, level, rng; a generator takes level, k, n and rng, in this order"),
    ({"generator": breaks}, "breaks fails at level 0, k = 2, n = 40: KeyError: 'what'."),
    ({"generator": multinomial}, "There is a generator called multinomial already"),
    ({"generator": all_at_once, "options": {"rare": 1}}, "all_at_once has no option rare; it takes common"),
    ({"generator": 3}, "`generator` is 3; it can be 'multinomial'"),
]


@pytest.mark.parametrize(("given", "said"), BAD, ids=[s for _, s in BAD])
def test_bad_functions_are_refused_before_any_work(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InformedError, match=said) as caught:
        Experiment(**{**HOW, **given})
    assert "\n" not in str(caught.value)


# ------------------------------------------------------------------ by import path


MODULE = """
import numpy as np
import mine_too

def j(t):
    return mine_too.rate(t.tp, t.tp + t.fn) - mine_too.rate(t.fp, t.fp + t.tn)

def draw(level, k, n, rng, size):
    p = level * np.eye(k) / k + (1 - level) / k**2
    return rng.multinomial(n, p.ravel(), size=size).reshape(size, k, k)

number = 3
"""
COMMAND = ("simulate", "--k", "2", "--n", "30", "--levels", "0,0.5", "--replicates", "40", "--chunk", "20",
           "--format", "json")  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory with modules, as the current one."""
    (tmp_path / "mine_j.py").write_text(MODULE)
    (tmp_path / "mine_too.py").write_text("def rate(a, b):\n    return a / b\n")
    (tmp_path / "mine_bad.py").write_text("def j(t:\n")
    (tmp_path / "mine_raises.py").write_text("1 / 0\n")
    (tmp_path / "mine_lacks.py").write_text("import no_such_package\n")
    monkeypatch.setattr(Path, "cwd", lambda: tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("mine_")]:
        del sys.modules[name]


@pytest.mark.usefixtures("folder")
def test_functions_by_import_path() -> None:
    words = (*COMMAND, "--measures", "informedness,mine_j:j", "--generator", "mine_j:draw")
    here, there = run(*words), run(*words, "--jobs", "2", "--backend", "loky")
    assert (here.returncode, here.stderr) == (0, "")
    import json

    one, two = json.loads(here.stdout), json.loads(there.stdout)
    assert one["rows"] == two["rows"]
    assert one["run"]["measures"] == ["informedness", "j"]
    assert one["run"]["functions"]["j"].startswith("mine_j:j sha256:")
    bias = {r["measure"]: r["value"] for r in one["rows"] if r["statistic"] == "bias" and r["level"] == 0.5}
    assert bias["j"] == pytest.approx(bias["informedness"])


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("mine_none:j", "There is no module 'mine_none', neither in "),
        ("mine_j:k", "mine_j has no 'k'."),
        ("mine_j:drew", "Did you mean draw?"),
        ("mine_j:number", "mine_j:number is of the type int; it must be a function."),
        ("mine_bad:j", "mine_bad cannot be imported: '(' was never closed ("),
        ("mine_raises:j", "mine_raises cannot be imported: ZeroDivisionError: division by zero."),
        ("mine_lacks:j", "mine_lacks cannot be imported: it needs 'no_such_package', which is not there."),
        ("mine_j.py:j", "write mine_j:j, a module and its function."),
        ("mine_j:", "write mine_j:my_function"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_is_wrong_with_a_path_is_said(path: str, said: str) -> None:
    for option in ("--measures", "--generator"):
        done = run(*COMMAND, option, path)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("error: ")
        assert done.stderr.count("\n") == 1
        assert said in done.stderr


def test_the_command_finds_modules_of_its_directory(folder: Path) -> None:
    source = str(Path(informed.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[0] = {source!r}; from informed.cli import main; main()",
         *COMMAND, "--measures", "mine_j:j"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_no_text_is_imported_but_on_the_command_line() -> None:
    with pytest.raises(InformedError, match="no measure called 'os:getpid'"):
        Experiment(**HOW, measures=("os:getpid",))
    with pytest.raises(InformedError, match="`generator` is 'os:getpid'"):
        Experiment(**HOW, generator="os:getpid")


# ------------------------------------------------------------------ what a function is


def test_a_function_is_known_by_what_it_is(tmp_path: Path) -> None:
    def shifted(by: float) -> Any:
        return lambda t: mine(t) + by

    assert identity(mine) == identity(mine)
    assert identity(shifted(1)) == identity(shifted(1))
    different = [mine, branching, shifted(1), shifted(2), partial(mine), partial(draws, by=1), partial(draws, by=2)]
    assert len({identity(f) for f in different}) == len(different)

    before = identity(with_a_global)
    global SHIFT
    SHIFT, old = 0.5, SHIFT
    assert identity(with_a_global) != before
    SHIFT = old

    e, other = (Experiment(**HOW, measures=shifted(by)) for by in (1, 2))
    out = tmp_path / "run.parquet"
    folder = tmp_path / "run.parquet.chunks"
    from informed.simulation import checkpoint

    checkpoint.opened(out, e.description(), resume=False)
    with pytest.raises(InformedError, match=r"another experiment: its lambda was '.*test_own_functions:.*sha256"):
        other.run(out=out, resume=True)
    assert e.run(out=out, resume=True).rows == e.run().rows
    assert not folder.exists()


def test_a_hash_is_the_same_in_every_process() -> None:
    code = "import sys; sys.path[:0] = sys.argv[1:]; import test_own_functions as t; print(t.identity(t.with_a_global))"
    folders = [str(Path(__file__).parent), str(Path(informed.__file__).parents[1])]
    there = subprocess.run([sys.executable, "-c", code, *folders], capture_output=True, text=True, check=True)
    assert there.stdout.split()[-1] == identity(with_a_global).split()[-1]


def test_imported_parts_of_a_class() -> None:
    assert imported("informed:Table.from_counts") == Table.from_counts
