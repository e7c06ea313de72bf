"""The metric of probabilities: its state are those of all cases so far, and what these really are."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from informed.errors import LabelError, MeasureError, one_of
from informed.torch.tensors import hashed, joined

MEASURES = ("growth", "log_skill", "brier_skill", "informedness")


class ProbabilityRows:
    """What the probabilities of all cases so far are worth to a bettor at fair odds.

    Parameters
    ----------
    measures
        "log_skill", "brier_skill", "growth" or "informedness", or several; several are computed as a dict by name.
    num_classes
        How many classes there are; 2 for probabilities of shape (N,).
    logits
        True for raw outputs of a model, whose softmax (or sigmoid, of one output) is taken.
    clip
        Move probabilities that are nearer to 0 or 1 than this; without it one that is 0 for a real case is ruin.
    labels
        Names of the classes, in order, for `probabilities()`.
    """

    is_differentiable = False
    higher_is_better = True
    full_state_update = False
    given: Any  # tensors, which the base joins: the probabilities of each case, row after row
    real: Any
    unit_ids: Any
    add_state: Any  # of the base

    def __init__(
        self,
        measures: Any = "log_skill",
        *,
        num_classes: int = 2,
        logits: bool = False,
        clip: float | None = None,
        labels: Sequence[Hashable] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.single = isinstance(measures, str)
        self.measures = [measures] if self.single else list(measures)
        for name in self.measures:
            one_of("measures", name, MEASURES, MeasureError)
        if num_classes < 2:
            raise LabelError(f"`num_classes` is {num_classes}; it must be at least 2.")
        if labels is not None and len(labels) != num_classes:
            raise LabelError(f"`labels` names {len(labels)} of {num_classes} classes.")
        self.num_classes, self.logits, self.clip = num_classes, logits, clip
        self.labels = list(range(num_classes)) if labels is None else list(labels)
        for name in ("given", "real", "unit_ids"):
            self.add_state(name, default=[], dist_reduce_fx="cat")

    def update(self, preds: Any, target: Any, unit: Any = None) -> None:
        """Keep a batch: probabilities of shape (N,) or (N, classes), then class numbers; `unit` says which cases
        belong together."""
        import torch

        if preds.ndim == 2 and preds.shape[1] == 1:
            preds = preds.squeeze(1)
        if preds.ndim == 1 and self.num_classes == 2:
            p = (preds.sigmoid() if self.logits else preds).to(torch.float64)
            rows = torch.stack([1 - p, p], dim=1)
        else:
            rows = (preds.softmax(dim=1) if self.logits else preds).to(torch.float64)
        if rows.shape != (len(target), self.num_classes):
            needed = f"({len(target)}, {self.num_classes})"
            raise LabelError(f"Probabilities have the shape {tuple(preds.shape)}; {needed} is needed.")
        real = target.reshape(-1).to(torch.int64)
        if real.numel() and not (int(real.min()) >= 0 and int(real.max()) < self.num_classes):
            raise LabelError(
                f"Targets run from {int(real.min())} to {int(real.max())}; with num_classes={self.num_classes} they "
                f"must be 0 to {self.num_classes - 1}."
            )
        low, high = (float(x) for x in (rows.min(), rows.max())) if rows.numel() else (0.0, 1.0)
        if not (low >= 0 and high <= 1):
            raise LabelError(
                f"Probabilities run from {low:.3g} to {high:.3g}: give logits=True for raw outputs of a model."
            )
        ids = None if unit is None else hashed(unit, "unit", target)
        self.given.append(rows.detach().reshape(-1))
        self.real.append(real)
        if ids is not None:
            self.unit_ids.append(ids)

    def probabilities(self, **options: Any) -> Any:
        """The cases so far, of this process, as `informed.probabilities` judges them; options are its own."""
        from informed.decisions.probabilities import probabilities

        rows = joined(self.given).reshape(-1, self.num_classes)
        real, ids = joined(self.real), joined(self.unit_ids)
        if len(ids) not in (0, len(real)):
            raise LabelError("Some batches have `unit`, some have none; all must have the same.")
        unit = np.unique(ids, return_inverse=True)[1] if len(ids) else None
        names = np.array(self.labels, dtype=object)[real.astype(np.int64)]
        positive = self.labels[1] if self.num_classes == 2 else None
        how = {"labels": self.labels, "clip": self.clip, "unit": unit, "positive": positive, **options}
        return probabilities(real=names, probability=rows, **how)

    def compute(self) -> Any:
        """The measure of all cases so far, of all processes: a tensor, or a dict of them; NaN before the first."""
        import torch

        found = self.probabilities(n_draws=0) if len(self.real) else None
        values = {
            name: torch.tensor(float("nan") if found is None else float(getattr(found, name).estimate))
            for name in self.measures
        }
        return values[self.measures[0]] if self.single else values
