"""Items as they come, each as one of few kinds: its real class and the answers it got, in any order."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed._numbers import position
from informed._wording import listed
from informed.errors import LabelError
from informed.evidence.columns import column
from informed.evidence.labels import canonical, check_kinds, is_missing, some, text
from informed.evidence.likeness import KINDS, differ_by
from informed.evidence.units import Ints

Answers = tuple[Any, ...]  # places of labels, sorted; −1 is no answer; or a score
Kind = tuple[int, Answers, Answers | None]  # real class, answers of the system, and of the other
SILENT = -1
NO_ANSWER = "give None for no answer"
MOST_SINGLE = 10_000  # kinds of single items that are known by their labels


class Kinds:
    """The kinds of items that came, and the labels that they use."""

    def __init__(self, labels: Sequence[Hashable] | None) -> None:
        self.declared = labels is not None
        self.labels: list[Hashable] = list(labels or ())
        self.kinds: list[Kind] = []
        self.place: dict[Kind, int] = {}
        self._single: dict[tuple[Any, Any, Any], int] = {}  # of labels as they came

    def __len__(self) -> int:
        return len(self.kinds)

    def number(self, kind: Kind) -> int:
        """The number of a kind, a new one where it never came."""
        found = self.place.get(kind)
        if found is None:
            found = self.place[kind] = len(self.kinds)
            self.kinds.append(kind)
        return found

    def known(self, real: Any, predicted: Any, other: Any) -> int | None:
        """The kind of a single item that came before, at no cost; None for all others."""
        key = (real, predicted, other)
        if any(type(x) is not str and type(x) is not int and x is not None for x in key):
            return None
        return self._single.get(key)

    def _remember(self, real: Any, predicted: Any, other: Any, kind: int) -> None:
        if len(self._single) < MOST_SINGLE and all(
            type(x) in (str, int) or x is None for x in (real, predicted, other)
        ):
            self._single[real, predicted, other] = kind

    def read(self, real: Any, predicted: Any, other: Any) -> NDArray[np.intp]:
        """The kinds of these items; nothing is kept where one of them is refused."""
        if not several(real):
            (kind,) = self._kinds([real], [predicted], None if other is None else [other])
            self._remember(real, predicted, other, int(kind))
            return np.asarray([kind])
        return self._kinds(real, predicted, other)

    def _kinds(self, real: Any, predicted: Any, other: Any) -> NDArray[np.intp]:
        sides: dict[str, Any] = {"predicted": predicted} | ({} if other is None else {"other": other})
        places, labels = dict[Hashable, int](), list(self.labels)
        places.update({label: i for i, label in enumerate(labels)})

        truth = self._coded(real, "real", places, labels)
        said = {name: self._answers(x, name, len(truth), places, labels) for name, x in sides.items()}
        if len(labels) > len(self.labels):
            check_kinds(labels, ())
        self.labels = labels
        return self._numbered(truth, said["predicted"], said.get("other"))

    def _coded(self, given: Any, name: str, places: dict[Hashable, int], labels: list[Hashable]) -> Ints:
        """Places of labels; those that are new are added where that is allowed."""
        held = column(given, name)
        codes, names = held.codes, held.names
        if names is None:
            held = held.dense()
            codes, names = held.codes, held.names or []
        found = [SILENT if is_missing(x) else self._place(x, name, places, labels) for x in names]
        at = np.asarray([*found, SILENT], np.intp)[codes]
        if name == "real" and (at < 0).any():
            raise LabelError(
                f"`real` has no label at {position(np.flatnonzero(at < 0)[0])}; every item needs one, only an "
                "answer may be missing."
            )
        return at

    def _place(self, x: Any, name: str, places: dict[Hashable, int], labels: list[Hashable]) -> int:
        label = canonical(x)
        if label in places:
            return places[label]
        if self.declared or len(labels) == 2:
            raise _strange(label, name, labels, self.declared)
        places[label] = len(labels)
        labels.append(label)
        return places[label]

    def _answers(
        self, given: Any, name: str, n: int, places: dict[Hashable, int], labels: list[Hashable]
    ) -> Ints | list[Answers]:
        """Places of the answers; of items that were asked several times, all of each."""
        if not several(given):
            raise LabelError(f"`{name}` is {text(given)}; as many answers as real labels are needed.")
        given = given if hasattr(given, "__len__") else list(given)
        if len(given) != n:
            raise LabelError(f"`{name}` has {len(given):,} answers for {n:,} items.")
        nested = getattr(given, "ndim", 1) == 2 or (
            _plain(given) and any(isinstance(x, list | np.ndarray) for x in given)
        )
        if not nested:
            return self._coded(given, name, places, labels)

        each = [x if isinstance(x, list | np.ndarray) else [x] for x in given]
        if any(len(x) == 0 for x in each):
            at = next(i for i, x in enumerate(each) if len(x) == 0)
            raise LabelError(f"`{name}` has no epoch at {position(at)}; give None for an item that was not answered.")
        flat = self._coded([answer for x in each for answer in x], name, places, labels).tolist()
        ends = np.cumsum([len(x) for x in each]).tolist()
        return [tuple(sorted(flat[a:b])) for a, b in zip([0, *ends[:-1]], ends, strict=True)]

    def _numbered(
        self, real: Ints, predicted: Ints | list[Answers], other: Ints | list[Answers] | None
    ) -> NDArray[np.intp]:
        if isinstance(predicted, list) or isinstance(other, list):
            mine, theirs = _as_lists(predicted), None if other is None else _as_lists(other)
            rows = zip(real.tolist(), mine, [None] * len(mine) if theirs is None else theirs, strict=True)
            return np.asarray([self.number(row) for row in rows], np.intp)

        base = len(self.labels) + 1
        code = real * base + predicted + 1
        if other is not None:
            code = code * base + other + 1
        most = base ** (2 if other is None else 3)
        table = np.full(most, -1, np.intp)
        for c in np.flatnonzero(np.bincount(code, minlength=most)).tolist():
            rest, last = divmod(c, base)
            r, a = divmod(rest, base) if other is not None else (rest, last)
            kind = (r, (a - 1,), (last - 1,) if other is not None else None)
            table[c] = self.number(kind)
        return np.asarray(table[code])

    # ------------------------------------------------------------------ what kinds are worth

    def values(self, value: Array, arm: Ints, *, paired: bool) -> tuple[Ints, Array]:
        """The arm of each kind, and its value there."""
        arms = np.asarray([arm[real] for real, _, _ in self.kinds], np.intp)
        x = np.asarray([value[real, list(said)].mean() for real, said, _ in self.kinds])
        if paired:
            y = np.asarray([value[real, list(said or ())].mean() for real, _, said in self.kinds])
            x = (x - y + 1) / 2
        return arms, x

    def cells(self, which: int = 0) -> Array:
        """What an item of each kind adds to the table of a system: ``(kinds, said, real)``, no answer last."""
        k = max(len(self.labels), 1)
        found = np.zeros((len(self.kinds), k + 1, k))
        for i, kind in enumerate(self.kinds):
            said = kind[2] or () if which else kind[1]
            for answer in said:
                found[i, answer, kind[0]] += 1 / len(said)
        return found


class ScoreKinds(Kinds):
    """The kinds of items that came with scores: one for each mean score over epochs, or pair of these."""

    def __init__(self) -> None:
        super().__init__(["score"])

    def known(self, real: Any, predicted: Any, other: Any) -> int | None:
        """None: scores are read by `read`."""
        return None

    def read(self, real: Any, predicted: Any, other: Any) -> NDArray[np.intp]:
        """The kinds of these items; nothing is kept where one of them is refused."""
        sides = [scores_of(predicted, "score")] + ([] if other is None else [scores_of(other, "other")])
        if len(sides[0]) != len(sides[-1]):
            raise LabelError(f"`other` has {len(sides[-1]):,} scores for {len(sides[0]):,} items.")
        rows, at = np.unique(np.stack(sides, axis=1), axis=0, return_inverse=True)
        kinds = [self.number((0, (x,), (y[0],) if y else None)) for x, *y in rows.tolist()]
        return np.asarray(kinds, np.intp)[np.ravel(at)]

    def values(self, value: Array, arm: Ints, *, paired: bool) -> tuple[Ints, Array]:
        """The arm of each kind, and its value there."""
        x = np.asarray([said[0] for _, said, _ in self.kinds], np.float64)
        if paired:
            x = (x - np.asarray([(said or (0.0,))[0] for _, _, said in self.kinds]) + 1) / 2
        return np.zeros(len(x), np.intp), x

    def cells(self, which: int = 0) -> Array:
        """Scores make no table."""
        return np.zeros((len(self.kinds), 2, 1))


def scores_of(given: Any, name: str) -> Array:
    """The score of each item, the mean over its epochs, from 0 to 1."""
    each = list(given) if several(given) else [given]
    try:
        found = np.asarray([np.mean(np.asarray(x, np.float64)) for x in each], np.float64)
        ends = [(float(np.min(x)), float(np.max(x))) for x in each]
    except (TypeError, ValueError):
        raise LabelError(f"`{name}` holds {some(each, 3)}; each item needs a score from 0 to 1.") from None
    for place, (low, high) in enumerate(ends):
        if not (low >= 0 and high <= 1):
            raise LabelError(
                f"`{name}` holds {text(each[place])} at {position(place)}; a score goes from 0 to 1, and no answer "
                "is 0: scale other scores first."
            )
    return found


def _strange(label: Hashable, name: str, labels: list[Hashable], declared: bool) -> LabelError:
    """What to say of one label too many."""
    told = f"is none of the labels {some(labels)}" if declared else f"is a third label after {some(labels)}"
    pairs = ((label, known) for known in labels) if declared else combinations((*labels, label), 2)
    for one, other in pairs:
        if kinds := differ_by(one, other):
            alike = f"{text(one)} and {text(other)} differ only by {listed([KINDS[kind] for kind in kinds])}"
            return LabelError(f"{text(label)} in `{name}` {told}; {alike}: write both alike.")
    return LabelError(
        f"{text(label)} in `{name}` {told}.", "declare all with `labels` before the first case", NO_ANSWER
    )


def _as_lists(side: Ints | list[Answers]) -> list[Answers]:
    return side if isinstance(side, list) else [(x,) for x in side.tolist()]


def _plain(x: Any) -> bool:
    return isinstance(x, list | tuple) or getattr(getattr(x, "dtype", None), "kind", "") == "O"


def several(x: Any) -> bool:
    """Whether this is a sequence of labels; text, numbers and None are one."""
    if isinstance(x, str | bytes) or x is None:
        return False
    return hasattr(x, "__len__") or hasattr(x, "__iter__") or getattr(x, "ndim", 0) > 0
