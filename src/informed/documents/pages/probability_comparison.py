"""Systems that gave probabilities to the same cases, as a page: who is worth more, and what is known and lost."""

from __future__ import annotations

import math

from informed._numbers import percent
from informed.decisions.forecast import Probabilities
from informed.decisions.probability_comparison import PLACES, ProbabilityComparison
from informed.decisions.skill import WORDS
from informed.documents.blocks import Block, Section, Words, drawing, glimpse, grid_of, label
from informed.documents.charts.forest import forest, standing
from informed.documents.charts.reliability import PartsPoint, parts_plane, worth_by_cost
from informed.documents.document import Document
from informed.documents.pages.comparison import gaps
from informed.documents.pages.leaderboard import RANKS, rank_picture
from informed.documents.pages.probabilities import limits
from informed.documents.paging import page_of
from informed.evidence.shown import shown_pairs
from informed.results import Records

PARTS = {"known": "known (Brier)", "lost": "lost (Brier)"}
TITLES = {"log_low": "low", "log_high": "high", "brier_low": "low", "brier_high": "high"}
TITLES |= {"brier_skill": WORDS["brier_skill"], **PARTS, "calibration": "calibration p"}
MOST = 30
BY_BRIER = "Known and lost, by the Brier score"


@page_of(ProbabilityComparison)
def probability_comparison_page(c: ProbabilityComparison, *, precision: int = 3, title: str = "") -> Document:
    """Who is best, how the systems differ, and what each knows and loses."""
    sections = [_systems(c, precision), _differences(c, precision), *_worth(c)]
    return Document.of(c, title or c.title, *sections, command=c.command, gates=c.gates)


def _systems(c: ProbabilityComparison, precision: int) -> Section:
    title = f"{c.measure.replace('_', ' ')} of each system, the best first"
    rows = [standing(label(name, 22), *limits(getattr(c.systems[name], c.measure))) for name in c.ranked[:MOST]]
    shown = [row for row in rows if math.isfinite(row.value)]
    points = [PartsPoint(str(x["system"]), x["known"], x["lost"]) for x in c.records().dicts()[:MOST]]
    places: list[Block] = []
    if len(c.systems) > 2 and not c.why:
        caption = f"Places that the data support, and {percent(c.level)} intervals that hold together"
        held = c.board.records().select(*PLACES)
        titles = {"rank_low": "from", "rank_high": "to", "estimate": WORDS[c.measure]}
        places = [
            drawing(RANKS, rank_picture(c.board), caption=True),
            glimpse(grid_of(held, caption, titles=titles, precision=precision)),
        ]
    blocks: list[Block] = [
        *places,
        drawing(title, forest(shown, title, across=WORDS[c.measure]) if shown else None),
        drawing(BY_BRIER, lambda: parts_plane(points, BY_BRIER)),
        glimpse(grid_of(c.records(), "Systems, each interval by itself", titles=TITLES, precision=precision)),
        Words(
            "Known and lost are shares of what there is to know, by the Brier score; skill is their difference.", "note"
        ),
    ]
    return Section("systems", "Systems", tuple(blocks))


def _differences(c: ProbabilityComparison, precision: int) -> Section:
    held = c.differences.where(measure=c.measure)
    said = shown_pairs((x["a"], x["b"]) for x in held)
    good = [_good(x["estimate"], x["adjusted"], c.level) for x in held]
    known = [i for i, x in enumerate(held.dicts()) if math.isfinite(x["low"])]
    blocks: list[Block] = []
    if known:
        picked = Records(held.columns, tuple(held.rows[i] for i in known))
        blocks += gaps(
            picked,
            f"Differences of {c.measure.replace('_', ' ')}",
            f"Differences of {c.measure.replace('_', ' ')}, with {percent(c.level)} intervals",
            *("a", "b", "value_a", "value_b", "estimate", "low", "high", "pvalue", "adjusted"),
            said=[said[i] for i in known],
            verdicts=[good[i] for i in known],
            titles={"estimate": "difference", "pvalue": "p", "value_a": "of a", "value_b": "of b"},
            ends=("the second", "the first"),
            margin=None,
        )
    if len(known) < len(held):
        blocks.append(
            Words("Differences from a ruined system are infinite, and stand in the table below only.", "note")
        )
    titles = {"estimate": "difference", "pvalue": "p", "value_a": "of a", "value_b": "of b"}
    every = Records(c.differences.columns, tuple((WORDS[m], *rest) for m, *rest in c.differences.rows))
    blocks.append(glimpse(grid_of(every, "By every measure", titles=titles, precision=precision)))
    return Section("differences", "Differences", tuple(blocks))


def _good(estimate: float, p: float, level: float) -> int:
    return int(math.copysign(1, estimate)) if p < 1 - level else 0


def _worth(c: ProbabilityComparison) -> list[Section]:
    two = {name: x for name, x in c.systems.items() if isinstance(x, Probabilities) and not x.roc.why}
    if not two:
        return []
    first = next(iter(two.values()))
    at = first.value_by_cost()[0]
    series = [(str(name), two[name].value_by_cost()[1]) for name in c.ranked if name in two][:4]
    picture = drawing("Worth by cost", lambda: worth_by_cost(at, series, first.prevalence))
    said = "At the prevalence, the share that acting saves is informedness."
    return [Section("worth", "What they are worth at a cost", (picture, Words(said, "note")))]
