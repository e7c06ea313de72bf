"""Curves of scores on disk, in the run's private folder, and one to begin with."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

import informed
from informed.decisions.curve import Curve
from informed.results import picked
from informed.web import Json

FILE = "curve.npz"
ARRAYS = ("thresholds", "tp", "fp")
SINGLE = ("exact", "auc_error", "missing")


def keep(curve: Curve, folder: Path) -> None:
    """Write what the Threshold panel asks about; labels are text."""
    named: Json = {"labels": [str(x) for x in curve.labels], "positive": str(curve.positive)}
    np.savez(folder / FILE, **picked(curve, " ".join((*ARRAYS, *SINGLE))), **named)


def kept(folder: Path) -> Curve:
    with np.load(folder / FILE, allow_pickle=False) as held:
        arrays: Json = {name: held[name] for name in ARRAYS}
        single: Json = {name: held[name].item() for name in ("positive", *SINGLE)}
        return Curve(labels=tuple(held["labels"].tolist()), **arrays, **single)


@cache
def example() -> Curve:
    """Scores of 120 ill and 280 well people that overlap."""
    rng = np.random.default_rng(2003)
    score = np.concatenate([rng.normal(0.62, 0.16, 120), rng.normal(0.42, 0.16, 280)])
    real = ["ill"] * 120 + ["well"] * 280
    return informed.roc(real=real, score=score.clip(0, 1).round(2), positive="ill")
