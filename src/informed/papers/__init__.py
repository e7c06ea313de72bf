"""The seeds' figures, tables, claims and questions: data and short runs on top of `simulation`."""

from informed.papers.claims import run_claims
from informed.papers.figures import FIGURES, Figure, reproduce
from informed.papers.questions import run_questions

__all__ = ["FIGURES", "Figure", "reproduce", "run_claims", "run_questions"]
