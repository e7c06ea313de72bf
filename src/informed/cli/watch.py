"""informed watch"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from informed.cli._options import (
    ANNOTATE,
    DELIMITER,
    LEVEL,
    UNDECIDED,
    Amount,
    check_decide,
    choice,
    column,
    listed,
    output_options,
    together,
)

if TYPE_CHECKING:
    from informed.sources.watching import Run

READ = together(
    column("--real", help="Column of the real classes; a log knows them."),
    column("--predicted", multiple=True, help="Column of the answers; once for each of many systems."),
    column("--other", help="Column of a second system's answers, or its log: the difference is watched."),
    column("--item", help="The item that was answered: its answers, which follow each other, are one bet."),
    click.option("--epochs", type=click.IntRange(1), help="How often each item is asked, where that is known."),
    column("--index", help="The place of the item in the schedule, from 0: an item waits for all before it."),
    listed("--labels", help="The classes."),
    click.option("--abstain", metavar="LABEL", multiple=True, help="An answer that is none."),
    choice(
        "--missing",
        *("abstain", "drop", "error"),
        help="A missing answer is none, or an error; drop leaves out cases without a real label.",
    ),
    click.option("--scorer", metavar="NAME", help="A log with several scorers: whose marks."),
    click.option("--filter", metavar="NAME", help="A log with several filters: which one."),
    click.option("--metric", metavar="NAME", help="A log with several metrics: which one."),
    DELIMITER,
    click.option("--input-format", metavar="NAME", help="Read it as this kind of log."),
)
BETS = together(
    click.option(
        "--measure",
        default="informedness",
        show_default=True,
        help="What to watch; `score` is the mean of a log's scores.",
    ),
    click.option(
        "--against",
        type=Amount(),
        metavar="NUMBER",
        help="Threshold that the measure is tested against; by default the chance level, where that is known.",
    ),
    click.option(
        "--expect",
        type=Amount(),
        metavar="NUMBER",
        help="What is hoped for: bets are laid for this, and `futile` is defined.",
    ),
    click.option("--prevalence", metavar="A=SHARE,…", help="How common each class is, known beforehand."),
    click.option(
        "--benchmark",
        metavar="FILE|A=N,…",
        help="The labels of all items that there are, in random order: the answer is of these.",
    ),
    click.option(
        "--disagree",
        type=Amount(0, 1, min_open=True),
        help="With --expect and --other: on how many items one of the two is right; by default 0.25.",
    ),
    choice("--alternative", "two-sided", "greater", "less", help="Greater: all is spent on the lower limit."),
    LEVEL,
)


@click.command("watch")
@click.argument("file", metavar="FILE")
@READ
@BETS
@click.option(
    "--stop",
    metavar="RULE",
    help="When to stop: informedness.low > 0.2, .high <, .width <, .within <; better, worse; wealth >= 20, p < 0.05, "
    "pass, fail, futile, n >= 500; joined by or.",
)
@click.option(
    "--decide",
    metavar="MEASURE=VALUE",
    multiple=True,
    help="Stop as soon as a bettor has shown that it is above this value (pass, exit 0) or below (fail, 1); else "
    "undecided (3), with how many would decide. What was won decides: the interval, which is wider, may still hold the "
    "value.",
)
@UNDECIDED
@click.option("--state", type=click.Path(dir_okay=False), help="Keep here how far it is, and go on from there.")
@click.option(
    "--follow", is_flag=True, help="Wait for more at the end of the file. Standard input is always read to its end."
)
@click.option(
    "--patience",
    type=Amount(0),
    metavar="SECONDS",
    help="With --follow, or of standard input: end when nothing came for so long.",
)
@ANNOTATE
@output_options(terms=True)
def command(file: str, form: str, output: str | None, annotate: bool, **options: Any) -> None:
    """Stop when you know: look at a run as often as you like, while it goes on.

    FILE is JSON lines or CSV that may still be written, an evaluation log, or - for standard input. The
    limits hold at every look at once, so that stopping, looking again and going on cost nothing. What
    is needed: items in an order that was fixed before the run, as a shuffle with a seed gives it, never in the order
    in which answers came back. Exit code: with --stop alone 0 where the rule is met (whichever of several: `better
    or worse` ends with 0 for worse, too), 1 where its opposite was shown, 3 where neither was; with --decide, also
    beside --stop, and with neither of them 0 for pass, 1 for fail and 3 for undecided, of the bar.

    \b
    informed watch run.jsonl --real answer --predicted output --stop "informedness.low > 0.2" --follow
    informed watch run.csv --real y --predicted new --other old --stop "better or worse"
    informed watch run.csv --real y --predicted p --decide informedness=0.2 --expect 0.4
    informed watch run.csv --real y --predicted a --predicted b --predicted c
    informed watch logs/run.eval --stop "informedness.width < 0.1" --state run.watch.json
    my-eval | informed watch - --real y --predicted p --stop "wealth >= 20 or n >= 500"
    """
    from informed.cli._pages import named, show
    from informed.cli._watching import Line, check_told, gates_of, own_state, run_of, systems_page

    check_decide(options)
    check_told(file, options)
    several = options["predicted"]
    if len(several) > 1:
        show(named(systems_page(file, several, options), file), form, output, annotate=annotate)
        return
    options["predicted"] = several[0] if several else None
    with own_state(options["state"]):
        run = run_of(file, options)
        line = Line(run)
        try:
            run.follow(line, grows=options["follow"], patience=options["patience"] or float("inf"))
        except KeyboardInterrupt:
            line.close()
            _interrupted(run, options["state"])
        finally:
            line.close()
    page = run.watch.document(stop=run.met or "")
    page = replace(page, notes=(*page.notes, *run.notes()), gates=gates_of(run, options))
    show(named(page, file), form, output, annotate=annotate)


def _interrupted(run: Run, state: str | None) -> None:
    """Say what there is, and how to go on."""
    from informed._numbers import plural
    from informed.cli._streams import say

    go_on = "the same command goes on from there" if state else "with --state it could be gone on with"
    say(f"{run.watch.sentence}\nstopped by you after {plural(run.watch.n, 'item')}; {go_on}.", sys.stderr)
    raise click.exceptions.Exit(130)
