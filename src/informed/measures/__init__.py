"""Measures: numbers from a table. One family a module; the facts stand above each function."""

# A module declares its measures when it is imported.
from informed.measures import (  # noqa: F401
    agreement,
    association,
    chance,
    cost_weighted,
    diagnosis,
    grades,
    information,
    overlap,
    rates,
)
from informed.measures.elsewhere import instead
from informed.measures.lookup import MeasureLike, find, search, why
from informed.measures.registry import ALIASES, MEASURES, Facts, Measure

__all__ = ["ALIASES", "MEASURES", "Facts", "Measure", "MeasureLike", "find", "instead", "search", "why"]
