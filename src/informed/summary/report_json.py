"""Reports as plain data, schema 4 (`documents/assets/schema.json`), and back.

Numbers are at full precision, or null with a `why`. A report keeps the table it is about, so that
`loads` gives a report that every format can write again. Schema 2 adds `gates` to schema 1; schema 3
has `weighing` in the place of `squares` and `weighted_rows`, and adds `count`, `tool`, `score`,
`states`, and where labels are grades `order` and `grades`. Schema 4 has
the answer as one text. Reports of all four are read.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from informed.errors import InformedError
from informed.evidence import checks as build
from informed.evidence import table_json
from informed.evidence.table import Table
from informed.results import Gate, Note, picked, plain, plain_dict
from informed.summary import parts
from informed.summary.grades import Cut, Distance, Grades
from informed.summary.parts import ClassRow, Estimate
from informed.summary.states import states_of

if TYPE_CHECKING:
    from informed.decisions.curve import Curve
    from informed.summary.report import Report

SCHEMA = 4
READ = (1, 2, 3, 4)
PARTS = {
    "size": parts.Size,
    "elsewhere": parts.Elsewhere,
    "costs": parts.Costs,
    "score": parts.Score,
}  # that a report may lack
COUNTED = ("real", "predicted", "hits")  # of a class


def data(report: Report) -> dict[str, Any]:
    """A report as plain data."""
    held = {
        "informed": {"version": report.version, "schema": SCHEMA},
        "title": report.title,
        "command": report.command,
        "level": report.level,
        "count": report.count,
        "tool": report.tool,
        "context": dict(report.context),
        **_one(report),
    }
    if report.gates:
        held["gates"] = _data(report.gates)
    if report.examples:
        held["examples"] = _data(report.examples)
    if report.curve is not None:
        held["curve"] = _curve(report.curve)
    if report.groups:
        held["overview"] = _data(report.overview)
        held["groups"] = _by_name((g.name, _one(g)) for g in report.groups)
    return held


def _one(report: Report) -> dict[str, Any]:
    t = report.table
    return {
        "name": plain(report.name),
        "answer": " ".join(report.answer),
        "n": plain(t.n),
        "rows": plain(t.rows),
        "counted": plain_dict(picked(report.counted, "what n given silent weighted")),
        **({"labels": plain(t.real_labels)} if t.is_square else {}),
        "predicted_labels": plain(t.predicted_labels),
        "real_labels": plain(t.real_labels),
        "positive": plain(t.positive),
        "counts": table_json.as_data(t.cells),
        "weighing": table_json.weighing(t) or None,
        "missing": plain(t.missing),
        "abstained": None if t.unanswered is None else t.abstained.tolist(),
        "derived": t.derived,
        "score": _data(report.score),
        "states": {state: plain(n) for state, n in report.states},
        "measures": _by_measure(report.estimates),
        "classes": _by_name((c.label, _class(c)) for c in report.classes),
        "confusions": _data(report.confusions),
        "tests": {x.method: _data(x) for x in report.tests},
        **{name: _data(getattr(report, name)) for name in PARTS if name != "score"},
        **({} if t.stated is None else {"order": t.stated}),
        **({"unfinished": list(t.unfinished)} if t.unfinished else {}),
        **({} if report.grades is None else {"grades": _grades(report.grades)}),
        "warnings": list(report.warnings),
        "notes": list(report.source),
    }


def _grades(held: Grades) -> dict[str, Any]:
    measures = _by_measure(held.estimates)
    found = {f.name: _data(getattr(held, f.name)) for f in fields(held) if f.name != "estimates"}
    return {"sentence": held.sentence, "measures": measures, **found}


def _class(c: ClassRow) -> dict[str, Any]:
    counted = {name: getattr(c, name) for name in COUNTED}
    return {"label": plain(c.label), **counted, "verdict": c.verdict, **_by_measure(c.estimates)}


def _by_measure(estimates: Iterable[Estimate]) -> dict[str, Any]:
    return {held.pop("measure"): held for held in map(_data, estimates)}


def _by_name(pairs: Iterable[tuple[Any, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if str(name) in found:
            raise InformedError(f"Two names are both written {str(name)!r}; JSON needs one each.")
        found[str(name)] = value
    return found


def _data(x: Any) -> Any:
    """A part of a report by its fields; an estimate says what is above chance, or why nothing is."""
    if isinstance(x, tuple):
        return [_data(y) for y in x]
    if not is_dataclass(x) or isinstance(x, Note):
        return plain(x)

    held = {f.name: _data(getattr(x, f.name)) for f in fields(x)}
    if isinstance(x, Estimate):
        if held["worth"] is None:
            del held["worth"]
        unsaid = "it is infinite" if math.isinf(x.value) else "it is undefined"
        held |= {"above": plain(x.above), "why": x.why or (unsaid if held["value"] is None else None)}
    return held


def _curve(curve: Curve) -> dict[str, Any]:
    """Thresholds from the second on: at the first, which is infinite, nothing is positive."""
    names = ("labels", "positive", "thresholds", "tp", "fp", "squares", "exact", "auc_error", "missing")
    held = {name: getattr(curve, name) for name in names}
    held |= {name: held[name][1:] for name in ("thresholds", "tp", "fp")}
    held["squares"] = None if curve.squares is None else [x[1:] for x in curve.squares]
    return {name: plain(x) for name, x in held.items()}


# ---------------------------------------------------------------------- back


def loads(text: str, kind: type[Report]) -> Report:
    """The report that `json` wrote."""
    try:
        held = json.loads(text)
        if held["informed"]["schema"] not in READ:
            raise InformedError(
                f"This report is of schema {held['informed']['schema']!r}; this version of "
                f"informed reads schemas {READ[0]} to {READ[-1]}."
            )

        shared = {name: held[name] for name in ("title", "command", "level")}
        shared |= {"count": held.get("count", "answered"), "tool": held.get("tool", "")}
        shared |= {"context": tuple(held["context"].items()), "version": held["informed"]["version"]}
        groups = tuple(_report(kind, g, shared) for g in held.get("groups", {}).values())
        return _report(kind, held, shared, groups=groups, overview=_part(parts.Overview, held.get("overview")))
    except InformedError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise InformedError(
            f"This is not a report that `informed report --format json` wrote ({type(error).__name__}: {error})."
        ) from None


def _report(kind: type[Report], held: dict[str, Any], shared: dict[str, Any], **more: Any) -> Report:
    weighing = held["weighing"] if "weighing" in held else _old_weighing(held)
    if held.get("costs") and "system" in held["costs"]:  # as it was written before the name was one
        renamed = {"expected_cost" if name == "system" else name: x for name, x in held["costs"].items()}
        held = {**held, "costs": renamed}
    counted = {**held, **(weighing or {}), "missing": held["missing"] or None, "names": ()}
    table = Table(**table_json.fields(counted))
    return kind(
        table=table,
        estimates=_estimates(held["measures"]),
        classes=tuple(_read_class(c) for c in held["classes"].values()),
        confusions=tuple(_part(parts.Confusion, c) for c in held["confusions"]),
        tests=tuple(_part(parts.TestRow, x) for x in held["tests"].values()),
        **{name: _part(part, held.get(name)) for name, part in PARTS.items()},
        curve=_read_curve(held.get("curve")),
        grades=_read_grades(held.get("grades")),
        states=tuple(held["states"].items()) if "states" in held else states_of(table),
        examples=tuple(_part(parts.CellCases, x) for x in held.get("examples", ())),
        gates=tuple(_part(Gate, g) for g in held.get("gates", ())),
        name=held["name"],
        source=tuple(held["notes"]),
        **shared,
        **more,
    )


def _old_weighing(held: dict[str, Any]) -> dict[str, Any] | None:
    """What schemas 1 and 2 say of weighted cases: how many there were, not in which cells. There they are taken as
    in proportion to what equal weights would make of the sums of squares."""
    if held["squares"] is None:
        return None
    cells, squares = (np.asarray(x["count"] if isinstance(x, dict) else x) for x in (held["counts"], held["squares"]))
    alike = np.divide(cells**2, squares, out=np.zeros(squares.shape), where=squares > 0)
    cases = (alike * (held["weighted_rows"] - held["missing"]) / alike.sum()).tolist()
    many = isinstance(held["squares"], dict)
    return {"squares": held["squares"], "cases": {**held["squares"], "count": cases} if many else cases}


def _read_grades(held: dict[str, Any] | None) -> Grades | None:
    if held is None:
        return None
    return Grades(
        order=held["order"],
        estimates=_estimates(held["measures"]),
        cuts=tuple(_part(Cut, x) for x in held["cuts"]),
        distances=tuple(_part(Distance, x) for x in held["distances"]),
        off=held["off"],
        shuffled=held["shuffled"],
        notes=tuple(map(Note, held["notes"])),
    )


def _read_class(held: dict[str, Any]) -> ClassRow:
    of = {name: x for name, x in held.items() if isinstance(x, dict)}
    return ClassRow(held["label"], **{name: held[name] for name in COUNTED}, estimates=_estimates(of))


def _estimates(held: dict[str, Any]) -> tuple[Estimate, ...]:
    return tuple(_part(Estimate, {"measure": measure, **e}) for measure, e in held.items())


def _part(kind: Any, held: dict[str, Any] | None) -> Any:
    """A part of a report from its fields in JSON; None where there is none."""
    if held is None:
        return None
    return kind(**{f.name: _read(str(f.type), held[f.name]) for f in fields(kind) if f.name in held})


def _read(kind: str, x: Any) -> Any:
    """What stands in a field of this kind: null is NaN where a number is meant."""
    if x is None:
        return {"float": math.nan, "str": ""}.get(kind)
    if isinstance(x, dict):
        return _part(Estimate, x)
    if isinstance(x, list):
        return tuple(Note(y) if "Note" in kind else _read("float", y) for y in x)
    return x


def _read_curve(held: dict[str, Any] | None) -> Curve | None:
    if held is None:
        return None
    from informed.decisions.curve import Curve

    def whole(values: Any, first: float = 0.0) -> Any:
        return build.frozen([first, *values])

    squares = held["squares"]
    return Curve(
        thresholds=whole(held["thresholds"], np.inf),
        tp=whole(held["tp"]),
        fp=whole(held["fp"]),
        labels=tuple(held["labels"]),
        positive=held["positive"],
        exact=held["exact"],
        auc_error=_read("float", held["auc_error"]),
        squares=None if squares is None else (whole(squares[0]), whole(squares[1])),
        missing=held["missing"],
    )
