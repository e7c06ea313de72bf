"""Options that several commands share, each said once."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Mapping
from contextlib import ExitStack
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from informed._files import write_whole
from informed.cli._streams import say
from informed.documents import writers

if TYPE_CHECKING:
    from informed.evidence.table import Table
    from informed.summary.checks import Asked

    Text = click.ParamType[str]
else:
    Text = click.ParamType  # which click 8.1 does not let be narrowed when it runs

F = TypeVar("F", bound=Callable[..., Any])
FULL = "informed.full"  # where a command keeps whether all of the text was asked for
TERMS = "informed.terms"  # and whose names of measures


class Amount(click.FloatRange):
    """A number between two others; NaN, which no comparison finds too large, is none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        found: float = super().convert(value, param, ctx)
        if found != found:
            self.fail(f"{value!r} is not a valid float.", param, ctx)
        return found

    def _describe_range(self) -> str:
        return "" if self.min is None and self.max is None else super()._describe_range()


def together(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Options as one decorator, in the order in which `--help` lists them."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


class Source(Text):
    """A file, or a stream ("-", a pipe such as that of `<(…)`), which is read here, once, however often it is used."""

    name = "source"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from informed.sources.paths import once

        if ctx is None or ctx.resilient_parsing:
            return value
        name, equals, path = value.rpartition("=")  # of a system
        held: str = once(path, ctx.with_resource(ExitStack()))
        return name + equals + held if held != path else str(once(value, ctx.with_resource(ExitStack())))


class Once(click.Option):
    """An option that stands once; of two, the last would be taken without a word."""

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        parser.add_option(obj=self, opts=self.opts, dest=self.name, action="append", nargs=self.nargs)

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> tuple[Any, Any]:
        value, source = super().consume_value(ctx, opts)
        if isinstance(value, list):
            if len(value) > 1:
                raise click.UsageError(f"{self.opts[0]} is given {len(value)} times; here it takes one column.", ctx)
            (value,) = value
        return value, source


def column(name: str, *more: str, **how: Any) -> Callable[[F], F]:
    """An option that names a column of the file; the shell completes it."""
    once: dict[str, Any] = {} if how.get("multiple") else {"cls": Once}
    return click.option(name, *more, **{"metavar": "COL", "shell_complete": columns, **once, **how})


def choice(name: str, *words: str, **how: Any) -> Callable[[F], F]:
    """An option that is one of a few words, by default the first."""
    how = {"type": click.Choice(words), "default": words[0], "show_default": True, **how}
    return click.option(name, **how)


def listed(name: str, *, calls: bool = False, **how: Any) -> Callable[[F], F]:
    """An option of several words with commas between them, as a list; of calls, commas in brackets are theirs."""

    def split(ctx: click.Context, _: click.Parameter, text: str | None) -> list[str] | None:
        if text is None:
            return None
        return re.split(r",(?![^(]*\))", text) if calls else text.split(",")

    return click.option(name, **{"metavar": "A,B,…", "callback": split, **how})


def output_options(
    *forms: str, also: tuple[str, ...] = (), folder: bool = False, screen: bool = True, terms: bool = False
) -> Callable[[F], F]:
    """--format and --output, for a command that writes every format, or only these.

    Without --format the suffix of the file says it; `also` are suffixes that the command writes by itself; a
    `folder` may be meant, too. --full is of text that is one `screen` without it, --terms of a page that names
    measures.
    """
    forms = forms or writers.names()
    names, where = (("--output", "--out", "-o"), "file or folder") if folder else (("--output", "-o"), "file")

    def chosen(ctx: click.Context, _: click.Parameter, form: str | None) -> str:
        suffix = Path(ctx.params.get("output") or "").suffix.lower()
        if form is not None or not suffix or suffix in also:
            return form or forms[0]
        meant = writers.find(suffix).name
        if meant not in forms:
            raise click.UsageError(f"This is written as {' or '.join(forms)}, and {suffix} is {meant}.", ctx)
        return meant

    def guarded(function: F) -> F:
        @wraps(function)
        def checked(*words: Any, **options: Any) -> Any:
            from informed.cli._overwriting import refuse_own_input

            refuse_own_input(click.get_current_context())
            return function(*words, **options)

        return cast(F, checked)

    return together(
        click.option(*names, type=click.Path(dir_okay=folder), is_eager=True, help=f"Write to this {where}."),
        click.option(
            "--format",
            "form",
            type=click.Choice(forms),
            callback=chosen,
            help=f"What to write; by default what the suffix of --output says, or {forms[0]}.",
        ),
        *([FULL_TEXT] if screen else []),
        *([NAMED_IN] if terms else []),
        guarded,
    )


def _full(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    ctx.meta[FULL] = wanted


def _terms(ctx: click.Context, _: click.Parameter, terms: str) -> None:
    ctx.meta[TERMS] = terms


def asked_terms() -> str:
    """Whose names of measures are asked for."""
    asked = click.get_current_context(silent=True)
    return "informed" if asked is None else str(asked.meta.get(TERMS, "informed"))


NAMED_IN = choice(
    "--terms",
    *("informed", "clinical"),
    expose_value=False,
    callback=_terms,
    is_eager=True,
    help="clinical: sensitivity, specificity, PPV, NPV, Youden's J in all that is read; JSON and CSV keep our names.",
)
FULL_TEXT = click.option(
    "--full", is_flag=True, expose_value=False, callback=_full, help="All of the text, not one screen of it."
)


def columns(ctx: click.Context, _: click.Parameter, typed: str) -> list[str]:
    """Names of columns that begin with what was typed, from the head of the file: for the shell."""
    from informed.errors import InformedError
    from informed.sources.columns import names_of

    files = ctx.params.get("files") or ctx.args  # unparsed while an option waits for its value
    try:
        found = names_of(files[0]) if files else ()
    except (InformedError, OSError):
        return []
    return [name for name in found if name.startswith(typed)]


def _guard(name: str, most: float, what: str) -> Callable[[F], F]:
    said = f"No gate is checked (exit 3) where more of the cases {what}."
    return click.option(name, type=Amount(0, 1), default=most, show_default=True, metavar="SHARE", help=said)


UNDECIDED = click.option(
    "--undecided",
    type=click.Choice(("pass", "fail")),
    help="What an undecided one counts as, where there must be two verdicts.",
)
DECIDE = together(
    click.option(
        "--decide",
        metavar="MEASURE=VALUE",
        multiple=True,
        help="Pass where the whole interval reaches this value (exit 0), fail where all of it is below (1), or "
        "undecided (3), with how many would decide; of two systems the difference.",
    ),
    UNDECIDED,
)
GUARDS = together(
    _guard("--max-unscored", 0.05, "have no mark"),
    _guard("--max-errors", 0.1, "ended in an error"),
    _guard("--max-not-run", 0.05, "were not run"),
    click.option(
        "--allow-unfinished",
        is_flag=True,
        help="Check the gates of a log whose run was cancelled, failed, was stopped early, or is still being written; "
        "by default no gate of it is checked (exit 3).",
    ),
)
FAIL_OVER = click.option(
    "--fail-over",
    metavar="MEASURE=VALUE",
    multiple=True,
    help="Exit 1 above this value, for a measure that is better when it is lower: fallout=0.3; fallout.high=0.3 gates "
    "the upper limit, fallout.less=0.3 unless a test shows that it is less.",
)
GATES = click.option(
    "--gates",
    type=click.Choice(("each", "total")),
    default="each",
    show_default=True,
    help="With groups or slices: gates must hold for the total and for each of them, or for the total alone.",
)
COUNT = choice(
    "--count",
    *("tool", "errors", "answered"),
    help="Which cases count: those that their tool counts, where no answer is no bet; its errors, too; or only what "
    "was answered.",
)
ANNOTATE = click.option("--annotate", is_flag=True, help="Failed gates as ::error lines, for a GitHub action.")
LEVEL = click.option("--level", type=float, default=0.95, show_default=True, help="Of the intervals.")
WEIGHING = together(
    choice("--tasks", "fixed", "random", help="Suites: these tasks, or tasks that stand for others."),
    choice("--weight", "tasks", "items", help="Suites: every task counts once, or by its items."),
)
PREVALENCE = click.option("--prevalence", type=float, help="Share of positives where it will be used.")
COST = click.option("--cost", metavar="FN:FP", help="5:1 says that a miss costs five false alarms.")
DELIMITER = click.option("--delimiter", metavar="CHAR", help="Between the columns of a text file.")
NORMALIZE = (
    "Take labels as the same that differ only by case, space, unicode, number (1 and 1.0), bool (True and 1) or date "
    "(its midnight); none: they are meant as they are."
)
SOURCE = {  # how to read a file, a query or a log; `reading` gathers what was given
    "real": column("--real", help="Column of the real classes."),
    "predicted": column("--predicted", help="Column of the predictions."),
    "by": column("--by", multiple=True, help="A table for each value of this column."),
    "unit": column("--unit", help="Cases that belong together: document, patient."),
    "item": column("--item", help="The item that was answered; its answers count as one."),
    "weights": column("--weights", help="Column of weights."),
    "frequency": click.option("--frequency", is_flag=True, help="Weights are numbers of identical cases."),
    "positive": click.option("--positive", metavar="LABEL", help="Of two classes, the positive one."),
    "labels": listed("--labels", help="The classes and their order."),
    "abstain": click.option("--abstain", metavar="LABEL", multiple=True, help="A prediction that is no answer."),
    "missing": choice(
        "--missing",
        *("error", "drop", "abstain"),
        default=None,
        help="What a missing label does: error, drop the case, or abstain where the prediction is "
        "missing. By default error; in logs and joins, where it is no answer, abstain.",
    ),
    "normalize": click.option("--normalize", metavar="case,space,…", help=NORMALIZE),
    "delimiter": DELIMITER,
    "input_format": click.option("--input-format", metavar="NAME", help="Read it as this kind of file or log."),
    "choices": click.option(
        "--option",
        "choices",
        metavar="NAME=VALUE",
        multiple=True,
        help="A choice of the source, such as filter=none of a log with several filters.",
    ),
    "on": column("--on", help="Two files: join them on this id."),
    "query": click.option("--query", metavar="SQL", help="A database: the rows to count."),
    "table": click.option("--table", metavar="NAME", help="A database: the table to count."),
    "where": click.option("--where", metavar="CONDITION", help="Read these rows only: \"split == 'test' and n > 20\"."),
}
source_options = together(*SOURCE.values())
NAMED_ELSEWHERE = ("real", "predicted", "score", "probability", "by", "item", "unit", "weights")


def reading(options: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `informed.read` among a command's options, those that were given."""
    from informed.errors import SourceError
    from informed.sources.request import typed_option

    given: dict[str, Any] = {
        name: list(value) if isinstance(value, tuple) else value
        for name in SOURCE
        if (value := options.pop(name)) not in (None, False, ())
    }
    choices = dict(map(typed_option, given.pop("choices", ())))
    if "source" in choices:
        raise SourceError("--option source=… is no choice of a source; give the file itself, without an option.")
    for name in NAMED_ELSEWHERE:
        if name in choices:
            raise SourceError(f"--option {name}=… names a column, which has an option of its own: --{name} COLUMN.")
    return given | choices


def chosen(name: str) -> bool:
    """Whether an option is not as it always is."""
    return click.get_current_context().get_parameter_source(name) != click.core.ParameterSource.DEFAULT


def only(taken: Collection[str], said: str) -> None:
    """Refuse an option that was given and is not among those that are taken, rather than overlook it.

    `said` is the sentence with {} for the option; what is as it always is was not given.
    """
    from informed.errors import SourceError

    asked = click.get_current_context()
    for option in asked.command.params:
        if isinstance(option, click.Option) and option.name not in taken and given(option, asked):
            typed = option.secondary_opts if asked.params[str(option.name)] is False else option.opts
            raise SourceError(said.format(typed[0]))


def given(option: click.Option, asked: click.Context) -> bool:
    """Whether an option was typed and says something else than without it: a 0 and --marks do."""
    name = str(option.name)
    value = asked.params.get(name)
    typed = asked.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    return typed and value is not None and value != option.get_default(asked)


SCORING = ("scorer", "filter", "metric")  # of several scorings in a log, the one that is meant
PICKED = (*SCORING, "reducer", "classes", "seed")  # what is chosen of a log
LOG_OPTIONS = together(
    click.option("--scorer", metavar="NAME", help="A log with several scorers: whose marks."),
    click.option("--filter", metavar="NAME", help="A log with several filters: which one."),
    click.option("--metric", metavar="NAME", help="A log with several metrics: which one."),
    click.option(
        "--reducer",
        metavar="NAME",
        help="Items asked several times: mean, max, mode, majority, at_least_2, pass_at_2, …",
    ),
    click.option(
        "--seed",
        metavar="file|model|FIELD",
        help="Logs of a system that was trained several times: what tells the trainings apart.",
    ),
    click.option(
        "--classes/--marks", default=None, help="A log: force a table of its answers, or right and wrong only."
    ),
)


def picked_of(options: dict[str, Any]) -> dict[str, Any]:
    """What was chosen of a log, taken out of a command's options; `--option scorer=match` is `--scorer match`."""
    held = {name: options.pop(name) for name in PICKED}
    told = [(text, text.partition("=")) for text in options.get("choices", ())]
    also = {name: value for _, (name, _, value) in told if name in PICKED[:4] and held[name] is None}
    if also:
        options["choices"] = tuple(text for text, (name, _, _) in told if name not in also)
    return held | also


def chosen_of(which: dict[str, Any], names: Collection[str] = SCORING) -> dict[str, Any]:
    """Of what was chosen of a log, these names, where they were given."""
    return {name: which[name] for name in names if which.get(name) is not None}


def most_of(options: dict[str, Any]) -> dict[str, float]:
    """The shares that guard the gates, by state, taken out of a command's options."""
    names = {"unscored": "max_unscored", "error": "max_errors", "not-run": "max_not_run"}
    allowed = {"unfinished": float(options.pop("allow_unfinished"))}
    return {state: options.pop(name) for state, name in names.items()} | allowed


def one_table(file: str, how: dict[str, Any], doing: str) -> Table:
    """The table of a file, for a command that takes no stack of them."""
    from informed import Table, read
    from informed.errors import SourceError

    if "by" in how:
        raise SourceError(f"{doing} for one table at a time; this takes no --by.")
    found = read(file, **how)
    assert isinstance(found, Table)
    return found


def gates_asked(options: dict[str, Any], most: Mapping[str, float] | None = None) -> Asked:
    """The gates that were asked for, taken out of a command's options."""
    from informed.summary.checks import Asked

    under, over, decide = (tuple(options.pop(name, ())) for name in ("fail_under", "fail_over", "decide"))
    groups = options.pop("gates", "each") == "each"
    return Asked(under, over, decide, options.pop("undecided", None), groups=groups, most=most or {})


def check_decide(options: dict[str, Any]) -> None:
    """Refuse what cannot be decided before anything is read."""
    from informed.errors import SourceError
    from informed.summary.decide import decided

    for text in options["decide"]:
        decided(text)
    if options["undecided"] is not None and not options["decide"]:
        raise SourceError("--undecided says what an undecided --decide counts as; give --decide MEASURE=VALUE.")


def margins_of(options: dict[str, Any]) -> list[tuple[float, bool]]:
    """The margins of the gates that were asked for, and whether each is to be shown."""
    margins = ((options.get("fail_worse"), False), (options.get("fail_unless"), True))
    return [(margin, shown) for margin, shown in margins if margin is not None]


def written(text: str, output: str | None, *, styled: bool = False) -> None:
    """To the file, which is there whole or as it was before, or to standard output.

    What is `styled` has the terminal's own codes in it.
    """
    if output is None or output == "-":
        say(text if styled else _shown(text))
    else:
        write_whole(output, text if text.endswith("\n") else text + "\n")
        wrote(output)


def wrote(path: object) -> None:
    """Say so; a name may hold anything."""
    from informed.evidence.table_text import harmless

    click.echo(f"wrote {harmless(str(path))}", err=True)


def _shown(text: str) -> str:
    """Data as a terminal shows them and does not obey them; a pipe gets them as they are."""
    from informed.evidence.table_text import harmless

    if sys.stdout is None or not sys.stdout.isatty():
        return text
    return "\n".join("\t".join(map(harmless, line.split("\t"))) for line in text.split("\n"))
