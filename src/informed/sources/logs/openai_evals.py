"""OpenAI evals: JSON lines of a `spec`, then events, then a `final_report`.

The events of type "match" are the cases: `expected` is the real label and `picked` the answer.
A null `picked` is an abstention where options were offered. Where none were (the "match"
template then lists only the expected answers as its options), a null says that the sampled text
was another one, so the sampled text is the answer.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from informed.sources.logs import bounded_files as files
from informed.sources.logs.bounded_files import Problem, letters, mapping, number, sequence, several, written
from informed.sources.logs.formats import Format
from informed.sources.logs.log import Case, Log
from informed.sources.logs.scorers import reported

UNREPORTED = "This log has no final report: its run was cut short, or it is still being written."


def recognise(head: str) -> bool:
    """Whether the first line is the `spec` of a run."""
    return "eval_name" in mapping(files.first_record(head).get("spec"))


@Format("openai-evals", "OpenAI evals log", recognise)
def read(path: Path, *, accepted: Literal["matched"] | None = None) -> Log:
    """The cases of a recorded run."""
    spec: dict[str, Any] = {}
    report: dict[str, Any] = {}
    cases: list[Case] = []
    for line, record in files.records(path):
        spec = mapping(record.get("spec")) or spec
        report = mapping(record.get("final_report")) or report
        if record.get("type") == "match":
            cases.append(_case(record, accepted, line))

    if not cases:
        raise Problem('there is no event of type "match" in this log.')

    # labels are places only where every item offers letters in their order
    positions = all(
        case.options is not None
        and case.fields["offered"] == letters(case.options)
        and case.real in case.fields["offered"]
        for case in cases
    )
    cases = [case._replace(fields={k: v for k, v in case.fields.items() if k != "offered"}) for case in cases]

    names = several(sequence(spec.get("completion_fns")), "model")
    return Log(
        path=path,
        cases=cases,
        model=", ".join(names) or None,
        task=written(spec.get("eval_name"), "eval_name"),
        multiple_choice=positions,
        reported=reported(report),
        notes=_notes(cases, report),
        unfinished="" if report else UNREPORTED,
    )


def _notes(cases: list[Case], report: dict[str, Any]) -> tuple[str, ...]:
    accuracy = number(report.get("accuracy"))
    right = sum(case.mark == 1 for case in cases) / len(cases)
    if accuracy is None or abs(accuracy - right) < 1e-9:
        return ()
    return (f"the final report says accuracy {accuracy:.4g}, and its own events {right:.4g}.",)


def _case(record: dict[str, Any], accepted: str | None, line: int) -> Case:
    data = mapping(record.get("data"))
    if "expected" not in data:
        raise Problem('a "match" event needs `data.expected`.', line)
    expected = several(data["expected"], "expected answer", line)
    offered = tuple(several(sequence(data.get("options")), "option", line))

    answer = _one(data.get("picked"), "picked answer", line)
    open_ended = set(offered) <= set(expected)
    if answer is None and open_ended:
        answer = _one(data.get("sampled"), "sampled answer", line)
    mark = files.mark(data.get("correct"))
    real = files.accepted_one(expected, answer, accepted, line, marked=mark is not None)
    return Case(
        real=real,
        predicted=answer,
        item=str(record.get("sample_id", line)),
        options=None if open_ended else len(offered),
        mark=mark,
        fields={**files.scalars(data), "offered": offered},
    )


def _one(value: Any, what: str, line: int) -> str | None:
    """An answer, or the first of a list of them."""
    if isinstance(value, list):
        value = value[0] if value else None
    return written(value, what, line)
