"""Scores, scorers and displays called as their namesakes in scikit-learn: each keyword works or names what to use."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import sklearn.metrics
from sklearn.calibration import CalibrationDisplay
from sklearn.linear_model import LogisticRegression

import informed
import informed.sklearn as ours
from informed import InformedError
from informed.measures import ALIASES, MEASURES

Y = np.array([1, 0, 1, 1, 0, 0, 1, 0] * 3)
P = np.array([1, 0, 0, 1, 0, 1, 1, 0] * 3)
S = np.tile([0.9, 0.2, 0.4, 0.8, 0.1, 0.6, 0.7, 0.3], 3)
X = np.c_[S, P]
MODEL = LogisticRegression().fit(X, Y)
GIVEN: dict[str, Any] = {  # a value of each keyword that scikit-learn takes
    "normalize": False, "sample_weight": np.arange(1.0, 25), "adjusted": True, "labels": [0, 1], "pos_label": 0,
    "average": "macro", "zero_division": 0, "weights": "linear", "replace_undefined_by": 0.0, "beta": 2.0,
    "drop_intermediate": False, "name": "x", "curve_kwargs": {"color": "red"}, "plot_chance_level": True,
    "chance_level_kw": {"color": "red"}, "despine": True, "response_method": "predict_proba", "color": "red",
    "display_labels": ["no", "yes"], "include_values": False, "xticks_rotation": "vertical", "values_format": "d",
    "cmap": "viridis", "colorbar": False, "im_kw": {}, "text_kw": {}, "n_bins": 5, "strategy": "quantile",
    "ref_line": True, "linewidth": 2, "label": "x", "raw_values": False, "y_true": Y, "y_pred": P, "y1": Y, "y2": P,
    "labels_true": Y, "labels_pred": P, "y_score": S, "y_prob": S,
}  # fmt: skip
WORKS = {"sample_weight", "labels", "pos_label", "average", "name", "plot_chance_level", "response_method"}


def scores() -> Iterator[tuple[str, str]]:
    """Each score that both have, with each keyword of theirs."""
    for name in sorted({f"{x}_score" for x in (*MEASURES, *ALIASES)} & set(dir(sklearn.metrics))):
        for keyword in list(inspect.signature(getattr(sklearn.metrics, name)).parameters):
            yield name, keyword


@pytest.mark.parametrize(("name", "keyword"), list(scores()))
def test_scores_take_the_keywords_of_their_namesakes_or_name_others(name: str, keyword: str) -> None:
    always = {"beta": 2.0} if name == "fbeta_score" else {}  # which scikit-learn has no default for
    score = getattr(ours, name)
    arguments = () if keyword in ("y_true", "y_pred", "y1", "y2", "labels_true", "labels_pred") else (Y, P)
    given = {**always, keyword: GIVEN[keyword]}
    if keyword in ("y_true", "y_pred"):
        given = {**always, "y_true": Y, "y_pred": P}
    value, said = told(lambda: score(*arguments, **given))
    if said is not None:
        assert keyword not in ("y_true", "y_pred"), said
        assert f"`{keyword}" in said  # it is named, and so is what to use
        assert any(word in said for word in ("here", "_score`", "given", "average")), said
    else:
        theirs = getattr(sklearn.metrics, name)(Y, P, **({} if not arguments else given) | always)
        assert keyword in ("beta", *WORKS, "y_true", "y_pred")
        assert value == pytest.approx(theirs)


def told(call: Callable[[], Any]) -> tuple[Any, str | None]:
    """What a call gives, or what it says instead; no other error leaves it."""
    try:
        return call(), None
    except InformedError as error:
        return None, str(error)


def test_what_scores_take_is_what_scikit_learn_has() -> None:
    """The list of shared names is not empty, and holds the most used ones."""
    names = {name for name, _ in scores()}
    assert {"accuracy_score", "f1_score", "recall_score", "precision_score", "balanced_accuracy_score"} <= names
    assert ours.accuracy_score(Y, P, normalize=True) == sklearn.metrics.accuracy_score(Y, P)
    with pytest.raises(InformedError, match=r"times `len\(y_true\)`"):
        ours.accuracy_score(Y, P, normalize=False)
    with pytest.raises(InformedError, match=r"here it is `undefined="):
        ours.f1_score(Y, P, zero_division=0)
    with pytest.raises(InformedError, match="informedness_score"):
        ours.balanced_accuracy_score(Y, P, adjusted=True)
    with pytest.raises(InformedError, match="weighted_kappa_score"):
        ours.cohen_kappa_score(Y, P, weights="linear")


DISPLAYS = {
    "RocCurveDisplay": (sklearn.metrics.RocCurveDisplay, S),
    "PrecisionRecallDisplay": (sklearn.metrics.PrecisionRecallDisplay, S),
    "TableDisplay": (sklearn.metrics.ConfusionMatrixDisplay, P),
    "ReliabilityDisplay": (CalibrationDisplay, S),
}


def displays() -> Iterator[tuple[str, str, str]]:
    """Each display with each keyword of its namesake: of both ways to make it, and of drawing it again."""
    for name, (theirs, _) in DISPLAYS.items():
        for way in ("from_predictions", "from_estimator", "plot"):
            for keyword, p in inspect.signature(getattr(theirs, way)).parameters.items():
                if p.kind is not p.VAR_KEYWORD and keyword not in ("self", "ax", "estimator", "X", "y"):
                    yield name, way, keyword
        yield from (
            (name, way, x) for way in ("from_predictions", "from_estimator", "plot") for x in ("color", "label")
        )


@pytest.mark.parametrize(("name", "way", "keyword"), list(displays()))
def test_displays_take_the_keywords_of_their_namesakes_or_name_others(name: str, way: str, keyword: str) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    display, values = getattr(ours, name), DISPLAYS[name][1]
    value = {"normalize": "true"}.get(keyword, GIVEN[keyword])
    if keyword in ("y_true", "y_pred", "y_score", "y_prob"):
        given: dict[str, Any] = {"y_true": Y, keyword: values if keyword != "y_true" else Y}
        arguments: tuple[Any, ...] = () if len(given) > 1 else (values,)
        if keyword == "y_true":
            given, arguments = {}, (Y, values)
    else:
        given, arguments = {keyword: value}, (Y, values) if way == "from_predictions" else (MODEL, X, Y)
    made = display.from_predictions(Y, values) if way == "plot" else display
    _, said = told(lambda: getattr(made, way)(*(() if way == "plot" else arguments), **given))
    plt.close("all")
    if said is not None:
        assert keyword not in WORKS or way == "plot" or name == "TableDisplay", said
        assert keyword in said
        ways = ("display.ax_", "here", "name the classes", "no bins", "drawn", "give", "it takes")
        assert any(word in said for word in ways), said


@pytest.mark.parametrize("keyword", list(inspect.signature(sklearn.metrics.make_scorer).parameters)[1:-1])
@pytest.mark.parametrize("value", ["predict", "predict_proba", False])
def test_scorers_take_the_keywords_of_make_scorer_or_name_others(keyword: str, value: Any) -> None:
    found, said = told(lambda: ours.scorer("informedness", **{keyword: value})(MODEL, X, Y))
    if said is None:
        assert (keyword, value) == ("response_method", "predict")
        assert found == ours.informedness_score(Y, MODEL.predict(X))
    else:
        assert f"`{keyword}`" in said
        assert "brier_skill_scorer" in said or "oriented" in said


def test_probabilities_and_columns_as_predictions_get_the_advice_that_helps() -> None:
    with pytest.raises(InformedError, match=r"shape \(24, 2\).*model\.predict\(X\)"):
        ours.informedness_score(Y, MODEL.predict_proba(X))
    with pytest.raises(InformedError, match=r"shape \(24, 1\).*`ravel\(\)`"):
        ours.informedness_score(Y, P[:, None])
    with pytest.raises(InformedError, match=r"holds shares.*`model\.classes_\[predicted\.argmax\(axis=1\)\]`"):
        informed.Table.from_labels(real=Y, predicted=MODEL.predict_proba(X))
    for column in (
        lambda: informed.roc(real=Y, score=S[:, None]),
        lambda: informed.probabilities(real=Y, probability=S[:, None]),
    ):
        with pytest.raises(InformedError, match=r"shape \(24, 1\).*single column becomes .*`ravel\(\)`"):
            column()
    held = P.astype(str).astype(bytes)
    for labels, kind, way in ((Y, int, "numbers with `labels.astype(int)`"), (Y.astype(str), str, "text with ")):
        with pytest.raises(InformedError, match=re.escape(f"Bytes become {way}")):
            ours.informedness_score(labels, held)
        assert ours.informedness_score(labels, held.astype(kind)) == ours.informedness_score(Y, P)  # which helps


def test_displays_say_their_own_number_and_share_axes() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    average = sklearn.metrics.average_precision_score(Y, S)
    assert f"average precision {average:.3f}" in repr(ours.PrecisionRecallDisplay.from_predictions(Y, S))
    assert "AUC" in repr(ours.RocCurveDisplay.from_predictions(Y, S))
    assert "Brier skill" in repr(ours.ReliabilityDisplay.from_predictions(Y, S))
    for kind in (ours.RocCurveDisplay, ours.PrecisionRecallDisplay):
        first = kind.from_predictions(Y, S, name="one")
        alone = {line.get_color() for line in first.ax_.lines}
        kind.from_predictions(Y, 1 - S, name="two", ax=first.ax_)
        kind.from_predictions(Y, P + S, name="three", ax=first.ax_)
        said = [text.get_text() for text in first.ax_.get_legend().texts]
        assert [sum(x.startswith(name) for x in said) for name in ("one", "two", "three")] == [1, 1, 1]
        assert len({line.get_color() for line in first.ax_.lines} - alone) == 2
    plt.close("all")


@pytest.mark.parametrize("keyword", ["cmap", "colorbar", "display_labels", "n_bins", "ref_line"])
def test_displays_say_of_an_option_only_what_is_so_of_their_own_picture(keyword: str) -> None:
    pytest.importorskip("matplotlib").use("Agg")
    ours.RocPlaneDisplay.from_predictions(Y, S, plot_chance_level=True)
    for kind, values in ((ours.RocCurveDisplay, S), (ours.PrecisionRecallDisplay, S), (ours.TableDisplay, P)):
        with pytest.raises(InformedError) as refused:
            kind.from_predictions(Y, values, **{keyword: GIVEN[keyword]})
        told = str(refused.value)
        assert keyword in told
        assert ("a cell" in told) == (kind is ours.TableDisplay and keyword in ("cmap", "colorbar"))
        assert ("TableDisplay" in told) == (kind is ours.TableDisplay)
        assert "isotonic" not in told
        assert "right probabilities" not in told
