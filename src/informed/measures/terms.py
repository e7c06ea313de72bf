"""What measures are called by clinicians: sensitivity is recall, PPV is precision.

Facts say the word (`clinical`). Here a text that names measures gets those words, as late as it can: when a page is
written or an error is shown. What stands in quotes or in backticks is data or code, and stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Literal, TypeAlias, get_args

from informed.errors import InformedError, MeasureError, one_of
from informed.measures.registry import MEASURES, Measure

Terms: TypeAlias = Literal["informed", "clinical"]
TERMS: tuple[Terms, ...] = get_args(Terms)
Say: TypeAlias = Callable[[str], str]

# Words that are ours only where they stand alone: the head of a row or a column, the title of an axis.
ALONE = {
    "predicted": "test",
    "real": "disease",
    "predicted \\ real": "test \\ disease",
    "called": "test",
    "really": "disease",
    "bias": "apparent prevalence",  # elsewhere it is a common word
    "B": "J",
    "M": "PSI",
}
PHRASES = {
    "B informedness, M markedness": "J is sensitivity + specificity − 1, PSI is PPV + NPV − 1",
    "rows: predicted, columns: real": "rows: test, columns: disease",
    "real positives": "cases with the disease",
    "real negatives": "cases without the disease",
    "predicted positives": "positive tests",
    "predicted negatives": "negative tests",
    "errors grow by (1/B)": "errors grow by (1/J)",
    "recalls stay": "sensitivity and specificity stay",
    "this classifier": "this test",
    "the test set": "the sample",
    "false alarm": "false positive",
    "fallout (false alarms)": "false positive rate (1 − specificity)",
    "likelihood ratio for a positive": "LR+",
    "likelihood ratio for a negative": "LR−",
}
EXPLAINED = "Youden's J is sensitivity + specificity − 1; PSI, the predictive summary index, is PPV + NPV − 1."
VOWELS = (*"aeiouAEIOU", "NPV", "LR")  # before what sounds like one stands "an"

_QUOTED = r"(?<!\w)'[^'\n]*'(?!\w)|\"[^\"\n]*\"|“[^”\n]*”|`[^`\n]*`"
_ENDS = r"(?!\w|[/\\]|\.(?!low\b|high\b|greater\b|less\b)\w)"


def spoken_in(terms: str, kept: Iterable[str] = ()) -> Say:
    """How a text is said in these terms; names that are data (`kept`) stay as they are.

    >>> say = spoken_in("clinical")
    >>> say("An informedness of 0.8: recall 0.9, inverse_recall of 'recall' 0.9."), say("Bias"), say("position bias")
    ("A Youden's J of 0.8: sensitivity 0.9, specificity of 'recall' 0.9.", 'Apparent prevalence', 'position bias')
    """
    one_of("terms", terms, TERMS, MeasureError)
    if terms == "informed":
        return lambda said: said
    names = sorted({x for x in kept if x in ALONE or _pattern().search(x)}, key=len, reverse=True)
    held = re.compile("|".join([_QUOTED, *(rf"(?<!\w){re.escape(x)}(?!\w)" for x in names)]))

    def say(said: str) -> str:
        if said in names:
            return said
        if (head := _alone(said)) is not None:
            return head
        parts, end = [], 0
        for found in held.finditer(said):
            parts += [_said(said[end : found.start()]), found[0]]
            end = found.end()
        made = "".join([*parts, _said(said[end:])])
        return said if made == said else made  # a text that was cut knows its whole

    return say


@contextmanager
def errors_in(terms: str) -> Iterator[None]:
    """Errors raised on purpose, in these terms.

    >>> with errors_in("clinical"):
    ...     raise MeasureError("recall is undefined.", "give `positive=`")
    Traceback (most recent call last):
    informed.errors.MeasureError: sensitivity is undefined. Give `positive=`.
    """
    try:
        yield
    except InformedError as error:
        if terms not in TERMS or terms == "informed":
            raise
        say = spoken_in(terms)
        raise type(error)(say(error.said), *map(say, error.ways)) from error


def clinical(m: Measure) -> str:
    """What clinicians call a measure; its own title where they have no other.

    >>> clinical(MEASURES["inverse_precision"]), clinical(MEASURES["accuracy"])
    ('NPV', 'Accuracy')
    """
    return m.facts.clinical or m.title


def _alone(said: str) -> str | None:
    """A word that is ours where it stands alone."""
    if said in ALONE:
        return ALONE[said]
    if re.fullmatch(r"B [\d.]+", said):  # a line of equal informedness
        return f"J{said[1:]}"
    if (found := ALONE.get(said[:1].lower() + said[1:])) is not None:
        return found[:1].upper() + found[1:]
    return None


@cache
def _words() -> dict[str, str]:
    """Names and titles as they stand in a sentence, and what clinicians say."""
    held = {
        name.lower(): m.facts.clinical
        for m in MEASURES.values()
        if m.facts.clinical
        for name in (m.name, m.title, m.name.replace("_", " "))
        if name.lower() not in ALONE
    }
    return held | PHRASES


@cache
def _pattern() -> re.Pattern[str]:
    words = "|".join(re.escape(x) for x in sorted(_words(), key=len, reverse=True))
    return re.compile(rf"(?<![\w/.=])(?<!--)(?:\b(an?) )?({words})(s|es)?{_ENDS}", re.IGNORECASE)


def _said(said: str) -> str:
    return _pattern().sub(_one, said)


def _one(found: re.Match[str]) -> str:
    article, name, many = found.groups()
    if name.isupper():  # LR is no name of ours
        return found[0]
    held = _words()
    word = held.get(name.lower()) or held[name]
    if name[:1].islower() and word[1:2].islower() and not word.startswith("Youden"):
        word = word[:1].lower() + word[1:]
    elif name[:1].isupper() and word[1:2].islower():
        word = word[:1].upper() + word[1:]
    if many:
        word = f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
    if not article:
        return word
    proper = "an" if word.startswith(VOWELS) else "a"
    return f"{proper if article.islower() else proper.capitalize()} {word}"
