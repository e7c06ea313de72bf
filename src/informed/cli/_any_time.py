"""--any-time: what may be said of a run that is looked at before its end."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from informed.cli._options import chosen_of
from informed.cli._pages import MORE_SAID
from informed.errors import InformedError, SourceError

if TYPE_CHECKING:
    from informed.documents.blocks import Glance
    from informed.documents.document import Document
    from informed.sources.watched import Watched

ANY_TIME = click.option(
    "--any-time",
    is_flag=True,
    help="The run is looked at before its end: limits and verdicts that hold at every look, for items in an order that "
    "was fixed beforehand.",
)
FIXED = (
    "All other intervals, tests and p-values of this page are for a sample whose size was fixed before anybody looked. "
    "Only of such a sample it could be said:"
)
FIXED_GATES = ("fail_under", "baseline", "fail_worse", "fail_unless")
LIMITS = ("low", "high", "greater", "less")  # what --fail-under may ask for beside the estimate
TAKEN = ("real", "predicted", "item", "labels", "abstain", "missing", "delimiter", "input_format", "positive", "tables")
ASKED = ("real", "predicted", "other", "item", "epochs", "index", "delimiter", "input_format", "labels")


def asked_at_any_time(options: dict[str, Any], which: dict[str, Any], score: str | None) -> bool:
    """Whether --any-time was given, taken out of a command's options."""
    asked = bool(options.pop("any_time"))
    if asked and (which["seed"] is not None or score is not None):
        raise SourceError("--any-time is of the answers of one run; leave --seed and --score out.")
    return asked


def said_at_any_time(
    asked_for: bool,
    files: Sequence[str],
    how: dict[str, Any],
    which: dict[str, Any],
    options: dict[str, Any],
    *,
    marks: bool = False,
    two: bool = False,
    stopped: bool = False,
) -> None:
    """Let the page of this command say, too, what holds at any time; of --decide, only that. A log whose run a rule
    ended (`stopped`) gets it without being asked."""
    if not asked_for and stopped:
        _said_of_stopped_run(files, how, which, options, marks=marks)
    if not asked_for:
        return
    if not stopped:
        _check_gates(options)
    for name, value in how.items():
        if name not in TAKEN and value not in (None, False, (), []):
            said = f"it takes no --{name.replace('_', '-')}"
            raise SourceError(f"--any-time counts the items of one file one by one, as they stand; {said}.")
    asked = dict.fromkeys((*ASKED, "against", "prevalence", "benchmark", "expect", "scorer", "filter", "metric"))
    asked |= {name: how[name] for name in ASKED if name in how} | chosen_of(which)
    asked |= {"abstain": tuple(how.get("abstain") or ()), "missing": how.get("missing") or "abstain"}
    asked |= {"alternative": "two-sided", "disagree": None, "level": options["level"]}
    asked["measure"] = "accuracy" if marks else "informedness"
    if len(files) != 1 and not two:
        raise SourceError(f"--any-time reads one file; here are {len(files)}.")
    file = _two(files, asked)
    bars: list[tuple[str, ...]] = [(bar,) for bar in options["decide"]] or [()]
    more = partial(_with_any_time, file, [asked | {"decide": bar} for bar in bars], dict(options))
    click.get_current_context().meta[MORE_SAID] = more


def _check_gates(options: dict[str, Any]) -> None:
    """Gates by the limits or tests of a fixed sample do not hold at any time."""
    given = [name for name in ("fail_worse", "fail_unless", "baseline") if options.get(name) is not None]
    limits = [x for x in options["fail_under"] if x.partition("=")[0].rpartition(".")[2] in LIMITS]
    if given or limits:
        said = f"--fail-under {limits[0]}" if limits else f"--{given[0].replace('_', '-')}"
        raise SourceError(
            f"{said} is judged by a sample whose size was fixed; with --any-time the gate is --decide, as in "
            "--decide informedness=0.2."
        )


def _said_of_stopped_run(
    files: Sequence[str], how: dict[str, Any], which: dict[str, Any], options: dict[str, Any], *, marks: bool
) -> None:
    """The same of a log whose run a rule ended, without being asked, where its options leave the items as they are;
    gates of a sample of fixed size stay as they are, and are not checked."""
    meta = click.get_current_context().meta
    with suppress(SourceError):
        said_at_any_time(True, files, how, which, options, marks=marks, stopped=True)
        more = meta[MORE_SAID]

        def tried(page: Document) -> Document:
            try:
                return more(page)  # type: ignore[no-any-return]
            except InformedError:  # more classes than bets are laid on: the page says what the log itself says
                return page

        meta[MORE_SAID] = tried


def _with_any_time(file: str, each: list[dict[str, Any]], options: dict[str, Any], page: Document) -> Document:
    from informed.cli._watching import SCORED, bettor_of, source_of
    from informed.results import warning
    from informed.sources.watching import Run
    from informed.summary.watch_gates import gate_of_verdict
    from informed.systems.guards import ALLOWED, first_sentence

    labels = [] if each[0]["measure"] in SCORED else _labels(source_of(file, each[0]))
    if each[0]["labels"] is None and len(labels) > 2:
        each = [asked | {"labels": labels} for asked in each]
    runs = [Run(source_of(file, asked), bettor_of(asked)) for asked in each]
    for run in runs:
        run.follow()
    own = runs[0].watch.document(key="any-time-")
    ends = [str(x) for x in page.data.get("unfinished", ())]
    said = page.said.removeprefix(" ".join(ends)).strip().rstrip(".")
    fixed = warning(f"{FIXED} {said}.", "fixed-size")
    sections = (replace(own.sections[0], title="At any time"), *own.sections[1:])
    notes = (fixed, *page.notes, *runs[0].notes())
    first = " ".join([*map(first_sentence, ends), own.answer])
    page = replace(page, answer=first, further="", notes=notes, cards=(), glance=_grids(page)).and_(
        replace(own, sections=sections), "any_time"
    )

    gates = [gate for gate in page.gates if not gate.name.startswith("decide ")]
    if not any(options.get(name) for name in FIXED_GATES):  # what is decided at any time needs no whole run
        gates = [gate for gate in gates if gate.name != ALLOWED]
    gates += [
        gate_of_verdict(run.watch, options["undecided"])
        for run, asked in zip(runs, each, strict=True)
        if asked["decide"]
    ]
    return replace(page, gates=tuple(gates))


def _grids(page: Document) -> Glance:
    """What a screen shows below: numbers, without what is said beside them of a fixed sample."""
    from informed.documents.blocks import Grid, Words, glanced

    if page.glance:
        return tuple(x for x in page.glance if not isinstance(x, Words))
    seen = (x for section in page.sections for block in section.blocks for x in glanced(block))
    first = next((x for x in seen if isinstance(x, Grid)), None)
    return () if first is None else (first,)


def _labels(source: Watched) -> list[Any]:
    """The labels that the file begins with, or all that a log has."""
    seen = source.batch(last=True)
    said = [x for side in (seen.predicted, seen.other or ()) for x in side]
    each = [answer for x in said for answer in (x if isinstance(x, list) else [x])]
    return sorted({*seen.real, *each} - {None}, key=str)


def _two(files: Sequence[str], asked: dict[str, Any]) -> str:
    """The file; a second column of answers, or a second log, is the other system."""
    answers = asked["predicted"]
    if isinstance(answers, list | tuple):
        if len(answers) > 2 or (len(answers) == 1 and len(files) == 2):
            raise SourceError("--any-time compares two systems: two columns of answers, or two logs.")
        asked["predicted"], *rest = answers or [None]
        asked["other"] = rest[0] if rest else None
    if len(files) == 2 and asked["predicted"] is None:
        asked["other"] = files[1]
    elif len(files) != 1:
        raise SourceError(f"--any-time reads one file, or two logs of a comparison; here are {len(files)}.")
    return files[0]
