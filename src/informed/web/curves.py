"""Curves of scores on disk, in the run's private folder, and one to begin with."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

import informed
from informed.decisions.curve import Curve

FILE = "curve.npz"


def keep(curve: Curve, folder: Path) -> None:
    """Write what the Threshold panel asks about; labels are text."""
    np.savez(
        folder / FILE,
        thresholds=curve.thresholds,
        tp=curve.tp,
        fp=curve.fp,
        labels=np.array([str(x) for x in curve.labels]),
        positive=np.array(str(curve.positive)),
        exact=np.array(curve.exact),
        auc_error=np.array(curve.auc_error),
        missing=np.array(curve.missing),
    )


def kept(folder: Path) -> Curve:
    with np.load(folder / FILE, allow_pickle=False) as held:
        first, second = (str(x) for x in held["labels"])
        return Curve(
            thresholds=held["thresholds"],
            tp=held["tp"],
            fp=held["fp"],
            labels=(first, second),
            positive=str(held["positive"]),
            exact=bool(held["exact"]),
            auc_error=float(held["auc_error"]),
            missing=int(held["missing"]),
        )


@cache
def example() -> Curve:
    """Scores of 120 ill and 280 well people that overlap."""
    rng = np.random.default_rng(2003)
    score = np.concatenate([rng.normal(0.62, 0.16, 120), rng.normal(0.42, 0.16, 280)])
    real = ["ill"] * 120 + ["well"] * 280
    return informed.roc(real=real, score=score.clip(0, 1).round(2), positive="ill")
