"""Over what we divide: all cases that count, or those that were answered.

Where some cases got no answer, the words "informedness" and "accuracy" mean those over all cases
that count, in gates, comparisons and leaderboards: no answer is no bet, and not right, so that
refusing does not pay. `count="answered"` asks for the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from informed.measures.lookup import MeasureLike, find
from informed.measures.registry import Measure

# As the tool counts; its errors as no answer, too; or only what was answered.
Count = Literal["tool", "errors", "answered"]
COUNTS: tuple[Count, ...] = get_args(Count)
OVER_ALL: Mapping[str, str] = {"informedness": "informedness_of_all", "accuracy": "accuracy_of_all"}
WHOLE: Mapping[str, str] = {"informedness_of_all": "informedness"}  # what it is where all cases got an answer
CALLED: Mapping[str, str] = {"informedness_of_all": "informedness over all cases", "accuracy_of_all": "score"}


def headline(measure: MeasureLike, count: Count = "tool", silent: bool = True) -> Measure:
    """The measure that is meant by a name, where some cases got no answer or none did.

    >>> str(headline("informedness")), str(headline("informedness", "answered")), str(headline("recall"))
    ('informedness_of_all', 'informedness', 'recall')
    """
    m = find(measure)
    if not silent or count == "answered" or m.bound:
        return m
    return find(OVER_ALL.get(m.name, m.name))


def called(measure: MeasureLike, silent: bool = True) -> str:
    """A measure in a sentence that says of which cases it is, where some got no answer.

    >>> called("informedness_of_all"), called("informedness"), called("informedness", silent=False)
    ('informedness over all cases', 'informedness of the answered cases', 'informedness')
    """
    m = find(measure)
    if m.name in CALLED and not m.bound:
        return CALLED[m.name] if silent or m.name not in WHOLE else WHOLE[m.name]
    return f"{m} of the answered cases" if silent and not m.facts.abstentions else str(m)
