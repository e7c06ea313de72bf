"""Measures: numbers from a table. One family a module; the facts stand above each function."""

from informed.measures import agreement, association, chance, cost_weighted, diagnosis, information, overlap, rates
from informed.measures.lookup import find, search, why
from informed.measures.registry import ALIASES, MEASURES, Facts, Measure

__all__ = [
    "ALIASES",
    "MEASURES",
    "Facts",
    "Measure",
    "agreement",
    "association",
    "chance",
    "cost_weighted",
    "diagnosis",
    "find",
    "information",
    "overlap",
    "rates",
    "search",
    "why",
]
