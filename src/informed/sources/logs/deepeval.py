"""DeepEval: `test_run_*.json`, the test cases of a run with the score that each metric gave.

A metric is a scorer, in the order of the file; the last one, "passed", says whether a test case
passed all of its metrics. A metric that failed to give a score leaves the case unscored.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from informed.sources.logs import bounded_files as files
from informed.sources.logs import openings
from informed.sources.logs.bounded_files import Problem, mapping, number, sequence
from informed.sources.logs.formats import Format
from informed.sources.logs.log import Case, Log, Reported
from informed.sources.logs.scorers import answered_unseen, grade, graded, in_epochs, marks_only

PASSED = "passed"


def recognise(head: str) -> bool:
    """Whether the text begins as a run of test cases."""
    keys = openings.keys(head)
    return "testCases.[]" in keys and ("metricsScores" in keys or "testCases.[].metricsData" in keys)


@Format("deepeval", "DeepEval test run", recognise, choose="scorer")
def read(path: Path) -> Log:
    """The cases of a run, one for each test case and metric."""
    run = files.content(path)
    tests = [*sequence(run.get("testCases")), *sequence(run.get("conversationalTestCases"))]
    held = [case for place, test in enumerate(tests) for case in _cases(mapping(test), place)]
    if not held:
        raise Problem("there is no test case with a metric in this run.")

    held.sort(key=lambda case: case.fields["scorer"] == PASSED)  # metrics first, as the tool lists them
    cases, notes = marks_only(held)
    return Log(
        path=path,
        cases=in_epochs(cases),
        model=files.string(mapping(run.get("hyperparameters")).get("model")),
        task=files.string(run.get("identifier")),
        choose="scorer",
        reported=_reported(run),
        notes=notes,
    )


def _cases(test: dict[str, Any], place: int) -> list[Case]:
    """The case of each metric, and that of the whole test."""
    names = [test.get(key) for key in ("name", "input")]
    case = Case(
        real=_label(test.get("expectedOutput")),
        predicted=_label(test.get("actualOutput")),
        item=next((name for name in names if isinstance(name, str) and name), f"test_case_{place}"),
        fields=files.scalars(test.get("additionalMetadata")),
    )
    found = []
    for metric in map(mapping, sequence(test.get("metricsData"))):
        name = metric.get("name")
        if not isinstance(name, str):
            raise Problem(f"a metric of test case {place + 1:,} has no name.")
        score = None if metric.get("error") else grade(metric.get("score"))
        found.append(graded(case, name, score))
    if found and isinstance(test.get("success"), bool):
        found.append(graded(case, PASSED, float(test["success"])))
    return [answered_unseen(one) for one in found] if "turns" in test else found  # a conversation has no one answer


def _label(value: Any) -> str | None:
    return files.written(value, "output")


def _reported(run: dict[str, Any]) -> list[Reported]:
    """The mean score of each metric, without its errors, and the share of the tests that passed."""
    found = []
    for metric in map(mapping, sequence(run.get("metricsScores"))):
        name = metric.get("metric")
        scores = [x for x in map(number, sequence(metric.get("scores"))) if x is not None]
        if isinstance(name, str) and scores:
            found.append(Reported(sum(scores) / len(scores), "mean score", name))
    passed, failed = (number(run.get(key)) or 0 for key in ("testPassed", "testFailed"))
    if passed + failed > 0:
        found.append(Reported(passed / (passed + failed), "pass rate", PASSED))
    return found
