"""Marks: how good each answer was, where nothing says what was confused with what.

A log of right and wrong, or of grades, has no table: there is no margin to guess against, so
informedness is not defined. What can be asked of it is here; `interval`, `compare`, `leaderboard`
and `slices` take it as they take a `Table`.

Every item counts once: a case weighs 1/(counted epochs of its item), and 0 if it does not count.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from informed._arrays import Array, ratio
from informed.errors import TableError
from informed.evidence import marks_json
from informed.evidence.columns import first_rows, floats
from informed.evidence.labels import Labels
from informed.evidence.marks_agreement import agreement
from informed.evidence.marks_columns import coded, even, named, number_of_items, of_items, states_from, verdicts
from informed.evidence.reducers import Attempts, no_answer, reducer, states_of
from informed.evidence.states import RIGHT, STATES, UNCOUNTED, WRONG
from informed.evidence.table import Table
from informed.evidence.unit_counting import attempt_numbers, shares

Places: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Marks:
    """Marks of the answers to items, each 0 (wrong) to 1 (right), of one epoch or several.

    Build them with `from_columns`, or read a log: `informed.read` gives them where a log has no
    classes. Arrays of cases are equally long; what belongs to an item stands once, in the order
    of `items`.

    >>> m = Marks.from_columns(mark=[1, 0, 1, 1], item=["a", "a", "b", "c"])
    >>> m.score, m.n
    (0.8333333333333334, 3)
    """

    mark: Array  # of each case; NaN where it does not count
    item: Places  # of each case, its place in `items`
    items: Labels
    epoch: Places  # which attempt at its item a case is
    state: NDArray[np.int8]  # of each case, its place in STATES
    weight: Array  # of each case; those of an item share the weight of the item; 0: left out
    unit: Places | None = None  # of each item: what was sampled (a repository, a passage)
    group: Places | None = None  # of each item: its place in `groups`
    groups: Labels = ()
    options: Array | None = None  # how many answers each item offers; NaN: not known
    name: str = "score"  # what the marks are called: a scorer, a metric
    system: str | None = None
    chance: Array | None = None  # the share right by guessing at each item, where it is not 1/options; NaN: not known
    real: Places | None = None  # of each item that asks for a class: its place in `reals`
    reals: Labels = ()
    remarks: tuple[str, ...] = ()  # what was done to read them, that a reader should know
    unfinished: tuple[str, ...] = ()  # how a run ended that did not answer all that it was asked: said first
    least: Array | None = None  # of each reduced item, its value if all its unscored attempts were wrong
    most: Array | None = None  # and if all were right

    @classmethod
    def from_columns(
        cls,
        *,
        mark: Any,
        item: Any = None,
        epoch: Any = None,
        state: Any = None,
        weights: ArrayLike | None = None,
        counts: Any = None,
        unit: Any = None,
        group: Any = None,
        options: Any = None,
        chance: Any = None,
        real: Any = None,
        name: str = "score",
        system: str | None = None,
    ) -> Marks:
        """Marks of cases, equally long columns.

        Parameters
        ----------
        mark
            Numbers from 0 for wrong to 1 for right; a missing one is "unscored" and left out.
        item
            What a case is an attempt at; without it every case is its own item.
        epoch
            Which attempt, numbers; by default in the order of the cases.
        state
            "right", "wrong", "partial", "abstained", "error", "unscored" or "not-run"; by
            default as the mark says.
        weights
            Of items: one weight a case, the same for all cases of an item.
        counts
            Whether each case counts, if it has a mark; by default all but "unscored" and "not-run".
        unit, group
            What the items were sampled in (a repository); what they can be sliced by.
        options
            How many answers each item offers, one number or one a case.
        chance
            The share that guessing gets right, likewise, where it is known and not one in so many options.
        real
            The real label of each item, where it asks for one of a few: two systems are then compared as
            their tables are, which know it.
        """
        given = verdicts(mark)
        n = len(given)
        at, names = (np.arange(n), tuple(range(n))) if item is None else coded(item, "item", n)
        known = states_from(state, given)
        usual = ~np.isin(known, [STATES.index(x) for x in UNCOUNTED])
        inside = np.isfinite(given) & (usual if counts is None else floats(counts, "counts", n) > 0)
        first = first_rows(at, len(names))
        heavy = None if weights is None else number_of_items(floats(weights, "weights", n), "weights", at, first)

        return cls(
            mark=np.where(inside, given, np.nan),
            item=at,
            items=names,
            epoch=attempt_numbers(at) if epoch is None else floats(epoch, "epoch", n).astype(np.int64),
            state=known,
            weight=_shares(at, inside, heavy),
            unit=None if unit is None else of_items(unit, "unit", at, first)[0],
            **named(group, "group", at, first),
            **named(real, "real", at, first),
            options=None if options is None else number_of_items(options, "options", at, first),
            chance=None if chance is None else number_of_items(chance, "chance", at, first),
            name=name,
            system=system,
        )

    def __len__(self) -> int:
        return len(self.mark)

    def __repr__(self) -> str:
        held = ", ".join(f"{n:,} {state}" for state, n in self.states.items())
        return f"Marks ({self.name}): {self.n:,} items, {self.score:.4g} ({held})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Marks) and marks_json.fields_of(self) == marks_json.fields_of(other)

    __hash__ = None  # type: ignore[assignment]  # equal by value, holds arrays

    # ------------------------------------------------------------------ what is there

    @property
    def states(self) -> dict[str, int]:
        """How many cases are in each state that occurs."""
        often = np.bincount(self.state, minlength=len(STATES)).tolist()
        return {state: n for state, n in zip(STATES, often, strict=True) if n}

    @cached_property
    def counted(self) -> NDArray[np.bool_]:
        """Which cases count."""
        return np.asarray(self.weight > 0)

    @cached_property
    def item_weight(self) -> Array:
        """What each item weighs, 0 where none of its cases counts."""
        return np.asarray(np.bincount(self.item, self.weight, minlength=len(self.items)), np.float64)

    @cached_property
    def values(self) -> Array:
        """The mean mark of each item, NaN where none of its cases counts."""
        held = self.counted
        total = np.bincount(self.item[held], (self.weight * self.mark)[held], minlength=len(self.items))
        return ratio(total, self.item_weight)

    @property
    def n(self) -> int:
        """Items that count."""
        return int(np.count_nonzero(self.item_weight))

    @cached_property
    def attempts(self) -> Attempts:
        """The cases that count, those of an item together."""
        return self._attempts(self.mark, self.counted)

    def _attempts(self, mark: Array, inside: NDArray[np.bool_]) -> Attempts:
        at = np.flatnonzero(inside)
        order = at[np.lexsort((self.epoch[at], self.item[at]))]
        return Attempts(self.item[order], mark[order], self.state[order], len(self.items))

    @cached_property
    def silent(self) -> NDArray[np.bool_]:
        """Which cases are no answer."""
        return no_answer(self.state)

    @property
    def weighted(self) -> bool:
        """Whether some items that count weigh more than others."""
        return not even(self.item_weight[self.item_weight > 0])

    @property
    def epochs(self) -> int:
        """The most cases of an item that count."""
        return int(self.attempts.n.max(initial=0))

    @property
    def whole(self) -> bool:
        """Whether every mark is 0 or 1."""
        held = self.mark[self.counted]
        return bool(((held == 0) | (held == 1)).all())

    # ------------------------------------------------------------------ numbers

    @property
    def score(self) -> float:
        """The mean of the items' mean marks: the tool's own number."""
        return self._mean(self.values)

    @property
    def coverage(self) -> float:
        """What share of the items that count was answered."""
        return float(ratio((self.weight * ~self.silent).sum(), self.weight.sum()))

    @property
    def guessing(self) -> Array:
        """The share that guessing at each item gets right: its own, or one in so many options; NaN: not known."""
        unknown = np.full(len(self.items), np.nan)
        of_options = unknown if self.options is None else ratio(1.0, self.options)
        return of_options if self.chance is None else np.where(np.isfinite(self.chance), self.chance, of_options)

    @property
    def least_centred(self) -> Array:
        """The centred value of an item of which every answer is wrong; NaN where chance is not known."""
        return ratio(-self.guessing, 1 - self.guessing)

    @property
    def knows_chance(self) -> bool:
        """Whether what guessing gets is known of every item that counts."""
        return bool(np.isfinite(self.guessing[self.item_weight > 0]).all())

    @property
    def bounds(self) -> tuple[float, float]:
        """The score if every unscored case were wrong, and if it were right."""
        ends = self._ends("mean") if self.least is None or self.most is None else (self.least, self.most)
        heavy, held = weights_of_all(self), np.isfinite(ends[0])
        low, high = (float(ratio((heavy * x)[held].sum(), heavy[held].sum())) for x in ends)
        return low, high

    def _ends(self, how: str) -> tuple[Array, Array]:
        """The reduced value of each item if all its unscored attempts were wrong, and if all were right."""
        lost = self.state == STATES.index("unscored")
        filled = (self._attempts(np.where(lost, x, self.mark), self.counted | lost) for x in (0.0, 1.0))
        low, high = map(reducer(how), filled)
        return low, high

    def pass_at(self, k: int, *, right_at: float = 1.0) -> float:
        """The chance that one of k attempts at an item is right, mean over items.

        Never 1 − (1 − score)^k: attempts at one item are alike. Items with fewer attempts are left out.
        An attempt is right whose mark is `right_at` at least.

        >>> Marks.from_columns(mark=[1, 0, 0, 0], item=["a", "a", "b", "b"]).pass_at(2)
        0.5
        """
        return self._cut(right_at).reduce(f"pass_at_{k}").score

    def pass_hat(self, k: int, *, right_at: float = 1.0) -> float:
        """The chance that all of k attempts at an item are right, mean over items."""
        return self._cut(right_at).reduce(f"pass_hat_{k}").score

    def _cut(self, right_at: float) -> Marks:
        """Marks of 0 and 1: whether each is `right_at` at least."""
        if not 0 < right_at <= 1:
            raise TableError(f"`right_at` is {right_at!r}; it is a mark above 0, and 1 at most.")
        cut = np.where(self.mark >= right_at, 1.0, np.where(np.isnan(self.mark), np.nan, 0.0))
        return self if right_at == 1 else replace(self, mark=cut)

    def centred(self, options: float | None = None, *, abstained: Literal["wrong", "no bet"] = "wrong") -> float:
        """The score above guessing among so many options, 1 for all right.

        As DCLM has it, no answer is wrong: (S − 1/m)/(1 − 1/m); or it is "no bet" and adds 0:
        (R − W/(m − 1))/N, which is `informedness_of_all` where the real options are equally
        frequent. Items with different numbers of options are centred each, and by their own `chance`
        where that is known.

        >>> Marks.from_columns(mark=[1, 1, 0, 0], options=4).centred()
        0.33333333333333337
        """
        return self._mean(self.centred_values(options, abstained=abstained))

    def centred_values(self, options: float | None = None, *, abstained: Literal["wrong", "no bet"] = "wrong") -> Array:
        """What `centred` is the mean of: a value for each item."""
        if options is None and not self.knows_chance:
            raise TableError("The number of options is not known of every item; give `options`.")
        b = self.guessing if options is None else np.full(len(self.items), 1 / float(options))
        if self.chance is None and not (b[self.item_weight > 0] <= 1 / 2).all():
            raise TableError("An item offers fewer than two options; chance needs two at least.")
        if not ((b[self.item_weight > 0] >= 0) & (b[self.item_weight > 0] < 1)).all():
            raise TableError(
                "The chance of an item is not from 0 to below 1; it is the share that guessing gets right."
            )
        case = (self.mark - b[self.item]) / (1 - b[self.item])
        if abstained == "no bet":
            case = np.where(self.silent & (self.mark == 0), 0.0, case)
        return replace(self, mark=np.where(self.counted, case, np.nan)).values

    def _mean(self, values: Array) -> float:
        held = np.isfinite(values) & (self.item_weight > 0)
        return float(ratio((self.item_weight * values)[held].sum(), self.item_weight[held].sum()))

    # ------------------------------------------------------------------ other marks

    def reduce(self, how: str) -> Marks:
        """One value for each item: "mean", "median", "mode", "max", "majority", "first", "any",
        "all", "at_least_2", "pass_at_2", "pass_hat_2". Items with too few attempts for "pass" are left out.

        An item to which no attempt was an answer is "abstained" (or "error") still, and so is one of which
        the majority is neither right nor wrong. Cases that do not count stay beside the values.

        >>> Marks.from_columns(mark=[1, 0, 1, 0], item=["a", "a", "b", "b"]).reduce("max").score
        1.0
        """
        held = self.attempts
        values = reducer(how)(held)
        kept = np.flatnonzero(np.isfinite(values))
        out = np.flatnonzero(self._beside(values))
        least, most = self._ends(how)
        return replace(
            self,
            mark=np.append(values[kept], self.mark[out]),
            item=np.append(kept, self.item[out]),
            epoch=np.append(np.ones(len(kept), np.int64), self.epoch[out]),
            state=np.append(states_of(how, held, values)[kept], self.state[out]),
            weight=np.append(self.item_weight[kept], self.weight[out]),
            name=f"{self.name}, {how}",
            least=least,
            most=most,
        )

    def _beside(self, values: Array) -> NDArray[np.bool_]:
        """Cases that do not count and stay beside reduced values; errors only where no item has both, since
        nobody could count them as failures then."""
        failed = self.state == STATES.index("error")
        mixed = bool(np.isfinite(values[self.item[failed & ~self.counted]]).any())
        return np.asarray(~self.counted & ~(failed & mixed))

    @property
    def right_or_wrong(self) -> Table:
        """Marks of 0 and 1 as a table with one real class, whose accuracy is the score, with their items and units."""
        held = self.counted
        said = np.where(self.mark[held] >= 1, RIGHT, WRONG)
        return Table.from_labels(
            real=np.full(len(said), RIGHT),
            predicted=said,
            labels=[RIGHT, WRONG],
            item=self.item[held],
            unit=None if self.unit is None else self.unit[self.item[held]],
            weights=self.item_weight[self.item[held]] if self.weighted else None,
        )

    def where(self, items: NDArray[Any]) -> Marks:
        """Some of the items, by a mask or by their places."""
        kept = np.arange(len(self.items))[items]
        place = np.full(len(self.items), -1)
        place[kept] = np.arange(len(kept))
        at = place[self.item] >= 0
        held: dict[str, Any] = {name: getattr(self, name)[at] for name in ("mark", "epoch", "state", "weight")}
        for name in marks_json.OF_ITEMS:
            own = getattr(self, name)
            held[name] = None if own is None else own[kept]
        return replace(self, **held, item=place[self.item[at]], items=tuple(self.items[i] for i in kept))

    def by_groups(self) -> dict[Any, Marks]:
        """The marks of each group."""
        if self.group is None:
            raise TableError("These marks have no groups; give `group`.")
        return {name: self.where(self.group == i) for i, name in enumerate(self.groups)}

    def agree(self, other: Marks) -> Table:
        """The table of two scorers' verdicts on the same answers: `other` real, these predicted.

        Here informedness has sense without labels: how well this judge knows the other's verdict. The
        verdicts on the attempts at an item share its weight, and units are those of these marks.
        """
        return agreement(self, other)

    # ------------------------------------------------------------------ in and out

    def to_json(self) -> str:
        """The marks as JSON; `Marks.from_json` reads them back."""
        return marks_json.to_json(self)

    @classmethod
    def from_json(cls, text: str) -> Marks:
        """The marks that `to_json` wrote."""
        return cls(**marks_json.fields(text))

    def to_frame(self) -> Any:
        """One row a case: item, epoch, state, mark, weight, and the group of its item."""
        return marks_json.to_frame(self)


def weights_of_all(m: Marks) -> Array:
    """What each item weighs; one that does not count, as much as the others do on average."""
    inside = m.item_weight > 0
    return np.where(inside, m.item_weight, float(m.item_weight[inside].mean()) if inside.any() else 1.0)


def _shares(at: Places, inside: NDArray[np.bool_], heavy: Array | None) -> Array:
    """What each case weighs, so that those of an item that count share its weight."""
    share, _ = shares(inside.astype(np.float64), at)
    return np.where(inside, share if heavy is None else share * heavy[at], 0.0)
