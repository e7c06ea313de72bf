"""What people type first, from scikit-learn, torchmetrics or R: it works, or one sentence says what to type."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import informed
import informed.sklearn
from informed import Table, Tally, compare, find, folds, interval, leaderboard, read, report, roc, test, threshold
from informed.decisions.multiclass import multiclass

Y = [1, 0, 1, 1, 0, 0, 1, 0]
P = [1, 0, 0, 1, 0, 1, 1, 0]
S = [0.9, 0.2, 0.4, 0.8, 0.1, 0.6, 0.7, 0.3]
T = Table.from_labels(real=Y, predicted=P)
FRAME = pd.DataFrame({"y": Y, "p": P, "s": S})
NAMES = {name: getattr(informed, name) for name in ("informedness", "recall", "f1", "f_beta", "posterior", "agreement")}
NAMES |= {name: getattr(informed, name) for name in ("assign", "payoffs", "slices", "judge", "risk_coverage", "Marks")}
NAMES |= {"informed": informed, "sk": informed.sklearn, "np": np, "pd": pd, "Table": Table, "Tally": Tally}
NAMES |= {"compare": compare, "find": find, "folds": folds, "interval": interval, "leaderboard": leaderboard}
NAMES |= {"read": read, "report": report, "roc": roc, "test": test, "threshold": threshold}
NAMES |= {"multiclass": multiclass, "ABC": list("abc") * 4, "SCORES": np.random.default_rng(1).random((12, 3))}
NAMES |= {"y": Y, "p": P, "s": S, "t": T, "df": FRAME}

SAID = {  # what is typed, and what the one sentence must hold
    # labels by place
    "informedness(y, p)": "name them: real=, predicted=",
    "report(y, p)": "name them: real=, predicted=",
    "Table.from_labels(y, p)": "name them: real=, predicted=",
    "Tally().update(y, p)": "name them: real=, predicted=",
    "interval(y, p)": "interval(real=…, predicted=…)",
    "test(y, p)": "test(real=…, predicted=…)",
    "posterior(y, p)": "posterior(real=…, predicted=…)",
    "assign(y, p)": "assign(real=…, predicted=…)",
    "payoffs(y, p)": "payoffs(real=…, predicted=…)",
    "roc(y, s)": "name them: real=, score=",
    "threshold(y, s)": "threshold(real=…, score=…)",
    "risk_coverage(y, p, s)": "name them: real=, predicted=, score=",
    "compare(y, p)": "compare.paired(real=, a=, b=)",
    "compare(p, y, y)": "name them",
    "compare.paired(y, p, p)": "name them: real=, a=, b=",
    "compare.paired(real=y, predicted=[p, y])": "here the two systems are `a=` and `b=`",
    "compare.paired(read(df.assign(q=p, r=p), real='y', predicted=['p', 'q', 'r']))": "compares all of them",
    "folds({'a': t, 'b': t})": "or answers of several systems",
    "leaderboard({'a': p, 'b': y}, y)": "name them: real=, predictions=",
    "leaderboard({'a': t, 'b': t})": "leaderboard(real=…, predictions=…)",
    "leaderboard({'a': t})": "Tables do not say what two systems said of the same item",
    "leaderboard(real=SCORES > 0.5, predicted={'a': SCORES > 0.5, 'b': SCORES > 0.4})": "Tags.from_labels(real=…",
    "leaderboard(real=[{'x'}, set()], predicted={'a': [{'x'}, {'y'}]})": "predicted={'a': …, 'b': …})",
    "slices(real=SCORES > 0.5, predicted=SCORES > 0.4, by=ABC)": "Tags.from_labels(real=…, predicted=…)",
    "compare(t)": "compare.paired(real=, a=, b=)",
    "compare({'a': t, 'b': t})": "compare(a, b)",
    "roc(real=y, score=3.0)": "`score` is 3.0; one number a case is needed",
    "Table.from_counts(pd.crosstab(df.y, df.p))": "Give `rows='real'`",
    "multiclass(real=[0, 1, 2] * 2, score=np.eye(6, 3), item=[1, 1, 1, 2, 2, 3])": "1 to 3 times",
    "judge(y, p)": "a Table of the judge's verdicts",
    "read(df, real='y', predicted='y')": "`real` and `predicted` are both 'y'",
    "report(real=list('abab') * 2, predicted=list('12345678'))": "as an id or a score looks",
    "read(df, 'y', 'p')": "name them: real=, predicted=",
    "read(y, p)": "name them: real=, predicted=",
    "read(real=y, predicted=p)": "Table.from_labels(real=…, predicted=…)",
    "read('a.csv', real=df.y, predicted=df.p)": "give names of columns",
    "read(df, real=df.y[:3], predicted='p')": "3 values and the frame 8 rows",
    "read(df, real=df.y[::-1], predicted='p')": "different indexes",
    "read(df, real=df.y, predicted=[df.p, df.y])": "list their names",
    "read({'y': y, 'p': p}, real='y', predicted='p')": "pd.DataFrame(…)",
    # half of it
    "recall(real=y)": "without `predicted=`",
    "recall()": "recall(real=…, predicted=…)",
    "recall(t, real=y, predicted=p)": "a Table and labels",
    "recall(t, positive=0)": "`positive` goes with labels",
    # other words for the same
    "Table.from_labels(y_true=y, y_pred=p)": "here it is `real=`",
    "recall(y_true=y, y_pred=p)": "here it is `real=`",
    "recall(real=y, predicted=p, pos_label=1)": "here it is `positive=`",
    "report(t, confidence=0.9)": "here it is `level=`",
    "interval(t, 'f1', alpha=0.05)": "`level=0.95`, which is 1 − alpha",
    "interval(t, 'f1', conf_level=0.9)": "here it is `level=`",
    "interval(t, 'f1', 0.9)": "name them: level=",
    "interval(t, 'f1', levl=0.9)": "did you mean `level=`?",
    "interval(t, 'f1', level=95)": "must lie between 0 and 1",
    "test(t, seed=1)": "here it is `rng=`",
    "roc(real=y, scores=s)": "here it is `score=`",
    "f_beta(t, 2)": "f_beta(t, beta=2)",
    "recall(t, beta=2)": "no option `beta`",
    # something else than a table
    "recall([[5, 2], [1, 4]])": "Table.from_counts(counts)",
    "recall(np.array([[5, 2], [1, 4]]))": "Table.from_counts(counts)",
    "report(df)": "informed.read(frame, real=…, predicted=…)",
    "report('data.csv')": "informed.read('data.csv', real=…, predicted=…)",
    "slices(df)": "informed.read(source, real=…, predicted=…, by=…)",
    "slices(y)": "A list is no Table",
    "slices({'a': t, 'b': t})": "A dict is no Table",
    "recall(Tally())": "take the table that it holds",
    "Table(y, p)": "Table.from_labels(real=…, predicted=…)",
    "Table([[5, 2], [1, 4]])": "Table.from_counts(counts)",
    "Table.from_counts(5, 2, 1, 4)": "4 arguments by place",
    "Table.from_counts([5, 2, 1, 4])": "(predicted, real)",
    # names that are elsewhere
    "t.informedness": "informed.informedness(t)",
    "t.f1()": "informed.f1(t)",
    "t.report()": "informed.report(t)",
    "t.confusion_matrix": "t.counts",
    "informed.confusion_matrix": "Table.from_labels(real=…, predicted=…)",
    "informed.classification_report": "informed.report(real=…, predicted=…)",
    "informed.cohen_kappa_score": "informed.sklearn.cohen_kappa_score",
    "informed.roc_auc_score": "informed.roc(real=…, score=…).auc",
    "informed.brier_score_loss": "informed.probabilities(real=…, probability=…).brier.score",
    "informed.d2_log_loss_score": "informed.probabilities(real=…, probability=…).log_skill",
    "informed.probabilities(y, s)": "name them: real=, probability=",
    "informed.probabilities(y_true=y, y_prob=s)": "here it is `real=`",
    "informed.mcnemar": "informed.compare.paired",
    "informed.informednes": "did you mean informedness?",
    "interval(t, 'AUC')": "informed.roc(real=…, score=…).auc",
    "interval(t, 3)": "A int is no measure",
    "find('informednes')": "Did you mean informedness",
    "report(t).informedness": "no attribute 'informedness'",
    # scikit-learn's words on its own ground
    "sk.scorers['informednes']": "Did you mean informedness",
    "sk.informednes_score": "did you mean informedness_score?",
    "sk.recall_score(['a', 'b', 'a'], ['b', 'a', 'a'])": "give `pos_label=`",
    "sk.recall_score([0, 1, 2], [0, 1, 1])": 'give `average="macro"`',
    "sk.recall_score(y, p[:3])": "`y_true` has 8, `y_pred` has 3",
    "sk.recall_score(y, [None, *p[1:]])": "use `missing='drop'` to leave",
    "sk.recall_score(y, s)": "give scores to `informed.roc`.",
    "sk.recall_score(y, p, beta=2)": "no option `beta`",
    "sk.multimetric(['f1'], beta=2)": "no option `beta`",
    "sk.multimetric(['recall']).of(['a', 'b'], ['b', 'a'])": "give `pos_label=`",
    "sk.TableDisplay.from_predictions(y, s)": "RocCurveDisplay.from_predictions(y_true, y_score)",
    # several systems
    "folds([0.5, 0.6], [0.4, 0.5])": "arguments by place",
    "folds({'a': [0.5, 0.6], 'b': [0.4]})": "different numbers of folds: a 2, b 1",
    "folds({'a': ['x', 'y'], 'b': ['z', 'w']})": "one number for each fold and system",
}


@pytest.mark.parametrize(("typed", "said"), SAID.items(), ids=list(SAID))
def test_one_sentence_says_what_to_type(typed: str, said: str) -> None:
    with pytest.raises((informed.InformedError, AttributeError)) as caught:
        eval(typed, dict(NAMES))
    sentence = str(caught.value)
    assert said in sentence
    assert "\n" not in sentence
    assert len(sentence) < 400


WORKS = {  # what is typed, and what it must be equal to
    "informedness(real=y, predicted=p)": "informedness(t)",
    "read(df, real=df.y, predicted=df.p)": "t",
    "read(df, real=df.y, predicted='p')": "t",
    "read(df, real=np.array(y), predicted='p')": "t",
    "read(df, real=df.y, predicted=df.s > 0.5).n": "8.0",
    "recall(real=y, predicted=p, positive=0)": "recall(t.inverse)",
    "f_beta(real=y, predicted=p, beta=2)": "f_beta(t, beta=2)",
    "find('f1')(real=y, predicted=p)": "informed.f1(t)",
    "report(t, measures='f1')['f1'].value": "informed.f1(t)",
    "[find(x).name for x in ('Informedness', 'TPR', 'G-Mean')]": "['informedness', 'recall', 'g_mean']",
    "informedness(sk.RocPlaneDisplay.from_predictions(y, s).table)": "max(roc(real=y, score=s).recall - "
    "roc(real=y, score=s).fallout)",
    "Table.from_counts(pd.crosstab(df.y, df.p), rows='real').counts.tolist()": "t.counts.tolist()",
    "multiclass(real=ABC, score=SCORES, item=[0, 1, 2, 3] * 3).interval().low": "multiclass(real=ABC, score=SCORES, "
    "unit=[0, 1, 2, 3] * 3).interval().low",
    "informed.adjusted_rand_index(real=[0, 0, 1], predicted=['a', 'a', 'b'])": "1.0",
    "sk.adjusted_rand_index_score([0, 0, 1], ['a', 'a', 'b'])": "1.0",
    "report(real=y, predicted=p)['F1'].value": "informed.f1(t)",
    "report(real=y, predicted=p, positive=0).table.positive": "0",
    "tuple(interval(real=y, predicted=p, measure='f1'))": "tuple(interval(t, 'f1'))",
    "tuple(interval(t, 'f1'))": "(interval(t, 'f1').low, interval(t, 'f1').high)",
    "[i.measure for i in interval(t, ['F1', 'recall'])]": "['f1', 'recall']",
    "interval(t, ['f1', 'recall'])['sensitivity'].low": "interval(t, 'recall').low",
    "test(real=y, predicted=p).pvalue": "test(t).pvalue",
    "posterior(real=y, predicted=p, rng=1).low": "posterior(t, 'informedness', rng=1).low",
    "assign(real=[0, 0, 1, 1], predicted=list('aabb')).mapping": "{'a': 0, 'b': 1}",
    "payoffs(real=y, predicted=p).total": "payoffs(t).total",
    "threshold(real=y, score=s, rng=1).threshold": "threshold(roc(real=y, score=s), rng=1).threshold",
    "interval(t, 'MCC').measure": "'matthews'",
    "interval(t, 'Matthews correlation coefficient').measure": "'matthews'",
    'interval(t, "Cohen\'s kappa").measure': "'cohen_kappa'",
    "interval(t, 'Cohen’s kappa').measure": "'cohen_kappa'",
    'interval(t, "Youden\'s J").measure': "'informedness'",
    "interval(t, 'Balanced accuracy').measure": "'balanced_accuracy'",
    "sk.scorers['mcc'] is sk.scorers['matthews']": "True",
    "sk.multimetric(['precision'], undefined='worst').of([1, 0], [0, 0])['precision']": "0.0",
    "folds({'a': [0.5, 0.6, 0.8], 'b': [0.4, 0.5, 0.6]}).names": "('a', 'b')",
    "folds(pd.DataFrame({'a': [0.5, 0.6, 0.8], 'b': [0.4, 0.5, 0.6]}, index=['x', 'y', 'z'])).folds": "('x', 'y', 'z')",
    "sum([Tally(labels=[0, 1]), Tally(labels=[0, 1])]).table().n": "0.0",
}


@pytest.mark.parametrize(("typed", "same"), WORKS.items(), ids=list(WORKS))
def test_it_works(typed: str, same: str) -> None:
    found, wanted = (eval(x, dict(NAMES)) for x in (typed, same))
    assert found == wanted


def test_a_leaderboard_takes_what_a_paired_reading_gives() -> None:
    answers = read(FRAME.assign(q=Y), real="y", predicted=["p", "q"])
    assert leaderboard(answers).names == leaderboard(predictions=answers).names == ("p", "q")
    with pytest.raises(informed.InformedError, match="either"):
        leaderboard(answers, predictions=answers)
    with pytest.raises(informed.InformedError, match="Which systems"):
        leaderboard()


def test_tallies_add_and_stay_as_they_were() -> None:
    a, b = Tally(), Tally()
    a.update(real=Y, predicted=P, unit=[1, 1, 2, 2, 3, 3, 4, 4])
    b.update(real=P, predicted=Y, unit=[1, 1, 2, 2, 5, 5, 6, 6])
    both = sum([a, b])
    assert isinstance(both, Tally)
    assert both.table().n == 16
    assert (a.table().n, b.table().n) == (8, 8)
    merged = Tally()
    merged.merge(a)
    merged.merge(b)
    assert (both.table().counts == merged.table().counts).all()
    with pytest.raises(informed.InformedError, match="missing='error' and the other missing='drop'"):
        a + Tally(missing="drop")


def test_intervals_of_several_measures_are_one_result() -> None:
    found = interval(T, ["f1", "recall", "informedness"])
    assert len(found) == 3
    assert found.records().names[0] == "measure"
    for form in ("text", "html", "json", "csv", "latex", "markdown"):
        assert "recall" in found.write(form)
    with pytest.raises(informed.InformedError, match="precision was not asked for"):
        found["precision"]


def test_measures_stay_plain_functions() -> None:
    recall: Any = informed.recall
    assert pickle.loads(pickle.dumps(recall)) is recall
    assert type(recall).__name__ == "function"
    assert {"real", "predicted", "average"} <= set(__import__("inspect").signature(recall).parameters)
    assert find("recall").parameters == {}


def test_modules_that_users_import_are_there_at_once() -> None:
    """`import informed; informed.sklearn` said "did you mean spearman?"."""
    for name in ("sklearn", "torch", "testing", "plotting", "decisions", "inference", "sources", "documents"):
        program = f"import informed; print(informed.{name}.__name__)"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        assert done.stdout.strip() == f"informed.{name}", done.stderr


@pytest.mark.slow
def test_type_checkers_know_every_name_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "used.py"
    path.write_text(
        "import informed\n"
        "from informed.sklearn import RocCurveDisplay, informedness_score, mcc_scorer\n"
        "t = informed.Table.from_counts([[1, 2], [3, 4]])\n"
        "informed.mcc(t), informed.sklearn.mcc_score([1], [1]), mcc_scorer, informedness_score, RocCurveDisplay\n"
        "informed.probabilities(real=[1, 0], probability=[0.2, 0.3]).typo\n"
        "from informed.sklearn import typo\n"
    )
    where = {**os.environ, "MYPYPATH": str(Path(informed.__file__).parents[1])}
    asked = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(path)]
    done = subprocess.run(asked, capture_output=True, text=True, check=False, env=where)
    wrong = [line.split(":")[1] for line in done.stdout.splitlines() if ": error:" in line]
    assert wrong == ["5", "5", "6"], done.stdout  # of both kinds of probabilities


def test_every_function_refuses_what_it_does_not_take_in_a_sentence() -> None:
    """Too many arguments by place, and a keyword that there is not: a TypeError of Python says neither what to give."""
    t = Table.from_counts([[20, 5], [5, 20]])
    raw = []
    for name in sorted(dir(informed)):
        function: Any = getattr(informed, name)
        if not callable(function) or isinstance(function, type):
            continue
        for args, named in (((1,) * 40, {}), ((t,), {"zzz": 1})):
            try:
                function(*args, **named)
            except informed.InformedError:
                continue
            except TypeError as error:
                raw.append((name, str(error)))
    assert not raw
