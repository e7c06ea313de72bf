"""What a report says of a score, of a table's as of marks: whose number it is, and what it leaves out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from informed._numbers import count, plural, rate
from informed.measures.headline import Count
from informed.summary.parts import Score


def own_number(s: Score, tool: str) -> str:
    """What its tool says, after the score: ", as Inspect reports", "; Inspect reports 0.464", or nothing."""
    if s.reported != s.reported:
        return ""
    who = tool or "its tool"
    return f"; {who} reports {rate(s.reported)}" if s.differs else f", as {who} reports"


def another_number(s: Score | None, tool: str, count: Count) -> str:
    """That the tool reports another number of the same cases, which one must not overlook; else nothing."""
    if s is None or not s.differs or count != "tool":
        return ""
    said = f"The mean of the marks is {rate(s.value, 4)}, and {tool or 'its tool'} reports {rate(s.reported, 4)}"
    return f"{said} ({s.name})."


def gaps(s: Score, states: Mapping[str, float], tool: str, counts: Count) -> Iterator[str]:
    """What the score leaves out, and what it would be with that."""
    if (lost := states.get("unscored", 0)) and s.unscored_low == s.unscored_low:
        between = f"between {rate(s.unscored_low)} and {rate(s.unscored_high)}"
        yield f"The grader failed on {count(lost)}: with {'it' if lost == 1 else 'them'} it is {between}."
    if s.left_out:
        are = "is" if s.left_out == 1 else "are"
        how = f"ended in an error and {are} left out, as {tool or 'its tool'} does"
        if counts == "answered":
            how = f"got no answer and {are} left out, as was asked"
        yield (
            f"{count(s.left_out)} of {plural(sum(states.values()), 'case')} {how}; counted as failures, the score is "
            f"{rate(s.with_left_out)} instead of {rate(s.value)}."
        )
