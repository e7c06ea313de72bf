"""Probabilities on the command line: `report` and `compare` of them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import wraps
from typing import Any, TypeVar, cast

import click

from informed.cli._options import Amount, check_decide, chosen, column, gates_asked, margins_of, only, together
from informed.cli._pages import show as write
from informed.cli._pages import typed
from informed.errors import SourceError

F = TypeVar("F", bound=Callable[..., Any])
NAMES = "probability", "clip", "also"
PROBABILITY_OPTIONS = together(
    column(
        "--probability",
        multiple=True,
        help="Column of probabilities of the positive class; 'p_*' for a column a class. Once for each system.",
    ),
    click.option(
        "--clip",
        type=Amount(0, 0.5, min_open=True, max_open=True),
        help="Move probabilities nearer to 0 or 1 than this; by default one that is 0 for a real case is ruin.",
    ),
    click.option("--also", metavar="NAME", multiple=True, help="Probabilities: ece(bins=15), beside its level."),
)
WRITTEN = ("form", "output", "annotate")
OPENING = ("delimiter", "input_format", "where", "query", "table")
READ = ("real", "item", "unit", "weights", "by", "positive", "labels", "missing", "normalize", *OPENING, *NAMES)
OF_BOTH = ("level", "fail_under", "fail_over", "decide", "undecided", "gates")
OF_REPORT = (*OF_BOTH, "precision", "cost")
OF_COMPARE = (*OF_BOTH, "baseline", "adjust", "fail_worse", "fail_unless", "measure")
TOLD = "{} is not for probabilities."
LONG = 200_000  # cases from which on the terminal shows how far the draws are


def or_probabilities(shown: Callable[[tuple[str, ...], dict[str, Any]], None]) -> Callable[[F], F]:
    """Let a command do this where columns of probabilities are named."""

    def decorate(function: F) -> F:
        @wraps(function)
        def asked(files: tuple[str, ...], **options: Any) -> Any:
            if options["probability"]:
                return shown(files, options)
            for name in NAMES:
                if options.pop(name):
                    raise SourceError(f"--{name} is of probabilities; give --probability COL.")
            return function(files, **options)

        return cast(F, asked)

    return decorate


def _read(files: tuple[str, ...], options: dict[str, Any]) -> Any:
    from informed import read

    if len(files) != 1:
        raise SourceError("The probabilities of several systems stand in columns of one file: --probability for each.")
    if options["real"] is None:
        raise SourceError("Which column holds the real classes? Give --real.")
    by = _by(options)
    if len(by) > 1:
        raise SourceError(f"Probabilities are cut by one column; --by is given {len(by)} times.")
    how = {name: options[name] for name in OPENING if options.get(name) not in (None, (), False)}
    asked = {name: options[name] for name in ("item", "unit", "weights") if options[name] is not None}
    names = list(options["probability"])
    return read(files[0], real=options["real"], probability=names, by=by[0] if by else None, **asked, **how)


def _by(options: dict[str, Any]) -> list[str]:
    return [options["by"]] if isinstance(options["by"], str) else list(options["by"] or ())


def _dropping(options: dict[str, Any]) -> dict[str, Any]:
    given = {name: options[name] for name in ("clip", "positive", "labels", "normalize")}
    return {**given, "missing": options["missing"] or "error"}


def show_probabilities(files: tuple[str, ...], options: dict[str, Any]) -> None:
    """Write what one system's probabilities are worth, then judge the gates."""
    from informed import probabilities
    from informed.sources.paths import shown_as
    from informed.summary.checks import gates_of, total_only
    from informed.summary.titles import report_title

    only((*OF_REPORT, *WRITTEN, *READ, "files"), TOLD)
    check_decide(options)
    if len(options["probability"]) > 1:
        raise SourceError("A report is of one system; `informed compare` takes several columns of probabilities.")
    held = _read(files, options)
    asked = {"cost": options["cost"] or (), "also": options["also"], "level": options["level"]}
    told = shown_as(files[0])
    with _progress(len(held)) as update:
        found = probabilities(held, **asked, **_dropping(options), progress=update)
        title = report_title([told], next(iter(held.probabilities)))
        made = replace(found, title=title, source=(f"Read from {told}.",), command=typed())
        gates = gates_asked(options)
        notes = total_only(gates, len(made.groups))
        made = made.with_gates(gates_of(made, gates))
        page = made.document(precision=options["precision"])
        page = replace(page, sections=tuple(page.sections), data=dict(page.data), notes=(*notes, *page.notes))
    write(page, **{name: options[name] for name in WRITTEN})


def _progress(cases: int) -> Any:
    """A bar for the draws, where there are many cases and somebody looks."""
    if cases < LONG or not sys.stderr.isatty():
        return nullcontext()
    from informed.sources.progress import bar

    return bar(f"Drawing what right probabilities look like on {cases:,} cases")


def show_probability_comparison(files: tuple[str, ...], options: dict[str, Any]) -> None:
    """Write the comparison of systems that gave probabilities to the same cases."""
    from informed import probabilities
    from informed.sources.paths import shown_as
    from informed.summary.checks import total_only
    from informed.summary.titles import with_data

    only((*OF_COMPARE, *WRITTEN, *READ, "files"), TOLD)
    check_decide(options)
    if len(options["probability"]) < 2:
        raise SourceError("One system was given; give --probability for each of two at least.")
    if options["also"]:
        raise SourceError("--also is of a report of one system.")
    baseline, margins = options["baseline"], margins_of(options)
    if len(options["probability"]) > 2 and (margins or options["decide"]) and baseline is None:
        raise SourceError("With more than two systems a gate needs --baseline NAME.")
    asked = {name: options[name] for name in ("level", "adjust", "baseline")}
    asked["measure"] = options["measure"] if chosen("measure") else "log_skill"
    found = probabilities.compare(_read(files, options), **asked, **_dropping(options))
    gates = gates_asked(dict(options))
    said = total_only(gates, len(_by(options)), margins=bool(margins))
    found = replace(found, source=(f"Read from {shown_as(files[0])}.",), command=typed())
    found = found.with_gates(_gates_of_two(found, gates, margins))
    page = found.document()
    page = replace(page, notes=(*said, *page.notes))
    for name in _by(options):
        page = page.and_(found.slices().document(name=name, key="by-0-"), f"by {name}")
    write(replace(page, title=with_data(page.title, files)), **{name: options[name] for name in WRITTEN})


def _gates_of_two(found: Any, asked: Any, margins: Any) -> tuple[Any, ...]:
    """The gates of the difference of two systems and of the first, in all cases and in each group."""
    from informed.summary.checks import check
    from informed.summary.decide import decide_parts, decided
    from informed.summary.probability_gates import first_of, not_worse_by_skill
    from informed.systems.gates import margin_gates

    if not asked and not margins:
        return ()
    groups = found.parts() if found.by is not None and asked.groups else {}
    own: tuple[Any, ...] = ()
    if asked.under or asked.over:
        own = check(first_of(found), asked.under, asked.over, parts={x: first_of(part) for x, part in groups.items()})
    verdicts = decide_parts(found, map(decided, asked.decide), asked.undecided, parts=groups)
    return (*margin_gates(not_worse_by_skill, found, groups, margins), *own, *verdicts)
