"""promptfoo: the output of an evaluation as `.json`, `.jsonl` or `.csv`; several systems in one file.

A system is a provider, with its prompt where there are several prompts. An item is a set of
variables, so that tests of equal variables are epochs of one item. The mark is whether the test
passed; each named score is a scorer of its own. The real label is the value of an "equals"
assertion, which a CSV does not hold: there, ``real="expected"`` names its column.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from informed.evidence.labels import some, text
from informed.sources.logs import bounded_files as files
from informed.sources.logs import openings
from informed.sources.logs.bounded_files import Problem, label, mapping, number, sequence, string
from informed.sources.logs.formats import Format
from informed.sources.logs.log import Case, Log, Reported
from informed.sources.logs.parts import systems
from informed.sources.logs.scorers import grade, graded, in_epochs, marks_only

PASSED = "passed"  # the scorer that is the outcome of the test
ERROR = 2  # the reason of a failure that is no failed assertion
LINE = {"promptIdx", "testIdx", "success", "vars", "failureReason"}
OUTPUT = re.compile(r"\[(.+?)\] (.*)", re.DOTALL)  # the name of a column of answers: provider and prompt
VARIABLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")


def recognise(head: str) -> bool:
    """Whether the text begins as an output file: by its keys, or by the columns that each system has."""
    if keys := openings.keys(head):
        return {"results.version", "results.prompts"} <= keys or keys >= LINE
    return bool(_outputs(openings.columns(head)))


@Format("promptfoo", "promptfoo output", recognise, choose="scorer")
def read(path: Path, *, real: str | None = None) -> Log:
    """The cases of each system; `real` names the variable that is the real label."""
    start = openings.start(path)
    summary: dict[str, Any] = {}
    if start.lstrip()[:1] not in ("{", "["):
        cases = _wide(path, real)
    else:
        if openings.keys(start) >= LINE:
            rows = [row for _, row in files.records(path)]
        else:
            summary = mapping(files.content(path).get("results"))
            rows = [mapping(row) for row in sequence(summary.get("results"))]
        rows.sort(key=_place)
        several = len({_prompt(row) for row in rows}) > 1
        cases = [case for place, row in enumerate(rows, 1) for case in _cases(row, place, several, real)]

    if not cases:
        raise Problem("there are no results in this file.")
    cases, notes = marks_only(cases)
    told = {"time": string(summary.get("timestamp"))}
    log = Log(path, in_epochs(cases), choose="scorer", reported=_reported(summary), facts=told, notes=notes)
    held = systems(log)
    return held[0] if len(held) == 1 else log


# ---------------------------------------------------------------- one result


def _cases(row: dict[str, Any], place: int, several: bool, real: str | None) -> Iterator[Case]:
    """The case of a result for the outcome of the test, and for each of its named scores."""
    success, test = row.get("success"), mapping(row.get("testCase"))
    if not isinstance(success, bool):
        raise Problem(f"result {place:,} does not say whether the test passed (`success`).")
    variables = mapping(row.get("vars")) or mapping(test.get("vars"))
    failed = row.get("failureReason") == ERROR
    case = Case(
        real=_chosen(variables, real) if real is not None else _real(row, test, variables),
        predicted=None if failed else label(mapping(row.get("response")).get("output")),
        item=json.dumps(variables, sort_keys=True),
        fields=files.scalars(test.get("metadata")),
        state="error" if failed else None,
        system=_system(_provider(row.get("provider")), _prompt(row) if several else None),
    )
    yield graded(case, PASSED, float(success))

    # An error has no named scores; those it would have had are named by its assertions.
    asserted = [mapping(x).get("metric") for x in sequence(test.get("assert"))] if failed else []
    missing = {name: None for name in asserted if isinstance(name, str) and "{{" not in name}
    yield from _named(case, {**missing, **mapping(row.get("namedScores"))})


def _named(case: Case, scores: dict[str, Any]) -> Iterator[Case]:
    for name, score in scores.items():
        yield graded(case, name if name != PASSED else f"{name} (named)", grade(score))


def _real(row: dict[str, Any], test: dict[str, Any], variables: dict[str, Any]) -> str | None:
    """What the one "equals" assertion compares with, after its variables are filled in."""
    graded = [mapping(x) for x in sequence(mapping(row.get("gradingResult")).get("componentResults"))]
    pairs = [(mapping(x.get("assertion")), mapping(x.get("metadata")).get("renderedAssertionValue")) for x in graded]
    pairs = pairs or [(mapping(x), None) for x in sequence(test.get("assert"))]
    equal = [(held.get("value"), rendered) for held, rendered in pairs if held.get("type") == "equals"]
    if len(equal) != 1:
        return None
    value, rendered = equal[0]
    if rendered is None and isinstance(value, str):
        rendered = VARIABLE.sub(lambda name: str(variables.get(name[1], name[0])), value)
        rendered = None if "{{" in rendered else rendered
    return label(value if rendered is None and not isinstance(value, str) else rendered)


def _chosen(variables: dict[str, Any], name: str) -> str | None:
    if name not in variables:
        raise Problem(f"there is no variable {text(name)}; there is {some(list(variables), 12)}.")
    return label(variables[name])


def _provider(value: Any) -> str | None:
    """A provider by its label, or else by its id."""
    held = value if isinstance(value, dict) else {"id": value}
    names = [held.get(key) for key in ("label", "id")]
    return next((name for name in names if isinstance(name, str) and name), None)


def _place(row: dict[str, Any]) -> tuple[float, float]:
    """The order of systems and tests; rows are written as they end."""
    return number(row.get("promptIdx")) or 0, number(row.get("testIdx")) or 0


def _prompt(row: dict[str, Any]) -> str | None:
    return string(mapping(row.get("prompt")).get("label"))


def _system(provider: str | None, prompt: str | None) -> str | None:
    return ", ".join(part for part in (provider, prompt) if part) or None


# ---------------------------------------------------------------- what promptfoo reports


def _reported(summary: dict[str, Any]) -> list[Reported]:
    """The share of tests that passed, of each system, and the means of its named scores."""
    prompts = [mapping(x) for x in sequence(summary.get("prompts"))]
    labels = {x.get("label") for x in prompts if isinstance(x.get("label"), str)}
    found: list[Reported] = []
    for prompt in prompts:
        metrics, called = mapping(prompt.get("metrics")), string(prompt.get("label"))
        of = _system(_provider(prompt.get("provider")), called if len(labels) > 1 else None)
        counted = [number(metrics.get(f"test{name}Count")) or 0 for name in ("Pass", "Fail", "Error")]
        if sum(counted) > 0:
            found.append(Reported(counted[0] / sum(counted), "pass rate", PASSED, system=of))
        for name, total in mapping(metrics.get("namedScores")).items():
            times, score = number(mapping(metrics.get("namedScoresCount")).get(name)), number(total)
            if times and score is not None:
                found.append(Reported(score / times, name, name, system=of))
    return found


# ---------------------------------------------------------------- CSV


def _outputs(columns: Sequence[str]) -> dict[int, str]:
    """Where the answers of each system are, and what it is called."""
    named = {i: OUTPUT.fullmatch(name) for i, name in enumerate(columns)}
    pairs = {i: (m[1], m[2]) for i, m in named.items() if m and list(columns[i + 1 : i + 3]) == ["Status", "Score"]}
    several = len({prompt for _, prompt in pairs.values()}) > 1
    return {i: _system(provider, prompt if several else None) or "" for i, (provider, prompt) in pairs.items()}


def _wide(path: Path, real: str | None) -> list[Case]:
    """The cases of a CSV: a row for each test, and some columns for each system, of the same names."""
    columns, rows = files.table(path)
    outputs = _outputs(columns)
    if not outputs:
        raise Problem("no column holds answers, as `[provider] prompt` followed by `Status` and `Score`.")
    places = [*outputs, len(columns)]
    names = [(i, name) for i, name in enumerate(columns[: places[0]]) if name != "Description"]

    cases: list[Case] = []
    for line, row in enumerate(rows, 2):
        variables = {name: row[i] for i, name in names}
        of = Case(None if real is None else _chosen(variables, real), None, item=json.dumps(variables, sort_keys=True))
        for at, end in pairwise(places):
            status = row[at + 1].strip().upper()
            if status not in ("PASS", "FAIL", "ERROR"):
                raise Problem(f"row {line:,} has the status {text(row[at + 1])}; PASS, FAIL or ERROR is needed.")
            case = of._replace(system=outputs[at], predicted=label(row[at]))
            if status == "ERROR":
                case = case._replace(state="error", predicted=None)
            cases.append(graded(case, PASSED, float(status == "PASS")))
            scores = {
                columns[i].removeprefix("Metric: "): row[i] for i in range(at, end) if columns[i][:8] == "Metric: "
            }
            cases += _named(case, {name: score for name, score in scores.items() if score or status == "ERROR"})
    return cases
