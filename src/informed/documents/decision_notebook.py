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
from informed.documents.blocks import Block, Drawing, Words
from informed.documents.charts.decision_figures import Mark, plane
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
        return (Drawing("Cost curve", lambda key: decisions.cost_picture(held, None, key)),)
    if isinstance(held, DecisionCurve):
        return (Drawing("Decision curve", lambda key: decisions.benefit_picture(held, key)),)
    if isinstance(held, RejectCurve):
        return (Drawing("Coverage", lambda key: decisions.coverage_picture(held, key)),)
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
    at = Mark("greatest informedness", best.fallout, best.recall)
    return (Drawing("ROC plane", lambda key: plane(curve, key, chosen=at)), *said)
