"""Marks as a page: the score, the states of the cases, attempts, groups and scorers."""

from __future__ import annotations

from informed._numbers import count, percent, rate, span
from informed.documents.blocks import Block, Card, Glance, Grid, Range, Section, Words, drawing, grid_of, label, rows_of
from informed.documents.charts.forest import forest, standing
from informed.documents.document import Document
from informed.documents.paging import page_of
from informed.evidence.states import STATES
from informed.inference.bounded_mean import TITLE
from informed.summary.marks_report import MISSING, MarksReport

MEANS = {
    "right": "answered and marked 1",
    "wrong": "answered and marked 0",
    "partial": "answered, with some credit",
    "abstained": "no usable answer",
    "error": "the system failed",
    "unscored": "the grader failed: left out",
    "not-run": "never asked",
}
CENTRED = {
    "centred": "above guessing among the options (no answer is wrong)",
    "centred_of_all": "above guessing among the options (no answer is no bet)",
}


@page_of(MarksReport)
def marks_page(r: MarksReport, *, precision: int = 3) -> Document:
    """Everything that is said of marks."""
    parts = (_score(r, precision), _states(r), _attempts(r, precision), _groups(r, precision), _scorers(r, precision))
    s = r.score
    drawn = Range(s.low, s.value, s.high, float("nan"))
    limits = f"{percent(r.level)} interval {span(s.low, s.high, precision)}"
    return Document.of(
        r,
        r.title,
        *(p for p in parts if p is not None),
        _why(r),
        glance=_glance(r, precision),
        answer=r.answer[0],
        further=" ".join(r.answer[1:]),
        cards=(Card("Score", rate(s.value, precision), limits, drawn),),
        command=r.command,
        gates=r.gates,
    )


def _glance(r: MarksReport, precision: int) -> Glance:
    """One screen of groups: their scores, which are what was asked for, and what became of the cases."""
    if not len(r.groups):
        return ()
    return _grid_of_groups(r, precision), *(x for x in _states(r).blocks if isinstance(x, Grid))


def _grid_of_groups(r: MarksReport, precision: int) -> Grid:
    return grid_of(r.groups, "Score of each group", precision=precision)


def _score(r: MarksReport, precision: int) -> Section:
    s = r.score
    rows = [("score", rate(s.value, precision), span(s.low, s.high, precision))]
    if s.reported == s.reported:
        rows.append((f"{r.tool or 'its tool'} reports ({s.name})", rate(s.reported, precision), ""))
    c = r.coverage
    rows.append(("answered, of those that count", rate(c.estimate, precision), span(c.low, c.high, precision)))
    rows += [(CENTRED[name], rate(x, precision), span(low, high, precision)) for name, x, low, high in r.centred.rows]
    grid = rows_of("Over all cases that count, each item once", ("number", "value", "interval"), rows)
    if r.marks.whole:
        return Section("score", "Score", (grid,))
    said = f"Confidence intervals of graded scores: {TITLE}, between {'items' if r.marks.unit is None else 'clusters'}."
    return Section("score", "Score", (grid, Words(said, "note")))


def _states(r: MarksReport) -> Section:
    held = r.states
    alone, out = r.count == "answered", r.score.left_out > 0
    counted = {"abstained": ": left out" if alone else ": not right", "error": ": left out" if out else ": not right"}
    rows = [(x, count(held[x]), f"{MEANS[x]}{counted.get(x, '')}") for x in STATES if x in held]
    return Section("states", "States", (rows_of("What became of the cases", ("state", "cases", "meaning|"), rows),))


def _attempts(r: MarksReport, precision: int) -> Section | None:
    if not len(r.attempts):
        return None
    held = r.steadiness
    said = ", ".join(f"{count(n)} {how}" for how, n in held.items())
    titles = {"pass_at": "one of k right", "pass_hat": "all k right"}
    grid = grid_of(r.attempts, "Of k attempts at an item", titles=titles, precision=precision)
    return Section("attempts", "Attempts", (Words(f"Of {count(r.marks.n)} items right: {said}."), grid))


def _groups(r: MarksReport, precision: int) -> Section | None:
    if not len(r.groups):
        return None
    rows = [standing(label(x["group"], 22), x["score"], x["low"], x["high"], float("nan")) for x in r.groups]
    title = "Score of each group"
    blocks: tuple[Block, ...] = (drawing(title, forest(rows, title, across="score")), _grid_of_groups(r, precision))
    return Section("groups", "Groups", blocks)


def _scorers(r: MarksReport, precision: int) -> Section | None:
    if not len(r.scorers):
        return None
    caption = f"Other scorers of the same answers, against the verdicts of {r.marks.name}"
    said = Words(
        "Agreement is the share of equal verdicts; informedness and kappa are what is left of it above chance.", "note"
    )
    return Section("scorers", "Scorers", (grid_of(r.scorers, caption, precision=precision), said))


def _why(r: MarksReport) -> Section:
    return Section("why", "Why no informedness", (Words(r.why), Words(MISSING)))
