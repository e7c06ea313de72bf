"""informed compare"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from informed.cli._any_time import ANY_TIME, asked_at_any_time, said_at_any_time
from informed.cli._options import (
    ANNOTATE,
    COUNT,
    DECIDE,
    FAIL_OVER,
    GATES,
    GUARDS,
    LEVEL,
    LOG_OPTIONS,
    SOURCE,
    WEIGHING,
    Amount,
    Source,
    check_decide,
    choice,
    chosen,
    column,
    gates_asked,
    margins_of,
    most_of,
    output_options,
    picked_of,
    together,
)
from informed.cli._probabilities import PROBABILITY_OPTIONS, or_probabilities, show_probability_comparison
from informed.cli._seeds import read_trainings
from informed.cli._suites import Opened, many, read_suite, stops_of, suite_page
from informed.cli._systems import Compared, Systems, gates_of, of_one_task, read_systems
from informed.cli._tags import TAG_OPTIONS, or_tags, show_comparison

if TYPE_CHECKING:
    from informed.documents.document import Document
    from informed.systems.comparison import Comparison
    from informed.systems.folds import Folds

ADJUST = ("auto", "max-t", "holm", "hochberg", "hommel", "bonferroni", "sidak", "bh", "by", "none")
WHAT = {
    "corrected-t": "repeats of cross-validation",
    "crossed": "items crossed with seeds",
    "friedman": "ranks over data sets",
}
SILENT = 6  # systems whose abstentions are shown one by one

compare_options = together(
    *(option for name, option in SOURCE.items() if name not in ("predicted", "by", "unit", "item")),
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
    column("--item", help="The column that names the item; answers to one item count as one."),
    column("--fold", help="Folds, seeds or data sets, as repeated measures."),
    column("--repeat", help="Which repeat of cross-validation a fold belongs to."),
    click.option(
        "--design",
        type=click.Choice(("partition", "repeated", "decoding-seeds", "training-seeds", "data-sets", "case-control")),
        help="What the folds are; by default what the items show. case-control: the class sizes were chosen, so that "
        "precision, accuracy and the like are not compared.",
    ),
    click.option(
        "--test-share",
        type=Amount(0, 1, min_open=True, max_open=True),
        help="Share of the cases that a fold tests on; by default as in cross-validation.",
    ),
    column("--unit", help="Items that belong together: document, patient; of logs, any field."),
    click.option(
        "--relative",
        is_flag=True,
        help="Ratios of the two, a / b, instead of differences: --measure recall --relative.",
    ),
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
        *("multinomial", "fixed-reals", "case-control"),
        help="Two systems: whether the class sizes were fixed beforehand; case-control as with --design.",
    ),
    click.option("--baseline", metavar="NAME", help="The system to compare with."),
    choice("--adjust", *ADJUST, help="More than two systems: for asking about all pairs."),
    click.option(
        "--margin",
        type=Amount(0, min_open=True),
        help="Two systems: test that they differ, or the first is worse, by less than this; of ratios "
        "(lr, nlr, odds_ratio) a factor, such as 1.25.",
    ),
    click.option(
        "--fail-worse",
        type=Amount(0),
        metavar="MARGIN",
        help="Exit 1 if the first system is shown to be worse than the baseline by more than this.",
    ),
    click.option(
        "--fail-unless",
        type=Amount(0, min_open=True),
        metavar="MARGIN",
        help="Exit 1 unless it is shown to be worse by less than this.",
    ),
    click.option(
        "--fail-under",
        metavar="MEASURE=VALUE",
        multiple=True,
        help="Exit 1 if the first system is below this value; informedness.low=0.1 is of the lower limit, and "
        "score=0.6 for marks, too.",
    ),
    FAIL_OVER,
    DECIDE,
    GATES,
    ANY_TIME,
    TAG_OPTIONS,
    PROBABILITY_OPTIONS,
    LOG_OPTIONS,
    WEIGHING,
    GUARDS,
    COUNT,
    ANNOTATE,
    output_options(terms=True),
)


@click.command("compare")
@click.argument("files", nargs=-1, required=True, metavar="FILE…", type=Source())
@compare_options
@or_probabilities(show_probability_comparison)
@or_tags(show_comparison)
def command(files: tuple[str, ...], form: str, output: str | None, annotate: bool, **options: Any) -> None:
    """Is one system better than another, or is it luck?

    Systems on the same items stand in columns side by side (--predicted for each), below each
    other (--by system --item id), or in one file each (--on id); with --on, one file may hold
    the real labels and the others predictions only. Two files without --on, or --by without
    --item, are different items. Two systems are compared; more make a leaderboard. Evaluation
    logs are joined by their items: a file for each system, or a folder, NAME=path or pattern with
    many tasks, whose mean is compared. A missing label is an error, unless --missing says otherwise;
    in joins and logs an empty prediction is no answer, and an item without a row was not run. The
    gates are one-sided, at --level. Systems whose answers a judge graded, and people some of them, are
    compared by `informed verify`.

    \b
    informed compare run.csv --real truth --predicted new --predicted old
    informed compare long.csv --real truth --predicted answer --by system --item id
    informed compare truth.csv new.csv old.csv --real label --predicted answer --on id
    informed compare run.csv --real y --predicted new --predicted old --by language --fold fold
    informed compare run.csv --real y --predicted new --predicted old --fail-worse 0.02
    informed compare films.csv --real tags --predicted new --predicted old --separator ';'
    informed compare forecasts.csv --real rain --probability new --probability old
    informed compare samples_new.jsonl samples_old.jsonl
    informed compare new=results/model-b old=results/model-a
    informed compare new=new-*.jsonl old=old-*.jsonl --seed file
    informed compare run.csv --real y --predicted new --predicted old -o new-and-old.html
    """
    from informed import report
    from informed.cli._pages import show
    from informed.errors import InferenceError
    from informed.evidence.label_policy import Held
    from informed.results import Note
    from informed.summary.checks import total_only
    from informed.summary.titles import with_data

    if options["design"] == "case-control":
        options |= {"design": None, "sampling": "case-control"}
    _check_margins(options)
    check_decide(options)
    most, which = most_of(options), picked_of(options)
    any_time = asked_at_any_time(options, which, None)
    said_at_any_time(any_time, files, {name: options[name] for name in SOURCE}, which, options, two=True)
    opened = Opened()
    trained = which.get("seed") is not None
    suite = None
    if not trained and many(files, options, which, opened):
        suite = read_suite(files, which, options, opened=opened)
        if suite.classes is None or options["tasks"] == "random":
            return show(suite_page(suite, options, most), form, output, annotate=annotate)
        found = of_one_task(suite.classes, options)
    else:
        found = read_trainings(files, options, which) if trained else read_systems(files, options, which, opened)
    if options["baseline"] is not None:
        options["baseline"] = Held(found.names)(options["baseline"])  # 1 of a column of integers
    two = len(found.names) == 2
    if options["relative"] and (not two or any(options[x] for x in ("fail_worse", "fail_unless", "fold"))):
        raise InferenceError("--relative gives the ratios of two systems; gates, folds and more take differences.")
    asked = margins_of(options) or options["decide"]
    own = options["fail_under"] or options["fail_over"]
    if asked and not two and options["baseline"] is None:
        raise InferenceError("With more than two systems a gate needs --baseline NAME.")

    over = _folds(found, options)
    leads = over is not None and over.method != "items"
    c = _comparison(found, options) if asked or own or (two and not leads) else None
    stops = stops_of(suite, found.names, most) if suite is not None and (asked or own) else ()
    said = total_only(gates_asked(dict(options)), len(found.slices), margins=bool(margins_of(options)))

    def of_slice(part: Systems) -> Compared:
        folded = _folds(part, options) if leads else None
        return Compared(_comparison(part, options), folded)

    whole = None if c is None else Compared(c, over if leads else None)
    gates = () if whole is None else tuple(stops) or gates_of(found, whole, of_slice, options, most)
    if over is not None and leads:
        page = report(over)
        page = replace(page, data={"systems": list(over.names), "folds": page.data})
    elif two and c is not None:
        page = _two(c, options)
    else:
        page = _board(found, options)
    for view, name in _views(found, options):
        page = page.and_(view, name)
    if over is not None and not leads:
        page = page.and_(report(over), "folds")

    notes: tuple[Note, ...] = ()
    if two and found.paired is not None and found.paired.unsaid:
        notes = (Note(f"{found.paired.unsaid:,} missing answers count as abstentions."),)
    more = () if suite is None else suite.notes
    page = replace(page, title=with_data(page.title, files), notes=(*said, *page.notes, *notes, *more), gates=gates)
    return show(page, form, output, annotate=annotate)


# ---------------------------------------------------------------------- two systems, or many


def _check_margins(options: dict[str, Any]) -> None:
    """A margin is a difference up to 1, or of a measure that is a ratio a factor from 1."""
    from informed.errors import InferenceError, MeasureError
    from informed.measures import find

    try:
        factor = options["relative"] or find(options["measure"]).facts.scale == "log"
    except MeasureError:  # of marks, or no measure at all, which is said where it is looked for
        factor = False
    for name in ("margin", "fail_worse", "fail_unless"):
        value = options[name]
        if value is not None and (value < 1 if factor else value > 1):
            needed = "a factor of 1 or more, such as 1.25" if factor else "a difference between 0 and 1"
            raise InferenceError(f"--{name.replace('_', '-')} is {value:g}; of {options['measure']} it is {needed}.")


def _comparison(found: Systems, options: dict[str, Any]) -> Comparison:
    """The first system that is not the baseline, and the baseline (or the second system)."""
    from informed import Table, compare
    from informed.errors import InferenceError

    names, baseline = found.names, options["baseline"]
    if baseline not in (None, *names):
        raise InferenceError(f"There is no system {baseline!r}; there are {', '.join(map(repr, names))}.")
    a, b = names[:2] if baseline is None else (next(name for name in names if name != baseline), baseline)
    how = {name: options[name] for name in ("level", "sampling", "count")}
    how["method"] = options["method"] if len(names) == 2 else "auto"
    if found.paired is not None:
        return compare.paired(found.paired, a=a, b=b, **how)
    assert isinstance(found.held, Table)
    return compare(found.held[a], found.held[b], names=(a, b), **how)


def _two(c: Comparison, options: dict[str, Any]) -> Document:
    """Two systems by their differences, or by their ratios, of which informedness has none."""
    from informed import report

    if options["relative"]:
        c = c.relative
    return report(c, measure=options["measure"] if chosen("measure") else None, margin=options["margin"])


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
    if options["sampling"] != "multinomial":
        asked = "--design case-control" if options["sampling"] == "case-control" else "--sampling"
        raise InferenceError(f"{asked} is for two systems, and there are {len(found.names)}.")
    how = {name: options[name] for name in ("measure", "level", "adjust", "baseline", "method", "count")}
    how["method"] = "smoothed" if how["method"] == "auto" else how["method"]
    return report(leaderboard(predictions=found.paired, **how))


def _folds(found: Systems, options: dict[str, Any]) -> Folds | None:
    """The systems over their folds, which lead the page unless the items do."""
    from informed import folds
    from informed.errors import InferenceError

    if found.fold is None:
        return None
    assert found.paired is not None
    how = {name: options[name] for name in ("repeat", "design", "test_share", "measure", "level", "count", "adjust")}
    over = folds(found.paired, fold=found.fold, **how)
    given = [name for name, usual in (("margin", None), ("method", "auto")) if options[name] != usual]
    if over.method != "items" and given:
        raise InferenceError(f"--{given[0]} is of a comparison on items; {WHAT[over.method]} lead here, and have none.")
    return over


# ---------------------------------------------------------------------- other views of them


def _views(found: Systems, options: dict[str, Any]) -> Iterator[tuple[Document, str]]:
    """Pages that stand below the comparison, and what their data are called."""
    from informed import abstention, report, risk_coverage, slices

    how = {name: options[name] for name in ("measure", "level", "count")}
    tables: Any = found.held if found.paired is None else found.paired.tables
    silent = [name for name in found.names if tables[name].abstained.sum() > 0][:SILENT]
    for i, name in enumerate(silent):
        yield report(abstention(tables[name]), name=str(name), key=f"silent-{i}-"), f"abstention of {name}"

    for i, slice_ in enumerate(found.slices):
        assert found.paired is not None
        yield report(slices(found.paired, by=slice_, **how), name=slice_, key=f"by-{i}-"), f"by {slice_}"

    # What may not be missing was refused when the systems were read.
    missing: Any = "drop" if options["missing"] == "drop" else "abstain"
    scored = [pair for text in options["scores"] for pair in _scored(found, options, text).items()]
    for i, (name, cases) in enumerate(scored):
        curve = risk_coverage(**cases, abstain=list(options["abstain"]) or None, missing=missing)
        yield report(curve, name=str(name), key=f"risk-{i}-"), f"risk of {name}"


def _scored(found: Systems, options: dict[str, Any], text: str) -> dict[Hashable, dict[str, Any]]:
    """Real labels, predictions and scores, of each system that has them."""
    from informed.errors import SourceError
    from informed.sources.columns import rows

    systems = options["predicted"]
    system, equals, score = text.rpartition("=")
    if len(systems) > 1 and (not equals or system not in systems):
        raise SourceError(
            f"--score {text}: of which system is it? Write NAME=COL with a name among {', '.join(systems)}."
        )
    answer = system if len(systems) > 1 else systems[0]
    names = [] if found.system is None else [found.system]
    p = found.paired
    groups = [kind for kind in ("unit", "item") if options[kind] and p is not None and kind in p.groups]
    names += [*(options[kind] for kind in groups), options["real"], answer, score]

    held: dict[Hashable, list[Any]] = {name: [] for name in ([system] if len(systems) > 1 else found.names)}
    for *first, real, said, sure in rows(names=names, answers=(answer, score), **found.where):
        try:
            *who, own = (*first[: len(first) - len(groups)], first[len(first) - len(groups) :])
            case = (*own, real, said, float("nan") if sure is None else float(sure))
        except (TypeError, ValueError):
            raise SourceError(f"The score {score!r} is {sure!r} in some row, which is no number.") from None
        held[who[0] if who else system].append(case)
    return {
        name: dict(zip((*groups, "real", "predicted", "score"), zip(*cases, strict=True), strict=True))
        for name, cases in held.items()
    }
