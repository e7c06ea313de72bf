"""The bookmaker: fair odds from prevalence, and what a system's predictions win at those odds.

A bet on a label at fair odds wins nothing on average for someone who guesses. What a system wins
is therefore what it knows: with the payoffs of `fixed-win` it is exactly its informedness.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, Unpack

import numpy as np

from informed._arrays import Array, exact_zero, mean_over, ratio
from informed._numbers import percent, rate
from informed.errors import TableError, one_of
from informed.evidence.calls import explained
from informed.evidence.checks import UNLABELLED, distribution, numbers
from informed.evidence.labels import Label, text
from informed.evidence.labels_by_name import LabelOptions, counted_for
from informed.evidence.table import Table
from informed.measures import find
from informed.measures.chance import informedness
from informed.measures.shown import IN_SPREADSHEET
from informed.results import Kind, Records, Result, picked, plain_dict

Method = Literal["fixed-win", "unit", "table"]


@dataclass(frozen=True, repr=False)
class Odds(Result):
    """Fair odds on each class, in the ways that people write them.

    `against` to `on`: win the first and risk the second. A class of prevalence p has odds
    (1 − p) : p, at which a bet on it is worth nothing on average.
    """

    page = "odds"

    labels: tuple[Label, ...]
    probability: Array

    @property
    def percent(self) -> Array:
        """Chances in per cent."""
        return 100 * self.probability

    @property
    def decimal(self) -> Array:
        """What a stake of 1 returns when the bet is right, the stake included."""
        return ratio(1.0, self.probability)

    @property
    def american(self) -> Array:
        """Winnings on a stake of 100, or, negative, the stake that wins 100."""
        p = self.probability
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(p > 0.5, -100 * p / (1 - p), 100 * (1 - p) / p)

    def reduced(self, limit: int = 100) -> tuple[tuple[int, int], ...]:
        """Odds as the smallest whole numbers (win, risk), with a sum of at most `limit`.

        Odds on a class that is rarer than that are rounded to a whole number against 1.

        >>> odds([0.7, 0.3]).reduced(), odds([0.001, 0.999]).reduced()
        (((3, 7), (7, 3)), ((999, 1), (1, 999)))
        """
        return tuple(_reduced(float(p), limit) for p in self.probability)

    @property
    def fractional(self) -> tuple[str, ...]:
        """As on a board: 7/3 against, or 3/7, which is odds on."""
        return tuple("evens" if x == y else f"{x}/{y}" for x, y in self.reduced())

    def records(self) -> Records:
        """A row for each class, the odds in every way of writing them."""
        percent, decimal, american = (x.tolist() for x in (self.percent, self.decimal, self.american))
        win, risk = zip(*self.reduced(), strict=True)
        return Records.of(
            "class:label percent:amount win:count risk:count decimal:amount fractional:words american:amount",
            zip(self.labels, percent, win, risk, decimal, self.fractional, american, strict=True),
        )

    def to_dict(self) -> dict[str, Any]:
        """The classes, and their odds as lists."""
        ways = picked(self, "percent decimal fractional american")
        return plain_dict({"labels": self.labels, "odds": {**ways, "reduced": self.reduced()}})

    def sentence(self) -> str:
        """The odds on the most frequent class."""
        most = int(np.nanargmax(self.probability))
        return (
            f"Fair odds on {text(self.labels[most])}, which comes {percent(self.probability[most], 1)} of the time, "
            f"are {self.fractional[most]}: at these a bet wins nothing on average."
        )


def _reduced(p: float, limit: int) -> tuple[int, int]:
    """One probability as odds (win, risk); a sure or impossible class has a 0."""
    rare = min(p, 1 - p)
    if 0 < rare < 1 / limit:
        against = round((1 - rare) / rare)
        return (against, 1) if p == rare else (1, against)
    f = Fraction(p).limit_denominator(limit)
    return f.denominator - f.numerator, f.numerator


@explained
def odds(of: Any, *, labels: Any = None) -> Odds:
    """Fair odds on the classes of a table, or on classes with these probabilities and labels.

    >>> odds(Table.from_counts([[56, 24], [14, 6]])).fractional
    ('3/7', '7/3')
    >>> odds(0.25).american.tolist()
    [300.0, -300.0]
    """
    if isinstance(of, Table):
        if of.shape:
            raise TableError(f"This is a stack of the shape {of.shape}; odds are for one table.")
        if not of.n:
            raise TableError("The table is empty, so that its classes have no odds.")
        return Odds(of.real_labels, of.prevalence)
    p = distribution(of, "probabilities")
    if labels is None:
        labels = UNLABELLED if len(p) == 2 else range(len(p))
    if len(labels) != len(p):
        raise TableError(f"There are {len(labels)} labels for {len(p)} probabilities.")
    return Odds(tuple(labels), p)


@dataclass(frozen=True, repr=False)
class Payoffs(Result):
    """What each prediction pays at fair odds, and what a system has won with it.

    `payoff` and `winnings` have the shape (predicted, real); winnings are per case, so that
    `total` is the gain of one bet.
    """

    page = "odds"

    method: Method
    labels: tuple[Label, ...]
    payoff: Array  # for a bet on the row's label when the column is real
    winnings: Array  # share of the cases times payoff
    gain: Array  # G(l) = B(l): the share of the decisions for l that are informed
    bias: Array
    total: float  # what a case wins
    guessing: float  # what it wins when guessed with the same margins: 0
    perfect: float  # what it wins when everything is known
    table: Table  # of the predictions
    stakes: tuple[float, ...] | None = None  # on each label, of a betting strategy

    @property
    def rows(self) -> Array:
        """Won with each prediction."""
        return exact_zero(self.winnings.sum(axis=1))

    @property
    def columns(self) -> Array:
        """Won on each real class."""
        return exact_zero(self.winnings.sum(axis=0))

    @property
    def weighted(self) -> Array:
        """Each label's gain times how often it is predicted: the 2003 paper's last column."""
        return self.bias * self.gain

    @property
    def verdicts(self) -> tuple[str, ...]:
        """Whether each label's decisions are informed, guessed or superstitious."""
        return tuple(
            "undefined" if np.isnan(g) else "informed" if g > 0 else "superstitious" if g < 0 else "guessed"
            for g in self.gain
        )

    @cached_property
    def guessed(self) -> Payoffs:
        """What the same predictions win by guessing."""
        return payoffs(self.table.independent, self.method)

    @property
    def expected_value(self) -> float | None:
        """What a case wins with these stakes."""
        return None if self.stakes is None else float(np.dot(self.rows, self.stakes))

    @property
    def informedness(self) -> float:
        """Of all decisions: what a case wins where knowing everything wins 1."""
        return float(informedness(self.table))

    @property
    def kelly(self) -> Array:
        """Share of one's capital to bet on each prediction."""
        return kelly(self.table)

    def records(self) -> Records:
        """A row for each label: what its decisions are worth, and the verdict on it."""
        return Records.picked(
            self, "label:label=labels bias gain weighted won:signed=rows kelly verdict:words=verdicts"
        )

    def to_dict(self) -> dict[str, Any]:
        """The odds, the payoffs, and what was won by cell, label and class."""
        won = "method counts=table.counts payoff winnings rows columns total guessing perfect"
        each = "gain bias weighted verdicts stakes expected_value informedness kelly"
        return {**odds(self.table).to_dict(), **plain_dict(picked(self, f"{won} {each}"))}

    def sentence(self) -> str:
        """What a case wins where knowing everything wins 1."""
        won = rate(self.informedness)
        return (
            f"At fair odds these predictions win {won} a case, where knowing everything wins 1 and "
            f"the same predictions by guessing win 0: informedness {won}."
        )


@explained
def payoffs(
    t: Table | None = None,
    method: Method = "fixed-win",
    *,
    real: Any = None,
    predicted: Any = None,
    stakes: Any = None,
    **counting: Unpack[LabelOptions],
) -> Payoffs:
    """What a system's predictions win at fair odds.

    Parameters
    ----------
    real, predicted
        Labels instead of a table, with the options of `Table.from_labels`.
    method
        "fixed-win": right wins 1, wrong loses Prev/(1 − Prev) of the predicted label. The total
        is informedness, for any number of classes.
        "unit": right wins 1/Prev, wrong loses 1/(1 − Prev). Rows add up to the labels' own
        informedness, as in the 2003 paper.
        "table": the bookmaker's table of two horses in per cent: right on a label wins what the
        other is worth, wrong loses what it is worth itself.
    stakes
        Of a betting strategy, one number a label; 0 is staying out of the market.

    >>> payoffs(Table.from_counts([[8, 3], [2, 7]])).total
    0.5
    """
    t = counted_for(payoffs, t, real, predicted, counting)
    if t.shape:
        raise TableError(f"This is a stack of the shape {t.shape}; payoffs are for one table.")
    if not t.is_square:
        raise TableError("Payoffs need predictions and reality with the same labels.")
    if method == "table" and t.k != 2:
        raise TableError(f'The method "table" is for two classes; this table has {t.k}.')
    prevalence = t.prevalence
    if (t.real_totals > 0).sum() < 2:
        raise TableError("Two classes at least must really occur: a sure bet has no fair odds.")
    ways = {
        "fixed-win": (np.ones(t.k), ratio(prevalence, 1 - prevalence)),
        "unit": (ratio(1.0, prevalence), ratio(1.0, 1 - prevalence)),
        "table": (100 * (1 - prevalence), 100 * prevalence),
    }
    one_of("method", method, ways, TableError)
    right, wrong = ways[method]
    payoff = np.where(np.eye(t.k, dtype=bool), right[:, None], -wrong[:, None])

    def won(counts: Array) -> Array:
        share = ratio(counts, t.total)
        return np.asarray(share * np.where(share == 0, 0.0, payoff))

    winnings = won(t.counts)
    return Payoffs(
        method=method,
        labels=t.labels,
        payoff=payoff,
        winnings=winnings,
        gain=exact_zero(informedness(t.one_vs_rest())),
        bias=t.bias,
        total=float(exact_zero(winnings.sum())),
        guessing=float(exact_zero(won(t.expected).sum())),
        perfect=float(mean_over(prevalence, right)),
        table=t,
        stakes=None if stakes is None else _stakes(t, stakes),
    )


def _stakes(t: Table, given: Any) -> tuple[float, ...]:
    stake = numbers(given, "stakes", signed=True)
    if stake.shape != (t.k,):
        raise TableError(f"`stakes` has shape {stake.shape}; it must be one number a label.")
    return tuple(stake.tolist())


def kelly(t: Table) -> Array:
    """Share of one's capital to bet on each prediction at fair odds (Kelly); negative: do not bet.

    It is (precision − prevalence) / (1 − prevalence) of the predicted label.

    >>> kelly(Table.from_counts([[8, 2], [2, 8]])).round(3).tolist()
    [0.6, 0.6]
    """
    precision = np.moveaxis(ratio(t.hits, t.predicted_totals), 0, -1)
    return ratio(exact_zero(precision - t.prevalence), 1 - t.prevalence)


# ---------------------------------------------------------------------- the models of 2003

MODELS = {  # of the 2003 paper's figure: what each knows of 100 races; the rest guessed 80 : 20
    "1. guesses": 0.0,
    "2. knows": 1.0,
    "3. knows 15 %, guesses the rest": 0.15,
    "4. knows 15 % and says the opposite": -0.15,
}


@dataclass(frozen=True, repr=False)
class Models(Result):
    """The four models of the 2003 paper's figure, and what each wins."""

    page = "odds"

    won: Mapping[str, Payoffs]

    def records(self) -> Records:
        """A row for each model: every measure of the spreadsheet."""
        kinds: dict[str, Kind] = {"model": "words", **dict.fromkeys(IN_SPREADSHEET.values(), "number")}
        return Records.of(kinds, [(name, *shares(won.table).values()) for name, won in self.won.items()])

    def to_dict(self) -> dict[str, Any]:
        """What each wins, by its name."""
        return {name: {**won.to_dict(), "measures": shares(won.table)} for name, won in self.won.items()}

    def sentence(self) -> str:
        return (
            "Four models bet on 100 races of two horses, one of which wins 70 of them: accuracy "
            "and F praise the guesser, the bookmaker pays only for what is known."
        )


def models() -> Models:
    """The four models of the 2003 paper's figure, at odds of one unit."""
    tables = {x: Table.mixture(b, prevalence=0.7, guess=0.8, n=100) for x, b in MODELS.items()}
    return Models({name: payoffs(t, "unit") for name, t in tables.items()})


def shares(t: Table) -> dict[str, float]:
    """The measures of the spreadsheet."""
    return {name: float(find(measure)(t)) for measure, name in IN_SPREADSHEET.items()}
