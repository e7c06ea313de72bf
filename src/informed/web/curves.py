"""Curves of scores on disk, in the run's private folder, and one to begin with."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import informed
from informed.decisions.curve import Curve
from informed.decisions.scored_units import ScoredUnits, UnitColumn
from informed.results import picked
from informed.web import Json

FILE = "curve.npz"
ARRAYS = ("thresholds", "tp", "fp")
SINGLE = ("exact", "auc_error", "missing")


def keep(curve: Curve, folder: Path) -> None:
    """Write what the Threshold panel asks about; labels are text."""
    named: Json = {"labels": [str(x) for x in curve.labels], "positive": str(curve.positive)}
    squares: Json = {} if curve.squares is None else {"squares": np.stack(curve.squares)}
    single = picked(curve, " ".join((*ARRAYS, *SINGLE)))
    np.savez(folder / FILE, **single, **named, **squares, **_units(curve.units))


def _units(units: ScoredUnits | None) -> Json:
    """What is kept of cases that belong together; what is not there is left out."""
    if units is None:
        return {}
    own: Json = {name: getattr(units, name) for name in ("step", "own", "weight", "told", "unit", "name")}
    given = {**own, "item": units.given.item, "asked": units.given.asked}
    return {f"of_unit_{name}": value for name, value in given.items() if value is not None}


def kept(folder: Path) -> Curve:
    with np.load(folder / FILE, allow_pickle=False) as held:
        arrays: Json = {name: held[name] for name in ARRAYS}
        single: Json = {name: held[name].item() for name in ("positive", *SINGLE)}
        given: Json = {name.removeprefix("of_unit_"): held[name] for name in held if name.startswith("of_unit_")}
        units = _kept_units(**given) if given else None
        squares = tuple(held["squares"]) if "squares" in held else None
        return Curve(labels=tuple(held["labels"].tolist()), **arrays, **single, squares=squares, units=units)


def _kept_units(unit: Any, name: Any, asked: Any, item: Any = None, **own: Any) -> ScoredUnits:
    return ScoredUnits(**own, given=UnitColumn(unit, str(name), unit if asked else item))


@cache
def example() -> Curve:
    """Scores of 120 ill and 280 well people that overlap."""
    rng = np.random.default_rng(2003)
    score = np.concatenate([rng.normal(0.62, 0.16, 120), rng.normal(0.42, 0.16, 280)])
    real = ["ill"] * 120 + ["well"] * 280
    return informed.roc(real=real, score=score.clip(0, 1).round(2), positive="ill")
