"""`page`: what was found, in every format."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from informed.documents.page import Page
from informed.errors import InformedError


def page(found: Any, /, **options: Any) -> Page:
    """What was found as a page that every format can write.

    Parameters
    ----------
    found
        What `compare`, `compare.paired`, `leaderboard`, `folds`, `slices`, `agreement`, `judge`,
        `abstention`, `risk_coverage`, `roc`, `odds`, `payoffs`, `assign` or `recover` gave.
    options
        Of a comparison: `measure` (what the answer is about) and `margin`; of a judge: `reach`;
        of slices, an abstention and a risk–coverage curve: `name`; of a curve: `choice`, `cost`,
        `prevalence` and `price`; of payoffs: `stakes`; of recovered tables: `ranges`.

    Returns
    -------
    Page
        `.text()`, `.markdown()`, `.json()`, `.html()`, `.save("board.html")`, and `.pictures()`
        as SVG.

    >>> from informed import compare
    >>> found = compare.paired(real=[1, 0] * 20, a=[1, 0] * 20, b=[1, 0, 0, 1] * 10)
    >>> page(found).answer
    'a is better than b: informedness +1.000 [0.598, 1.286], p = 2.7e-08, on the same 40 items'
    """
    way = _ways().get(type(found))
    if way is None:
        known = ", ".join(kind.__name__ for kind in _ways())
        raise InformedError(
            f"A {type(found).__name__} has no page; there are pages of {known}. A Table has a "
            "report: informed.report(table)."
        )
    try:
        return way(found, **options)
    except TypeError as error:
        if "unexpected keyword" not in str(error):
            raise
        wrong = str(error).split("'")[1]
        raise InformedError(
            f"The page of a {type(found).__name__} has no option {wrong!r}."
        ) from None


@cache
def _ways() -> dict[type, Callable[..., Page]]:
    from informed.decisions.assignment import Assignment
    from informed.decisions.bookmaker import Odds, Payoffs
    from informed.decisions.curve import Curve
    from informed.decisions.recover import Recovered
    from informed.documents.pages import abstention as silence
    from informed.documents.pages import comparison as comparisons
    from informed.documents.pages import curve as choices
    from informed.documents.pages import folds, raters
    from informed.documents.pages import leaderboard as leaderboards
    from informed.documents.pages import odds as bookmaking
    from informed.documents.pages import recovered as publications
    from informed.systems.comparison import Comparison
    from informed.systems.folds import Folds
    from informed.systems.judge import Judged
    from informed.systems.leaderboard import Leaderboard
    from informed.systems.raters import Agreement
    from informed.systems.risk_coverage import Abstention, RiskCoverage
    from informed.systems.slices import Slices

    return {
        Comparison: comparisons.comparison_page,
        Leaderboard: leaderboards.board_page,
        Folds: folds.folds_page,
        Slices: folds.slices_page,
        Abstention: silence.abstention_page,
        RiskCoverage: silence.risk_page,
        Agreement: raters.agreement_page,
        Judged: raters.judged_page,
        Curve: choices.curve_page,
        Assignment: choices.assignment_page,
        Odds: bookmaking.odds_page,
        Payoffs: bookmaking.bets_page,
        Recovered: publications.recovered_page,
    }


def has_page(found: Any) -> bool:
    return type(found) in _ways()
