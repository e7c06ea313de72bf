"""informed compare"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from informed.cli._options import ANNOTATE, LEVEL, SOURCE, choice, column, output_options, together
from informed.cli._systems import Systems, answering, read_systems

if TYPE_CHECKING:
    from informed.documents.document import Document
    from informed.results import Gate
    from informed.systems.comparison import Comparison

ADJUST = ("holm", "hochberg", "hommel", "bonferroni", "sidak", "max-t", "bh", "by", "none")
SILENT = 6  # systems whose abstentions are shown one by one

compare_options = together(
    *(option for name, option in SOURCE.items() if name not in ("predicted", "by")),
    column(
        "--predicted",
        multiple=True,
        help="Column of the predictions; once for each system where they stand side by side.",
    ),
    column(
        "--by",
        multiple=True,
        help="A long file: the column that names the system. Given again, or where columns or "
        "files are the systems: slices (language, site).",
    ),
    column("--item", help="The column that names the item."),
    column("--fold", help="Folds or seeds, as repeated measures."),
    click.option(
        "--test-share",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        help="Share of the cases that a fold tests on; by default as in cross-validation.",
    ),
    column("--unit", help="Items that belong together: document, patient."),
    click.option(
        "--score",
        "scores",
        metavar="[NAME=]COL",
        multiple=True,
        help="How sure a system is, for a risk–coverage curve; NAME= where systems are columns.",
    ),
    click.option("--measure", default="informedness", show_default=True, help="What to compare."),
    LEVEL,
    click.option("--method", default="auto", show_default=True, help="Of interval and test."),
    choice(
        "--sampling",
        *("multinomial", "fixed-reals"),
        help="Two systems: whether the class sizes were fixed beforehand.",
    ),
    click.option("--baseline", metavar="NAME", help="The system to compare with."),
    choice("--adjust", *ADJUST, help="More than two systems: for asking about all pairs."),
    click.option(
        "--margin",
        type=click.FloatRange(0, 1, min_open=True),
        help="Two systems: test that they differ, or the first is worse, by less than this.",
    ),
    click.option(
        "--fail-worse",
        type=click.FloatRange(0, 1),
        metavar="MARGIN",
        help="Exit 1 if the first system is shown to be worse than the baseline by more than this.",
    ),
    click.option(
        "--fail-unless",
        type=click.FloatRange(0, 1, min_open=True),
        metavar="MARGIN",
        help="Exit 1 unless it is shown to be worse by less than this.",
    ),
    ANNOTATE,
    output_options(),
)


@click.command("compare")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@compare_options
def command(files: tuple[str, ...], form: str, output: str | None, annotate: bool, **options: Any) -> None:
    """Is one system better than another, or is it luck?

    Systems on the same items stand in columns side by side (--predicted for each), below each
    other (--by system --item id), or in one file each (--on id); with --on, one file may hold
    the real labels and the others predictions only. Two files without --on, or --by without
    --item, are different items. Two systems are compared; more make a leaderboard. Evaluation
    logs, a file for each system, are joined by their items. A missing label is an error, unless
    --missing says otherwise; in joins and logs a missing prediction is an abstention. The gates
    are one-sided, at --level.

    \b
    informed compare run.csv --real truth --predicted new --predicted old
    informed compare long.csv --real truth --predicted answer --by system --item id
    informed compare truth.csv new.csv old.csv --real label --predicted answer --on id
    informed compare run.csv --real y --predicted new --predicted old --by language --fold fold
    informed compare run.csv --real y --predicted new --predicted old --fail-worse 0.02
    informed compare samples_new.jsonl samples_old.jsonl
    informed compare run.csv --real y --predicted new --predicted old -o new-and-old.html
    """
    from informed.cli._pages import show

    named = {name: options[name] for name in ("predicted", "by", "real", "delimiter", "on", "item")}
    found = read_systems(files, options)
    gates = _gates(found, options)
    page = _two(found, options) if len(found.names) == 2 else _board(found, options)
    page = _silence(page, found)
    if len(found.names) == 2 and found.paired is not None and found.paired.unsaid:
        page = _noted(page, f"{found.paired.unsaid:,} missing answers count as abstentions.")
    for name in found.slices:
        page = _sliced(page, found, name, options)
    if found.fold is not None:
        page = _folded(page, found, options)
    for text in options["scores"]:
        page = _risked(page, _scored(found, files, named, text), options)
    if found.paired is not None and found.paired.unit is not None:
        page = _independent(page, len(found.names))
    show(replace(page, gates=tuple(gates)), form, output, annotate=annotate)


# ---------------------------------------------------------------------- two systems, or many


def _pair(names: tuple[Hashable, ...], baseline: str | None) -> tuple[Hashable, Hashable]:
    """The first system that is not the baseline, and the baseline (or the second system)."""
    from informed.errors import InferenceError

    if baseline is None:
        return names[0], names[1]
    if baseline not in names:
        raise InferenceError(f"There is no system {baseline!r}; there are {', '.join(map(repr, names))}.")
    return next(name for name in names if name != baseline), baseline


def _comparison(found: Systems, options: dict[str, Any], method: str) -> Comparison:
    from informed import compare

    a, b = _pair(found.names, options["baseline"])
    how: dict[str, Any] = {"level": options["level"], "method": method}
    how["sampling"] = options["sampling"]
    if found.paired is not None:
        return compare.paired(found.paired, a=a, b=b, **how)
    tables: Any = found.held
    return compare(tables[a], tables[b], names=(a, b), **how)


def _two(found: Systems, options: dict[str, Any]) -> Document:
    from informed import report

    c = _comparison(found, options, options["method"])
    return report(c, measure=options["measure"], margin=options["margin"])


def _board(found: Systems, options: dict[str, Any]) -> Document:
    from informed import leaderboard, report
    from informed.errors import InferenceError

    if found.paired is None:
        raise InferenceError(
            f"{len(found.names)} systems on different items: a leaderboard takes the same items "
            "(give --item or --on), a comparison two systems."
        )
    if options["margin"] is not None:
        raise InferenceError(
            f"--margin is for two systems, and there are {len(found.names)}; --fail-unless with "
            "--baseline tests one of them."
        )
    method: Any = "smoothed" if options["method"] == "auto" else options["method"]
    return report(
        leaderboard(
            predictions=found.paired,
            measure=options["measure"],
            level=options["level"],
            adjust=options["adjust"],
            baseline=options["baseline"],
            method=method,
        )
    )


def _gates(found: Systems, options: dict[str, Any]) -> list[Gate]:
    """What was asked for with --fail-worse and --fail-unless, and whether it holds."""
    from informed.errors import InferenceError
    from informed.systems.gates import not_worse

    asked = [
        (margin, unless)
        for margin, unless in ((options["fail_worse"], False), (options["fail_unless"], True))
        if margin is not None
    ]
    if asked and len(found.names) > 2 and options["baseline"] is None:
        raise InferenceError("With more than two systems a gate needs --baseline NAME.")
    if not asked:
        return []
    c = _comparison(found, options, options["method"] if len(found.names) == 2 else "auto")
    return [not_worse(c, options["measure"], m, shown_to_be=unless) for m, unless in asked]


# ---------------------------------------------------------------------- other views of them


def _independent(made: Document, systems: int) -> Document:
    """What does not know of clusters says so."""
    if not any(key.startswith(("abstention", "by ", "folds", "risk")) for key in made.data):
        return made
    what = "the comparison" if systems == 2 else "the leaderboard"
    note = f"Clusters are allowed for in {what}; below it, items count as independent."
    return _noted(made, note)


def _noted(made: Document, note: str) -> Document:
    from informed.results import Note

    return replace(made, notes=(*made.notes, Note(note)))


def _silence(made: Document, found: Systems) -> Document:
    """What abstaining does, for the systems that abstain."""
    from informed import abstention, report

    tables: Any = found.held if found.paired is None else found.paired.tables
    silent = [name for name in found.names if tables[name].abstained.sum() > 0][:SILENT]
    for i, name in enumerate(silent):
        one = report(abstention(tables[name]), name=str(name), key=f"silent-{i}-")
        made = made.and_(one, f"abstention of {name}")
    return made


def _sliced(made: Document, found: Systems, column: str, options: dict[str, Any]) -> Document:
    from informed import report, slices

    assert found.paired is not None
    t = found.paired.tables_by(found.paired.kept[column])
    cut = slices(t, measure=options["measure"], level=options["level"])
    at = found.slices.index(column)
    return made.and_(report(cut, name=column, key=f"by-{at}-"), f"by {column}")


def _folded(made: Document, found: Systems, options: dict[str, Any]) -> Document:
    from informed import folds, report

    assert found.paired is not None
    assert found.fold is not None
    t = found.paired.tables_by(found.paired.kept[found.fold])
    share = options["test_share"]
    cut = folds(
        t.answered,
        measure=options["measure"],
        level=options["level"],
        test_share=1 / t.shape[1] if share is None else share,
    )
    return made.and_(report(cut), "folds")


def _risked(made: Document, scored: dict[Hashable, dict[str, Any]], options: dict[str, Any]) -> Document:
    """A risk–coverage curve of each system that has a score."""
    from informed import report, risk_coverage

    # What may not be missing was refused when the systems were read.
    policy: dict[str, Any] = {"abstain": list(options["abstain"]) or None}
    policy["missing"] = "drop" if options["missing"] == "drop" else "abstain"
    for name, held in scored.items():
        curve = risk_coverage(**held, **policy)
        at = sum(key.startswith("risk") for key in made.data)
        made = made.and_(report(curve, name=str(name), key=f"risk-{at}-"), f"risk of {name}")
    return made


def _scored(found: Systems, files: tuple[str, ...], named: dict[str, Any], text: str) -> dict[Hashable, dict[str, Any]]:
    """Real labels, predictions and scores, of each system that has them."""
    from informed.errors import SourceError
    from informed.sources.columns import columns as read_columns

    real, predicted, by = named["real"], named["predicted"], named["by"]
    system, equals, column = text.rpartition("=")

    def rows(file: str, names: list[str]) -> dict[str, list[Any]]:
        held = read_columns(file, list(dict.fromkeys(names)), delimiter=named["delimiter"])
        try:
            return {**held, column: [_sure(x) for x in held[column]]}
        except (TypeError, ValueError):
            raise SourceError(f"The score {column!r} of {file} is no number in some row.") from None

    def one(held: dict[str, list[Any]], answer: str) -> dict[str, Any]:
        return {"real": held[real], "predicted": held[answer], "score": held[column]}

    if len(predicted) > 1:
        if not equals or system not in predicted:
            raise SourceError(
                f"--score {text}: of which system is it? Write NAME=COL with a name among {', '.join(predicted)}."
            )
        return {system: one(rows(files[0], [real, system, column]), system)}
    if found.truth is not None:
        return _joined_scores(found, files, named, column, rows)
    if len(files) > 1:
        return {
            name: one(rows(file, [real, predicted[0], column]), predicted[0])
            for name, file in zip(found.names, files, strict=True)
        }
    held = rows(files[0], [by[0], real, predicted[0], column])
    return {
        name: one(
            {
                key: [x for x, who in zip(values, held[by[0]], strict=True) if who == name]
                for key, values in held.items()
            },
            predicted[0],
        )
        for name in found.names
    }


def _joined_scores(
    found: Systems, files: tuple[str, ...], named: dict[str, Any], column: str, rows: Any
) -> dict[Hashable, dict[str, Any]]:
    """The same, where one file has the real labels and the others the predictions and scores."""
    from informed.sources.columns import columns as read_columns

    assert found.truth is not None
    on, answer = named["on"] or named["item"], named["predicted"][0]
    truth = read_columns(files[found.truth], [on, named["real"]], delimiter=named["delimiter"])
    real = dict(zip(truth[on], truth[named["real"]], strict=True))
    others = answering(files, found.truth, {**named, "predicted": answer})
    made = {}
    for name, file in zip(found.names, others, strict=True):
        held = rows(file, [on, answer, column])
        said = dict(zip(held[on], zip(held[answer], held[column], strict=True), strict=True))
        pairs = [said.get(item, (None, float("nan"))) for item in real]
        predicted, score = zip(*pairs, strict=True)
        made[name] = {"real": list(real.values()), "predicted": predicted, "score": score}
    return made


def _sure(x: Any) -> float:
    return float("nan") if x is None else float(x)
