"""Every gate agrees with the confidence interval and the p-value that it prints.

The tables below hold an example of each kind of evidence that has gates; what is tried is found in the product (kinds
in `Decidable`, sides in `PARTS`, functions that take `shown_to_be`, options of the commands), so that a new gate
without an example fails here.
"""

from __future__ import annotations

import importlib
import inspect
import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest

import informed
from command_line import run
from informed import Gate, Table, decide
from informed.errors import InformedError
from informed.evidence.marks import Marks
from informed.evidence.tags import Tags
from informed.summary.checks import check
from informed.summary.decide import Decidable, decide_parts, evidence_of, parts_of
from informed.summary.gates import PARTS, SIGNS, Bar
from informed.summary.marks_report import report_marks
from informed.summary.tags_report import report_tags
from informed.systems.folds import Folds
from informed.testing import assert_informed

GROUPS = ("de", "en", "fr")
N = 240
RNG = np.random.default_rng(20261119)
LEVEL = 0.95

REAL = RNG.integers(0, 2, N)
LANGUAGE = np.repeat(GROUPS, N // 3)
NOISE = {"a": 0.12, "b": 0.1}
ANSWERS = {name: np.where(RNG.random(N) < noise, 1 - REAL, REAL) for name, noise in NOISE.items()}
WORST = LANGUAGE == "de"
ANSWERS["a"][WORST] = np.where(RNG.random(N) < 0.65, 1 - REAL, REAL)[WORST]  # one group falls
FORECASTS = {x: np.clip(0.5 + 0.3 * (2 * y - 1) + RNG.normal(0, 0.06, N), 0.01, 0.99) for x, y in ANSWERS.items()}
CLASSES = RNG.integers(0, 3, N)


def tagged(x: Any) -> np.ndarray:
    return np.stack([x, 1 - x, np.roll(x, 1)], axis=1)


def labels() -> Any:
    return informed.report(stack())


def stack() -> Table:
    return Table.from_labels(real=REAL, predicted=ANSWERS["a"], by=LANGUAGE, positive=1)


def marks(name: str = "a", partial: bool = False) -> Marks:
    right = (ANSWERS[name] == REAL).astype(float)
    return Marks.from_columns(mark=np.where(right > 0, 0.9 + 0.1 * REAL, 0.2) if partial else right, group=LANGUAGE)


def tags(*names: str) -> Tags:
    given = {x: tagged(ANSWERS[x]) for x in names}
    return Tags.from_labels(real=tagged(REAL), predicted=given if len(names) > 1 else given[names[0]])


def forecasts(**more: Any) -> Any:
    return informed.probabilities(real=REAL, probability=FORECASTS["a"], positive=1, n_draws=50, **more)


def classes(**more: Any) -> Any:
    p = np.full((N, 3), 0.2)
    p[np.arange(N), np.where(RNG.random(N) < 0.25, (CLASSES + 1) % 3, CLASSES)] = 0.6
    return informed.probabilities(real=CLASSES, probability=dict(enumerate(p.T)), n_draws=50, **more)


def verified() -> Any:
    gold = [int(y) if i % 2 else None for i, y in enumerate(REAL)]
    return informed.verified(predicted=ANSWERS["a"].tolist(), gold=gold, positive=1)


def paired(own: Any = slice(None)) -> Any:
    frame = pd.DataFrame({"y": REAL, **ANSWERS, "language": LANGUAGE})[own]
    return informed.read(frame, real="y", predicted=["a", "b"], keep=["language"], positive="1")


def two(p: Any = None) -> Any:
    return informed.compare.paired(paired() if p is None else p, a="a", b="b")


def folded() -> Folds:
    return informed.folds(paired(), fold=np.arange(N) % 8, design="training-seeds")


def of_groups(made: Callable[[Any], Any]) -> dict[Any, Any]:
    return {x: made(x == LANGUAGE) for x in GROUPS}


@dataclass(frozen=True)
class Kind:
    """An example of one kind of evidence: numbers that are better when higher and when lower, and its groups."""

    made: Callable[[], Any]
    up: tuple[str, ...]
    down: tuple[str, ...] = ()
    parts: Callable[[], dict[Any, Any]] | None = None  # each group by itself, made anew
    bars: bool = True  # whether it has gates on its own numbers, and not only verdicts


def one_report(own: Any) -> Any:
    return informed.report(Table.from_labels(real=REAL[own], predicted=ANSWERS["a"][own], positive=1))


def compared_marks(own: Any = slice(None), **more: Any) -> Any:
    a, b = (Marks.from_columns(mark=(ANSWERS[x] == REAL).astype(float)[own]) for x in "ab")
    return informed.compare(a, b, names=("a", "b"), **more)


def compared_tags(own: Any = slice(None)) -> Any:
    return informed.compare.paired(tags("a", "b").where(np.arange(N)[own]), a="a", b="b")


def compared_forecasts(own: Any = slice(None)) -> Any:
    held = {x: p[own] for x, p in FORECASTS.items()}
    return informed.probabilities.compare(real=REAL[own], probabilities=held, positive=1, n_draws=50)


def two_verified() -> Any:
    from informed.systems.verified import verified_two

    gold = [int(y) if i % 2 else None for i, y in enumerate(REAL)]
    return verified_two({x: y.tolist() for x, y in ANSWERS.items()}, gold=gold, positive=1)


def judged() -> Any:
    good = {x: (y == REAL).astype(int) for x, y in ANSWERS.items()}
    noisy = {x: np.where(RNG.random(N) < 0.1, 1 - y, y).tolist() for x, y in good.items()}
    gold = {x: [int(v) if i % 2 else None for i, v in enumerate(y)] for x, y in good.items()}
    return informed.compare.judged(verdict=noisy, gold=gold, positive=1)


def suite_of_two() -> Any:
    from informed.systems.suite import Task, suite

    halves = (np.arange(N) < N // 2, np.arange(N) >= N // 2)
    each = [{x: Marks.from_columns(mark=(ANSWERS[x] == REAL).astype(float)[own]) for x in "ab"} for own in halves]
    return suite([Task(f"task {i}", held) for i, held in enumerate(each)])


KINDS: dict[str, Kind] = {
    "Table": Kind(lambda: stack().sum(), ("informedness", "recall"), ("fallout", "error_rate")),
    "Report": Kind(labels, ("informedness", "recall"), ("fallout", "error_rate"), lambda: of_groups(one_report)),
    "Marks": Kind(marks, ("score", "coverage"), bars=False),
    "MarksReport": Kind(
        lambda: report_marks(marks()),
        ("score", "coverage"),
        parts=lambda: of_groups(lambda own: report_marks(Marks.from_columns(mark=marks().mark[own]))),
    ),
    "Tags": Kind(lambda: tags("a"), ("informedness",), ("hamming_loss",), bars=False),
    "TagsReport": Kind(
        lambda: report_tags(tags("a"), by=LANGUAGE),
        ("informedness", "subset_accuracy"),
        ("hamming_loss",),
        lambda: of_groups(lambda own: report_tags(tags("a").where(own))),
    ),
    "Probabilities": Kind(
        lambda: forecasts(by=LANGUAGE),
        ("brier_skill", "auc", "informedness"),
        parts=lambda: of_groups(
            lambda own: informed.probabilities(real=REAL[own], probability=FORECASTS["a"][own], positive=1, n_draws=50)
        ),
    ),
    "ClassProbabilities": Kind(classes, ("brier_skill", "informedness")),
    "Verified": Kind(verified, ("informedness", "recall"), ("fallout",)),
    "Comparison": Kind(
        two, ("informedness", "accuracy"), ("fallout",), lambda: of_groups(lambda own: two(paired(own))), bars=False
    ),
    "MarksDifference": Kind(compared_marks, ("score",), parts=lambda: of_groups(compared_marks), bars=False),
    "TagsDifference": Kind(
        compared_tags, ("informedness",), ("hamming_loss",), lambda: of_groups(compared_tags), bars=False
    ),
    "ProbabilityComparison": Kind(
        compared_forecasts, ("log_skill", "brier_skill"), parts=lambda: of_groups(compared_forecasts), bars=False
    ),
    "VerifiedDifference": Kind(two_verified, ("informedness",), bars=False),
    "JudgedDifference": Kind(judged, ("rate",), bars=False),
    "Suite": Kind(suite_of_two, ("score",), bars=False),
}
ON_BARS = [name for name, kind in KINDS.items() if kind.bars]


def test_every_kind_has_an_example() -> None:
    assert {x.__name__ for x in get_args(Decidable)} == set(KINDS)
    assert {name for name, kind in KINDS.items() if kind.parts is None and parts_of(made(name))} <= {"Probabilities"}


MADE: dict[str, Any] = {}


def made(name: str) -> Any:
    if name not in MADE:
        MADE[name] = KINDS[name].made()
    return MADE[name]


# ---------------------------------------------------------------------- the law


def printed(said: str) -> tuple[float, float] | None:
    """The interval in a sentence."""
    found = re.search(r"\[([^\]]*), ([^\]]*)\]", said)
    if not found:
        return None
    low, high = (float(x.translate(str.maketrans("", "", "<>+"))) for x in found.groups())
    return low, high


def printed_p(said: str) -> tuple[str, float] | None:
    found = re.search(r"one-sided p ([=<>]) ([0-9.e-]+[0-9])", said)
    return (found[1], float(found[2])) if found else None


def agrees(gate: Gate, level: float = LEVEL) -> None:
    """The verdict is what the limits and the p-value of this gate say, and its sentence prints these."""
    on = gate.name.rpartition(".")[2]
    wanted, upward = gate.wanted, not gate.at_most
    if gate.name.rpartition(": ")[2].startswith("decide "):
        reached = gate.low >= wanted if upward else gate.high <= wanted
        missed = gate.high < wanted if upward else gate.low > wanted
        assert gate.verdict == ("pass" if reached else "fail" if missed else "undecided"), gate
    elif gate.name.endswith(("fail-worse", "fail-unless")):
        margin_agrees(gate, level)
    elif on in SIGNS:
        by_p = not math.isnan(gate.pvalue)
        shown = gate.pvalue < 1 - level if by_p else gate.low > wanted if on == "greater" else gate.high < wanted
        assert gate.passed == shown, gate
    else:
        seen = getattr(gate, on) if on in ("low", "high") else gate.seen
        assert gate.seen == seen or on == "value"
        assert gate.passed == (seen >= wanted if upward else seen <= wanted), gate
    sentence_agrees(gate)


def sentence_agrees(gate: Gate) -> None:
    limits = printed(gate.sentence)
    if limits is not None:
        assert limits == pytest.approx((gate.low, gate.high), abs=1e-3 + 1e-9), gate
        for shown, exact in zip(limits, (gate.low, gate.high), strict=True):
            assert np.sign(shown - gate.wanted) == np.sign(exact - gate.wanted) or abs(exact - gate.wanted) < 1e-9, gate
    p = printed_p(gate.sentence)
    if p is not None:
        relation, shown = p
        assert gate.pvalue <= shown * (1 + 1e-9) if relation == "<" else gate.pvalue == pytest.approx(shown, rel=0.06)


def margin_agrees(gate: Gate, level: float) -> None:
    """Of a margin the test and the interval that leaves as much out at one end are the same."""
    alpha = (1 - gate.level) / 2  # of the test, corrected for groups where it fails by what is shown
    beyond, within = (gate.high < gate.wanted, gate.low > gate.wanted)
    if gate.at_most:
        beyond, within = (gate.low > gate.wanted, gate.high < gate.wanted)
    if gate.name.endswith("fail-unless"):
        assert gate.level == pytest.approx(2 * level - 1)
        assert gate.passed == (gate.pvalue < alpha) == within, gate
    else:
        assert gate.passed == (not gate.pvalue < alpha) == (not beyond), gate


def bars_around(*numbers: float) -> Iterator[float]:
    """Bars at, just below and just above these numbers, and between them."""
    known = sorted(x for x in numbers if math.isfinite(x))
    for x in known:
        yield from (x - 1e-4, x, x + 1e-4)
    yield from (float(np.mean(pair)) for pair in pairwise(known))
    yield from (round(x, 2) for x in known)


# ---------------------------------------------------------------------- one number


@pytest.mark.parametrize("on", PARTS)
@pytest.mark.parametrize("kind", ON_BARS)
def test_a_bar_agrees_with_what_it_prints(kind: str, on: str) -> None:
    """Every side of every number, and of every group, with bars around its limits."""
    held = made(kind)
    for measure, over in [*((m, False) for m in KINDS[kind].up), *((m, True) for m in KINDS[kind].down)]:
        if on == ("greater" if over else "less"):
            continue
        e = evidence_of(held, measure)
        for wanted in sorted({*bars_around(e.low, e.estimate, e.high)}):
            if not on_scale(measure, wanted):
                continue
            bar = Bar(measure, on, wanted, over)
            gates = check(held, (), [bar]) if over else check(held, [bar])
            assert len(gates) == 1 + len(parts_of(held)), "the total and every group"
            for gate in gates:
                assert gate.at_most == over
                agrees(gate)


def on_scale(measure: str, value: float) -> bool:
    least = -1 if measure in ("informedness", "brier_skill", "log_skill") else 0
    return least < value < 1


@pytest.mark.parametrize("kind", [name for name in KINDS if KINDS[name].down or KINDS[name].bars])
def test_the_wrong_side_is_an_error_that_names_the_right_one(kind: str) -> None:
    held = made(kind)
    for measures, over in ((KINDS[kind].up, False), (KINDS[kind].down, True)):
        for measure in measures:
            right, wrong_side = ("at_most", "at_least") if over else ("at_least", "at_most")
            asked: dict[str, Any] = {wrong_side: 0.3}
            with pytest.raises(InformedError, match=f"{right}="):
                decide(held, measure=measure, **asked)
            if not KINDS[kind].bars:
                continue
            for on in PARTS:
                wrong = Bar(measure, on, 0.3, not over)
                with pytest.raises(InformedError, match=f"fail_{'over' if over else 'under'}="):
                    check(held, (), [wrong]) if wrong.over else check(held, [wrong])


@pytest.mark.parametrize("kind", KINDS)
def test_a_verdict_agrees_with_its_interval(kind: str) -> None:
    held = made(kind)
    for measure, over in [*((m, False) for m in KINDS[kind].up), *((m, True) for m in KINDS[kind].down)]:
        e = evidence_of(held, measure)
        for wanted in bars_around(e.low, e.estimate, e.high):
            for gate in decide_parts(held, [(measure, wanted)]):
                agrees(gate)
            asked: dict[str, Any] = {"at_most" if over else "at_least": wanted}
            one = decide(held, measure=measure, **asked)
            each = decide_parts(held, [(measure, wanted)])
            worst = min(("fail", "undecided", "pass").index(x.verdict) for x in each)
            assert one.verdict == ("fail", "undecided", "pass")[worst]


# ---------------------------------------------------------------------- groups


@pytest.mark.parametrize("kind", [name for name in KINDS if KINDS[name].parts])
def test_a_group_is_gated_as_it_is_alone(kind: str) -> None:
    """The gate of a group is that of its own cases; limits by which it can only fail are corrected (Bonferroni)."""
    groups_alone = KINDS[kind].parts
    assert groups_alone is not None
    alone, held = groups_alone(), made(kind)
    parts = None if parts_of(held) else alone
    corrected = 1 - (1 - LEVEL) / len(GROUPS)
    for measure, over in [*((m, False) for m in KINDS[kind].up), *((m, True) for m in KINDS[kind].down)]:
        wanted = evidence_of(held, measure).estimate
        verdicts = {x.group: x for x in decide_parts(held, [(measure, wanted)], parts=parts)}
        assert set(verdicts) == {"", *GROUPS}
        for name, part in alone.items():
            own = evidence_of(part, measure)
            gate = verdicts[name]
            level = LEVEL if gate.verdict == "pass" else corrected
            assert gate.seen == pytest.approx(own.estimate)
            assert gate.level == pytest.approx(level)
            assert (gate.low, gate.high) == pytest.approx((own.at(level).low, own.at(level).high), abs=1e-6)
            agrees(gate)
        if not KINDS[kind].bars:
            continue
        for on in PARTS[:3]:
            bar = Bar(measure, on, wanted, over)
            gates = {g.group: g for g in (check(held, (), [bar]) if over else check(held, [bar]))}
            assert set(gates) == {"", *GROUPS}
            for name, part in alone.items():
                own = evidence_of(part, measure)
                own = own.at(corrected) if bar.shows_failure else own
                seen = own.estimate if on == "value" else getattr(own, on)
                assert gates[name].seen == pytest.approx(seen, abs=1e-6)
                agrees(gates[name])


def test_one_bad_group_fails_and_the_total_alone_does_not() -> None:
    """A pool that clears the bar hides one group that does not."""
    held = labels()
    under = ["informedness.low=0.1"]
    gates = check(held, under)
    assert [(g.group, g.passed) for g in gates] == [("", True), ("de", False), ("en", True), ("fr", True)]
    assert [g.passed for g in check(held, under, parts={})] == [True]
    assert decide(held, 0.1).verdict == "fail"
    assert decide(held, 0.1).group == "de"
    with pytest.raises(AssertionError, match="de: the lower limit of informedness is"):
        assert_informed(stack(), at_least=0.1)
    assert_informed(stack().sum(), at_least=0.1)


def test_groups_that_are_alike_fail_no_more_often_than_one_table() -> None:
    """With 10 groups at the bar the share of runs in which some group is shown to miss it stays at its level."""
    rng, runs, groups, n = np.random.default_rng(5), 300, 10, 200
    failed = 0
    for _ in range(runs):
        right = rng.binomial(n // 2, 0.8, (groups, 2))
        cells = [[right[:, 0], n // 2 - right[:, 1]], [n // 2 - right[:, 0], right[:, 1]]]
        t = Table.from_counts(np.moveaxis(np.asarray(cells), -1, 0))
        gates = check(t, ["informedness.high=0.6"])
        failed += any(not g for g in gates if g.group)
    error = math.sqrt(0.025 * 0.975 / runs)
    assert failed / runs <= 0.025 + 3 * error  # without the correction about one run in five


# ---------------------------------------------------------------------- margins


MARGINS: dict[str, list[tuple[Any, tuple[Any, ...]]]] = {
    "not_worse": [(two, ("informedness",)), (two, ("accuracy",)), (two, ("fallout",)), (two, ("f1",))],
    "not_worse_by_marks": [(compared_marks, ())],
    "not_worse_by_tags": [
        (compared_tags, ()),
        (lambda: informed.compare.paired(tags("a", "b"), a="a", b="b", measure="hamming_loss"), ()),
    ],
    "not_worse_over_folds": [(folded, (("a", "b"),))],
    "not_worse_on_mean": [(suite_of_two, ())],
    "not_worse_by_skill": [(compared_forecasts, ())],
}
ROOMS = ("informed.systems.gates", "informed.systems.suite", "informed.summary.probability_gates")


def margin_functions() -> dict[str, Any]:
    """Functions that make a gate from a margin, wherever they stand."""
    found = {}
    for path in (Path(informed.__file__).parent / "systems", Path(informed.__file__).parent / "summary"):
        for file in path.glob("*.py"):
            if "shown_to_be" in file.read_text(encoding="utf-8"):
                module = importlib.import_module(f"informed.{path.name}.{file.stem}")
                for name, x in vars(module).items():
                    own = inspect.isfunction(x) and x.__module__ == module.__name__
                    if own and "shown_to_be" in inspect.signature(x).parameters:
                        found[name] = x
    return found


def test_every_margin_has_an_example() -> None:
    assert set(margin_functions()) == set(MARGINS)


@pytest.mark.parametrize("name", MARGINS)
def test_a_margin_agrees_with_its_interval_and_its_p_value(name: str) -> None:
    function = margin_functions()[name]
    for make, more in MARGINS[name]:
        held = make()
        base = function(held, *more, 0.0, shown_to_be=False)
        known = {0.0, 0.02, 0.5}
        for limit in (base.low, base.high):
            known |= {abs(limit) + x for x in (-1e-3, 1e-3)}
        for margin in sorted(x for x in known if 0 <= x < 1.5):
            for shown in (True, False):
                for groups in (1, 3) if "groups" in inspect.signature(function).parameters else (1,):
                    how = {"groups": groups} if groups > 1 else {}
                    gate = function(held, *more, margin, shown_to_be=shown, **how)
                    agrees(gate)
                    level = 1 - (1 - LEVEL) / (1 if shown else groups)
                    assert gate.level == pytest.approx(2 * level - 1)


# ---------------------------------------------------------------------- on the command line


CASES = (
    "--real y --predicted a --positive 1 --by lang",
    "--real y --probability pa --positive 1 --by lang",
    "--real ty --predicted ta --separator ; --by lang",
)
BOTH = (
    "--real y --predicted a --predicted b --positive 1 --by lang",
    "--real y --probability pa --probability pb --positive 1 --by lang",
    "--real ty --predicted ta --predicted tb --separator ; --by lang",
)
GATED = {  # every option that gates, and what it is given in each of the commands above
    "fail_under": "informedness.low=0.3",
    "fail_over": "fallout.high=0.3",
    "decide": "informedness=0.3",
    "fail_worse": "0.02",
    "fail_unless": "0.2",
    "baseline": "",
}
NOT_GATES = {"undecided", "gates", "max_unscored", "max_errors", "max_not_run", "annotate"}


@pytest.fixture(scope="module")
def frame(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("gates") / "run.csv"
    told: dict[str, Any] = {"y": REAL, **ANSWERS, "lang": LANGUAGE, "pa": FORECASTS["a"], "pb": FORECASTS["b"]}
    words = {"ty": REAL, "ta": ANSWERS["a"], "tb": ANSWERS["b"]}
    told |= {name: [";".join(np.array(list("pqr"))[row == 1]) for row in tagged(x)] for name, x in words.items()}
    pd.DataFrame(told).to_csv(path, index=False)
    return str(path)


def test_every_option_that_gates_is_tried() -> None:
    from informed.cli.compare import command as compare
    from informed.cli.report import command as report
    from informed.cli.verify import command as verify

    for command in (report, compare, verify):
        for option in command.params:
            words = f"{option.name} {getattr(option, 'help', '')}"
            if "xit 1" in words or "xit 0" in words or str(option.name).startswith("fail"):
                assert option.name in GATED, option.name


def known(found: dict[str, Any]) -> dict[str, Any]:
    """A gate of JSON, where NaN is null."""
    return {name: math.nan if x is None else x for name, x in found.items()}


def held_on_the_screen(words: list[str]) -> None:
    """The exit code is that of the worst verdict, every group has every gate, and all of them agree."""
    done = run(*words, "--format", "json")
    gates = [Gate(**known(x)) for x in json.loads(done.stdout)["gates"]]
    verdicts = {g.verdict for g in gates}
    assert done.returncode == (1 if "fail" in verdicts else 3 if "undecided" in verdicts else 0), done.stderr
    groups = {g.group for g in gates}
    assert groups == {"", *GROUPS}
    for group in groups:
        assert len([g for g in gates if g.group == group]) == len(gates) / 4
    for gate in gates:
        agrees(gate)
        assert gate.passed or gate.sentence in done.stderr.replace("\n", " ")


@pytest.mark.parametrize("how", CASES)
def test_a_report_by_groups(how: str, frame: str) -> None:
    over = ["--fail-over", "hamming_loss=0.3"] if ";" in how else []
    over = ["--fail-over", "fallout.high=0.3"] if how == CASES[0] else over
    words = ["report", frame, *how.split(), "--fail-under", "informedness.low=0.3", "--decide", "informedness=0.3"]
    held_on_the_screen([*words, *over])


@pytest.mark.parametrize("how", BOTH)
def test_a_comparison_by_slices(how: str, frame: str) -> None:
    measure = "log_skill" if "probability" in how else "informedness"
    words = ["compare", frame, *how.split(), "--fail-worse", "0.02", "--fail-unless", "0.2"]
    held_on_the_screen([*words, "--decide", f"{measure}=-0.3", "--fail-under", "informedness.low=0.3"])


def test_a_language_that_falls_stops_a_comparison_that_is_even(tmp_path: Path) -> None:
    """One language falls from 1.00 to 0.30 among many that stay."""
    rng = np.random.default_rng(3)
    language = np.repeat([f"l{i:02}" for i in range(20)], 30)
    y = rng.integers(0, 2, len(language))
    old = np.where(rng.random(len(y)) < 0.1, 1 - y, y)
    new = np.where(rng.random(len(y)) < 0.08, 1 - y, y)
    last = language == "l19"
    old[last], new[last] = y[last], np.where(np.arange(last.sum()) % 20 < 13, 1 - y[last], y[last])
    pd.DataFrame({"y": y, "new": new, "old": old, "lang": language}).to_csv(tmp_path / "x.csv", index=False)
    words = ["compare", str(tmp_path / "x.csv"), "--real", "y", "--predicted", "new", "--predicted", "old"]
    words += ["--fail-worse", "0.1", "--format", "junit"]
    assert run(*words).returncode == 0
    done = run(*words, "--by", "lang")
    assert done.returncode == 1
    assert "l19: new is worse than old by more than 0.1" in done.stderr
    assert 'failures="1"' in done.stdout
    assert run(*words, "--by", "lang", "--gates", "total").returncode == 0
    page = run(*words[:-2], "--by", "lang", "--full").stdout
    assert "Difference of informedness in each lang, new − old, with its 95 % confidence interval" in " ".join(
        page.split()
    )


@pytest.mark.parametrize("verdict", ["informedness=-0.5", "informedness=0.99", "informedness=0.1"])
def test_watch_says_what_its_numbers_say(verdict: str) -> None:
    """A bar is passed or failed by what was won against it, which the limits never contradict."""
    words = ["watch", "examples/run.jsonl", "--real", "diagnosis", "--predicted", "guess", "--decide", verdict]
    done = run(*words, "--format", "json")
    (found,) = json.loads(done.stdout)["gates"]
    gate = known(found)
    assert done.returncode == {"pass": 0, "fail": 1, "undecided": 3}[gate["verdict"]]
    if gate["verdict"] == "pass":
        assert not gate["high"] <= gate["wanted"]
    if gate["verdict"] == "fail":
        assert not gate["low"] >= gate["wanted"]
    if gate["low"] >= gate["wanted"]:
        assert gate["verdict"] == "pass"
    if gate["high"] < gate["wanted"]:
        assert gate["verdict"] == "fail"


def test_a_cap_on_the_lines_of_gates(tmp_path: Path) -> None:
    """A gate that many groups miss is told in some lines; JSON has all of them."""
    by = np.repeat(np.arange(120), 4)
    y = np.tile([0, 0, 1, 1], 120)
    pd.DataFrame({"y": y, "p": 1 - y, "by": by}).to_csv(tmp_path / "x.csv", index=False)
    words = ["report", str(tmp_path / "x.csv"), "--real", "y", "--predicted", "p", "--positive", "1", "--by", "by"]
    done = run(*words, "--fail-under", "informedness=0.5", "--format", "json")
    assert done.stderr.count("gate failed") == 50
    assert "71 more gates do not hold" in done.stderr
    assert len(json.loads(done.stdout)["failed"]) == 121
