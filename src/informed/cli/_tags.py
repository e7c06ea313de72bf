"""Items of several labels on the command line: `report` and `compare` of tags."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, TypeVar, cast

import click

from informed.cli._options import check_decide, gates_asked, margins_of, only, together
from informed.cli._pages import show as write
from informed.cli._pages import typed
from informed.errors import SourceError

F = TypeVar("F", bound=Callable[..., Any])
AVERAGES = ("prevalence", "within", "macro", "occurring")
TAG_OPTIONS = together(
    click.option("--separator", metavar="TEXT", help="Items of several labels: what stands between them, such as ';'."),
    click.option(
        "--average",
        type=click.Choice(AVERAGES),
        help="Items of several labels: how these are averaged; by default by prevalence, as a bookmaker would.",
    ),
)
WRITTEN = ("form", "output", "annotate")
OPENING = ("delimiter", "input_format", "where", "query", "table")
COLUMNS = ("real", "predicted", "item", "unit", "weights", "by")
READ = (*COLUMNS, "labels", "missing", "threshold", "separator", "average", *OPENING)
OF_REPORT = ("level", "precision", "fail_under", "fail_over", "decide", "undecided", "gates")
GATES = ("fail_worse", "fail_unless", "fail_under", "fail_over", "decide", "undecided", "gates")
OF_COMPARE = ("level", "measure", "baseline", "adjust", "margin", *GATES)
TOLD = "{} is not for items of several labels."


def are_tags(options: dict[str, Any]) -> bool:
    """Whether the options say that items have several labels: a separator, an average, or a column for each."""
    names = [options.get("real") or "", *_several(options.get("predicted"))]
    return options["separator"] is not None or options["average"] is not None or any("*" in x for x in names)


def or_tags(shown: Callable[[tuple[str, ...], dict[str, Any]], None]) -> Callable[[F], F]:
    """Let a command do this where its options say that items have several labels."""

    def decorate(function: F) -> F:
        @wraps(function)
        def chosen(files: tuple[str, ...], **options: Any) -> Any:
            if are_tags(options):
                return shown(files, options)
            del options["separator"], options["average"]
            return function(files, **options)

        return cast(F, chosen)

    return decorate


def _several(names: Any) -> list[str]:
    return [] if names is None else [names] if isinstance(names, str) else list(names)


def _read(files: tuple[str, ...], options: dict[str, Any]) -> Any:
    from informed.sources.tags import read_tags

    if len(files) != 1:
        raise SourceError("The tags of several systems stand in columns of one file: give --predicted for each.")
    predicted = _several(options["predicted"])
    if options["real"] is None or not predicted:
        raise SourceError("Which columns hold the tags? Give --real and --predicted.")
    by = _several(options["by"])
    if len(by) > 1:
        raise SourceError(f"Tags are cut by one column; --by is given {len(by)} times.")
    how = {name: options[name] for name in OPENING if options.get(name) not in (None, (), False)}
    asked = {name: options[name] for name in ("separator", "item", "unit", "weights", "labels", "missing")}
    asked["threshold"] = options.get("threshold")
    return read_tags(files[0], options["real"], predicted, by=by[0] if by else None, **asked, **how)


def show_tags(files: tuple[str, ...], options: dict[str, Any]) -> None:
    """Write the report of tags, then judge the gates."""
    from informed.sources.paths import shown_as
    from informed.summary.checks import gates_of, total_only
    from informed.summary.tags_report import report_tags
    from informed.summary.titles import report_title

    only((*OF_REPORT, *READ, *WRITTEN), TOLD)
    check_decide(options)
    held = _read(files, options)
    if len(held.names) > 1:
        raise SourceError("A report is of one system; `informed compare` takes several columns of predictions.")
    told = shown_as(files[0])
    made = report_tags(
        held,
        average=options["average"] or "prevalence",
        level=options["level"],
        by=next(iter(held.kept), None),
        source=told,
        title=report_title([told], str(options["predicted"])),
        command=typed(),
    )
    gates = gates_asked(options)
    notes = total_only(gates, len(made.groups))
    page = made.with_gates(gates_of(made, gates)).document(precision=options["precision"])
    write(replace(page, notes=(*notes, *page.notes)), **{name: options[name] for name in WRITTEN})


def show_comparison(files: tuple[str, ...], options: dict[str, Any]) -> None:
    """Write the comparison of two systems that tagged the same items, or the board of more."""
    from informed import compare, leaderboard, report, slices
    from informed.summary.checks import total_only
    from informed.summary.titles import with_data

    only((*OF_COMPARE, *READ, *WRITTEN), TOLD)
    check_decide(options)
    held = _read(files, options)
    how = {"measure": options["measure"], "average": options["average"] or "prevalence", "level": options["level"]}
    baseline = options["baseline"]
    if baseline is not None and baseline not in held.names:
        raise SourceError(f"There is no system {baseline!r}; there are {', '.join(map(str, held.names))}.")
    if len(held.names) < 2:
        raise SourceError("One system was given; give --predicted for each of two at least.")
    gated = margins_of(options) or options["fail_under"] or options["fail_over"] or options["decide"]
    gates: tuple[Any, ...] = ()
    if len(held.names) == 2 or gated:
        one = compare.paired(held, **_pair(held.names, baseline), **how)
        gates = _gates(held, one, options)
        page = report(one, margin=options["margin"])
    if len(held.names) > 2:
        if options["margin"] is not None:
            raise SourceError(f"--margin is for two systems, and there are {len(held.names)}.")
        page = report(leaderboard(held, adjust=options["adjust"], baseline=baseline, **how))
    if held.kept:
        (by,) = held.kept
        page = page.and_(report(slices(held, by=by, **how), name=by, key="by-0-"), f"by {by}")
    said = total_only(gates_asked(dict(options)), len(held.kept), margins=bool(margins_of(options)))
    page = replace(page, title=with_data(page.title, files), gates=gates, notes=(*said, *page.notes))
    write(page, **{name: options[name] for name in WRITTEN})


def _pair(names: Any, baseline: str | None) -> dict[str, Any]:
    """The first system and the one that it is compared with."""
    if baseline is None and len(names) > 2:
        raise SourceError("With more than two systems a gate needs --baseline NAME.")
    other = names[1] if baseline is None else baseline
    return {"a": next(x for x in names if x != other), "b": other}


def _gates(held: Any, one: Any, options: dict[str, Any]) -> tuple[Any, ...]:
    """The gates of the first system, and of its difference from the second, in all and in each group."""
    from informed import compare
    from informed.errors import InformedError
    from informed.summary.checks import check
    from informed.summary.decide import decide_parts, decided
    from informed.summary.tags_report import report_tags
    from informed.systems.gates import margin_gates, not_worse_by_tags, of_system
    from informed.systems.sliced import compared_in_slices

    asked, margins = gates_asked(dict(options)), margins_of(options)
    if not asked and not margins:
        return ()
    how = {"measure": one.measure, "average": one.average, "level": one.level}
    a, b = one.names

    def pair(part: Any) -> Any:
        return compare.paired(part, a=a, b=b, **how)

    def first(x: Any) -> Any:
        if isinstance(x, InformedError):
            return x
        return report_tags(x.tags.among([a]), average=one.average, level=one.level)

    groups = held.by_groups(next(iter(held.kept))) if held.kept and asked.groups else {}
    parts = compared_in_slices(groups, pair)
    verdicts = decide_parts(one, map(decided, asked.decide), asked.undecided, parts=parts)
    own: tuple[Any, ...] = ()
    if asked.under or asked.over:
        each = {name: first(x) for name, x in parts.items()}
        own = of_system(a, check(first(one), asked.under, asked.over, parts=each))
    return (*margin_gates(not_worse_by_tags, one, parts, margins), *verdicts, *own)
