"""What a notebook shows of curves, choices, bets, names for clusters and recovered tables."""

from __future__ import annotations

from typing import Any
from zlib import crc32

from informed.decisions.assignment import Assignment
from informed.decisions.bookmaker import Odds, Payoffs
from informed.decisions.costs import CostCurve, DecisionCurve
from informed.decisions.curve import Curve
from informed.decisions.recover import Recovered
from informed.decisions.rejection import RejectCurve
from informed.decisions.threshold import Choice
from informed.documents.blocks import Block, Words, drawing
from informed.documents.charts.plane import Point
from informed.documents.notebook import wrapped
from informed.documents.pages import curve as choices
from informed.documents.pages import decisions
from informed.documents.pages import odds as bookmaking
from informed.documents.pages import recovered as publications
from informed.documents.writers.html import blocks


def decision_html(held: Any) -> str:
    """Its pictures and grids; empty where it is no decision."""
    found = _blocks(held)
    key = f"informed-{crc32(repr(held).encode()):x}"  # a notebook shows many
    return wrapped(blocks(found, None, key)) if found else ""


def _blocks(held: Any) -> tuple[Block, ...]:
    if isinstance(held, Curve):
        return _curve(held)
    if isinstance(held, Choice):
        return decisions.choice_blocks(held)
    if isinstance(held, CostCurve):
        return (drawing("Cost curve", decisions.cost_picture(held, None)),)
    if isinstance(held, DecisionCurve):
        return (drawing("Decision curve", decisions.benefit_picture(held)),)
    if isinstance(held, RejectCurve):
        return (drawing("Coverage", decisions.coverage_picture(held)),)
    if isinstance(held, Odds):
        return (bookmaking.odds_grid(held),)
    if isinstance(held, Payoffs):
        return bookmaking.winnings_section(held).blocks
    if isinstance(held, Assignment):
        return tuple(b for s in choices.assignment_sections(held) for b in s.blocks)
    if isinstance(held, Recovered):
        return tuple(b for s in publications.sections(held) for b in s.blocks)
    return ()


def _curve(curve: Curve) -> tuple[Block, ...]:
    said = tuple(Words(x, "note") for x in curve.text().splitlines())
    if curve.why:
        return said
    best = curve.best()
    at = Point("greatest informedness", best.fallout, best.recall)
    return (drawing("ROC plane", decisions.plane(curve, [at])), *said)
