"""The torch metric of items of several labels; needs torch, so `make test-full` runs it."""

from __future__ import annotations

import pickle
import sys
from typing import Any

import numpy as np
import pytest
import torch

import informed.torch as ours
from informed import Tags, interval
from informed.errors import LabelError, MeasureError
from informed.measures.tag_scores import score

RNG = np.random.default_rng(3)
REAL = RNG.random((200, 11)) < np.linspace(0.1, 0.6, 11)
GIVEN = np.where(RNG.random(REAL.shape) < 0.6, REAL, RNG.random(REAL.shape) < 0.3)


@pytest.fixture(params=["torchmetrics", "plain"])
def metric(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    if request.param == "plain":
        monkeypatch.setitem(sys.modules, "torchmetrics", None)
    else:
        pytest.importorskip("torchmetrics")
    return ours._metric_class("TagsMetric")


def fed(m: Any, **options: Any) -> Any:
    for at in np.array_split(np.arange(200), 7):
        held = {name: x[at] for name, x in options.items()}
        m.update(torch.from_numpy(GIVEN[at].astype(np.int64)), torch.from_numpy(REAL[at].astype(np.int64)), **held)
    return m


def test_batches_are_the_tags_of_all(metric: Any) -> None:
    t = Tags.from_labels(real=REAL, predicted=GIVEN)
    names = ["informedness", "markedness", "correlation", "hamming_loss", "subset_accuracy"]
    m = fed(metric(names, num_labels=11))
    assert m.tags() == t
    for name, value in m.compute().items():
        assert float(value) == pytest.approx(score(t, name))
    each = fed(metric("recall", num_labels=11, average=None)).compute()
    np.testing.assert_allclose(each, (REAL & GIVEN).sum(0) / REAL.sum(0))


@pytest.mark.filterwarnings("ignore:The ``compute`` method")
def test_nothing_is_known_before_the_first_batch(metric: Any) -> None:
    m = fed(metric(num_labels=11))
    m.reset()
    assert np.isnan(float(m.compute()))


def test_scores_units_and_the_batch_alone(metric: Any) -> None:
    unit = np.arange(200) // 4
    m = fed(metric(num_labels=11, labels=list("abcdefghijk")), unit=unit)
    told = Tags.from_labels(real=REAL, predicted=GIVEN, unit=unit, labels=list("abcdefghijk"))
    assert interval(m.tags()).low == pytest.approx(interval(told).low)
    one = metric(num_labels=2, threshold=0.3)
    first = one(torch.tensor([[0.4, 0.1], [0.2, 0.9], [0.1, 0.2]]), torch.tensor([[1, 0], [0, 1], [0, 0]]))
    assert float(first) == 1
    one.update(torch.tensor([[0.9, 0.9]]), torch.tensor([[0, 0]]))
    assert len(one.tags()) == 4


def test_it_survives_pickle() -> None:
    m = fed(ours.TagsMetric(num_labels=11))
    again = pickle.loads(pickle.dumps(m))
    assert again.tags() == m.tags()


def test_what_is_refused(metric: Any) -> None:
    m = metric(num_labels=2)
    good = torch.tensor([[1, 0]])
    for preds, target, said in (
        (torch.tensor([[1.5, 0.2]]), good, "logits=True"),
        (torch.tensor([[2, 0]]), good, "Predictions hold 2"),
        (good, torch.tensor([[3, 0]]), "Targets hold 3"),
        (good, torch.tensor([1]), "shape"),
        (torch.tensor([[float("nan"), 0.2]]), good, "NaN"),
        (torch.cat([good, good]), good, "2 predictions and 1 targets"),
    ):
        with pytest.raises(LabelError, match=said):
            m.update(preds, target)
    m.update(good, good)
    m.update(good, good, unit=[1])
    with pytest.raises(LabelError, match="Some batches"):
        m.tags()
    with pytest.raises(LabelError, match="names 1 of 2"):
        metric(num_labels=2, labels=["a"])
    with pytest.raises(MeasureError, match="average"):
        fed(metric(num_labels=11, average="best")).compute()
