"""A metric for training loops in PyTorch: its state is the table of counts.

Counts add, so that batches, epochs and processes are summed and the measure is computed once from
all of them, never averaged over batches. With torchmetrics installed, `Metric` is one of its
metrics (state reduced by sum, `MetricCollection`, Lightning logging); otherwise it is a plain
`torch.nn.Module` with the same methods. torch is imported when `Metric` is first asked for::

    metric = Metric("informedness", num_classes=10)
    for x, y in loader:
        metric.update(model(x), y)  # class numbers, or scores of shape (N, classes, ...)
    value = metric.compute()
    metric.reset()

With `unit=` or `item=` in each update the table knows what belongs together, and its intervals and tests
measure the spread between units. Of each case 16 bytes are then kept (a hash of its unit, and its cell), and
brought together from all processes.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from informed.errors import LabelError, MissingExtra
from informed.evidence.label_policy import LabelPolicy, Missing
from informed.evidence.table import Table
from informed.evidence.tally import by_item, hashed_column
from informed.evidence.units import Units
from informed.measures import find

__all__ = ["Metric"]


def __getattr__(name: str) -> Any:
    if name != "Metric":
        raise AttributeError(f"module 'informed.torch' has no attribute {name!r}")
    globals()["Metric"] = made = _metric_class()
    return made


def _metric_class() -> type:
    """`Metric` on top of torchmetrics' base, or of our own where that is not installed."""
    try:
        import torch
    except ImportError:
        raise MissingExtra("A torch metric needs torch: pip install 'informed[torch]'.") from None
    try:
        from torchmetrics import Metric as Base
    except ImportError:
        Base = _plain_base(torch)
    return type("Metric", (_Counts, Base), {"__doc__": _Counts.__doc__, "__module__": __name__})


class _Counts:
    """Measures of all predictions so far.

    Parameters
    ----------
    measures
        One measure by name, or several; several are computed as a dict by name.
    num_classes
        How many classes there are; 2 for scores of shape (N,).
    threshold
        A score of shape (N,) or (N, 1) at least this large is positive.
    logits
        True for raw outputs of a model with one output, whose sigmoid is compared with `threshold`; False
        for scores of any scale, compared as they are. Without it scores of shape (N,) are probabilities,
        and others are an error.
    average
        For measures of one class when there are more: "macro", "micro", "prevalence", "bias".
    ignore_index
        A target that is not counted, such as padding.
    labels
        Names of the classes, in order, for `table()`.
    missing
        What a NaN does among predictions or targets: raise, "drop" the case, or "abstain", which
        takes a missing prediction for no answer.
    """

    is_differentiable = False
    higher_is_better = None
    full_state_update = False
    counts: Any  # a tensor (predicted, real), which the base sums over processes
    abstained: Any  # the same of cases without an answer, by real class
    unit_ids: Any  # tensors, which the base joins: hashes of the units of cases, in any order
    unit_cells: Any  # of the same cases, their cells (abstentions last), and after all of them those of items
    add_state: Any  # of the base

    def __init__(
        self,
        measures: Any = "informedness",
        *,
        num_classes: int = 2,
        threshold: float = 0.5,
        logits: bool | None = None,
        average: str | None = None,
        ignore_index: int | None = None,
        labels: Sequence[Hashable] | None = None,
        missing: Missing = "error",
        **options: Any,
    ) -> None:
        import torch

        super().__init__(**options)
        self.single = isinstance(measures, str) or not hasattr(measures, "__iter__")
        self.measures = [str(find(m)) for m in ([measures] if self.single else measures)]
        if num_classes < 2:
            raise LabelError(f"`num_classes` is {num_classes}; it must be at least 2.")
        if labels is not None and len(labels) != num_classes:
            raise LabelError(f"`labels` names {len(labels)} of {num_classes} classes.")

        self.num_classes = num_classes
        self.threshold = threshold
        self.logits = logits
        if logits and not 0 < threshold < 1:
            raise LabelError(f"`threshold` is {threshold:g}; of logits it is a probability between 0 and 1.")
        self.average = average
        self.ignore_index = ignore_index
        self.labels = list(range(num_classes)) if labels is None else list(labels)
        self.missing = LabelPolicy(missing=missing).missing
        zeros = torch.zeros(num_classes, num_classes, dtype=torch.int64)
        self.add_state("counts", default=zeros, dist_reduce_fx="sum")
        self.add_state("abstained", default=zeros[0].clone(), dist_reduce_fx="sum")
        self.add_state("unit_ids", default=[], dist_reduce_fx="cat")
        self.add_state("unit_cells", default=[], dist_reduce_fx="cat")

    def update(self, preds: Any, target: Any, unit: Any = None, item: Any = None) -> None:
        """Count a batch: predictions first, as torchmetrics has it.

        `unit` says which cases belong together (patient, picture), `item` which are answers to the same
        item and share its weight: numbers or names, one for each case, or one for each of the batch.
        """
        import torch

        if preds.ndim == target.ndim + 1 and preds.shape[1] == 1:
            preds = preds.squeeze(1)  # one output, as a last layer of one has
        predicted = self._classes(preds, target).reshape(-1)
        real = target.reshape(-1)
        if predicted.shape != real.shape:
            raise LabelError(f"There are {len(predicted)} predictions and {len(real)} targets.")
        silent = _absent(preds, target).reshape(-1)
        kept = torch.ones_like(real, dtype=torch.bool)
        if self.ignore_index is not None:
            kept = real != self.ignore_index
        kept &= self._complete(silent & kept, _absent(target, target).reshape(-1) & kept)
        predicted, real, silent = predicted[kept], real[kept], silent[kept]

        k = self.num_classes
        predicted = predicted.to(torch.int64).masked_fill(silent, 0)
        for name, found in (("Predictions", predicted), ("Targets", real)):
            if found.numel() and not (int(found.min()) >= 0 and int(found.max()) < k):
                raise LabelError(
                    f"{name} run from {int(found.min())} to {int(found.max())}; with "
                    f"num_classes={k} they must be 0 to {k - 1}."
                )

        real = real.to(torch.int64)
        cell = torch.where(silent, k, predicted) * k + real
        found = torch.bincount(cell, minlength=k * k + k)
        ids = self._ids(unit, item, target)
        self.counts += found[: k * k].reshape(k, k)
        self.abstained += found[k * k :]
        if ids is not None:
            self.unit_ids.append(ids[kept])
            self.unit_cells.append(cell if item is None else cell + len(found))

    def _ids(self, unit: Any, item: Any, target: Any) -> Any:
        """A number of 8 bytes for the unit or item of each case; None where neither is given."""
        import torch

        if unit is not None and item is not None:
            raise LabelError("A metric keeps `unit` or `item`, not both; count both together with `Table.from_labels`.")
        if unit is None and item is None:
            return None
        kind, given = ("unit", unit) if item is None else ("item", item)
        if isinstance(given, torch.Tensor):
            given = given.detach().cpu().numpy()
        codes, hashes = hashed_column(np.ravel(given) if isinstance(given, np.ndarray) else given, kind)
        if len(codes) == len(target):
            codes = np.repeat(codes, target[0].numel() if len(target) else 1)
        if len(codes) != target.numel():
            raise LabelError(f"`{kind}` has {len(codes):,} entries for {target.numel():,} cases; each needs one.")
        return torch.as_tensor(hashes[codes], device=self.counts.device)

    def _complete(self, silent: Any, unknown: Any) -> Any:
        """Which cases are counted, given those without a prediction and without a target."""
        lost = unknown if self.missing == "abstain" else silent | unknown
        if self.missing != "drop" and lost.any():
            raise LabelError(
                f"{int(silent.sum())} predictions and {int(unknown.sum())} targets are NaN; "
                '`missing="drop"` leaves such cases out, `missing="abstain"` takes a missing '
                "prediction for no answer."
            )
        return ~lost

    def _classes(self, preds: Any, target: Any) -> Any:
        """The predicted class of each case, from scores where those were given."""
        if preds.is_floating_point() and preds.ndim == target.ndim:
            if self.num_classes != 2:
                raise LabelError(
                    f"Scores have the shape {tuple(preds.shape)}; for {self.num_classes} "
                    "classes they must have a second axis of that length."
                )
            return self._scored(preds) >= self.threshold
        if preds.ndim == target.ndim + 1:
            if preds.shape[1] != self.num_classes:
                raise LabelError(f"Scores have {preds.shape[1]} classes; num_classes is {self.num_classes}.")
            return preds.argmax(dim=1)
        return preds

    def _scored(self, preds: Any) -> Any:
        """Scores as the threshold is meant for: probabilities, unless something else was said."""
        if self.logits:
            return preds.sigmoid()
        known = preds[preds == preds]
        if self.logits is None and known.numel() and not (float(known.min()) >= 0 and float(known.max()) <= 1):
            raise LabelError(
                f"Scores run from {float(known.min()):.3g} to {float(known.max()):.3g}, and a probability from 0 to "
                "1: give logits=True for raw outputs of a model, or logits=False for scores that `threshold` is "
                "meant for as they are."
            )
        return preds

    def table(self) -> Table:
        """The counts so far, of this process, as a Table for intervals, tests and reports, with its units."""
        counts, abstained = self.counts.cpu().numpy(), self.abstained.cpu().numpy()
        t = Table.from_counts(counts, labels=self.labels, abstained=abstained if abstained.any() else None)
        ids, cells = (_joined(held) for held in (self.unit_ids, self.unit_cells))
        if not len(ids):
            return t

        of_item, cells = np.divmod(cells, counts.size + abstained.size)
        if len(ids) != counts.sum() + abstained.sum() or of_item.min() != of_item.max():
            raise LabelError("Some batches have `unit`, some `item` or neither; all must have the same.")
        units = Units.gathered(np.unique(ids, return_inverse=True)[1], cells)
        t = replace(t, units=units)
        return by_item(t) if of_item.any() else t

    def compute(self) -> Any:
        """The measure of all counts so far, of all processes: a tensor, or a dict of them."""
        import torch

        t = self.table()
        values = {}
        for text in self.measures:
            m = find(text)
            given: dict[str, Any] = {}
            if self.average is not None and m.facts.classes == "two":
                given["average"] = self.average
            values[text] = torch.tensor(m(t, **given), device=self.counts.device)
        return values[self.measures[0]] if self.single else values


def _absent(given: Any, target: Any) -> Any:
    """Of each case, whether it has no label: a NaN, or a NaN among the scores of its classes."""
    gone = given != given
    return gone.any(dim=1) if given.ndim == target.ndim + 1 else gone


def _joined(held: Any) -> Any:
    """One array of the tensors of a state, or of the one that torchmetrics made of those of all processes."""
    several = held if isinstance(held, list) else [held]
    return np.concatenate([np.zeros(0, np.int64), *(each.cpu().numpy() for each in several)])


class _Lists:
    """The states of a plain module that grow by each batch; a checkpoint holds them."""

    _lists: list[str]  # their names
    buffers: Any  # of the module

    def get_extra_state(self) -> Any:
        return {name: list(getattr(self, name)) for name in self._lists}

    def set_extra_state(self, state: Any) -> None:
        for name, held in state.items():
            setattr(self, name, list(held))

    def _held(self) -> tuple[list[Any], dict[str, list[Any]]]:
        return [held.clone() for held in self.buffers()], {name: list(getattr(self, name)) for name in self._lists}


def _plain_base(torch: Any) -> type:
    """What torchmetrics would do for states that are summed, or joined, as a module of plain torch."""

    class Base(_Lists, torch.nn.Module):  # type: ignore[misc]  # torch has no types here
        def __init__(self) -> None:
            super().__init__()
            self._lists = []

        def add_state(self, name: str, default: Any, dist_reduce_fx: str) -> None:
            if dist_reduce_fx == "cat":
                self._lists.append(name)
                setattr(self, name, list(default))
            else:
                self.register_buffer(name, default.clone())

        def _load_from_state_dict(self, state: Any, prefix: str, *how: Any) -> None:
            state.setdefault(f"{prefix}_extra_state", {})  # a checkpoint of 0.1.0 has no units
            super()._load_from_state_dict(state, prefix, *how)

        def forward(self, *batch: Any, **named: Any) -> Any:
            """Count a batch, and the measure of this batch alone."""
            before = self._held()
            self.reset()
            self.update(*batch, **named)
            value = type(self)._own_compute(self)
            for held, earlier in zip(self.buffers(), before[0], strict=True):
                held += earlier
            self.set_extra_state({name: earlier + getattr(self, name) for name, earlier in before[1].items()})
            return value

        def reset(self) -> None:
            for held in self.buffers():
                held.zero_()
            self.set_extra_state({name: [] for name in self._lists})

        def __init_subclass__(cls, **options: Any) -> None:
            super().__init_subclass__(**options)
            cls._own_compute = cls.compute
            cls.compute = Base._summed

        def _summed(self) -> Any:
            if not (torch.distributed.is_available() and torch.distributed.is_initialized()):
                return type(self)._own_compute(self)
            buffers, lists = self._held()
            for held in self.buffers():
                torch.distributed.all_reduce(held)
            everyone: list[Any] = [None] * torch.distributed.get_world_size()
            torch.distributed.all_gather_object(everyone, lists)
            self.set_extra_state({name: [x for one in everyone for x in one[name]] for name in lists})
            try:
                return type(self)._own_compute(self)
            finally:
                for held, before in zip(self.buffers(), buffers, strict=True):
                    held.copy_(before)
                self.set_extra_state(lists)

    return Base


if TYPE_CHECKING:
    Metric = Any
