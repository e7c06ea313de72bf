"""A measure tried out: how it ranks systems, what guessing scores and gains by it, and its bias in samples.

Nothing is asked of it but a number for each table of two classes. Whether more is better, what chance scores and what
it is worth are found out, and the same is found out about the usual measures beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

import numpy as np

from informed._arrays import Array
from informed._numbers import percent, rate
from informed.errors import InferenceError
from informed.evidence.table import Table
from informed.measures import find
from informed.measures.shown import TRIED
from informed.results import Kind, Note, Records, Result, plain_dict
from informed.simulation.checks import whole
from informed.simulation.estimates import mean
from informed.simulation.experiment import Experiment
from informed.simulation.judging import Judged, values
from informed.simulation.own import OwnMeasure, identities, own_measures
from informed.simulation.two_classes import mixtures, prefers_worse, random_pairs, sampled

PREVALENCES = (0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95)
CASES = (100, 1000)
BIASED = (0.05, 0.5)  # prevalences at which the bias in samples is found
LEVELS = (0.0, 0.5, 0.9)
SHARES = np.arange(0.05, 0.96, 0.05)  # prevalences and guesses of those who know nothing
NOTHING = 1e-9  # a gain below this is rounding
GRID: tuple[Sequence[float], ...] = (
    *((0.1, 0.3, 0.5, 0.7, 0.9), PREVALENCES, (0.05, 0.25, 0.5, 0.75, 0.95)),  # knowledge, prevalence, guesses
    *((0, 0.25, 0.5, 0.75, 1), (0.1, 0.25, 0.5, 0.75)),  # other guesses, in the place of this share of answers
)
KINDS: dict[str, Kind] = {
    "part": "words", "statistic": "words", "measure": "words", "prevalence": "number", "cases": "count",
    "level": "number", "guess": "number", "value": "number", "error": "number",
}  # fmt: skip


@dataclass(frozen=True, repr=False)
class Tryout(Result):
    """What became of a measure: rows of four parts, for it and for those beside it.

    "ranking" has how often the worse of two systems is preferred, by prevalence and cases; "guessers" what systems
    score that know nothing, by their guesses; "laws" the least and the most of that (`chance_low`, `chance_high`), the
    share of trials in which guesses in the place of answers raise the score (`pays`) and by how much at most
    (`gain`); "samples" bias, its Monte Carlo error and how often it is undefined.
    """

    page: ClassVar[str] = "tryout"

    name: str
    rises: bool  # more is better; if not, less is
    rows: Records
    run: dict[str, Any]
    notes: tuple[Note, ...] = ()

    def records(self) -> Records:
        """All rows."""
        return self.rows

    def to_dict(self) -> dict[str, Any]:
        """The rows and the run."""
        held = {"name": self.name, "rises": self.rises, "rows": self.rows, "run": self.run, "notes": self.notes}
        return plain_dict(held)

    def values(self, part: str, statistic: str, measure: str | None = None, **where: Any) -> Array:
        """Values of a statistic of one measure: by default of that which was tried."""
        asked = {"part": part, "statistic": statistic, "measure": measure or self.name}
        return np.array(self.rows.where(**asked, **where)["value"], dtype=np.float64)

    def law(self, statistic: str, measure: str | None = None) -> float:
        """One number of the laws."""
        return float(self.values("laws", statistic, measure)[0])

    def sentence(self) -> str:
        """What became of it, beside informedness."""
        wrong = self.values("ranking", "prefers_worse")
        beside = self.values("ranking", "prefers_worse", "informedness")
        also = f" (informedness {percent(beside.mean())})" if len(beside) and self.name != "informedness" else ""
        low, high, pays, gain = (self.law(x) for x in ("chance_low", "chance_high", "pays", "gain"))
        chance = f"{rate(low)} to {rate(high)}, by its margins" if high - low > NOTHING else f"{rate(low)}, always"
        raised = f"raise it in {percent(pays)} of the trials, by up to {rate(gain)}" if pays else "never raise it"
        off = self.values("samples", "bias")
        most = off[np.isfinite(off)]
        bias = (
            f"its bias in samples is at most {rate(float(np.abs(most).max()))}" if len(most) else "it has no bias known"
        )
        return (
            f"{self.name} prefers the worse of two systems in {percent(wrong.mean())} of the pairs{also}, "
            f"{percent(wrong.min())} to {percent(wrong.max())} by prevalence and cases; guessing scores {chance}; "
            f"guesses in the place of answers {raised}; {bias}"
        )


def tryout(
    measure: Judged,
    *,
    beside: Sequence[Judged] = TRIED,
    prevalence: Sequence[float] = PREVALENCES,
    n: Sequence[int] = CASES,
    gap: float = 0.1,
    replicates: int = 4000,
    seed: int = 7,
) -> Tryout:
    """Try out a measure on tables of two classes, beside others.

    Parameters
    ----------
    measure
        A function of a `Table` that gives a number (for a stack of tables: an array), or a name.
    beside
        Measures to put beside it.
    prevalence, n
        Shares of positives and numbers of cases at which pairs of systems are ranked.
    gap
        By how much the better of two systems is informed more.
    replicates
        Pairs of systems, and tables for the bias, at each of them.
    seed
        Same seed, same numbers.

    >>> def hits(t): return t.tp / t.total
    >>> found = tryout(hits, beside=["informedness"], prevalence=[0.2], n=[100], replicates=500)
    >>> found.law("chance_high") > 0.5, found.law("pays") > 0.3, found.law("pays", "informedness")
    (True, True, 0.0)
    """
    _check(prevalence, n, gap, replicates, seed)
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    own, *others = own_measures([measure, *beside], lambda: _probe(rng, max(n)))
    others = [m for m in others if _name(m) != _name(own)]
    rises = _rises(own, max(n))
    signs = {m: 1.0 if rises or m is not own else -1.0 for m in (own, *others)}

    rows: list[dict[str, Any]] = [
        *_ranking(rng, signs, prevalence, n, gap, replicates),
        *_guessers(signs, prevalence, max(n)),
        *_laws(signs, max(n)),
        *_samples(tuple(signs), n, replicates, seed),
    ]
    held = Records.of(
        KINDS, ([row.get(name, np.nan if KINDS[name] == "number" else None) for name in KINDS] for row in rows)
    )
    run = {"n": list(n), "prevalence": list(prevalence), "gap": gap, "replicates": replicates, "seed": seed,
           "functions": identities(Experiment().recipe, tuple(signs))}  # fmt: skip
    notes = [
        Note(
            "The better of two systems is the one that knows more; where errors have prices it may be the other.",
            code="truth",
        ),
        Note(_example(own, signs[own], max(n)), code="guessing"),
    ]
    if isinstance(own, OwnMeasure) and own.alone:
        said = "was asked table by table, as it cannot take a stack of tables; written with arrays it is much faster."
        notes.append(Note(f"{own.name} {said}", code="alone"))
    return Tryout(_name(own), rises, held, run, tuple(notes))


def _check(prevalence: Sequence[float], n: Sequence[int], gap: float, replicates: int, seed: int) -> None:
    whole("replicates", replicates, least=2)
    whole("seed", seed, least=0)
    for cases in n:
        whole("n", cases, least=2)
    for share in (*prevalence, gap):
        if not 0 < share < 1:
            raise InferenceError(f"A prevalence or the gap is {share!r}; it must be between 0 and 1.")
    if not (len(n) and len(prevalence)):
        raise InferenceError("There is nothing to rank: give a prevalence and a number of cases at least.")


def _name(measure: str | OwnMeasure) -> str:
    return str(find(measure)) if isinstance(measure, str) else measure.name


def _probe(rng: np.random.Generator, n: int) -> Table:
    """Samples of systems of all kinds, on which a function is tried."""
    return sampled(rng, n, random_pairs(rng, 24, gap=0.1)[0])


def _scaled(t: Table, n: int) -> Table:
    """A population as a table of n cases, for measures that are not free of scale."""
    return Table.from_counts(n * t.counts)


def _rises(measure: Judged, n: int) -> bool:
    """Whether it is higher for who knows more."""
    low, high = values(_scaled(mixtures([0.0, 0.9], 0.5, 0.5), n), measure)
    if not abs(high - low) > NOTHING:
        said = measure if isinstance(measure, str) else str(measure)
        raise InferenceError(f"{said} scores {high:g} for a system that knows 90 % and {low:g} for one that guesses.")
    return bool(high > low)


# ------------------------------------------------------------------ the parts


def _ranking(
    rng: np.random.Generator,
    signs: dict[Any, float],
    prevalence: Sequence[float],
    n: Sequence[int],
    gap: float,
    size: int,
) -> Iterator[dict[str, Any]]:
    for cases, q in product(n, prevalence):
        better, worse = (sampled(rng, cases, t) for t in random_pairs(rng, size, gap=gap, prevalence=q))
        for m, sign in signs.items():
            pair = (worse, better) if sign > 0 else (better, worse)
            found = mean(prefers_worse(*pair, m))
            where = {
                "part": "ranking",
                "statistic": "prefers_worse",
                "measure": _name(m),
                "prevalence": q,
                "cases": cases,
            }
            yield {**where, "value": found.value, "error": found.standard_error}


def _guessers(signs: dict[Any, float], prevalence: Sequence[float], n: int) -> Iterator[dict[str, Any]]:
    """What systems score that know nothing where positives are rarest, by how often they say positive."""
    q = min(prevalence)
    t = _scaled(mixtures(0.0, q, SHARES), n)
    for m in signs:
        for guess, x in zip(SHARES, values(t, m), strict=True):
            yield {"part": "guessers", "statistic": "value", "measure": _name(m), "prevalence": q, "cases": n,
                   "level": 0.0, "guess": float(guess), "value": float(x)}  # fmt: skip


def _laws(signs: dict[Any, float], n: int) -> Iterator[dict[str, Any]]:
    """In populations, without sampling."""
    guessers = _scaled(mixtures(0.0, *np.meshgrid(SHARES, SHARES)), n)
    for m, sign in signs.items():
        x, gain = values(guessers, m), _gains(m, sign, n)
        x, known = x[np.isfinite(x)], gain[np.isfinite(gain)]
        found = {
            "chance_low": x.min() if len(x) else np.nan,
            "chance_high": x.max() if len(x) else np.nan,
            "pays": np.mean(known > NOTHING) if len(known) else np.nan,
            "gain": max(known.max(), 0.0) if len(known) else np.nan,
        }
        for statistic, value in found.items():
            yield {"part": "laws", "statistic": statistic, "measure": _name(m), "value": float(value)}


def _gains(measure: Judged, sign: float, n: int) -> Array:
    """What a system gains whose answers are in part replaced by guesses, over `GRID`."""
    g, q, b, c, x = (part.ravel() for part in np.meshgrid(*GRID, indexing="ij"))
    before = mixtures(g, q, b).counts
    guesses = np.stack([np.stack([c * q, c * (1 - q)], -1), np.stack([(1 - c) * q, (1 - c) * (1 - q)], -1)], -2)
    after = (1 - x)[:, None, None] * before + x[:, None, None] * guesses
    old, new = (values(Table.from_counts(n * cells), measure) for cells in (before, after))
    return np.asarray(sign * (new - old))


def _example(measure: Judged, sign: float, n: int) -> str:
    """The largest gain by guessing, as a sentence."""
    gain = _gains(measure, sign, n)
    gain = np.where(np.isfinite(gain), gain, -np.inf)
    at = int(gain.argmax())
    if not gain[at] > NOTHING:
        return "Replacing answers by guesses never helped, in any of the systems that were tried."
    g, q, b, c, x = (float(part.ravel()[at]) for part in np.meshgrid(*GRID, indexing="ij"))
    return (
        f"Guessing pays most, {gain[at]:.3f}, for a system that knows {percent(g)} where {percent(q)} are positive and "
        f"that says positive in {percent(b)} of its guesses: with {percent(x)} of its answers replaced by guesses, "
        f"of which {percent(c)} say positive, it knows {percent((1 - x) * g)} and scores better."
    )


def _samples(measures: tuple[Any, ...], n: Sequence[int], size: int, seed: int) -> Iterator[dict[str, Any]]:
    for cases, q in product(n, BIASED):
        e = Experiment(
            k=2, n=cases, levels=LEVELS, replicates=size, measures=measures, options={"prevalence": q}, seed=seed
        )
        for row in e.run().rows:
            if row["subject"] == "measure" and row["statistic"] in ("truth", "bias", "undefined"):
                what = {name: row[name] for name in ("statistic", "measure", "level")}
                value, error = (np.nan if row[x] is None else row[x] for x in ("value", "error"))
                yield {"part": "samples", "prevalence": q, "cases": cases, **what, "value": value, "error": error}
