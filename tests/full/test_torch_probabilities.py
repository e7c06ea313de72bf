"""The torch metric of probabilities; needs torch, so `make test-full` runs it."""

from __future__ import annotations

import pickle
import sys
from typing import Any

import numpy as np
import pytest
import torch

import informed
import informed.torch as ours

RNG = np.random.default_rng(5)
LOGITS = RNG.normal(0, 1.5, (240, 3))
P = np.exp(LOGITS) / np.exp(LOGITS).sum(axis=1, keepdims=True)
REAL = (RNG.random(240)[:, None] > np.cumsum(P, axis=1)[:, :-1]).sum(axis=1)


@pytest.fixture(params=["torchmetrics", "plain"])
def metric(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    if request.param == "plain":
        monkeypatch.setitem(sys.modules, "torchmetrics", None)
    else:
        pytest.importorskip("torchmetrics")
    return ours._metric_class("ProbabilityMetric")


def fed(m: Any, given: Any, real: Any = REAL, **options: Any) -> Any:
    for at in np.array_split(np.arange(len(real)), 7):
        held = {name: x[at] for name, x in options.items()}
        m.update(torch.from_numpy(given[at]), torch.from_numpy(real[at]), **held)
    return m


def test_batches_are_the_probabilities_of_all(metric: Any) -> None:
    told = informed.probabilities(real=REAL, probability=P, n_draws=0)
    names = ["log_skill", "brier_skill", "growth", "informedness"]
    for m in (fed(metric(names, num_classes=3), P), fed(metric(names, num_classes=3, logits=True), LOGITS)):
        for name, value in m.compute().items():
            assert float(value) == pytest.approx(getattr(told, name).estimate, abs=1e-6)
    unit = np.arange(240) // 4
    m = fed(metric(num_classes=3), P, unit=unit)
    in_units = informed.probabilities(real=REAL, probability=P, unit=unit, n_draws=0)
    assert m.probabilities(n_draws=0).log_skill.low == pytest.approx(in_units.log_skill.low)


def test_two_classes_of_one_output(metric: Any) -> None:
    real = (REAL == 1).astype(np.int64)
    told: Any = informed.probabilities(real=real, probability=P[:, 1], n_draws=0)
    m = fed(metric("brier_skill"), P[:, 1:2], real)
    assert float(m.compute()) == pytest.approx(told.brier_skill.estimate, abs=1e-6)
    assert m.probabilities(n_draws=0).roc.positives == told.roc.positives


@pytest.mark.filterwarnings("ignore:The ``compute`` method")
def test_before_the_first_batch_and_after_pickle() -> None:
    m = ours.ProbabilityMetric(num_classes=3)
    assert np.isnan(float(m.compute()))
    again = pickle.loads(pickle.dumps(fed(ours.ProbabilityMetric(num_classes=3), P)))
    assert np.isfinite(float(again.compute()))


def test_what_is_refused(metric: Any) -> None:
    with pytest.raises(informed.InformedError, match="logits=True"):
        fed(metric(num_classes=3), LOGITS)
    with pytest.raises(informed.InformedError, match="Targets run from"):
        metric(num_classes=3).update(torch.from_numpy(P[:2]), torch.tensor([0, 3]))
    with pytest.raises(informed.InformedError, match="is needed"):
        metric(num_classes=4).update(torch.from_numpy(P[:2]), torch.tensor([0, 1]))
    with pytest.raises(informed.InformedError, match="`measures` is 'recall'"):
        metric("recall")
