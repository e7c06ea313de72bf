"""The same columns through every door: the same table, or the same refusal."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import informed
from command_line import refused
from informed import InformedError, Table
from informed.evidence.joint import Joint
from informed.evidence.paired import paired
from informed.sources.logs.log import Case, Log

NAN = float("nan")
Door = Callable[..., Table]
Policy = dict[str, Any]


def in_memory(real: Any, predicted: Any, **policy: Any) -> Table:
    return Table.from_labels(real=real, predicted=predicted, **policy)


def tallied(real: Any, predicted: Any, **policy: Any) -> Table:
    tally = informed.Tally(**policy)
    tally.update(real=real, predicted=predicted)
    return tally.table()


def joined(real: Any, predicted: Any, **policy: Any) -> Table:
    return Joint.from_labels(real=real, a=predicted, b=predicted, **policy).a


def of_systems(real: Any, predicted: Any, **policy: Any) -> Table:
    return paired(real, {"s": predicted}, **policy).tables["s"]


def compared(real: Any, predicted: Any, **policy: Any) -> Table:
    return informed.compare.paired(real=real, a=predicted, b=predicted, **policy).tables[0]


def by_item(real: Any, predicted: Any, **policy: Any) -> Table:
    """Mappings from item to label, which are joined."""
    labels = dict(enumerate(real))
    policy = {"missing": "error", **policy}
    return paired(labels, {"s": dict(enumerate(predicted))}, **policy).tables["s"]


def of_a_log(real: Any, predicted: Any, **policy: Any) -> Table:
    cases = [Case(r, p) for r, p in zip(real, predicted, strict=True)]
    # What `abstain` names is a state of a case, and an unanswered case: a log refuses neither unless told.
    missing = "abstain" if "abstain" in policy else "error"
    return Log(Path("x.log"), cases, foreign=True).table(**{"missing": missing, **policy})


def of_a_frame(make: Callable[[dict[str, Any]], Any]) -> Door:
    def door(real: Any, predicted: Any, **policy: Any) -> Table:
        frame = make({"r": real, "p": predicted})
        found = informed.read(frame, real="r", predicted="p", **policy)
        assert isinstance(found, Table)
        return found

    return door


def same_items_of_a_frame(real: Any, predicted: Any, **policy: Any) -> Table:
    frame = pd.DataFrame({"i": range(len(real)), "s": "s", "r": real, "p": predicted}, dtype=object)
    frame["i"] = range(len(real))
    found = informed.read(frame, real="r", predicted="p", item="i", by="s", **policy)
    assert isinstance(found, informed.Paired)
    return found.tables["s"]


EVERY: dict[str, Door] = {
    "from_labels": in_memory,
    "Tally": tallied,
    "Joint": joined,
    "Paired": of_systems,
    "compare.paired": compared,
    "mappings": by_item,
    "log": of_a_log,
    "pandas": of_a_frame(lambda d: pd.DataFrame(d, dtype=object)),
    "same items": same_items_of_a_frame,
}
COLUMNS: dict[str, tuple[list[Any], list[Any]]] = {
    "integers": ([1, 2, 3, 10, 2], [1, 2, 2, 10, 3]),
    "whole floats": ([1.0, 2.0, 3.0, 2.0], [1, 2, 2, 3]),
    "numpy numbers": ([np.int8(1), np.float32(2), np.int64(1)], [1, 2, 2]),
    "bools": ([True, False, True], [True, True, False]),
    "bools and 0/1": ([True, False, True], [1, 0, 0]),
    "bools and 2": ([True, False, True], [2, 1, 1]),
    "text": (["cat", "dog", "cat"], ["dog", "dog", "cat"]),
    "numerals": (["1", "2", "10", "9"], ["1", "10", "10", "2"]),
    "numpy text": ([np.str_("a"), "b", "a"], ["a", "b", np.str_("b")]),
    "None": (["a", None, "b"], ["a", "b", "b"]),
    "NaN": ([1, 2, 1, 2], [1, NAN, 2, 2]),
    "NA and NaT": (["a", pd.NA, "b", "a", "b"], ["a", "b", pd.NaT, None, "a"]),
    "both missing": ([1, None, 2, 2], [1, None, NAN, 2]),
    "mixed": (["a", 3, "b"], ["a", 3, 3]),
    "lookalikes": ([1, 2, 1], ["1", "2", "1"]),
    "lookalikes on one side": ([1, "1", 2], [1, 1, 2]),
    "text and numbers": (["a", "b", "a"], [1, 2, 1]),
    "scores": ([1, 0, 1], [0.25, 0.5, 0.75]),
    "decimals": ([Decimal(1), Decimal(2)], [1, 2]),
    "abstentions": (["a", "b", "a", "b"], ["a", "?", "a", "a"]),
    "unknown": (["low", "mid", "top"], ["low", "extra", "mid"]),
    "one class": (["a", "b", "a"], ["a", "a", "a"]),
}
POLICIES: dict[str, Policy] = {
    "plain": {},
    "drop": {"missing": "drop"},
    "abstain": {"missing": "abstain"},
    "silent": {"abstain": "?"},
    "silent labels": {"abstain": ["?", "extra"]},
    "grades": {"labels": ["top", "mid", "low"]},
    "numbers": {"labels": [10, 3, 2, 1]},
    "nonsense": {"missing": "ignore"},
}


def told(door: Door, real: Any, predicted: Any, policy: Policy) -> Any:
    """What a door makes of the columns: the table with its order, or the kind of refusal."""
    try:
        t = door(real, predicted, **policy)
    except InformedError as error:
        said = re.sub(r"^(the \w+ frame|\S+): ", "", str(error))
        said = re.sub(r"(`(a|b|real|predicted|predictions\['s'\])`|'[psr]') has", "`…` has", said)
        said = re.sub(r" \((position|item) [^)]*\)| \(\d+ rows?\)", "", said)
        return said.partition(" and `…` has")[0].partition(";")[0]
    return (t.labels, [type(x) for x in t.labels], t.counts.tolist(), t.abstained.tolist(), t.positive, t.order)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("columns", COLUMNS)
def test_every_door_says_the_same(columns: str, policy: str) -> None:
    real, predicted = COLUMNS[columns]
    wanted = told(in_memory, real, predicted, POLICIES[policy])
    for name, door in EVERY.items():
        if (columns, policy) == ("numerals", "numbers") and name in ("pandas", "same items"):
            continue  # labels typed for a source may be spelled another way: see `Held`
        if name == "log" and any(pd.isna(x) for x in [*real, *predicted]):
            continue  # in a log, a case without a real label is a state: unscored, and left out
        assert told(door, real, predicted, POLICIES[policy]) == wanted, name


CONTAINERS: dict[str, Callable[[list[Any]], Any]] = {
    "tuple": tuple,
    "objects": lambda x: np.array([*x, None], dtype=object)[:-1],
    "pandas": lambda x: pd.Series(x, dtype=object),
    "pandas text": lambda x: pd.Series(x, dtype="string"),
    "pandas Arrow": lambda x: pd.Series(x, dtype=pd.ArrowDtype(pa.string())),
    "pandas categorical": lambda x: pd.Series(x, dtype="category"),
    "Polars": lambda x: pl.Series(x, dtype=pl.String),
    "Polars categorical": lambda x: pl.Series(x, dtype=pl.Categorical),
    "Arrow": lambda x: pa.chunked_array([pa.array(x[:2], pa.string()), pa.array(x[2:])]),
    "Arrow dictionary": lambda x: pa.array(x, pa.string()).dictionary_encode(),
}
FRAMES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "pandas": pd.DataFrame,
    "Polars": lambda d: pl.DataFrame({k: pl.Series(v) for k, v in d.items()}),
    "Polars, lazy": lambda d: pl.LazyFrame({k: pl.Series(v) for k, v in d.items()}),
    "Arrow": lambda d: pa.table({k: pa.array(v) for k, v in d.items()}),
}
TEXTS = ["text", "numerals", "None", "abstentions", "unknown"]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("columns", TEXTS)
def test_every_container_says_the_same(columns: str, policy: str) -> None:
    real, predicted = COLUMNS[columns]
    wanted = told(in_memory, real, predicted, POLICIES[policy])
    doors = {k: EVERY[k] for k in ("from_labels", "Tally", "Joint", "Paired")}
    for kind, make in CONTAINERS.items():
        for name, door in doors.items():
            got = told(door, make(real), make(predicted), POLICIES[policy])
            assert got == wanted, (kind, name)
    spelled = (columns, policy) == ("numerals", "numbers")  # "1" for 1: a source may
    for kind, made in FRAMES.items() if not spelled else ():
        assert told(of_a_frame(made), real, predicted, POLICIES[policy]) == wanted, kind


@pytest.mark.parametrize("columns", COLUMNS)
def test_raters_refuse_what_tables_refuse(columns: str) -> None:
    """Two raters are a table without a truth; numbers with fractions are measurements unless they are named."""
    a, b = COLUMNS[columns]
    for missing in ("error", "drop", "abstain"):
        wanted = told(in_memory, a, b, {"missing": missing})
        try:
            found: Any = informed.agreement({"a": a, "b": b}, missing=missing).labels
        except InformedError as error:
            found = str(error)
        if isinstance(wanted, tuple):
            assert found == wanted[0]
        elif columns == "scores":
            assert "numbers with fractions, such as 0.25" in str(found)
            named = informed.agreement({"a": a, "b": b}, missing=missing, labels=[0, 0.25, 0.5, 0.75, 1])
            assert named.labels == (0, 0.25, 0.5, 0.75, 1)
        elif "missing" in wanted and missing == "abstain":
            assert isinstance(found, tuple)  # nobody is the truth, so that nobody must be there
        else:
            assert isinstance(found, str), found


# ---------------------------------------------------------------- order


LEVELS = ["low", "medium", "high"]
REAL = ["low", "low", "low", "medium", "medium", "high", "high", "high"]
SAID = ["low", "low", "medium", "medium", "high", "high", "high", "medium"]
DECLARED: dict[str, Callable[[list[str]], Any]] = {
    "pandas": lambda x: pd.Series(pd.Categorical(x, categories=LEVELS, ordered=True)),
    "Polars": lambda x: pl.Series(x, dtype=pl.Enum(LEVELS)),
    "Arrow": lambda x: pa.DictionaryArray.from_arrays(
        pa.array([LEVELS.index(v) for v in x], pa.int8()), LEVELS, ordered=True
    ),
}


def weighed(t: Table) -> list[float]:
    kappas = [float(informed.weighted_kappa(t, disagreement=w)) for w in ("linear", "quadratic")]
    return [*kappas, float(informed.spearman(t))]


def scikit_learn(real: Any, predicted: Any, labels: Any = None) -> list[float]:
    from scipy.stats import spearmanr
    from sklearn.metrics import cohen_kappa_score

    place = {x: i for i, x in enumerate(labels or sorted(set(real) | set(predicted)))}
    ranks = [[place[x] for x in side] for side in (real, predicted)]
    kappas = [cohen_kappa_score(real, predicted, labels=labels, weights=w) for w in ("linear", "quadratic")]
    return [*kappas, float(spearmanr(ranks[0], ranks[1]).statistic)]


def test_an_order_of_the_alphabet_is_refused_until_it_is_given() -> None:
    t = in_memory(REAL, SAID)
    assert t.order is None
    for measure in ("weighted_kappa", "weighted_kappa(disagreement='quadratic')", "spearman"):
        with pytest.raises(InformedError, match=r"needs the order of the labels.*`labels=`"):
            informed.find(measure)(t)
        with pytest.raises(InformedError, match="needs the order of the labels"):
            informed.interval(t, measure)
    wanted = scikit_learn(REAL, SAID, LEVELS)
    assert weighed(in_memory(REAL, SAID, labels=LEVELS)) == pytest.approx(wanted)
    assert weighed(t.with_order(LEVELS)) == pytest.approx(wanted)
    matrix = np.abs(np.subtract.outer([2, 0, 1], [2, 0, 1]))  # high, low, medium
    assert informed.weighted_kappa(t, disagreement=matrix) == pytest.approx(wanted[0])


@pytest.mark.parametrize("kind", DECLARED)
def test_ordered_types_declare_their_order(kind: str) -> None:
    make = DECLARED[kind]
    wanted = scikit_learn(REAL, SAID, LEVELS)
    frames: Any = {"pandas": pd.DataFrame, "Polars": pl.DataFrame, "Arrow": pa.table}[kind]
    frame = frames({"r": make(REAL), "p": make(SAID), "i": list(range(8))})
    several = frames({"r": make(REAL), "p": make(SAID), "q": make(REAL)})
    read = informed.read
    for t in (
        in_memory(make(REAL), make(SAID)),
        in_memory(make(REAL), SAID),
        tallied(make(REAL), make(SAID)),
        joined(make(REAL), make(SAID)),
        of_systems(make(REAL), make(SAID)),
        read(frame, real="r", predicted="p"),
        read(frame, real="r", predicted="p", by="i").sum(),
        read(several, real="r", predicted=["p", "q"]).tables["p"],
    ):
        assert t.labels == tuple(LEVELS)
        assert t.order == "declared"
        assert weighed(t) == pytest.approx(wanted)
    found = informed.agreement({"a": make(REAL), "b": make(SAID)}, disagreement="ordinal")
    assert found.labels == tuple(LEVELS)
    assert in_memory(make(REAL[:3]), make(SAID[:3])).labels == tuple(LEVELS)  # unused levels stay
    assert in_memory(make(REAL), ["other"] * 8).order is None


def test_numbers_and_numerals_stand_by_value(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    real = rng.integers(1, 11, 200).tolist()
    said = np.clip(np.array(real) + rng.integers(-2, 3, 200), 1, 10).tolist()
    wanted = scikit_learn(real, said)
    numbers = in_memory(real, said)
    assert numbers.order == "numbers"
    assert weighed(numbers) == pytest.approx(wanted)
    pl.DataFrame({"r": real, "p": said}).write_csv(tmp_path / "grades.csv")
    read = informed.read(tmp_path / "grades.csv", real="r", predicted="p")
    assert read.order == "numerals"
    assert read.labels == tuple(map(str, range(1, 11)))
    assert weighed(read) == pytest.approx(wanted)
    texts = [list(map(str, x)) for x in (real, said)]
    ordinal = [
        informed.agreement({"a": a, "b": b}, disagreement="ordinal")["krippendorff"].estimate
        for a, b in ((real, said), texts)
    ]
    assert ordinal[0] == pytest.approx(ordinal[1])


@pytest.mark.parametrize(
    ("labels", "order"),
    [
        ([1, 2, 10], "numbers"),
        ([False, True, 2], "numbers"),
        (["1", "2", "10"], "numerals"),
        (["-1.5", "+2", "10"], "numerals"),
        (["1", "01", "2"], None),
        (["T1", "T2", "T10"], None),
        (["a", "b"], "two classes"),
        ([(1, 2), (1, 3), (2, 2)], None),
    ],
)
def test_what_is_known_of_an_order(labels: list[Any], order: str | None) -> None:
    from informed.evidence.label_order import order_of, ordered

    for given in (labels, reversed(labels)):
        assert order_of(ordered(given)) == order


def test_the_refusal_shows_a_natural_order() -> None:
    t = in_memory(["T10", "T2", "T1"], ["T10", "T1", "T2"])
    with pytest.raises(InformedError, match="'T1', 'T2', 'T10'"):
        informed.spearman(t)


def test_order_survives_what_is_done_to_a_table() -> None:
    import copy
    import pickle

    t = in_memory(REAL, SAID, labels=LEVELS)
    stack = Table.from_labels(real=REAL, predicted=SAID, labels=LEVELS, by=[1, 1, 1, 1, 2, 2, 2, 2])
    for same in (
        t + t,
        t + in_memory(REAL, SAID),
        in_memory(REAL, SAID) + t,
        sum([t, t], t),
        stack.sum(),
        stack[0],
        Table.from_json(t.to_json()),
        pickle.loads(pickle.dumps(t)),
        copy.deepcopy(t),
        t.dual,
        t.answered,
        t.independent,
        t.select(["low", "medium", "high"]),
        t.collapse({"lowest": ["low"]}),
        t.at_prevalence([0.2, 0.3, 0.5]),
    ):
        assert same.order == "given"
    assert t.collapse({"ends": ["low", "high"], "more": ["medium"]}).order == "two classes"
    four = Table.from_counts(np.ones((4, 4)), labels=["a", "b", "c", "d"])
    assert four.collapse({"ab": ["a", "b"]}).order == "given"
    assert four.collapse({"ac": ["a", "c"]}).order is None
    assert four.select(["c", "a", "b"]).order is None
    backwards = in_memory(REAL, SAID, labels=LEVELS[::-1])
    assert (t + backwards).order is None  # two orders that contradict each other are none
    assert t.one_vs_rest().order == "two classes"
    old = t.to_json().replace(', "order": "given"', "")
    assert Table.from_json(old).order is None
    with pytest.raises(InformedError, match="`labels` names"):
        t.with_order(["low", "high"])


def test_counts_typed_in_have_the_order_of_their_labels() -> None:
    counts = [[5, 1, 0], [1, 5, 1], [0, 1, 6]]
    assert Table.from_counts(counts, labels=LEVELS).order == "given"
    assert Table.from_counts(counts).order == "numbers"
    assert Table.from_counts(pd.DataFrame(counts, index=LEVELS, columns=LEVELS)).order is None
    declared = pd.CategoricalIndex(LEVELS, categories=LEVELS, ordered=True)
    assert Table.from_counts(pd.DataFrame(counts, declared, declared)).order == "declared"


# ---------------------------------------------------------------- the same word on every verb


def test_scores_and_curves_take_missing_too() -> None:
    from informed.decisions.multiclass import compare_areas, multiclass
    from informed.decisions.roc import roc
    from informed.sklearn import informedness_score, multimetric

    real, said = [1, 0, None, 1, 0, 1], [1, 0, 1, None, 1, 1]
    with pytest.raises(InformedError, match=r"`y_true` has 1 missing .* `y_pred` has 1"):
        informedness_score(real, said)
    kept = ([1, 0, 0, 1], [1, 0, 1, 1])
    wanted = informedness_score(*kept)
    assert informedness_score(real, said, missing="drop") == wanted
    assert multimetric(["informedness"], missing="drop").of(real, said)["informedness"] == wanted

    score = [0.9, 0.1, 0.5, NAN, 0.6, 0.8]
    with pytest.raises(InformedError, match="`real` has 1 missing label"):
        roc(real=real, score=score)
    with pytest.raises(InformedError, match="A score cannot abstain"):
        roc(real=real, score=score, missing="abstain")
    curve = roc(real=real, score=score, missing="drop")
    assert (curve.auc, curve.missing) == (roc(real=kept[0], score=[0.9, 0.1, 0.6, 0.8]).auc, 2)
    weighted = roc(real=real, score=score, weights=[1, 2, 3, 4, 5, 6], missing="drop")
    assert weighted.table_at(0.6).n == 1 + 2 + 5 + 6

    scores = {"a": score, "b": [0.8, 0.3, 0.2, 0.1, 0.9, 0.4]}
    plain = {k: [v[i] for i in (0, 1, 4, 5)] for k, v in scores.items()}
    found = compare_areas(real=real, scores=scores, missing="drop")["a", "b"]
    assert found.estimate == compare_areas(real=kept[0], scores=plain)["a", "b"].estimate

    each = np.array([[1, 0], [0, 1], [0, 1], [NAN, 1], [0.4, 0.6], [0.7, 0.3]])
    areas = multiclass(real=real, score=each, missing="drop")
    assert areas.macro == multiclass(real=kept[0], score=each[[0, 1, 4, 5]]).macro


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_missing_labels_of_a_file_are_found_with_their_rows(kind: str, tmp_path: Path) -> None:
    """Counted from 1 without a header, as nobody counts the rows of a file from 0."""
    path = tmp_path / f"cases.{kind}"
    held = pl.DataFrame({"r": ["a", "b", "b", None, "a"], "p": ["a", None, "b", "a", None], "q": list("bbaaa")})
    getattr(held, {"csv": "write_csv", "jsonl": "write_ndjson", "parquet": "write_parquet"}[kind])(path)
    said = r"'r' has 1 missing label \(row 4 of the data\) and 'p' has 2 missing labels \(rows 2, 5 of the data\)"
    for predicted in ("p", ["p", "q"]):
        with pytest.raises(InformedError, match=said):
            informed.read(path, real="r", predicted=predicted)
    told = refused("agree", str(path), "--raters", "p,q")
    assert "'p' has 2 missing labels (rows 2, 5 of the data)" in told
