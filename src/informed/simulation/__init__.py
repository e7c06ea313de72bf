"""The Monte Carlo lab: measures, intervals and tests judged on tables whose truth is known."""

from informed.simulation.experiment import Experiment, Results, parsed_levels, simulate
from informed.simulation.generators import GENERATORS, Generator, population

__all__ = [
    "GENERATORS",
    "Experiment",
    "Generator",
    "Results",
    "parsed_levels",
    "population",
    "simulate",
]
