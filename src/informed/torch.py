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
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from informed.errors import LabelError, MissingExtra
from informed.evidence.label_policy import LabelPolicy, Missing
from informed.evidence.table import Table
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
        A score of shape (N,) at least this large is positive.
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
    add_state: Any  # of the base

    def __init__(
        self,
        measures: Any = "informedness",
        *,
        num_classes: int = 2,
        threshold: float = 0.5,
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
        self.average = average
        self.ignore_index = ignore_index
        self.labels = list(range(num_classes)) if labels is None else list(labels)
        self.missing = LabelPolicy(missing=missing).missing
        zeros = torch.zeros(num_classes, num_classes, dtype=torch.int64)
        self.add_state("counts", default=zeros, dist_reduce_fx="sum")
        self.add_state("abstained", default=zeros[0].clone(), dist_reduce_fx="sum")

    def update(self, preds: Any, target: Any) -> None:
        """Count a batch: predictions first, as torchmetrics has it."""
        import torch

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
        flat = predicted[~silent] * k + real[~silent]
        self.counts += torch.bincount(flat, minlength=k * k).reshape(k, k)
        self.abstained += torch.bincount(real[silent], minlength=k)

    def _complete(self, silent: Any, unknown: Any) -> Any:
        """Which cases are counted, given those without a prediction and without a target."""
        lost = unknown if self.missing == "abstain" else silent | unknown
        if self.missing != "drop" and lost.any():
            raise LabelError(
                f"{int(silent.sum())} predictions and {int(unknown.sum())} targets are NaN; "
                'missing="drop" leaves such cases out, missing="abstain" takes a missing '
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
            return preds >= self.threshold
        if preds.ndim == target.ndim + 1:
            if preds.shape[1] != self.num_classes:
                raise LabelError(f"Scores have {preds.shape[1]} classes; num_classes is {self.num_classes}.")
            return preds.argmax(dim=1)
        return preds

    def table(self) -> Table:
        """The counts so far, of this process, as a Table for intervals, tests and reports."""
        abstained = self.abstained.cpu().numpy()
        return Table.from_counts(
            self.counts.cpu().numpy(), labels=self.labels, abstained=abstained if abstained.any() else None
        )

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


def _plain_base(torch: Any) -> type:
    """What torchmetrics would do for a state that is summed, as a module of plain torch."""

    class Base(torch.nn.Module):  # type: ignore[misc]  # torch has no types here
        def add_state(self, name: str, default: Any, dist_reduce_fx: str) -> None:
            self.register_buffer(name, default.clone())

        def forward(self, preds: Any, target: Any) -> Any:
            """Count a batch, and the measure of this batch alone."""
            before = [held.clone() for held in self.buffers()]
            self.reset()
            self.update(preds, target)
            value = type(self)._own_compute(self)
            for held, earlier in zip(self.buffers(), before, strict=True):
                held += earlier
            return value

        def reset(self) -> None:
            for held in self.buffers():
                held.zero_()

        def __init_subclass__(cls, **options: Any) -> None:
            super().__init_subclass__(**options)
            cls._own_compute = cls.compute
            cls.compute = Base._summed

        def _summed(self) -> Any:
            if not (torch.distributed.is_available() and torch.distributed.is_initialized()):
                return type(self)._own_compute(self)
            own = [held.clone() for held in self.buffers()]
            for held in self.buffers():
                torch.distributed.all_reduce(held)
            try:
                return type(self)._own_compute(self)
            finally:
                for held, before in zip(self.buffers(), own, strict=True):
                    held.copy_(before)

    return Base


if TYPE_CHECKING:
    Metric = Any
