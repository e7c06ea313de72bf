"""Labels that differ only in how they are written, and predictions that cannot be what they are taken for.

`normal` is the one spelling of a label that `normalize=` asks for. `doubt` looks at what was really there
and at what was said, and finds what makes a verdict worthless: real "Yes" against predicted "yes", a score
or an id given as the prediction, labels of another world. A system may be bad, may never predict a class,
may answer in its own words now and then; none of that is refused.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from itertools import combinations
from math import isfinite
from typing import Any, Literal, TypeAlias

from informed._wording import listed
from informed.errors import LabelError, one_of
from informed.evidence.labels import some, text

Kind: TypeAlias = Literal["case", "space", "unicode", "number", "bool", "date"]
Kinds: TypeAlias = tuple[str, ...]
Normalize: TypeAlias = str | Collection[str] | None

KINDS: dict[str, str] = {  # what is made alike, and how labels differ that are
    "case": "upper and lower case",
    "space": "white space",
    "unicode": "Unicode form",
    "number": "how a number is written",
    "bool": "true and false as words or as 1 and 0",
    "date": "a date as a timestamp",
}
SIDES = ("real", "predicted", "other")
NONE = "none"  # labels are as they are, and that is meant

_NUMERAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
_MIDNIGHT = re.compile(r"(\d{4}-\d\d-\d\d)[T ]00:00(:00(\.0+)?)?(Z|\+00:?00)?", re.ASCII)
_UNSEEN = dict.fromkeys(map(ord, "\ufeff\u200b\u2060"))  # white space that `split` does not know
_TRUTH = {"true": 1, "false": 0}

HARDLY = 0.01  # of the cases have an answer that is ever a real label
CASES = 10  # from which on answers that are never a real label are no accident
NUMBERS = 20  # different numbers, at least, that no classes are ...
OWN = 5  # ... unless each case has another


def kinds_of(normalize: Normalize) -> Kinds | None:
    """What to make alike: None where nothing was said, and nothing where "none" was.

    >>> kinds_of("case, space"), kinds_of(["number"]), kinds_of("none"), kinds_of(None)
    (('case', 'space'), ('number',), (), None)
    """
    if normalize is None:
        return None
    named: Any = normalize.split(",") if isinstance(normalize, str) else normalize
    given = [x.strip() if isinstance(x, str) else x for x in (named if isinstance(named, Iterable) else [named])]
    for kind in given:
        one_of("normalize", kind, (*KINDS, NONE), LabelError)
    if NONE in given and len(given) > 1:
        raise LabelError(f"`normalize` is {text(','.join(given))}; {text(NONE)} stands alone.")
    return tuple(kind for kind in KINDS if kind in given)


def normal(label: Hashable, kinds: Kinds, fractions: bool = False) -> Hashable:
    """The spelling that stands for all that are alike; None where only white space was written.

    Numbers with a fraction stay as they are written, unless `fractions` may be labels.

    >>> [normal(x, ("case", "space", "number")) for x in (" Yes", "1.0", "01", "0.50", 3)]
    ['yes', 1, 1, '0.50', 3]
    """
    if isinstance(label, dt.date) and "date" in kinds:  # as text has it, which may be the other side
        whole = not isinstance(label, dt.datetime) or label.timetz().replace(tzinfo=None) == dt.time()
        return str(label)[:10] if whole else label
    if not isinstance(label, str):
        return label
    if "unicode" in kinds:
        label = unicodedata.normalize("NFC", label)
    if "space" in kinds:
        label = " ".join(label.translate(_UNSEEN).split())
        if not label:
            return None
    if "case" in kinds:
        label = label.casefold()
    if "bool" in kinds and (truth := _TRUTH.get(label.casefold())) is not None:
        return truth
    if "number" in kinds and (value := number(label)) is not None:
        if value.is_integer() and abs(value) < 1e15:
            return int(Decimal(label))
        return value if fractions else label
    if "date" in kinds and (found := _MIDNIGHT.fullmatch(label)):
        return found[1]
    return label


def number(label: Hashable) -> float | None:
    """The value of a label that is a number, or text that is one."""
    if isinstance(label, str):
        value = float(label) if _NUMERAL.fullmatch(label) else None
        return value if value is not None and isfinite(value) else None
    return float(label) if isinstance(label, int | float | Decimal) and not isinstance(label, bool) else None


def differ_by(one: Hashable, other: Hashable) -> Kinds:
    """The fewest kinds that make two labels alike; none where nothing does.

    >>> differ_by("Yes", "yes "), differ_by(1, "1.0"), differ_by("cat", "dog")
    (('case', 'space'), ('number',), ())
    """
    for size in range(1, len(KINDS) + 1):
        for kinds in combinations(KINDS, size):
            if normal(one, kinds) == normal(other, kinds):
                return kinds
    return ()


def repair(kinds: Iterable[str]) -> str:
    """What to ask for, as it is typed: `normalize="case,space"`."""
    wanted = set(kinds)
    return f'`normalize="{",".join(kind for kind in KINDS if kind in wanted)}"`'


def said_respelled(cases: float) -> str:
    """What was done to labels, as a note."""
    return f"In {cases:,g} case{'s' * (cases != 1)} a label was taken for one that is written otherwise, as asked."


# ---------------------------------------------------------------- what cannot be meant


@dataclass(frozen=True)
class Doubt:
    """Why what was said is hardly what it is taken for."""

    text: str
    code: str
    refused: bool  # whether a verdict would be worthless; else it may be meant


Cases: TypeAlias = Mapping[Hashable, float]  # of each label, those that count


def doubt(real: Cases, said: Cases, name: str = "predicted") -> Doubt | None:
    """The first doubt about answers, given how many cases have each real label and each answer.

    >>> print(doubt({"Yes": 3, "No": 5}, {"yes": 4, "no": 4}).text)
    The real labels 'No', 'Yes' and the predicted labels 'no', 'yes' differ only by upper and lower case, so that \
they never match: give `normalize="case"` to take them as the same, or `normalize="none"` if they are not.
    """
    strange = {x: n for x, n in said.items() if x not in real}
    if not strange or not real:
        return None
    return (
        _numbers(real, said, strange, name) or alike(real, said, name) or _of_another_world(real, said, strange, name)
    )


def alike(real: Cases, said: Cases, name: str = "predicted", whose: str = "real") -> Doubt | None:
    """Labels on the two sides that are the same but for their spelling."""
    held: dict[Hashable, list[Hashable]] = {}
    for label in real:
        held.setdefault(_plain(label), []).append(label)
    pairs = [(r, x) for x in said if x not in real for r in held.get(_plain(x), ())]
    if not pairs:
        return None

    # what the real side tells apart is meant
    apart = {kind for same in held.values() for pair in combinations(same, 2) for kind in differ_by(*pair)}
    never = [(r, x) for r, x in pairs if not any(y in said for y in held[_plain(r)]) and not apart & {*differ_by(r, x)}]
    chosen = never or pairs
    kinds = {kind for pair in chosen for kind in differ_by(*pair)}
    ours, theirs = (sorted(dict.fromkeys(side), key=str) for side in zip(*chosen, strict=True))
    differ = f"differ only by {listed([KINDS[kind] for kind in KINDS if kind in kinds])}"
    labels = f"The {_labels(whose, ours)} and the {_labels(name, theirs)} {differ}"
    if never:
        return Doubt(
            f"{labels}, so that they never match: give {repair(kinds)} to take them as the same, or "
            '`normalize="none"` if they are not.',
            "alike",
            True,
        )
    cases = sum(said[x] for x in theirs)
    counted = f"{cases:,g} case{' is' if cases == 1 else 's are'} counted as wrong for it" if whose == "real" else ""
    return Doubt(f"{labels}{counted and f', and {counted}'}; {repair(kinds)} takes them as the same.", "alike", False)


def spellings(labels: Iterable[Hashable], where: str) -> Doubt | None:
    """Labels of one set that are the same but for their spelling.

    >>> print(spellings(["Good", "good", "bad"], "`gold` has").text)
    `gold` has 'Good', 'good', which differ only by upper and lower case: give `normalize="case"` to take them as \
the same, or `normalize="none"` if they are not.
    """
    held: dict[Hashable, list[Hashable]] = {}
    for label in labels:
        held.setdefault(_plain(label), []).append(label)
    same = [each for each in held.values() if len(each) > 1]
    if not same:
        return None
    kinds = {kind for each in same for pair in combinations(each, 2) for kind in differ_by(*pair)}
    named = some(sorted((x for each in same for x in each), key=str), 4)
    differ = f"differ only by {listed([KINDS[kind] for kind in KINDS if kind in kinds])}"
    repaired = f'give {repair(kinds)} to take them as the same, or `normalize="none"` if they are not'
    return Doubt(f"{where} {named}, which {differ}: {repaired}.", "alike", True)


def refuse_spellings(labels: Iterable[Hashable], where: str) -> None:
    """Refuse labels of which some differ only in how they are written."""
    found = spellings(labels, where)
    if found is not None:
        raise LabelError(found.text)


def _numbers(real: Cases, said: Cases, strange: Cases, name: str) -> Doubt | None:
    """A score or an id given as the prediction."""
    known = {number(x) for x in real}
    values = {x: value for x in strange if (value := number(x)) is not None and value not in known}
    if sum(strange[x] for x in values) <= sum(said.values()) / 2:
        return None
    if any(not value.is_integer() for x in real if (value := number(x)) is not None):
        return None
    fractions = sum(not value.is_integer() for value in values.values())
    own = len(values) == sum(said.values()) >= max(OWN, 2 * len(real))  # each case has one of its own
    if fractions < 2 and not own and len(values) <= max(NUMBERS, 4 * len(real)):
        return None
    what = "a score looks" if fractions > 1 else "an id or a score looks"
    grades = [value for value in known if value is not None]
    inside = len(grades) == len(real) > 2 and min(grades) <= min(values.values()) <= max(values.values()) <= max(grades)
    rounded = "; where they lie between grades, round them first" if inside else ""
    return Doubt(
        f"The {_called(name)} are {len(values):,} different numbers that are never a real label "
        f"({some(list(values))}; the real labels are {some(list(real))}), as {what}. Choose the column of "
        f"predicted classes; a score is given to `informed.roc`, or as `score=`{rounded}.",
        "score",
        True,
    )


def _of_another_world(real: Cases, said: Cases, strange: Cases, name: str) -> Doubt | None:
    """Answers that are hardly ever a real label."""
    cases, lost = sum(said.values()), sum(strange.values())
    if cases - lost >= HARDLY * cases:
        return None
    if lost == cases:
        seen = f"None of the {_called(name)} is ever a real one"
    else:
        seen = f"Only in {cases - lost:,g} of {cases:,g} cases is one of the {_called(name)} ever a real one"
    labels = f"{seen}: {some(list(strange))} against {some(list(real))}"
    if len(real) > 1 and len(said) > 1 and cases >= CASES:
        return Doubt(
            f"{labels}. Are they the right columns, in the same words? Free text needs a scorer, or a step that "
            'finds the label in it first; `normalize="none"` counts them as they are.',
            "never-real",
            True,
        )
    return Doubt(f"{labels}.", "never-real", False) if len({*real, *said}) > 2 else None


@cache
def _every() -> Kinds:
    return tuple(KINDS)


def _plain(label: Hashable) -> Hashable:
    return normal(label, _every(), fractions=True)


def _called(name: str) -> str:
    """What messages call the labels of a side: "real labels", "labels of a"."""
    return f"{name} labels" if name in SIDES else f"labels of {name}"


def _labels(name: str, labels: list[Hashable]) -> str:
    one = _called(name).replace("labels", "label", 1) if len(labels) == 1 else _called(name)
    return f"{one} {some(labels)}"
