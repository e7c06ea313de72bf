"""The metric of items of several labels: its state are their rows, a bit a label."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from informed.errors import LabelError
from informed.evidence.tags import Tags
from informed.measures import find
from informed.measures.tag_averages import averaged
from informed.measures.tag_scores import USUAL, score
from informed.torch.tensors import hashed, joined, scored


class TagRows:
    """Measures of the tags of all items so far: rows of labels, one item a row.

    Parameters
    ----------
    measures
        One measure by name, or several; several are computed as a dict by name. Also "subset_accuracy",
        "hamming_loss", "jaccard_samples" and "f1_micro", which have no average.
    num_labels
        How many labels there are, each of which an item has or has not.
    threshold, logits
        A score at least this large is a label, as `Metric` has it.
    average
        "prevalence" is the bookmaker's; "within", "occurring", "macro", "micro", "samples", and None for a number
        a label: see `informed.sklearn.score`.
    labels
        Names of the labels, in order, for `tags()`.
    """

    is_differentiable = False
    higher_is_better = None
    full_state_update = False
    real_bits: Any  # tensors, which the base joins: of each item the bits of its labels
    given_bits: Any
    unit_ids: Any
    add_state: Any  # of the base

    def __init__(
        self,
        measures: Any = "informedness",
        *,
        num_labels: int,
        threshold: float = 0.5,
        logits: bool | None = None,
        average: str | None = "prevalence",
        labels: Sequence[Hashable] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.single = isinstance(measures, str) or not hasattr(measures, "__iter__")
        asked = [measures] if self.single else measures
        self.measures = [m if m in USUAL else str(find(m)) for m in asked]
        if labels is not None and len(labels) != num_labels:
            raise LabelError(f"`labels` names {len(labels)} of {num_labels} labels.")
        self.num_labels, self.threshold, self.logits, self.average = num_labels, threshold, logits, average
        self.labels = list(range(num_labels)) if labels is None else list(labels)
        for name in ("real_bits", "given_bits", "unit_ids"):
            self.add_state(name, default=[], dist_reduce_fx="cat")

    def update(self, preds: Any, target: Any, unit: Any = None) -> None:
        """Keep a batch: scores, or 0 and 1, of shape (N, labels), predictions first; `unit` says which items belong
        together, one number or name for each."""
        for name, x in (("Predictions", preds), ("Targets", target)):
            if x.ndim != 2 or x.shape[1] != self.num_labels:
                raise LabelError(f"{name} have the shape {tuple(x.shape)}; (items, {self.num_labels}) is needed.")
            if (x != x).any():
                raise LabelError(f"{name} hold NaN; an item has a label or has not.")
        if len(preds) != len(target):
            raise LabelError(f"There are {len(preds)} predictions and {len(target)} targets.")
        given = (
            scored(preds, self.logits) >= self.threshold if preds.is_floating_point() else _ones(preds, "Predictions")
        )
        ids = None if unit is None else hashed(unit, "unit", target[:, 0])
        self.real_bits.append(_packed(_ones(target, "Targets")))
        self.given_bits.append(_packed(given))
        if ids is not None:
            self.unit_ids.append(ids)

    def tags(self) -> Tags:
        """The items so far, of this process, as Tags for intervals, tests and reports."""
        real, given = (self._unpacked(held) for held in (self.real_bits, self.given_bits))
        ids = joined(self.unit_ids)
        if len(ids) not in (0, len(real)):
            raise LabelError("Some batches have `unit`, some have none; all must have the same.")
        unit = np.unique(ids, return_inverse=True)[1] if len(ids) else None
        return Tags.from_labels(real=real, predicted=given, labels=self.labels, unit=unit)

    def _unpacked(self, held: Any) -> Any:
        several = held if isinstance(held, list) else [held]
        rows = [np.zeros((0, -(-self.num_labels // 8)), np.uint8), *(x.cpu().numpy() for x in several)]
        return np.unpackbits(np.concatenate(rows), axis=1, count=self.num_labels).astype(np.bool_)

    def compute(self) -> Any:
        """The measure of all items so far, of all processes: a tensor, or a dict of them; NaN before the first."""
        import torch

        t = self.tags() if len(self.real_bits) else None
        values = {}
        for text in self.measures:
            if t is None:
                value: Any = float("nan")
            else:
                value = score(t, text) if text in USUAL else averaged(find(text), t, self.average)
            values[text] = torch.tensor(value)
        return values[self.measures[0]] if self.single else values


def _ones(x: Any, name: str) -> Any:
    """Which are 1; refused where some are neither 1 nor 0."""
    if not ((x == 0) | (x == 1)).all():
        raise LabelError(f"{name} hold {float(x[(x != 0) & (x != 1)][0]):g}; labels of items are 0 and 1.")
    return x == 1


def _packed(x: Any) -> Any:
    import torch

    return torch.from_numpy(np.packbits(x.cpu().numpy(), axis=1)).to(x.device)
