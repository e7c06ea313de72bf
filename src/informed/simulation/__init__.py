"""The Monte Carlo lab: measures, intervals and tests judged on tables whose truth is known."""

from informed.simulation.estimates import MonteCarlo
from informed.simulation.experiment import Experiment, parsed_levels, simulate
from informed.simulation.generators import GENERATORS, Generator, population
from informed.simulation.judging import JudgedIntervals, judged
from informed.simulation.results import Results
from informed.simulation.trying_out import Tryout, tryout

__all__ = [
    "GENERATORS",
    "Experiment",
    "Generator",
    "JudgedIntervals",
    "MonteCarlo",
    "Results",
    "Tryout",
    "judged",
    "parsed_levels",
    "population",
    "simulate",
    "tryout",
]
