"""The Monte Carlo lab: measures, intervals and tests judged on tables whose truth is known."""

from informed.simulation.claims import run_claims
from informed.simulation.experiment import Experiment, Results, parsed_levels, simulate
from informed.simulation.figures import FIGURES, Figure, reproduce
from informed.simulation.generators import GENERATORS, Generator, population
from informed.simulation.questions import run_questions

__all__ = [
    "FIGURES",
    "GENERATORS",
    "Experiment",
    "Figure",
    "Generator",
    "Results",
    "parsed_levels",
    "population",
    "reproduce",
    "run_claims",
    "run_questions",
    "simulate",
]
