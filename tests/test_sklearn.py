"""The measures inside scikit-learn: scores, scorers, searches, routing, pickling."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, make_multilabel_classification
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import (
    balanced_accuracy_score,
    cohen_kappa_score,
    fbeta_score,
    jaccard_score,
    matthews_corrcoef,
    precision_score,
    recall_score,
)
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    TunedThresholdClassifierCV,
    cross_val_predict,
    cross_val_score,
    cross_validate,
)
from sklearn.tree import DecisionTreeClassifier

import informed.sklearn as ours
from informed.errors import InformedError, MeasureError
from informed.evidence.table import Table
from informed.evidence.tags import Tags
from informed.inference.intervals import interval
from informed.measures import MEASURES
from informed.measures.tag_scores import score as tag_score

RNG = np.random.default_rng(5)
REAL = RNG.integers(0, 2, 200)
PREDICTED = np.where(RNG.random(200) < 0.7, REAL, 1 - REAL)
REAL3 = RNG.integers(0, 3, 200)
PREDICTED3 = np.where(RNG.random(200) < 0.6, REAL3, RNG.integers(0, 3, 200))
WEIGHTS = RNG.uniform(0.5, 2, 200)


@pytest.fixture(scope="module")
def cancer() -> tuple[Any, Any]:
    X, y = load_breast_cancer(return_X_y=True)
    return X[:, :6], y


@pytest.fixture
def routing() -> Iterator[None]:
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.parametrize("average", ["binary", "macro", "micro", "weighted", None])
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["even", "weighted"])
def test_scores_agree_with_scikit_learn(average: str | None, weights: Any) -> None:
    real, predicted = (REAL, PREDICTED) if average == "binary" else (REAL3, PREDICTED3)
    given = {"average": average, "sample_weight": weights}
    for mine, theirs in [
        (ours.recall_score, recall_score),
        (ours.precision_score, precision_score),
        (ours.jaccard_score, jaccard_score),
    ]:
        assert mine(real, predicted, **given) == pytest.approx(theirs(real, predicted, **given))
    assert ours.f_beta_score(real, predicted, beta=2, **given) == pytest.approx(
        fbeta_score(real, predicted, beta=2, **given)
    )


def test_scores_of_all_classes_agree_with_scikit_learn() -> None:
    given = {"sample_weight": WEIGHTS}
    assert ours.mcc_score(REAL3, PREDICTED3, **given) == pytest.approx(matthews_corrcoef(REAL3, PREDICTED3, **given))
    assert ours.cohen_kappa_score(REAL3, PREDICTED3, **given) == pytest.approx(
        cohen_kappa_score(REAL3, PREDICTED3, **given)
    )
    assert ours.adjusted_balanced_accuracy_score(REAL3, PREDICTED3) == pytest.approx(
        balanced_accuracy_score(REAL3, PREDICTED3, adjusted=True)
    )


def test_the_positive_class_and_the_labels_can_be_named() -> None:
    real, predicted = ["spam", "ham", "spam"], ["spam", "spam", "ham"]
    assert ours.recall_score(real, predicted, pos_label="ham") == 0
    assert ours.recall_score(real, predicted, pos_label="spam") == 0.5
    with pytest.raises(MeasureError, match="which of"):
        ours.recall_score(real, predicted)
    with pytest.raises(InformedError, match="'ham'"):
        ours.accuracy_score(real, predicted, labels=["spam", "eggs"])
    each = ours.recall_score(real, predicted, labels=["spam", "ham", "eggs"], average=None)
    np.testing.assert_array_equal(each, [0.5, 0, np.nan])


def test_undefined_is_nan_the_limit_or_the_worst() -> None:
    real, predicted = [1, 0, 0], [0, 0, 0]
    assert np.isnan(ours.precision_score(real, predicted))
    assert np.isnan(ours.precision_score(real, predicted, undefined="limit"))
    assert ours.precision_score(real, predicted, undefined="worst") == 0
    assert ours.false_positive_accuracy_score(real, predicted, undefined="worst") == 1
    assert ours.markedness_score(real, predicted, undefined="limit") == 0
    with pytest.raises(MeasureError, match="`undefined` is 'zero'"):
        ours.precision_score(real, predicted, undefined="zero")


def test_every_measure_is_a_score_with_its_own_parameters() -> None:
    for name, m in MEASURES.items():
        function = getattr(ours, f"{name}_score")
        parameters = inspect.signature(function).parameters
        assert {"y_true", "y_pred", "labels", "sample_weight", "pos_label"} <= set(parameters)
        assert set(m.parameters) <= set(parameters)
        t = Table.from_labels(real=REAL, predicted=PREDICTED)
        np.testing.assert_equal(function(REAL, PREDICTED), m(t))
    assert set(ours.__all__) <= set(dir(ours))


def test_scorers_are_oriented_so_that_more_is_better(cancer: Any) -> None:
    X, y = cancer
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
    real, predicted = y, tree.predict(X)
    assert ours.error_rate_scorer(tree, X, y) == -ours.error_rate_score(real, predicted)
    assert ours.informedness_scorer(tree, X, y) == ours.informedness_score(real, predicted)
    with pytest.raises(AttributeError):
        getattr(ours, "prevalence_scorer")  # noqa: B009
    with pytest.raises(MeasureError, match="prevalence is not better"):
        ours.scorer("prevalence")


def test_scores_and_scorers_survive_pickle_and_clone() -> None:
    assert pickle.loads(pickle.dumps(ours.informedness_score)) is ours.informedness_score
    again = pickle.loads(pickle.dumps(ours.scorer("f_beta(beta=2)", pos_label=0)))
    model = DummyClassifier(strategy="constant", constant=0).fit([[0], [1]], [0, 1])
    assert again(model, [[0], [1]], [0, 1]) == pytest.approx(5 / 6)  # recall 1, precision 1/2
    search = GridSearchCV(model, {}, scoring=ours.informedness_scorer)
    assert clone(search).scoring._score_func is ours.informedness_score
    assert pickle.loads(pickle.dumps(ours.brier_skill_score)) is ours.brier_skill_score
    written = pickle.dumps(ours.ProbabilityScorer("growth", clip=1e-6), protocol=0)
    older = written.replace(b"informed.sklearn.probability_scores", b"informed.sklearn")
    for chosen in (pickle.loads(written), pickle.loads(older)):  # it has moved, and is found where it was
        assert (chosen.measure, chosen.clip) == ("growth", 1e-6)
    several = pickle.loads(pickle.dumps(ours.multimetric(["informedness"])))
    assert several.of(REAL, PREDICTED) == ours.multimetric(["informedness"]).of(REAL, PREDICTED)


def test_cross_validate_takes_the_dict_of_scorers(cancer: Any) -> None:
    X, y = cancer
    chosen = {name: ours.scorers[name] for name in ("informedness", "markedness", "error_rate")}
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    found = cross_validate(tree, X, y, scoring=chosen, cv=3, error_score="raise")
    assert np.all(found["test_informedness"] > 0.5)
    assert np.all(found["test_error_rate"] < 0)


def test_cross_validate_takes_a_multimetric_with_intervals(cancer: Any) -> None:
    X, y = cancer
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    measures = ours.multimetric(["informedness", "recall"], level=0.9)
    found = cross_validate(tree, X, y, scoring=measures, cv=3, error_score="raise")
    for name in measures.measures:
        assert np.all(found[f"test_{name}_low"] < found[f"test_{name}"])
        assert np.all(found[f"test_{name}"] < found[f"test_{name}_high"])


def test_a_multimetric_gives_what_interval_gives() -> None:
    t = Table.from_labels(real=REAL3, predicted=PREDICTED3)
    got = ours.multimetric(["informedness", "recall"], average="macro").of(REAL3, PREDICTED3)
    wanted = interval(t, "informedness")
    assert (got["informedness_low"], got["informedness_high"]) == (wanted.low, wanted.high)
    assert got["recall"] == pytest.approx(recall_score(REAL3, PREDICTED3, average="macro"))
    bare = ours.multimetric("mcc", interval=False).of(REAL3, PREDICTED3)
    assert bare == {"matthews": pytest.approx(matthews_corrcoef(REAL3, PREDICTED3))}


def test_a_grid_search_refits_by_a_measure(cancer: Any) -> None:
    X, y = cancer
    search = GridSearchCV(
        DecisionTreeClassifier(random_state=0),
        {"max_depth": [1, 3]},
        scoring=ours.multimetric(["informedness", "cohen_kappa"], interval=False),
        refit="informedness",
        cv=3,
        error_score="raise",
    ).fit(X, y)
    scored = search.cv_results_["mean_test_informedness"]
    assert search.best_params_["max_depth"] == [1, 3][int(np.argmax(scored))]


def test_many_classes_are_searched_by_informedness() -> None:
    X, y = load_iris(return_X_y=True)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    values = cross_val_score(tree, X, y, scoring=ours.informedness_scorer, cv=3)
    assert np.all(values > 0.7)
    macro = cross_val_score(tree, X, y, scoring=ours.scorer("recall", average="macro"), cv=3)
    theirs = cross_val_score(tree, X, y, scoring="recall_macro", cv=3)
    assert macro == pytest.approx(theirs)


@pytest.mark.parametrize("name", ["informedness", "correlation"])
def test_a_threshold_is_tuned(name: str, cancer: Any) -> None:
    X, y = cancer
    lopsided = np.r_[np.flatnonzero(y == 1), np.flatnonzero(y == 0)[:20]]
    model = LogisticRegression(C=1e-4, max_iter=1000)
    tuned = TunedThresholdClassifierCV(model, scoring=ours.scorers[name], cv=3)
    tuned.fit(X[lopsided], y[lopsided])
    measure = getattr(ours, f"{name}_score")
    plain = model.fit(X[lopsided], y[lopsided]).predict(X)
    assert measure(y, tuned.predict(X)) > measure(y, plain, undefined="limit")


@pytest.mark.usefixtures("routing")
def test_weights_are_routed_to_scorers_and_to_multimetrics(cancer: Any) -> None:
    X, y = cancer
    weights = np.where(np.arange(len(y)) % 3 == 0, 0.0, 1.0)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0).set_fit_request(sample_weight=True)

    def scored(scoring: Any) -> Any:
        return cross_validate(tree, X, y, scoring=scoring, cv=3, params={"sample_weight": weights})

    one = ours.scorer("informedness").set_score_request(sample_weight=True)
    without = ours.scorer("informedness").set_score_request(sample_weight=False)
    several = ours.multimetric(["informedness"]).set_score_request(sample_weight=True)
    weighted = scored(one)["test_score"]
    assert scored(several)["test_informedness"] == pytest.approx(weighted)
    assert not np.allclose(scored(without)["test_score"], weighted)
    with pytest.raises(sklearn.exceptions.UnsetMetadataPassedError):
        scored(ours.multimetric(["informedness"]))


@pytest.mark.usefixtures("routing")
def test_groups_are_the_units_of_a_multimetric(cancer: Any) -> None:
    X, y = cancer
    X, y, groups = np.repeat(X, 3, axis=0), np.repeat(y, 3), np.repeat(np.arange(len(y)), 3)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    answers = cross_val_predict(tree, X, y, cv=GroupKFold(3), params={"groups": groups})
    found = ours.multimetric(["recall"]).of(y, answers, groups=groups)
    t = Table.from_labels(real=y, predicted=answers, unit=groups)
    limits = interval(t, "recall")
    assert (found["recall_low"], found["recall_high"]) == (limits.low, limits.high)

    def widths(asked: bool) -> Any:
        scoring = ours.multimetric(["recall"]).set_score_request(groups=asked)
        scored = cross_validate(tree, X, y, scoring=scoring, cv=GroupKFold(3), params={"groups": groups})
        return scored["test_recall_high"] - scored["test_recall_low"]

    assert (widths(True) > 1.4 * widths(False)).all()  # each case three times: √3 but for the ends
    with pytest.raises(MeasureError, match="score request"):
        ours.multimetric(["recall"]).set_score_request(unit=True)


# ---------------------------------------------------------------- rows of several labels

ROWS = RNG.random((150, 4)) < [0.6, 0.4, 0.3, 0.15]
GIVEN = np.where(RNG.random(ROWS.shape) < 0.6, ROWS, RNG.random(ROWS.shape) < 0.4)
TAGGED = ROWS.any(axis=1) & GIVEN.any(axis=1)  # elsewhere a mean over items is undefined, and 0 in scikit-learn


@pytest.mark.parametrize("weights", [None, WEIGHTS[:150]])
@pytest.mark.parametrize("average", [None, "macro", "micro", "weighted", "samples"])
def test_rows_agree_with_scikit_learn(average: str | None, weights: Any) -> None:
    from scipy.sparse import csr_matrix

    kept = TAGGED if average == "samples" else np.ones(150, np.bool_)
    y, z, w = ROWS[kept].astype(int), GIVEN[kept].astype(int), None if weights is None else weights[kept]
    theirs = {"recall": recall_score, "precision": precision_score, "jaccard": jaccard_score}
    for name, metric in {**theirs, "f1": sklearn.metrics.f1_score}.items():
        wanted = metric(y, z, average=average, sample_weight=w)
        ours_ = getattr(ours, f"{name}_score")
        for one, other in ((y, z), (csr_matrix(y), csr_matrix(z)), (y.tolist(), z.tolist())):
            np.testing.assert_allclose(ours_(one, other, average=average, sample_weight=w), wanted)


def test_rows_of_the_bookmaker_and_of_whole_items() -> None:
    t = Tags.from_labels(real=ROWS, predicted=GIVEN)
    assert ours.informedness_score(ROWS, GIVEN) == tag_score(t)
    assert ours.informedness_score(ROWS, GIVEN, average="weighted") == pytest.approx(tag_score(t))
    assert ours.markedness_score(ROWS, GIVEN, average="within") == tag_score(t, "markedness", "within")
    assert ours.accuracy_score(ROWS, GIVEN) == pytest.approx(sklearn.metrics.accuracy_score(ROWS, GIVEN))
    loss = ours.error_rate_score(ROWS, GIVEN, average="micro")
    assert loss == pytest.approx(sklearn.metrics.hamming_loss(ROWS, GIVEN))
    silent = np.zeros_like(ROWS)
    assert np.isnan(ours.markedness_score(ROWS, silent))
    assert ours.markedness_score(ROWS, silent, undefined="limit") == 0
    assert ours.precision_score(ROWS, silent, average="macro", undefined="worst") == 0
    assert np.isnan(ours.informedness_score(silent, GIVEN, undefined="guess"))
    for name, average, said in (("recall", "binary", "give `average"), ("recall", "within", "it can be")):
        with pytest.raises(MeasureError, match=said):
            ours.score(name, ROWS, GIVEN, average=average)
    with pytest.raises(InformedError, match="`y_pred` has 2 columns for 4 labels"):
        ours.informedness_score(ROWS, GIVEN[:, :2])


def test_rows_are_searched_by_informedness() -> None:
    X, Y = make_multilabel_classification(120, n_classes=3, random_state=0)
    tree = DecisionTreeClassifier(random_state=0)
    search = GridSearchCV(tree, {"max_depth": [1, 4]}, scoring=ours.informedness_scorer, cv=3).fit(X, Y)
    assert search.best_params_ == {"max_depth": 4}
    answers = search.predict(X)
    found = ours.multimetric(["informedness", "accuracy"]).of(Y, answers, groups=np.arange(120) // 2)
    t = Tags.from_labels(real=Y, predicted=answers, unit=np.arange(120) // 2)
    for name, asked in (("informedness", "informedness"), ("accuracy", "subset_accuracy")):
        limits = interval(t, asked)
        assert (found[f"{name}_low"], found[f"{name}_high"]) == (limits.low, limits.high)
    with pytest.raises(MeasureError, match="has no interval by the average 'macro'"):
        ours.multimetric(["recall"], average="macro").of(Y, answers)
    alone = ours.multimetric(["recall"], average="macro", interval=False).of(Y, answers)
    assert alone["recall"] == pytest.approx(recall_score(Y, answers, average="macro"))
