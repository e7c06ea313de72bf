"""A measure that was tried out, as a page: ranking, guessing, bias, beside the usual measures."""

from __future__ import annotations

from typing import Any

import numpy as np

from informed._numbers import percent, plural, rate, signed
from informed.documents.blocks import Drawing, Grid, Section, Words, drawing, rows_of
from informed.documents.charts.chart import Chart
from informed.documents.charts.curves import curve, reaching, shares
from informed.documents.charts.marks import Lines
from informed.documents.document import Document
from informed.documents.paging import page_of
from informed.simulation.trying_out import NOTHING, Tryout

COLOURS = ("c1", "c2", "c5", "c3", "c4", "c8", "c6", "c7")  # of style.css, that which was tried first


@page_of(Tryout)
def tryout_page(found: Tryout) -> Document:
    """How it ranks, what guessing scores and gains, and its bias in samples."""
    sections = (_ranking(found), _guessing(found), _samples(found))
    return Document.of(found, f"{found.name}, tried out", *sections)


def _measures(found: Tryout) -> list[str]:
    """The measure that was tried, then the others."""
    return list(dict.fromkeys([found.name, *found.rows.where(part="ranking")["measure"]]))


def _lines(found: Tryout, across: Any, of: Any) -> list[Lines]:
    """A line for each measure, that which was tried thick."""
    return [
        Lines(np.asarray(across, dtype=float), of(m), f"curve {colour}{' thick' if m == found.name else ''}", m)
        for m, colour in zip(_measures(found), COLOURS, strict=False)
    ]


def _ranking(found: Tryout) -> Section:
    run = found.run
    blocks: list[Drawing | Grid | Words] = [
        Words(
            f"Pairs of systems of which one is informed {run['gap']:g} more than the other; what each says when it "
            f"does not know is free. Each is measured in a sample of its own. {run['replicates']:,} pairs "
            "for each number; where a measure cannot tell, it tosses a coin. "
            f"By {found.name} {'more' if found.rises else 'less'} is better."
        )
    ]
    blocks += [
        drawing(f"How often the worse of two is preferred, {cases:,} cases", ranked(found, cases)) for cases in run["n"]
    ]
    for cases in run["n"]:
        rows = [
            [m, *(percent(x) for x in found.values("ranking", "prefers_worse", m, cases=cases))]
            for m in _measures(found)
        ]
        titles = ["measure", *(f"{q:g}" for q in run["prevalence"])]
        blocks.append(rows_of(f"The worse is preferred, {cases:,} cases, by prevalence", titles, rows))
    return Section("ranking", "Which of two systems it prefers", tuple(blocks))


def ranked(found: Tryout, cases: int) -> Chart | None:
    """How often each measure prefers the worse of two systems, by prevalence."""
    at = found.run["prevalence"]
    lines = _lines(found, at, lambda m: found.values("ranking", "prefers_worse", m, cases=cases))
    means = ", ".join(f"{line.name} {percent(float(np.mean(line.y)))}" for line in lines)
    return curve(
        lines,
        title=f"How often the worse of two systems is preferred in samples of {cases:,} cases",
        words=f"On average over the prevalences: {means}.",
        across=shares("prevalence of the positive class"),
        up=reaching(lines, low=0),
        head=f"Prefers the worse of two systems, {plural(cases, 'case')}",
    )


def _guessing(found: Tryout) -> Section:
    rows = []
    for m in _measures(found):
        low, high, pays, gain = (found.law(x, m) for x in ("chance_low", "chance_high", "pays", "gain"))
        chance = f"{rate(low)} to {rate(high)}" if high - low > NOTHING else f"{rate(low)}"
        rows.append([m, chance, percent(pays) if pays else "never", rate(gain) if pays else ""])
    titles = ["measure", "guessing scores", "guessing pays", "by up to"]
    words = Words(
        "In populations, without sampling: what systems score that know nothing, whatever they guess and however "
        "common positives are; and in what share of trials a system that knows something scores better when a part of "
        "its answers is replaced by guesses."
    )
    grid = rows_of("Guessing", titles, rows)
    return Section(
        "guessing", "What guessing scores and gains", (words, drawing("What guessing scores", _guessed(found)), grid)
    )


def _guessed(found: Tryout) -> Chart | None:
    held = found.rows.where(part="guessers", measure=found.name)
    (q,) = set(held["prevalence"])
    lines = _lines(found, held["guess"], lambda m: found.values("guessers", "value", m))
    own = ", ".join(f"{line.name} {rate(float(line.y[0]))} to {rate(float(line.y[-1]))}" for line in lines)
    return curve(
        lines,
        title="What systems score that know nothing",
        words=f"By the share of guesses that say positive, from {held['guess'][0]:g} to {held['guess'][-1]:g}: {own}.",
        across=shares("share of guesses that say positive"),
        up=reaching(lines),
        head=f"Systems that know nothing; {percent(q)} are positive",
    )


def _samples(found: Tryout) -> Section:
    held = found.rows.where(part="samples", statistic="bias", measure=found.name)
    places = [(row["prevalence"], row["cases"], row["level"]) for row in held]
    rows = []
    for q, cases, level in places:
        where = {"prevalence": q, "cases": cases, "level": level}
        own = [found.values("samples", "bias", m, **where) for m in _measures(found)]
        missing = found.values("samples", "undefined", **where)
        biases = [signed(float(x[0])) if len(x) else "n/a" for x in own]
        rows.append([f"{q:g}", f"{cases:,}", f"{level:g}", *biases, percent(float(missing[0]))])
    titles = ["prevalence", "cases", "known", *_measures(found), f"{found.name} undefined"]
    words = Words(
        "The mean over samples less the value in the population; systems know this share of the answers and guess the "
        "rest by prevalence."
    )
    return Section("samples", "Its bias in samples", (words, rows_of("Bias", titles, rows)))
