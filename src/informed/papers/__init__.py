"""The seeds' figures, tables, claims and questions: data and short runs on top of `simulation`."""

from informed.papers import (  # noqa: F401  # each registers its runs or its pictures
    claims_inference,
    claims_measures,
    claims_recipes,
    claims_remarks,
    question_pictures,
    questions_generators,
    questions_intervals,
    questions_measures,
    questions_systems,
    questions_tests,
)
from informed.papers.claims import run_claims
from informed.papers.errata import errata
from informed.papers.figures import FIGURES, Figure, reproduce
from informed.papers.questions import run_questions

__all__ = ["FIGURES", "Figure", "errata", "reproduce", "run_claims", "run_questions"]
