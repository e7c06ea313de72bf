"""Tensors as the metrics read them: scores, names of units, what is missing."""

from __future__ import annotations

from typing import Any

import numpy as np

from informed.errors import LabelError
from informed.evidence.tally import hashed_column


def scored(preds: Any, logits: bool | None) -> Any:
    """Scores as the threshold is meant for: probabilities, unless something else was said."""
    if logits:
        return preds.sigmoid()
    known = preds[preds == preds]
    if logits is None and known.numel() and not (float(known.min()) >= 0 and float(known.max()) <= 1):
        raise LabelError(
            f"Scores run from {float(known.min()):.3g} to {float(known.max()):.3g}, and a probability from 0 to "
            "1: give logits=True for raw outputs of a model, or logits=False for scores that `threshold` is "
            "meant for as they are."
        )
    return preds


def hashed(given: Any, kind: str, target: Any) -> Any:
    """A number of 8 bytes for the unit or item of each case of the target."""
    import torch

    if isinstance(given, torch.Tensor):
        given = given.detach().cpu().numpy()
    codes, hashes = hashed_column(np.ravel(given) if isinstance(given, np.ndarray) else given, kind)
    if len(codes) == len(target):
        codes = np.repeat(codes, target[0].numel() if len(target) else 1)
    if len(codes) != target.numel():
        raise LabelError(f"`{kind}` has {len(codes):,} entries for {target.numel():,} cases; each needs one.")
    return torch.as_tensor(hashes[codes], device=target.device)


def absent(given: Any, target: Any) -> Any:
    """Of each case, whether it has no label: a NaN, or a NaN among the scores of its classes."""
    gone = given != given
    return gone.any(dim=1) if given.ndim == target.ndim + 1 else gone


def joined(held: Any) -> Any:
    """One array of the tensors of a state, or of the one that torchmetrics made of those of all processes."""
    several = held if isinstance(held, list) else [held]
    return np.concatenate([np.zeros(0, np.int64), *(each.cpu().numpy() for each in several)])
