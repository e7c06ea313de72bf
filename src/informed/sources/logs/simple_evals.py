"""simple-evals: `<eval>_<model>_<date>_<time>_allresults.json`, or the totals without "_allresults".

Marks are only in the HTML of each example: "Correct Answer", "Extracted Answer", "Score". An
extracted answer of "None" is no answer. There is no id: an item is its place in the file.
"""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

from informed.sources.logs import bounded_files as files
from informed.sources.logs import openings
from informed.sources.logs.bounded_files import Problem, mapping, number, sequence
from informed.sources.logs.formats import Format
from informed.sources.logs.log import Case, Log, Reported
from informed.sources.logs.scorers import grade, reported

RESULTS = "<h3>Results</h3>"
TOLD = re.compile(r"<p>(Correct Answer|Extracted Answer|Score): ([^<]*)</p>")
NAME = re.compile(r"(?P<task>[^_]+)_(?P<model>.+?)(_DEBUG)?_\d{8}_\d{6}(_allresults)?(_DEBUG)?\.json")


def recognise(head: str) -> bool:
    """Whether the text begins as results with their HTML, or as totals."""
    keys = openings.keys(head)
    return keys >= {"score", "metrics", "htmls"} or ({"score", "score:std"} <= keys and not any("." in x for x in keys))


@Format("simple-evals", "simple-evals results", recognise)
def read(path: Path) -> Log:
    """The examples of an `_allresults` file; of the other file its totals."""
    held = files.content(path)
    score = number(held.get("score"))
    if score is None:
        raise Problem("a result needs a `score`.")
    metrics = mapping(held.get("metrics")) if "htmls" in held else {k: v for k, v in held.items() if k != "score"}
    told = [Reported(score, "score"), *reported({k: v for k, v in metrics.items() if not k.endswith(":std")})]
    named = NAME.fullmatch(path.name)
    about: dict[str, Any] = {"model": named["model"], "task": named["task"]} if named else {}
    if "htmls" not in held:
        note = "the file holds totals and no answers; the answers are in the file named …_allresults.json."
        return Log(path, (), reported=told, notes=(note,), **about)

    pages = sequence(held["htmls"])
    cases = [_case(page, place) for place, page in enumerate(pages)]
    if not cases:
        raise Problem("there is no example in `htmls`.")
    return Log(path, cases, reported=told, notes=_notes(metrics, cases), **about)


def _case(page: Any, place: int) -> Case:
    """The labels and the mark that a page shows below its heading "Results"."""
    shown = page.rpartition(RESULTS)[2] if isinstance(page, str) else ""
    told = {what: unescape(value).strip() for what, value in TOLD.findall(shown)}
    mark = grade(told.get("Score"))
    if mark is None or not 0 <= mark <= 1:
        raise Problem(f"example {place + 1:,} shows no score between 0 and 1 below {RESULTS}.")
    answer = told.get("Extracted Answer")
    answer = None if answer in (None, "", "None") else answer
    return Case(told.get("Correct Answer") or None, answer, item=str(place), mark=mark)


def _notes(metrics: dict[str, Any], cases: list[Case]) -> tuple[str, ...]:
    """How many did not try, where the file says so in total only."""
    share = number(metrics.get("is_not_attempted"))
    lost = sum(case.mark == 0 for case in cases)
    if not share or not lost:
        return ()
    silent = round(share * len(cases))
    return (f"{silent:,} of the {lost:,} without credit did not try; the file does not say which.",)
