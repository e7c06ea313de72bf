"""The metric of one label a case: its state is the table of counts."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from informed.errors import LabelError
from informed.evidence.label_policy import LabelPolicy, Missing
from informed.evidence.table import Table
from informed.evidence.tally import by_item
from informed.evidence.units import Units
from informed.measures import find
from informed.torch.tensors import absent, hashed, joined, scored


class TableCounts:
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
        silent = absent(preds, target).reshape(-1)
        kept = torch.ones_like(real, dtype=torch.bool)
        if self.ignore_index is not None:
            kept = real != self.ignore_index
        kept &= self._complete(silent & kept, absent(target, target).reshape(-1) & kept)
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
        if unit is not None and item is not None:
            raise LabelError("A metric keeps `unit` or `item`, not both; count both together with `Table.from_labels`.")
        if unit is None and item is None:
            return None
        return hashed(unit, "unit", target) if item is None else hashed(item, "item", target)

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
            return scored(preds, self.logits) >= self.threshold
        if preds.ndim == target.ndim + 1:
            if preds.shape[1] != self.num_classes:
                raise LabelError(f"Scores have {preds.shape[1]} classes; num_classes is {self.num_classes}.")
            return preds.argmax(dim=1)
        return preds

    def table(self) -> Table:
        """The counts so far, of this process, as a Table for intervals, tests and reports, with its units."""
        counts, abstained = self.counts.cpu().numpy(), self.abstained.cpu().numpy()
        t = Table.from_counts(
            counts, labels=self.labels, rows="predicted", abstained=abstained if abstained.any() else None
        )
        ids, cells = (joined(held) for held in (self.unit_ids, self.unit_cells))
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
