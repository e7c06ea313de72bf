"""Reports as plain data, schema 2 (`documents/assets/schema.json`), and back.

Numbers are at full precision, or null with a `why`. A report keeps the table it is about, so that
`loads` gives a report that every format can write again. Schema 2 adds `gates` to schema 1.
"""

from __future__ import annotations

import json
import math
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from informed.errors import InformedError
from informed.evidence import checks as build
from informed.evidence.table import Table
from informed.evidence.table_json import cells_as_data, cells_of_data
from informed.results import Gate, Note
from informed.summary.parts import ClassRow, Confusion, Costs, Elsewhere, Estimate, Overview, Size, TestRow

if TYPE_CHECKING:
    from informed.decisions.curve import Curve
    from informed.summary.report import Report

SCHEMA = 2
READ = (1, 2)
PLAIN = (str, int, float, bool)


def data(report: Report) -> dict[str, Any]:
    """A report as plain data."""
    return {
        "informed": {"version": report.version, "schema": SCHEMA},
        "title": report.title,
        "command": report.command,
        "level": report.level,
        "context": dict(report.context),
        **_one(report),
        **({"gates": [_flat(g) for g in report.gates]} if report.gates else {}),
        **({} if report.curve is None else {"curve": _curve(report.curve)}),
        **(
            {"overview": _flat(report.overview), "groups": _by_name([(g.name, _one(g)) for g in report.groups])}
            if report.groups
            else {}
        ),
    }


def _one(report: Report) -> dict[str, Any]:
    t = report.table
    square = {"labels": _labels(t.real_labels)} if t.is_square else {}
    return {
        "name": _label(report.name),
        "answer": list(report.answer),
        "n": _number(t.n),
        "rows": _number(t.rows),
        **square,
        "predicted_labels": _labels(t.predicted_labels),
        "real_labels": _labels(t.real_labels),
        "positive": None if t.positive is None else _label(t.positive),
        "counts": cells_as_data(t.cells),
        "squares": cells_as_data(t.squares),
        "weighted_rows": None if t.given is None else _number(float(t.given)),
        "missing": _number(t.missing),
        "abstained": _numbers(t.abstained) if t.unanswered is not None else None,
        "derived": t.derived,
        "measures": {e.measure: _estimate(e) for e in report.estimates},
        "classes": _by_name([(c.label, _class(c)) for c in report.classes]),
        "confusions": [_flat(c) for c in report.confusions],
        "tests": {x.method: _flat(x) for x in report.tests},
        "size": None if report.size is None else _flat(report.size),
        "elsewhere": None if report.elsewhere is None else _flat(report.elsewhere),
        "costs": None if report.costs is None else _flat(report.costs),
        "warnings": list(report.warnings),
        "notes": list(report.source),
    }


def _curve(curve: Curve) -> dict[str, Any]:
    """Thresholds from the second on: at the first, which is infinite, nothing is positive."""
    squares = curve.squares
    return {
        "labels": _labels(curve.labels),
        "positive": _label(curve.positive),
        "thresholds": _numbers(curve.thresholds[1:]),
        "tp": _numbers(curve.tp[1:]),
        "fp": _numbers(curve.fp[1:]),
        "squares": None if squares is None else [_numbers(x[1:]) for x in squares],
        "exact": curve.exact,
        "auc_error": _number(curve.auc_error),
        "missing": curve.missing,
    }


def _estimate(e: Estimate) -> dict[str, Any]:
    held = _flat(e)
    del held["measure"]
    held["above"] = _number(e.above)
    held["why"] = e.why or None
    if held["value"] is None and not e.why:
        held["why"] = "it is infinite" if math.isinf(e.value) else "it is undefined"
    return held


def _class(c: ClassRow) -> dict[str, Any]:
    return {
        "label": _label(c.label),
        "real": c.real,
        "predicted": c.predicted,
        "hits": c.hits,
        "verdict": c.verdict,
        **{e.measure: _estimate(e) for e in c.estimates},
    }


def _by_name(pairs: list[tuple[Any, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if str(name) in found:
            raise InformedError(f"Two names are both written {str(name)!r}; JSON needs one each.")
        found[str(name)] = value
    return found


def _flat(record: Any) -> dict[str, Any]:
    return {f.name: _plain(getattr(record, f.name)) for f in fields(record)}


def _plain(x: Any) -> Any:
    if isinstance(x, float):
        return _number(x)
    if isinstance(x, tuple):
        return [_plain(y) for y in x]
    if isinstance(x, Estimate):
        return {"measure": x.measure, **_estimate(x)}
    return _label(x)


def _number(x: float) -> float | None:
    return float(x) if math.isfinite(x) else None


def _numbers(x: Any) -> Any:
    return np.asarray(x, dtype=np.float64).tolist()


def _labels(labels: tuple[Any, ...]) -> list[Any]:
    return [_label(x) for x in labels]


def _label(x: Any) -> Any:
    return x if x is None or type(x) in PLAIN else str(x)


# ---------------------------------------------------------------------- back


def loads(text: str, kind: type[Report]) -> Report:
    """The report that `json` wrote."""
    try:
        held = json.loads(text)
        if held["informed"]["schema"] not in READ:
            raise InformedError(
                f"This report is of schema {held['informed']['schema']!r}; this version of "
                f"informed reads schemas {READ[0]} and {READ[-1]}."
            )

        shared = {
            "title": held["title"],
            "command": held["command"],
            "level": held["level"],
            "context": tuple(held["context"].items()),
            "version": held["informed"]["version"],
        }

        groups = tuple(_report(kind, g, shared) for g in held.get("groups", {}).values())
        overview = held.get("overview")
        return _report(
            kind, held, shared, groups=groups, overview=None if overview is None else _record(Overview, overview)
        )
    except InformedError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise InformedError(
            f"This is not a report that `informed report --format json` wrote ({type(error).__name__}: {error})."
        ) from None


def _report(kind: type[Report], held: dict[str, Any], shared: dict[str, Any], **more: Any) -> Report:
    return kind(
        table=_table(held),
        estimates=tuple(_read_estimate(m, e) for m, e in held["measures"].items()),
        classes=tuple(_read_class(c) for c in held["classes"].values()),
        confusions=tuple(_record(Confusion, c) for c in held["confusions"]),
        tests=tuple(_record(TestRow, x) for x in held["tests"].values()),
        size=None if held["size"] is None else _record(Size, held["size"]),
        elsewhere=None if held["elsewhere"] is None else _record(Elsewhere, held["elsewhere"]),
        costs=None if held["costs"] is None else _record(Costs, held["costs"]),
        curve=_read_curve(held.get("curve")),
        gates=tuple(_record(Gate, g) for g in held.get("gates", ())),
        name=held["name"],
        source=tuple(held["notes"]),
        **shared,
        **more,
    )


def _table(held: dict[str, Any]) -> Table:
    sizes = len(held["predicted_labels"]), len(held["real_labels"])
    silent, squares = held["abstained"], held["squares"]
    return Table(
        cells=cells_of_data(held["counts"], sizes, "counts"),
        predicted_labels=tuple(held["predicted_labels"]),
        real_labels=tuple(held["real_labels"]),
        positive=held["positive"],
        squares=None if squares is None else cells_of_data(squares, sizes, "squares"),
        unanswered=None if silent is None else build.classes_first(silent),
        dropped=build.frozen(held["missing"]) if held["missing"] else None,
        given=None if held["weighted_rows"] is None else build.frozen(held["weighted_rows"]),
        derived=held["derived"],
    )


def _read_curve(held: dict[str, Any] | None) -> Curve | None:
    if held is None:
        return None
    from informed.decisions.curve import Curve

    def whole(values: Any, first: float = 0.0) -> Any:
        return build.frozen(np.concatenate([[first], np.asarray(values, dtype=np.float64)]))

    squares = held["squares"]
    first, second = held["labels"]
    return Curve(
        thresholds=whole(held["thresholds"], np.inf),
        tp=whole(held["tp"]),
        fp=whole(held["fp"]),
        labels=(first, second),
        positive=held["positive"],
        exact=held["exact"],
        auc_error=math.nan if held["auc_error"] is None else held["auc_error"],
        squares=None if squares is None else (whole(squares[0]), whole(squares[1])),
        missing=held["missing"],
    )


def _read_estimate(measure: str, held: dict[str, Any]) -> Estimate:
    read: Estimate = _record(Estimate, {"measure": measure, **held, "why": held["why"] or ""})
    return read


def _read_class(held: dict[str, Any]) -> ClassRow:
    of = {k: v for k, v in held.items() if isinstance(v, dict)}
    return ClassRow(
        label=held["label"],
        real=held["real"],
        predicted=held["predicted"],
        hits=held["hits"],
        estimates=tuple(_read_estimate(m, e) for m, e in of.items()),
    )


def _record(kind: Any, held: dict[str, Any]) -> Any:
    """A frozen dataclass from its JSON: null is NaN where a number is meant."""
    values = {}
    for f in fields(kind):
        x = held[f.name]
        if f.name == "notes":
            x = tuple(Note(said) for said in x)
        elif x is None and f.type == "float":
            x = math.nan
        elif isinstance(x, dict):
            x = _read_estimate(x["measure"], x)
        values[f.name] = _tuples(x)
    return kind(**values)


def _tuples(x: Any) -> Any:
    if isinstance(x, dict):
        return _read_estimate(x["measure"], x)
    if isinstance(x, list):
        return tuple(math.nan if y is None else _tuples(y) for y in x)
    return x
