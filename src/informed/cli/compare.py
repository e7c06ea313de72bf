"""informed compare"""

from __future__ import annotations

import sys
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import click

from informed.cli._answer import Answer, limits, number, probability
from informed.cli._options import SOURCE, output_options, reading, written

if TYPE_CHECKING:
    from informed.systems.comparison import Comparison
    from informed.systems.difference import Difference
    from informed.systems.leaderboard import Leaderboard

ADJUST = ("holm", "hochberg", "hommel", "bonferroni", "sidak", "max-t", "bh", "by", "none")

OPTIONS = [
    *(o for i, o in enumerate(SOURCE) if i not in (1, 2, 3, 4)),
    click.option(
        "--predicted",
        metavar="COL",
        multiple=True,
        help="Column of the predictions; once for each system where they stand side by side.",
    ),
    click.option("--by", metavar="COL", help="Column that names the system."),
    click.option("--item", metavar="COL", help="With --by: column that names the item."),
    click.option("--measure", default="informedness", show_default=True, help="What to compare."),
    click.option("--level", type=float, default=0.95, show_default=True, help="Of the intervals."),
    click.option("--method", default="auto", show_default=True, help="Of interval and test."),
    click.option("--baseline", metavar="NAME", help="The system to compare with."),
    click.option(
        "--adjust",
        type=click.Choice(ADJUST),
        default="holm",
        show_default=True,
        help="More than two systems: for asking about all pairs.",
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
]


def compare_options(function: Any) -> Any:
    for option in reversed(OPTIONS):
        function = option(function)
    return function


@click.command("compare")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@compare_options
@output_options("text", "json", "markdown")
def command(files: tuple[str, ...], **options: Any) -> None:
    """Is one system better than another, or is it luck?

    Systems on the same items stand in columns side by side (--predicted for each), below each
    other (--by system --item id), or in one file each (--on id). Two files without --on, or --by
    without --item, are different items. Two systems are compared; more make a leaderboard. A
    missing prediction is an abstention. The gates are one-sided, at --level.

    \b
    informed compare run.csv --real truth --predicted new --predicted old
    informed compare long.csv --real truth --predicted answer --by system --item id
    informed compare new.csv old.csv --real truth --predicted answer --on id
    informed compare run.csv --real y --predicted new --predicted old --fail-worse 0.02
    """
    form, output = options.pop("form"), options.pop("output")
    held, names = _read(files, options)
    if len(names) > 2:
        answer = _board(held, names, options)
    else:
        answer = _two(_comparison(held, names, options, options["method"]), options["measure"])
    failures = _gates(held, names, options)
    if failures is not None:
        answer = Answer(
            answer.sentence, answer.tables, answer.notes, {**answer.data, "failed": failures}
        )
    written(answer.shown(form), output)
    for failure in failures or ():
        click.echo(f"gate failed: {failure}", err=True)
    if failures:
        sys.exit(1)


# ---------------------------------------------------------------------- reading


def _read(files: tuple[str, ...], options: dict[str, Any]) -> tuple[Any, tuple[Hashable, ...]]:
    """Answers to the same items, or a stack of tables of different ones; and the systems."""
    from informed import read
    from informed.errors import SourceError

    predicted, by, item = (options.pop(name) for name in ("predicted", "by", "item"))
    on = options.pop("on")
    how = reading(
        {**options, "predicted": None, "by": (), "weights": None, "frequency": False, "on": None}
    )
    if not predicted or "real" not in how:
        lacking = "--real" if "real" not in how else "--predicted"
        raise SourceError(f"Which columns hold the labels? Give {lacking} COL.")
    how["predicted"] = predicted[0] if len(predicted) == 1 else list(predicted)
    if len(set(predicted)) < len(predicted):
        raise SourceError("A column was given twice as --predicted; each system needs its own.")
    if by is not None:
        how["by"] = by
    how["missing"] = how.get("missing", "abstain")
    if len(files) > 1:
        if len(predicted) > 1 or by is not None:
            raise SourceError(
                "Several files are a system each, so one --predicted is needed and no --by."
            )
        same = on if on is not None else item
        held = read(list(files), **how, **({} if same is None else {"item": same}))
    else:
        if on is not None:
            raise SourceError("--on joins several files; one file was given (use --item).")
        if len(predicted) == 1 and by is None:
            raise SourceError(
                "There is one system. Give --predicted for each column of predictions, --by with "
                "the column that names the system, or a file for each system."
            )
        held = read(files[0], **how, **({} if item is None else {"item": item}))
    names = tuple(held.names)
    if len(names) < 2:
        raise SourceError(f"There is one system, {names[0]!r}; two at least are needed.")
    return held, names


def _pair(names: tuple[Hashable, ...], baseline: str | None) -> tuple[Hashable, Hashable]:
    """The first system that is not the baseline, and the baseline (or the second system)."""
    from informed.errors import InferenceError

    if baseline is None:
        return names[0], names[1]
    if baseline not in names:
        raise InferenceError(
            f"There is no system {baseline!r}; there are {', '.join(map(repr, names))}."
        )
    return next(name for name in names if name != baseline), baseline


def _comparison(
    held: Any, names: tuple[Hashable, ...], options: dict[str, Any], method: str
) -> Comparison:
    from informed import Paired, compare

    a, b = _pair(names, options["baseline"])
    if isinstance(held, Paired):
        return compare.paired(held, a=a, b=b, level=options["level"], method=method)
    return compare(held[a], held[b], names=(a, b), level=options["level"], method=method)


# ---------------------------------------------------------------------- two systems


def _two(c: Comparison, measure: str) -> Answer:
    first = _scalar(c, measure)
    shown = [first, *(c[m] for m in c.measures if m != first.measure)] if c.method == "auto" else []
    shown = shown or [first]
    a, b = map(str, c.names)
    head = ["measure", a, b, "difference", "low", "high", "p"]
    rows = [
        [
            d.measure,
            number(d.a),
            number(d.b),
            *(number(x, sign=True) for x in (d.estimate, d.low, d.high)),
            probability(d.pvalue).removeprefix("p ").removeprefix("= "),
        ]
        for d in shown
    ]
    notes = tuple(dict.fromkeys([*first.notes, *c.notes]))
    data = {
        "systems": list(c.names),
        "same_items": c.paired,
        "n": c.n,
        "level": c.level,
        "measures": {d.measure: _record(d) for d in shown},
    }
    return Answer(_verdict(first, c), [(head, rows)], notes, data)


def _scalar(c: Comparison, measure: str) -> Difference:
    import numpy as np

    from informed.errors import InferenceError

    found = c[measure]
    if np.ndim(found.estimate):
        raise InferenceError(
            f"{found.measure} is of one class; say which with --positive, of two classes."
        )
    return found


def _verdict(d: Difference, c: Comparison) -> str:
    from informed.measures import find
    from informed.systems._board import sign_of

    a, b = c.names
    items = (
        f"on the same {c.n:,g} items"
        if c.paired
        else f"on different items ({c.n[0]:,g} and {c.n[1]:,g})"
    )
    found = (
        f"{d.measure} {number(d.estimate, sign=True)} {limits(d.low, d.high)}, "
        f"{probability(d.pvalue)}, {items}"
    )
    if not d.pvalue < 1 - d.level:
        return f"{a} and {b} cannot be told apart: {found}"
    better = d.estimate * sign_of(find(d.measure)) > 0
    return f"{a} is {'better' if better else 'worse'} than {b}: {found}"


def _record(d: Difference) -> dict[str, Any]:
    return {
        "a": d.a,
        "b": d.b,
        "difference": d.estimate,
        "low": d.low,
        "high": d.high,
        "p": d.pvalue,
        "method": d.method,
        "null": d.null,
    }


# ---------------------------------------------------------------------- many systems


def _board(held: Any, names: tuple[Hashable, ...], options: dict[str, Any]) -> Answer:
    from informed import Paired, leaderboard
    from informed.errors import InferenceError

    if not isinstance(held, Paired):
        raise InferenceError(
            f"{len(names)} systems on different items: a leaderboard takes the same items (give "
            "--item or --on), a comparison two systems."
        )
    method: Any = "smoothed" if options["method"] == "auto" else options["method"]
    board = leaderboard(
        predictions=held,
        measure=options["measure"],
        level=options["level"],
        adjust=options["adjust"],
        baseline=options["baseline"],
        method=method,
    )
    data = _board_record(board)
    tables = [_standing(board)]
    notes = board.notes
    if board.discounted is not None:
        tables.append(_standing(board.discounted))
        notes = (*notes, "The second table is of all items, where an abstention wins nothing.")
        data["discounted"] = _board_record(board.discounted)
    return Answer(_leading(board), tables, (*notes, *_groups(board)), data)


def _leading(board: Leaderboard) -> str:
    leaders = [str(name) for name in board.leaders]
    best = board.order[0]
    value = (
        f"{board.measure} {number(board.values[best])} {limits(board.low[best], board.high[best])}"
    )
    where = f"{len(board)} systems on the same {board.items:,} items"
    if len(leaders) == 1:
        return f"{leaders[0]} is the best: {value}, {where}"
    shown = ", ".join(leaders[:6]) + (", …" if len(leaders) > 6 else "")
    return f"{len(leaders)} systems may be the best ({shown}): {value} for the first, {where}"


def _standing(board: Leaderboard) -> tuple[list[str], list[list[str]]]:
    head = ["system", "rank", "ranks", board.measure, "low", "high", "beyond guessing", "coverage"]
    versus = board.versus
    if versus is not None:
        head += [f"− {versus.baseline}", "low", "high", "p"]
    rows = []
    for s in board.order:
        row = [
            str(board.names[s]),
            str(board.rank[s]),
            f"{board.rank_low[s]}–{board.rank_high[s]}",
            *(number(x[s]) for x in (board.values, board.low, board.high)),
            "yes" if board.beyond_guessing[s] else "no",
            number(board.coverage[s]),
        ]
        if versus is not None and board.names[s] == versus.baseline:
            row += [""] * 4
        elif versus is not None:
            row += [number(x[s], sign=True) for x in (versus.estimate, versus.low, versus.high)]
            row.append(probability(versus.adjusted[s]).removeprefix("p ").removeprefix("= "))
        rows.append(row)
    return head, rows


def _groups(board: Leaderboard) -> list[str]:
    return [
        f"Cannot be told apart: {', '.join(map(str, group))}."
        for group in board.groups
        if len(group) > 1
    ]


def _board_record(board: Leaderboard) -> dict[str, Any]:
    return {
        "measure": board.measure,
        "basis": board.basis,
        "n": board.items,
        "level": board.level,
        "adjust": board.adjust,
        "leaders": list(board.leaders),
        "groups": [list(group) for group in board.groups],
        "systems": [
            {
                "system": board.names[s],
                "rank": board.rank[s],
                "rank_low": board.rank_low[s],
                "rank_high": board.rank_high[s],
                "value": board.values[s],
                "low": board.low[s],
                "high": board.high[s],
                "beyond_guessing": board.beyond_guessing[s],
                "coverage": board.coverage[s],
            }
            for s in board.order
        ],
        "pairs": [
            board[board.names[a], board.names[b]]._asdict()
            for i, a in enumerate(board.order)
            for b in board.order[i + 1 :]
        ],
    }


# ---------------------------------------------------------------------- gates


def _gates(held: Any, names: tuple[Hashable, ...], options: dict[str, Any]) -> list[str] | None:
    """What the gates say, None where there are none."""
    from informed.errors import InferenceError
    from informed.measures import find
    from informed.systems._board import sign_of

    worse, unless = options["fail_worse"], options["fail_unless"]
    if worse is None and unless is None:
        return None
    if len(names) > 2 and options["baseline"] is None:
        raise InferenceError("With more than two systems a gate needs --baseline NAME.")
    method = options["method"] if len(names) == 2 else "auto"
    c = _comparison(held, names, options, method)
    measure = options["measure"]
    found = _scalar(c, measure)
    sign = sign_of(find(measure))
    sides = ("less", "greater") if sign > 0 else ("greater", "less")
    a, b = c.names
    alpha = 1 - c.level
    failures = []
    if worse is not None:
        p = c.pvalue(measure, null=-sign * worse, alternative=sides[0])
        if not p > alpha:
            failures.append(
                f"{a} is worse than {b} by more than {worse:g}: {_gap(found)}, "
                f"one-sided {probability(p)}"
            )
    if unless is not None:
        p = c.pvalue(measure, null=-sign * unless, alternative=sides[1])
        if not p < alpha:
            failures.append(
                f"it is not shown that {a} is worse than {b} by less than {unless:g}: "
                f"{_gap(found)}, one-sided {probability(p)}"
            )
    return failures


def _gap(d: Difference) -> str:
    return f"{d.measure} {number(d.estimate, sign=True)} {limits(d.low, d.high)}"
