"""Table: counts of predictions against reality, one table or a whole stack of them.

Orientation is stated here and nowhere else: counts have shape ``(..., predicted, real)``. Rows are
predictions, columns are reality, leading axes are a stack (systems, folds, groups, simulations).
Inside, the class axes come first, ``cells`` has shape ``(predicted, real, ...)``: each cell of a
stack of a million tables is one contiguous array, and a sum over classes is always over axis 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import groupby
from types import EllipsisType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from informed._arrays import Array, ratio
from informed.errors import TableError
from informed.evidence import cells as grid
from informed.evidence import checks as build
from informed.evidence import table_json
from informed.evidence.calls import explained, made_by
from informed.evidence.checks import UNLABELLED
from informed.evidence.crosstabs import Rows, ask_for_rows, crosstab
from informed.evidence.label_order import Stated, stands_in
from informed.evidence.label_policy import LabelPolicy, Missing
from informed.evidence.labels import Label, Labels, canonical, some
from informed.evidence.likeness import Normalize
from informed.evidence.margins import PLAIN, WEIGHED, Margins
from informed.evidence.table_text import table_html, table_text
from informed.evidence.units import Units, singles
from informed.evidence.verbs import VERBS

__all__ = ["AT_PREVALENCE", "Label", "Table"]

AT_PREVALENCE = "the same system at another prevalence"  # derived, and yet with a sampling error


@made_by(
    "Table.from_labels(real=…, predicted=…)", "Table.from_counts(counts)", "informed.read(source, real=…, predicted=…)"
)
@dataclass(frozen=True, eq=False, repr=False)
class Table(Margins):
    """Counts of predictions (rows) against reality (columns), or a stack of such tables.

    Build one with `from_labels`, `from_counts`, `mixture`, `informed.solve` or `informed.read`.
    Tables are immutable, add by label (`t + u`, `sum(tables)`), and are read by every measure.

    >>> t = Table.from_counts([[56, 20], [12, 12]])
    >>> t.n, t.prevalence.tolist(), t.bias.tolist()
    (100.0, [0.68, 0.32], [0.76, 0.24])
    """

    origin: Table | None = None  # the sample that a derived table came from

    def __getattr__(self, name: str) -> Any:
        """What is not there; said with what to type, as measures are functions of a table."""
        known = "" if name.startswith("_") or "instead" not in VERBS else VERBS["instead"](name)
        raise AttributeError(f"A Table has no attribute {name!r}{known}")

    # ------------------------------------------------------------------ constructors

    @classmethod
    @explained
    def from_labels(
        cls,
        *,
        real: Any,
        predicted: Any,
        weights: ArrayLike | None = None,
        labels: Sequence[Label] | None = None,
        abstain: Any = None,
        missing: Missing = "error",
        positive: Label | None = None,
        unit: Any = None,
        item: Any = None,
        by: Any = None,
        frequency: bool = False,
        square: bool = True,
        normalize: Normalize = None,
    ) -> Table:
        """Count labels: lists, arrays, Series or Arrow columns of any hashable labels.

        Parameters
        ----------
        real, predicted
            The labels, equally long, always by name: nobody has to remember which comes first.
        weights
            One non-negative weight a case. Inference then uses the effective sample size, unless
            ``frequency=True`` says that a weight is a number of identical cases.
        labels
            The classes and their order; a label outside it is an error. Without it, an ordered
            categorical column gives both, and other classes are those that occur, sorted.
        abstain
            The prediction (or list of predictions) that means "no answer".
        missing
            What to do with None, NaN, NaT and NA: raise, drop the pair and count it, or count a
            missing *prediction* as an abstention.
        positive
            Of two classes, the one that recall and precision are about.
        unit
            Cases that belong together (one document, one patient), each of which counts one. The table
            carries its units, and every interval and test measures the spread between them.
        item
            Answers to the same item (epochs, repeats), which share the weight of one: each counts
            1/number of its item's counted answers, times its own weight if there are `weights`. The
            unit is the item, unless `unit` is a coarser one: then by item is weighed, by unit spread.
        by
            A value for each case, or a mapping of several: gives a stack with a table for each value,
            which know the units they share. Items are then weighed within each table.
        square
            False for clusterings, whose predictions have names of their own.
        normalize
            What takes labels as the same, several with commas: "case", "space", "unicode", "number" ("1.0"
            and 1), "bool" ("True" and 1), "date" (its midnight). Without it, labels that differ by no more
            than that and never match are an error, and so is a score or an id instead of predictions;
            "none" says that the labels are meant as they are.

        >>> Table.from_labels(real=["cat", "cat", "dog"], predicted=["cat", "dog", "dog"])
        Table of 3 cases (rows: predicted, columns: real)
               cat  dog  total
        cat      1    0      1
        dog      1    1      2
        total    2    1      3
        """
        from informed.evidence.counting import counted
        from informed.evidence.unit_counting import counted_units

        keys = {} if by is None else dict(by) if isinstance(by, Mapping) else {"by": by}
        given = {"real": real, "predicted": predicted, **keys}
        policy = LabelPolicy(labels, abstain, missing, square, normalize=normalize)
        if unit is None and item is None:
            fields = counted(list(given.values()), list(given), policy, weights, frequency=frequency)
        else:
            fields = counted_units(given, policy, weights, unit=unit, item=item, frequency=frequency)
        table = cls(**fields)
        return table if positive is None else table.with_positive(policy.canonical(positive))

    @classmethod
    @explained
    def from_counts(
        cls,
        counts: Any,
        *,
        labels: Sequence[Label] | None = None,
        predicted_labels: Sequence[Any] | None = None,
        real_labels: Sequence[Any] | None = None,
        rows: Rows | None = None,
        positive: Label | None = None,
        abstained: ArrayLike | None = None,
        names: Sequence[Any] | None = None,
    ) -> Table:
        """Take counts as they are: ``(..., predicted, real)``, or a labelled data frame.

        Rows are predictions, unless the axes of a data frame are named otherwise (real, actual, truth;
        predicted, pred). ``rows="real"`` takes scikit-learn's orientation. A square NumPy array (or tensor) of whole
        numbers may be either, so that ``rows`` is needed. Two classes without labels are
        called "+" and "−", positive first, as in the papers; more, and those of scikit-learn's orientation,
        are numbered from 0, and 1 is positive. The row and column of a crosstab that are called "All" or
        "Total" and are one are left out. ``names`` are the names of the tables of a stack (one sequence,
        or one for each leading axis).

        >>> Table.from_counts([[12, 20], [12, 56]], labels=[0, 1], rows="real").positive
        1
        """
        if rows is predicted_labels is real_labels is None:
            ask_for_rows(counts)
        held = crosstab(counts, rows)
        rows = held.rows or "predicted"
        stated: Stated | None = "given"
        if labels is None and predicted_labels is None and real_labels is None:
            stated = held.stated
            sides = (held.down, held.across)
            predicted_labels, real_labels = sides if rows == "predicted" else sides[::-1]
        array = build.checked_counts(held.counts)
        if rows == "real":
            array = np.swapaxes(array, -1, -2)
        n_predicted, n_real = array.shape[-2:]
        on_rows, on_columns = build.labels_of(n_predicted, n_real, labels, predicted_labels, real_labels, rows)
        if on_rows != on_columns and set(on_rows) == set(on_columns):
            array = array[..., build.positions(on_columns, on_rows), :]  # rows follow columns
            on_rows = on_columns
        stack = array.shape[:-2]
        return cls(
            cells=build.classes_first(array, 2),
            predicted_labels=on_rows,
            real_labels=on_columns,
            positive=build.positive_of(on_rows, on_columns, positive),
            unanswered=build.checked_abstained(abstained, (*stack, n_real)),
            axes=build.named_axes(names, stack),
            stated=stated,
            remarks=held.remarks,
        )

    @classmethod
    def mixture(
        cls,
        informedness: ArrayLike,
        *,
        prevalence: ArrayLike,
        guess: ArrayLike | None = None,
        n: float = 1,
        labels: Sequence[Label] | None = None,
        positive: Label | None = None,
    ) -> Table:
        """The table of a system that knows with this probability, and otherwise guesses.

        ``guess`` is the distribution of the guesses, by default the prevalence. For two classes
        a negative informedness is a system that knows, and then says the opposite.

        >>> Table.mixture(0.15, prevalence=0.7, guess=0.8, n=100).counts.round(1).tolist()
        [[58.1, 20.4], [11.9, 9.6]]
        """
        q = build.distribution(prevalence, "prevalence")
        b = q if guess is None else build.distribution(guess, "guess")
        if b.shape != q.shape:
            raise TableError(f"`guess` names {len(b)} classes and `prevalence` {len(q)}.")
        g = build.numbers(informedness, "informedness", signed=True)
        build.numbers(n, "n")
        if not np.all((g >= (-1 if len(q) == 2 else 0)) & (g <= 1)):
            room = "[-1, 1]" if len(q) == 2 else "[0, 1] for more than two classes"
            raise TableError(f"`informedness` is {informedness!r}; it must lie in {room}.")
        table = cls.from_counts(n * grid.mixture(g[..., None], q, b), labels=labels, positive=positive)
        return replace(table, derived="a mixture of knowing and guessing")

    # ------------------------------------------------------------------ transformations

    def remade(
        self,
        cells: Callable[[Array], Any],
        real: Callable[[Array], Any] = np.asarray,
        each: Callable[[Array], Any] = np.asarray,
        units: Callable[[Units], Units] | EllipsisType | None = ...,
        **changes: Any,
    ) -> Table:
        """The same operation on all that a table holds: on (predicted, real, *stack) arrays, on
        the (real, *stack) ones, on those of one number a table, and on its units (None: left behind;
        …: as they are)."""
        ways = {2: cells, 1: real, 0: each}
        held: dict[str, Any] = {name: build.frozen(ways[lead](array)) for name, lead, array in self.held()}
        if self.units is not None and units is not ...:
            held["units"] = None if units is None else units(self.units)
        return replace(self, **{**held, **changes})

    def _places(self, predicted: Any, real: Any, classes: tuple[int, int]) -> grid.Places:
        """Where each cell goes, abstentions last, when its predicted and its real class go there in a
        table of so many classes; −1 is nowhere."""
        at_p, at_r = np.asarray(predicted, np.int64)[:, None], np.asarray(real, np.int64)
        cells = np.where((at_p < 0) | (at_r < 0), -1, at_p * classes[1] + at_r)
        silent = np.where(at_r < 0, -1, classes[0] * classes[1] + at_r)
        return np.concatenate([cells.ravel(), silent])

    def without_units(self) -> Table:
        """The same table, whose cases are taken as independent whatever they belong to."""
        origin = None if self.origin is None else self.origin.without_units()
        return replace(self, units=None, origin=origin)

    @property
    def answered(self) -> Table:
        """The same table without its abstentions and missing rows."""
        if self.unanswered is None and self.dropped is None:
            return self
        answers = np.arange(len(self.predicted_labels) * len(self.real_labels))
        nowhere = np.full(len(self.real_labels), -1)
        return replace(
            self,
            unanswered=None,
            unanswered_squares=None,
            unanswered_cases=None,
            dropped=None,
            respelled=None,
            units=None if self.units is None else self.units.mapped(np.concatenate([answers, nowhere])),
        )

    @property
    def dual(self) -> Table:
        """Predictions and reality exchanged."""
        if self.unanswered is not None:
            raise TableError(
                "An abstention has a real class and no prediction, so it has no dual: take `t.answered.dual`."
            )
        return self.remade(
            lambda cells: cells.swapaxes(0, 1),
            units=lambda units: units.mapped(self._turned()),
            predicted_labels=self.real_labels,
            real_labels=self.predicted_labels,
            origin=None,  # another prevalence of the real classes is no other bias of a dual
        )

    def _turned(self) -> grid.Places:
        """Where each cell goes when predictions and reality change places."""
        rows, columns = len(self.predicted_labels), len(self.real_labels)
        return np.arange(rows * columns).reshape(columns, rows).T.ravel()

    @property
    def inverse(self) -> Table:
        """Positive and negative exchanged; for two classes."""
        if not self.is_square or self.k != 2:
            raise TableError(
                "Only two classes have an inverse; this table has "
                f"{len(self.real_labels)} ({some(self.real_labels)}): take `one_vs_rest()` first."
            )
        return self.with_positive(self.labels[1 - self.plus])

    def with_positive(self, label: Label) -> Table:
        """The same table of two classes, with this one called positive."""
        positive = build.positive_of(self.predicted_labels, self.real_labels, label)
        origin = None if self.origin is None else self.origin.with_positive(label)
        return replace(self, positive=positive, origin=origin)

    def with_order(self, labels: Sequence[Label]) -> Table:
        """The same table with its classes in this order, lowest first.

        >>> t = Table.from_labels(real=["low", "mid", "top"], predicted=["low", "top", "mid"])
        >>> t.with_order(["top", "mid", "low"]).order
        'given'
        """
        own = tuple(self._known(x) for x in labels)
        for held in (self.real_labels, self.predicted_labels):
            if set(own) != set(held) or len(own) != len(held):
                raise TableError(f"`labels` names {some(own)}; the classes are {some(held)}.")
        origin = None if self.origin is None else self.origin.with_order(labels)
        return self.onto(own, own, stated="given", origin=origin)

    @property
    def expected(self) -> Array:
        """Counts that guessing with the same margins would give, ``(..., predicted, real)``."""
        return self.independent.counts

    @property
    def independent(self) -> Table:
        """What guessing with the same margins would give."""
        guessed = grid.Product(self.predicted_totals, self.real_totals, self.total)
        return replace(
            self,
            cells=build.frozen(guessed if grid.many(*guessed.shape[:2]) else guessed.dense()),
            **PLAIN,
            derived="the same margins, guessed",
            origin=self,
        )

    def one_vs_rest(self, label: Label = None) -> Table:
        """Each class against all others: a stack with the classes as its last axis.

        With a label, the one table of that class.

        >>> t = Table.from_counts([[4, 1, 0], [1, 3, 0], [0, 1, 5]], labels=["a", "b", "c"])
        >>> t.one_vs_rest().names
        ('a', 'b', 'c')
        >>> t.one_vs_rest("c").counts.tolist()
        [[5.0, 1.0], [0.0, 9.0]]
        """
        if label is None:
            return self._each_class
        own = self._known(label)
        named = (own, f"not {own}")
        one = self._each_class._at((*[slice(None)] * len(self.shape), self.labels.index(own)))
        return replace(one, predicted_labels=named, real_labels=named, positive=own)

    @cached_property
    def _each_class(self) -> Table:
        def cells(held: Array) -> Array:
            right, wrong = grid.diagonal(held), (grid.off_diagonal(held), grid.off_diagonal(held.swapaxes(0, 1)))
            return np.moveaxis(np.array([[right, wrong[0]], [wrong[1], grid.outside(held)]]), 2, -1)

        return self.remade(
            cells,
            lambda held: np.moveaxis(np.array([held, grid.others(held)]), 1, -1),
            lambda held: np.repeat(held[..., None], self.k, axis=-1),
            lambda units: units.against([self._places(at, at, (2, 2)) for at in 1 - np.eye(self.k, dtype=np.int64)]),
            predicted_labels=UNLABELLED,
            real_labels=UNLABELLED,
            positive=UNLABELLED[0],
            axes=(*self.axes, self.labels),
            origin=None,
            stated=None,
        )

    def collapse(self, groups: Mapping[Any, Sequence[Any]], *, positive: Label | None = None) -> Table:
        """Classes merged under new names; labels in no group stay as they are.

        >>> t = Table.from_counts([[4, 1, 0], [1, 3, 0], [0, 1, 5]], labels=["a", "b", "c"])
        >>> t.collapse({"ab": ["a", "b"]}).counts.tolist()
        [[9.0, 0.0], [1.0, 5.0]]
        """
        target: dict[Label, Label] = {}
        for name, members in groups.items():
            for member in [members] if isinstance(members, str) else members:
                if self._known(member) in target:
                    raise TableError(f"{member!r} is in two of the groups.")
                target[self._known(member)] = canonical(name)
        for name in {*target.values()} & {*self.real_labels, *self.predicted_labels}:
            if target.get(name, name) == name and name not in target:
                raise TableError(
                    f"{name!r} is a class of the table that no group names; put it into its group "
                    "or call the group something else."
                )

        def new(label: Label) -> Label:
            return target.get(label, label)

        on_rows, on_columns = (tuple(dict.fromkeys(map(new, x))) for x in (self.predicted_labels, self.real_labels))
        runs = [name for name, _ in groupby(map(new, self.real_labels))]  # a group of neighbours is one, and in order
        return self.onto(
            on_rows,
            on_columns,
            new,
            positive=build.positive_of(on_rows, on_columns, positive),
            origin=None,
            stated="given" if self.order and len(set(runs)) == len(runs) else None,
        )

    def select(self, labels: Sequence[Label], *, positive: Label | None = None) -> Table:
        """The part of the table in which prediction and reality both are among these labels."""
        keep = tuple(self._known(x) for x in labels)
        if len(set(keep)) != len(keep):
            raise TableError(f"`labels` names a class twice: {some(keep)}.")
        on_rows, on_columns = (
            tuple(x for x in keep if x in held) for held in (self.predicted_labels, self.real_labels)
        )
        if positive is None and self.positive in on_columns and len(on_columns) == 2:
            positive = self.positive
        return replace(self, dropped=None, respelled=None).onto(
            on_rows,
            on_columns,
            positive=build.positive_of(on_rows, on_columns, positive),
            origin=None,
            stated="given" if self.order and stands_in(on_columns, self.real_labels) else None,
        )

    def at_prevalence(self, prevalence: Any) -> Table:
        """The same system in a population with this prevalence: recalls stay, class sizes change.

        A number is the prevalence of the positive class of two; otherwise one number a class, in
        order or by label.

        >>> t = Table.from_counts([[80, 10], [20, 90]])
        >>> t.at_prevalence(0.01).counts.round(2).tolist()
        [[1.6, 19.8], [0.4, 178.2]]
        """
        if isinstance(prevalence, Mapping):
            by_label = {self._known(x): p for x, p in prevalence.items()}
            if set(by_label) != set(self.real_labels):
                raise TableError(
                    f"`prevalence` names {some(by_label)}; it must name every one of {some(self.real_labels)}."
                )
            prevalence = [by_label[x] for x in self.real_labels]
        if np.ndim(prevalence) == 0 and len(self.real_labels) != 2:
            raise TableError(
                f"`prevalence` is {prevalence!r} for the classes {some(self.real_labels)}; give "
                "one number for each of them."
            )
        wanted = build.distribution(prevalence, "prevalence")
        if np.ndim(prevalence) == 0 and self.plus == 1:
            wanted = wanted[::-1]
        if len(wanted) != len(self.real_labels):
            raise TableError(f"`prevalence` has {len(wanted)} numbers for {len(self.real_labels)} classes.")

        share = wanted.reshape(-1, *[1] * len(self.shape))
        unknown = (self.real_totals == 0) & (share > 0)
        if unknown.any():
            label = self.real_labels[int(np.argwhere(unknown)[0][0])]
            raise TableError(f"No case is really {label!r}, so nothing is known of that class at a prevalence above 0.")

        # Every case of a class counts as much as the class is now worth.
        scale = np.where(share == 0, 0.0, ratio(share * self.total, self.real_totals))
        return self.remade(
            lambda held: held * scale, lambda held: held * scale, **PLAIN, derived=AT_PREVALENCE, origin=self
        )

    # ------------------------------------------------------------------ stacks

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("One table has no length; a stack of tables has.")
        return self.shape[0]

    def __iter__(self) -> Iterator[Table]:
        if not self.shape:
            raise TypeError("One table cannot be iterated; a stack of tables can.")
        return (self._at((i,)) for i in range(self.shape[0]))

    def __getitem__(self, key: Any) -> Table:
        """Tables of a stack, by name or by position; a tuple for several axes."""
        if not self.shape:
            raise TableError("This is one table, not a stack: it has nothing to select from.")
        keys = key if isinstance(key, tuple) and key not in (self.axes[0] or ()) else (key,)
        if any(k is Ellipsis for k in keys):
            at = next(i for i, k in enumerate(keys) if k is Ellipsis)
            fill = (slice(None),) * (len(self.shape) - len(keys) + 1)
            keys = (*keys[:at], *fill, *keys[at + 1 :])
        if len(keys) > len(self.shape):
            raise TableError(f"{len(keys)} indices were given for {len(self.shape)} stack axes.")
        return self._at(tuple(self._position(k, axis) for axis, k in enumerate(keys)))

    def _position(self, key: Any, axis: int) -> Any:
        names = self.axes[axis]
        if names is not None and not isinstance(key, (slice, list, np.ndarray)) and key in names:
            return names.index(key)
        if isinstance(key, (str, tuple)):
            there = f"; there are {some(names)}." if names else ", which has no names."
            raise TableError(f"There is no table called {key!r} in this stack{there}")
        if not isinstance(key, (int, np.integer, slice, list, np.ndarray)):
            raise TableError(f"A stack has no table {key!r}; give a name, a position, a slice or a list of positions.")
        return key

    def _at(self, where: tuple[Any, ...]) -> Table:
        axes: list[Labels | None] = []
        for names, key in zip(self.axes, where, strict=False):
            if not isinstance(key, (int, np.integer)):
                kept = None if names is None else self._kept(key, len(names))
                axes.append(None if names is None else tuple(names[i] for i in kept))  # type: ignore[union-attr]  # kept is there where names are
        everything = slice(None)
        origin = self.origin
        if origin is not None and origin.shape == self.shape:
            origin = origin._at(where)
        try:
            return self.remade(
                lambda held: held[(everything, everything, *where)],
                lambda held: held[(everything, *where)],
                lambda held: held[where],
                lambda units: units.taken(np.arange(units.tables).reshape(units.shape)[where]),
                axes=(*axes, *self.axes[len(where) :]),
                unlabelled=0,
                origin=origin,
            )
        except IndexError:
            raise TableError(f"{where} is outside this stack of the shape {self.shape}.") from None

    def _kept(self, key: Any, size: int) -> Any:
        try:
            return np.arange(size)[key]
        except IndexError:
            raise TableError(
                f"{key!r} names no tables of a stack of {size}; positions are integers below that."
            ) from None

    def sum(self, axis: int = 0) -> Table:
        """The tables of a stack pooled along one axis."""
        if not -len(self.shape) <= axis < len(self.shape):
            raise TableError(f"`axis` is {axis}; this stack has {len(self.shape)} axes.")
        axis %= len(self.shape)
        return self.remade(
            lambda held: held.sum(axis=2 + axis),
            lambda held: held.sum(axis=1 + axis),
            lambda held: held.sum(axis=axis),
            lambda units: units.pooled(*self._without(axis)),
            axes=self.axes[:axis] + self.axes[axis + 1 :],
            origin=None,
        )

    def _without(self, axis: int) -> tuple[grid.Places, tuple[int, ...]]:
        """Where each table goes when those along an axis are pooled, and the shape of what is left."""
        left = self.shape[:axis] + self.shape[axis + 1 :]
        at = np.arange(int(np.prod(left))).reshape(left)
        return np.broadcast_to(np.expand_dims(at, axis), self.shape), left

    # ------------------------------------------------------------------ adding and comparing

    def __add__(self, other: object) -> Table:
        if not isinstance(other, Table):
            return NotImplemented
        a, b = self.aligned(other)
        held: dict[str, Any] = {
            name: build.plus(getattr(a, name), getattr(b, name))
            for name in ("cells", "unanswered", "dropped", "respelled")
        }
        for kind in ("squares", "cases"):
            if getattr(a, kind) is not None or getattr(b, kind) is not None:
                names = (kind, f"unanswered_{kind}")
                held |= {name: build.plus(a._weighed(name), b._weighed(name)) for name in names}
        if a.units is not None or b.units is not None:
            held["units"] = a._as_units(b.units).plus(b._as_units(a.units))
        return replace(
            a,
            **held,
            axes=build.joined_axes(a.axes, b.axes),
            derived=self.derived or other.derived,
            origin=None,
            remarks=tuple(dict.fromkeys((*self.remarks, *other.remarks))),
            unlabelled=self.unlabelled + other.unlabelled,
            unfinished=tuple(dict.fromkeys((*self.unfinished, *other.unfinished))),
        )

    def _weighed(self, name: str) -> Array | None:
        """Squared weights or rows by cell; the counts themselves where a case counts 1."""
        if getattr(self, name.removeprefix("unanswered_")) is not None:
            return getattr(self, name)  # type: ignore[no-any-return]
        return self.unanswered if name.startswith("unanswered") else self.cells

    def _as_units(self, like: Units | None) -> Units:
        """The units, each case one of its own where the table has none; they are called as the others."""
        if self.units is not None:
            return self.units
        said = {} if like is None else {"of": like.of, "name": like.name, "asked": like.asked}
        squares = self._weighed("squares")
        assert squares is not None
        squares = grid.flattened(squares, self._weighed("unanswered_squares"))
        return singles(grid.flattened(self.cells, self.unanswered), squares, **said)

    def __radd__(self, other: object) -> Table:
        return self if other == 0 else NotImplemented  # so that sum(tables) works

    def aligned(self, other: Table) -> tuple[Table, Table]:
        """Both tables under the labels of either, in the same order, and of one shape of stack."""
        who = (self.stated, other.stated)
        on_rows, stated = build.union(self.predicted_labels, other.predicted_labels, who)
        on_columns, also = build.union(self.real_labels, other.real_labels, who)
        if self.is_square and other.is_square:
            on_rows = on_columns
        known = {t.positive for t in (self, other)} - {None}
        if len(known) > 1 and len(on_columns) == 2:
            raise TableError(f"One table calls {self.positive!r} positive, the other {other.positive!r}.")
        positive = next(iter(known), None) if len(on_columns) == 2 else None
        try:
            stack = np.broadcast_shapes(self.shape, other.shape)
        except ValueError:
            raise TableError(f"Stacks of the shapes {self.shape} and {other.shape} do not go together.") from None

        def like(t: Table) -> Table:
            named = (*[None] * (len(stack) - len(t.axes)), *t.axes)
            cells, real, each = (partial(grid.spread, stack=stack, lead=lead) for lead in (2, 1, 0))
            return t.onto(on_rows, on_columns).remade(
                cells,
                real,
                each,
                units=lambda units: units.spread(stack),
                positive=build.positive_of(on_rows, on_columns, positive),
                axes=tuple(x if x and len(x) == size else None for x, size in zip(named, stack, strict=True)),
                stated=stated and also,
            )

        return like(self), like(other)

    def onto(
        self, on_rows: Labels, on_columns: Labels, new: Callable[[Label], Label] | None = None, **changes: Any
    ) -> Table:
        """The same counts under other labels: each goes where its `new` name stands, or nowhere."""
        sides = ((self.predicted_labels, on_rows), (self.real_labels, on_columns))
        if all(own == other for own, other in sides):
            return replace(self, **changes)
        at_p, at_r = (build.positions(map(new, own) if new else own, other) for own, other in sides)
        return self.remade(
            lambda held: grid.placed(held, at_p, at_r, (len(on_rows), len(on_columns))),
            lambda held: grid.summed(at_r, held, len(on_columns)),
            units=lambda units: units.mapped(self._places(at_p, at_r, (len(on_rows), len(on_columns)))),
            predicted_labels=on_rows,
            real_labels=on_columns,
            **changes,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented

        plain = ("predicted_labels", "real_labels", "positive", "axes", "derived")
        arrays = ("cells", "abstained", "missing", *WEIGHED)
        if any(getattr(self, name) != getattr(other, name) for name in plain):
            return False
        if not all(grid.same(getattr(self, name), getattr(other, name)) for name in arrays):
            return False
        return self.units is other.units or (self.units is not None and self.units.same(other.units))

    __hash__ = None  # type: ignore[assignment]  # tables are equal by value and hold arrays

    def _known(self, label: Label) -> Label:
        own = canonical(label)
        for labels in (self.real_labels, self.predicted_labels):
            if own in labels:
                return labels[labels.index(own)]
        raise TableError(f"There is no class {label!r} in this table; there are {some(self.real_labels)}.")

    # ------------------------------------------------------------------ in and out

    def to_json(self) -> str:
        """The table as JSON; `Table.from_json` reads it back, on any machine.

        >>> t = Table.from_counts([[56, 20], [12, 12]])
        >>> Table.from_json(t.to_json()) == t
        True
        """
        return table_json.to_json(self)

    @classmethod
    def from_json(cls, text: str) -> Table:
        """The table that `to_json` wrote."""
        return cls(**table_json.fields(text))

    def to_frame(self) -> Any:
        """One row a cell: the names of the stack, predicted, real and count."""
        return table_json.to_frame(self)

    def __repr__(self) -> str:
        return table_text(self)

    def _repr_html_(self) -> str:
        return table_html(self)
