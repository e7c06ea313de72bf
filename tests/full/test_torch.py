"""The torch metric, with torchmetrics and without; needs torch, so `make test-full` runs it."""

from __future__ import annotations

import pickle
import subprocess
import sys
import textwrap
from typing import Any

import numpy as np
import pytest
import torch

import informed.torch as ours
from informed.errors import LabelError
from informed.evidence.table import Table
from informed.measures import MEASURES

RNG = np.random.default_rng(1)
REAL = RNG.integers(0, 3, 300)
PREDICTED = np.where(RNG.random(300) < 0.6, REAL, RNG.integers(0, 3, 300))


@pytest.fixture(params=["torchmetrics", "plain"])
def metric(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    if request.param == "plain":
        monkeypatch.setitem(sys.modules, "torchmetrics", None)
    made = ours._metric_class()
    parents = {parent.__module__.partition(".")[0] for parent in made.__mro__}
    assert ("torchmetrics" in parents) == (request.param == "torchmetrics")
    return made


def test_batches_are_summed_and_not_averaged(metric: Any) -> None:
    m = metric("informedness", num_classes=3)
    for at in np.array_split(np.arange(300), 7):
        m.update(torch.from_numpy(PREDICTED[at]), torch.from_numpy(REAL[at]))
    t = Table.from_labels(real=REAL, predicted=PREDICTED)
    assert np.array_equal(m.table().counts, t.counts)
    assert float(m.compute()) == pytest.approx(MEASURES["informedness"](t))
    m.reset()
    assert m.table().n == 0


def test_scores_are_turned_into_classes(metric: Any) -> None:
    m = metric("accuracy", num_classes=3)
    m.update(torch.eye(3)[torch.from_numpy(PREDICTED)], torch.from_numpy(REAL))
    assert float(m.compute()) == pytest.approx(np.mean(REAL == PREDICTED))
    two = metric("recall", threshold=0.3)
    two.update(torch.tensor([0.4, 0.1, 0.9, 0.2]), torch.tensor([1, 1, 1, 0]))
    assert float(two.compute()) == pytest.approx(2 / 3)


def test_numbered_classes_are_grades_in_their_order(metric: Any) -> None:
    grades = ["low", "medium", "high"]
    t = Table.from_labels(real=REAL, predicted=PREDICTED)
    for named in (None, grades):
        m = metric(["informedness_ordinal", "somers_d"], num_classes=3, labels=named)
        m.update(torch.from_numpy(PREDICTED), torch.from_numpy(REAL))
        for name, found in m.compute().items():
            assert float(found) == pytest.approx(MEASURES[name](t))


def test_a_call_gives_the_batch_and_keeps_the_sum(metric: Any) -> None:
    m = metric("accuracy")
    assert float(m(torch.tensor([1, 1]), torch.tensor([1, 1]))) == 1
    assert float(m(torch.tensor([1, 1]), torch.tensor([0, 0]))) == 0
    assert float(m.compute()) == 0.5


def test_several_measures_are_a_dict(metric: Any) -> None:
    m = metric(["mcc", "recall"], num_classes=3, average="macro", ignore_index=-1)
    real = np.where(np.arange(300) < 20, -1, REAL)
    m.update(torch.from_numpy(PREDICTED), torch.from_numpy(real))
    t = Table.from_labels(real=REAL[20:], predicted=PREDICTED[20:])
    found = m.compute()
    assert float(found["matthews"]) == pytest.approx(MEASURES["matthews"](t))
    assert float(found["recall"]) == pytest.approx(MEASURES["recall"](t, average="macro"))


def test_labels_outside_the_classes_are_refused(metric: Any) -> None:
    m = metric(num_classes=2)
    with pytest.raises(LabelError, match="Targets run from 0 to 2"):
        m.update(torch.tensor([0, 1]), torch.tensor([0, 2]))
    with pytest.raises(LabelError, match="3 predictions and 2 targets"):
        m.update(torch.tensor([0, 1, 1]), torch.tensor([0, 1]))


def test_a_metric_survives_pickle_and_its_state_a_checkpoint() -> None:
    m = ours.Metric("informedness")
    m.update(torch.tensor([1, 0, 0]), torch.tensor([1, 1, 0]))
    again = pickle.loads(pickle.dumps(m))
    assert float(again.compute()) == float(m.compute()) == 0.5


@pytest.mark.parametrize("library", ["torchmetrics", "plain"])
def test_processes_are_summed(library: str, tmp_path: Any) -> None:
    script = tmp_path / "worker.py"
    script.write_text(
        textwrap.dedent("""
        import sys
        if sys.argv[3] == "plain":
            sys.modules["torchmetrics"] = None
        import torch, torch.distributed as dist
        from informed.torch import Metric
        rank = int(sys.argv[1])
        meeting = f"file://{sys.argv[2]}"
        dist.init_process_group("gloo", init_method=meeting, rank=rank, world_size=2)
        m = Metric("accuracy")
        shared = Metric("accuracy")
        if rank == 0:
            m.update(torch.tensor([1, 1, 1]), torch.tensor([1, 1, 1]))
            shared.update(torch.tensor([1, 1, 1]), torch.tensor([1, 1, 1]), item=["a", "b", "b"])
        else:
            m.update(torch.tensor([1]), torch.tensor([0]))
            shared.update(torch.tensor([1]), torch.tensor([0]), item=["b"])
        print(float(m.compute()), int(m.table().n), round(float(shared.compute()), 4), int(shared.table().units.n))
        dist.destroy_process_group()
        """),
        "utf-8",
    )
    command = [sys.executable, str(script)]
    workers = [
        subprocess.Popen([*command, str(rank), str(tmp_path / "meet"), library], stdout=subprocess.PIPE, text=True)
        for rank in (0, 1)
    ]
    said = [worker.communicate(timeout=120)[0].split() for worker in workers]
    assert said == [
        ["0.75", "3", "0.8333", "2"],
        ["0.75", "1", "0.8333", "1"],
    ]  # all of it computed, each keeps its own


def test_what_is_missing_is_refused_dropped_or_an_abstention(metric: Any) -> None:
    preds, target = torch.tensor([0.9, float("nan"), 0.2, 0.7]), torch.tensor([1, 1, 0, 0])
    with pytest.raises(LabelError, match="1 predictions and 0 targets are NaN"):
        metric().update(preds, target)
    for missing, abstained in (("drop", 0), ("abstain", 1)):
        m = metric(missing=missing)
        m.update(preds, target)
        t = m.table()
        assert (t.n, t.abstained.sum(), float(m.compute())) == (3, abstained, 0.5)
        m.reset()
        assert m.table().abstained.sum() == 0
    classes = metric(num_classes=3, missing="drop")
    classes.update(torch.tensor([[0.1, 0.8, 0.1], [float("nan"), 0.5, 0.5]]), torch.tensor([1, 2]))
    assert classes.table().n == 1


@pytest.mark.parametrize("kind", ["unit", "item"])
@pytest.mark.parametrize("names", [np.arange(300) % 70, np.array([f"p{i % 70}" for i in range(300)])])
def test_a_metric_knows_the_units_of_all_batches(metric: Any, kind: str, names: Any) -> None:
    m = metric("accuracy", num_classes=3)
    given = torch.from_numpy(names) if names.dtype.kind == "i" else names.tolist()
    for at in np.array_split(np.arange(300), 7):
        m(torch.from_numpy(PREDICTED[at]), torch.from_numpy(REAL[at]), **{kind: given[at[0] : at[-1] + 1]})
    told: dict[str, Any] = {kind: names}
    t, found = Table.from_labels(real=REAL, predicted=PREDICTED, **told), m.table()
    assert np.allclose(found.counts, t.counts)
    assert found.units.same(t.units)
    assert float(m.compute()) == pytest.approx(MEASURES["accuracy"](t))
    m.reset()
    m.update(torch.tensor([1]), torch.tensor([1]))
    assert m.table().units is None


def test_a_picture_is_the_unit_of_its_pixels(metric: Any) -> None:
    m = metric("accuracy", ignore_index=-1, missing="abstain")
    preds = torch.tensor([[[0.9, 0.1], [float("nan"), 0.2]], [[0.9, 0.1], [0.8, 0.2]]])
    target = torch.tensor([[[1, 0], [1, -1]], [[0, 0], [1, 1]]])
    m.update(preds, target, unit=["first", "second"])
    t = Table.from_labels(
        real=[1, 0, 1, 0, 0, 1, 1], predicted=[1, 0, None, 1, 0, 1, 0], unit=[0] * 3 + [1] * 4, missing="abstain"
    )
    assert m.table().units.same(t.units)


def test_batches_that_disagree_about_units_are_refused(metric: Any) -> None:
    one, two = torch.tensor([1, 0]), torch.tensor([1, 1])
    for first, second in (({"unit": [1, 2]}, {}), ({}, {"item": [1, 2]}), ({"unit": [1, 2]}, {"item": [1, 2]})):
        m = metric()
        m.update(one, two, **first)
        m.update(one, two, **second)
        with pytest.raises(LabelError, match="all must have the same"):
            m.table()
    with pytest.raises(LabelError, match="`unit` or `item`, not both"):
        metric().update(one, two, unit=[1, 2], item=[1, 2])
    with pytest.raises(LabelError, match="`unit` has 3 entries for 2 cases"):
        metric().update(one, two, unit=[1, 2, 3])
    with pytest.raises(LabelError, match="1 case has no `unit`"):
        metric().update(one, two, unit=["a", None])


def test_a_checkpoint_of_plain_torch_holds_the_units(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torchmetrics", None)
    kind = ours._metric_class()
    m, again = kind(), kind()
    m.update(torch.tensor([1, 0, 0]), torch.tensor([1, 1, 0]), unit=["a", "a", "b"])
    again.load_state_dict(m.state_dict())
    assert again.table().units.same(m.table().units)
    again.update(torch.tensor([1]), torch.tensor([1]), unit=["c"])
    assert (m.table().units.n, again.table().units.n) == (2, 3)  # no list is shared
    older = {name: held for name, held in kind().state_dict().items() if name != "_extra_state"}
    kind().load_state_dict(older)


def test_raw_outputs_are_no_probabilities(metric: Any) -> None:
    """Decided at a logit of 0, which is a probability of one half; 0.5 is that of .62."""
    logits, real = torch.tensor([-2.0, 0.3, 0.4, 1.5, -0.7, 0.2]), torch.tensor([0, 1, 1, 1, 0, 1])
    with pytest.raises(LabelError, match=r"Scores run from -2 to 1.5.*logits=True"):
        metric("matthews").update(logits, real)
    told = metric("matthews", logits=True)
    told.update(logits, real)
    sure = metric("matthews")
    sure.update(logits.sigmoid(), real)
    assert float(told.compute()) == float(sure.compute()) == 1
    as_they_are = metric("accuracy", logits=False, threshold=1.0)
    as_they_are.update(logits, real)
    assert float(as_they_are.compute()) == 0.5
    with pytest.raises(LabelError, match="between 0 and 1"):
        metric("accuracy", logits=True, threshold=3)


def test_one_output_may_have_an_axis_of_its_own(metric: Any) -> None:
    m = metric("accuracy")
    m.update(torch.tensor([[0.9], [0.2], [0.7]]), torch.tensor([1, 0, 0]))
    assert float(m.compute()) == pytest.approx(2 / 3)


def test_an_output_that_is_no_number_is_refused(metric: Any) -> None:
    for scores in (torch.tensor([0.9, float("nan")]), torch.tensor([[0.9], [float("nan")]])):
        with pytest.raises(LabelError, match="1 predictions and 0 targets are NaN"):
            metric("accuracy").update(scores, torch.tensor([1, 0]))
    with pytest.raises(LabelError, match="NaN"):
        metric("accuracy", logits=True).update(torch.tensor([2.0, float("nan")]), torch.tensor([1, 0]))
