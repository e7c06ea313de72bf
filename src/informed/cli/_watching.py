"""What `informed watch` reads, draws on a terminal, and ends with."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from informed._files import locked
from informed.cli._options import SCORING
from informed.errors import InferenceError, InformedError, SourceError
from informed.evidence.labels import text as shown
from informed.sources.following import STDIN

if TYPE_CHECKING:
    from informed.documents.document import Document
    from informed.inference.watch import Watch
    from informed.results import Gate
    from informed.sources.watched import Watched
    from informed.sources.watching import Run

EVERY = 0.2  # seconds between two drawings of the line
OF_COLUMNS = ("real", "predicted", "item", "epochs", "index", "delimiter")
OF_LOGS = ("scorer", "filter", "metric", "input_format")
SCORED = ("accuracy", "accuracy_of_all", "score")  # of a log: the mean of what its answers are marked


def own_state(path: str | None) -> ExitStack:
    """Keep other watches from the state while this one runs: of two, each would write what it alone has counted."""
    try:
        return ExitStack() if path is None else locked(path)
    except BlockingIOError:
        said = f"Another watch that is still running keeps its state in {path}; wait for its end"
        raise SourceError(f"{said}, or give --state another name.") from None


def run_of(file: str, options: dict[str, Any]) -> Run:
    """The source, the bettor and the rule as they were asked for; where a state was kept, as far as that is."""
    from informed.inference.stop_rules import parse
    from informed.sources.watching import Run, kept

    state = None if options["state"] is None else Path(options["state"])
    if state is not None and file != STDIN and state.exists() and Path(file).exists() and state.samefile(file):
        raise SourceError(f"--state {state} is the file that is watched; give another name.")
    source, bettor = source_of(file, options), bettor_of(options)
    rules = None if options["stop"] is None else parse(options["stop"])
    if rules is None and not options["decide"]:
        _check_bar(bettor)
    if rules is None and options["decide"]:
        rules = parse("pass or fail")
    if rules is not None and (never := rules.impossible(bettor.settings)):
        raise InferenceError(never)

    held = None if state is None else kept(state)
    if held is not None:
        bettor = _resumed(bettor, held["watch"], options["state"])
        try:
            source.resume(held["source"])
        except InformedError:
            raise
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            why = f"{type(error).__name__}: {error}"
            raise SourceError(f"{options['state']} is damaged ({why}); remove it to begin anew.") from None
        _check_abstain(bettor, held["source"].get("abstain", ()), options["abstain"])
    return Run(source, bettor, rules, state)


def _check_bar(bettor: Watch) -> None:
    """Ask for a threshold where none is known, and nothing else is asked."""
    if not bettor.settings.barred:
        raise InferenceError(
            f"{bettor.settings.measure} has no chance level that is known here, and no threshold was given: "
            "nothing can be decided.",
            "give one, as in --against 0.5",
            f"give a rule, as in --stop '{bettor.settings.measure}.width < 0.1'",
        )


def check_told(file: str, options: dict[str, Any]) -> None:
    """Refuse what says something of what was not asked for."""
    if options["patience"] is not None and not options["follow"] and file != STDIN:
        raise SourceError("--patience ends the waiting of --follow; give --follow, too.")
    if options["disagree"] is not None and (options["expect"] is None or options["other"] is None):
        raise SourceError("--disagree says what is expected of two systems; give --expect and --other, too.")


def systems_page(file: str, systems: Sequence[str], options: dict[str, Any]) -> Document:
    """Many systems at a common look, at the end of what there is."""
    from informed.summary.watched_systems import watched_systems

    for name in ("stop", "decide", "state", "follow", "patience", "other"):
        if options[name]:
            raise SourceError(f"Many systems are looked at together, where the file ends; they take no --{name}.")
    if file == STDIN or options["real"] is None or len(set(systems)) < len(systems):
        raise SourceError("Many systems are columns of one file, each once: give --real, and --predicted for each.")
    runs = {name: run_of(file, options | {"predicted": name}) for name in systems}
    for run in runs.values():
        run.follow()
    page = watched_systems({name: run.watch for name, run in runs.items()}).document()
    more = dict.fromkeys(note for run in runs.values() for note in run.notes())
    return replace(page, notes=(*page.notes, *more))


def _resumed(new: Watch, held: dict[str, Any], path: str) -> Watch:
    """The bettor as it was, if it was declared as it is now."""
    from informed.inference.watch import Watch

    try:
        return Watch.from_json(json.dumps(held), like=new)
    except InferenceError as error:
        raise InferenceError(f"{path}: {error.said}", *error.ways) from None


def _check_abstain(begun: Watch, before: Sequence[str], now: Sequence[str]) -> None:
    """A label that stopped a run may be named as no answer then; one that was counted as a class may not."""
    for label in now:
        if label not in before and label in begun.labels:
            raise SourceError(f"{shown(label)} was counted as a class already; --abstain {label} begins another run.")


# ---------------------------------------------------------------------- what is read


def source_of(file: str, options: dict[str, Any]) -> Watched:
    """Columns where these are named, and otherwise an evaluation log."""
    from informed.sources.following import Columns, Growing
    from informed.sources.watched import WatchedColumns, WatchedLog

    if file != STDIN:
        _check_file(file)
    if not _of_columns(options):
        return _log(file, options, WatchedLog)
    if _bar(options)[0] == "score":
        raise SourceError(
            "Item scores are watched from an evaluation log, and not from columns; in Python: "
            'informed.watch(measure="score").'
        )
    for name in OF_LOGS:
        if options[name] is not None:
            raise SourceError(f"--{name.replace('_', '-')} is of an evaluation log; columns have none.")
    for name in ("real", "predicted"):
        if options[name] is None:
            raise SourceError(
                f"Give --{name}, too: the column of {'the real classes' if name == 'real' else 'answers'}."
            )
    if options["other"] == options["predicted"]:
        raise SourceError(
            f"--other and --predicted are both {shown(options['other'])}; a system is no better than itself."
        )
    if options["epochs"] is not None and options["item"] is None:
        raise SourceError("--epochs says how often each item is asked; give --item, too: the column that names it.")
    roles = tuple(x for x in ("real", "predicted", "other", "item", "index") if options[x] is not None)
    columns = Columns(Growing(file), tuple(options[role] for role in roles), delimiter=options["delimiter"])
    held = {"epochs": options["epochs"], "abstain": frozenset(options["abstain"]), "missing": options["missing"]}
    return WatchedColumns(columns, roles, **held)


def _of_columns(options: dict[str, Any]) -> bool:
    """Whether columns are named, and not a log."""
    return options["real"] is not None or options["predicted"] is not None


def _check_file(file: str) -> None:
    path = Path(file)
    if path.is_dir():
        raise SourceError(f"{file} is a folder; one file or log is watched.")
    if path.exists() and not path.is_file():
        raise SourceError(f"{file} is a pipe or a device; give it as standard input: … | informed watch -.")


def _log(file: str, options: dict[str, Any], make: Any) -> Watched:
    from informed.sources.logs import recognise

    if file == STDIN:
        raise SourceError("Standard input has columns: give --real and --predicted.")
    for name in OF_COLUMNS:
        if options[name] is not None:
            raise SourceError(f"--{name.replace('_', '-')} is of columns: give --real and --predicted, too.")
    if options["input_format"] is None and Path(file).exists() and recognise(Path(file)) is None:
        raise SourceError(f"{file} is no evaluation log that is known; if it has columns, give --real and --predicted.")
    if options["other"] is not None and Path(options["other"]).resolve() == Path(file).resolve():
        raise SourceError(f"--other is {file} itself; a system is no better than itself.")
    how = {name: options[name] for name in SCORING if options[name] is not None}
    how |= {"marks": _bar(options)[0] == "score", "labels": options["labels"]}
    how |= {"abstain": list(options["abstain"]) or None}
    log: Watched = make(file, options["other"], options["input_format"], how)
    return log


# ---------------------------------------------------------------------- what is bet


def bettor_of(options: dict[str, Any]) -> Watch:
    """A new bettor with what was declared."""
    from informed import watch

    measure, against = _bar(options)
    labels = None if measure == "score" else options["labels"]
    shares = options["prevalence"]
    how = {name: options[name] for name in ("level", "alternative", "expect")}
    if options["disagree"] is not None:
        how["disagree"] = options["disagree"]
    return watch(
        against=against,
        labels=labels,
        prevalence=None if shares is None else _amounts("prevalence", shares),
        benchmark=_benchmark(options),
        paired=options["other"] is not None,
        measure=measure,
        **how,
    )


def _bar(options: dict[str, Any]) -> tuple[str, float | None]:
    """What is watched, and its bar: that of --decide, or of --against; None for the chance level. Of a log accuracy is
    the score."""
    from informed.summary.decide import decided

    def named(measure: str) -> str:
        return "score" if measure in SCORED and not _of_columns(options) else measure

    measure, against = named(options["measure"]), options["against"]
    if len(options["decide"]) > 1:
        raise InferenceError(f"--decide is given {len(options['decide'])} times; one bar is bet against.")
    for text in options["decide"]:
        asked, bar = decided(text)
        asked = named("accuracy" if asked == "score" else asked)
        if measure not in ("informedness", asked):
            raise InferenceError(f"--decide is of {asked}, and --measure {measure} is watched.")
        if against not in (None, bar):
            raise InferenceError(f"--decide has the bar {bar:g} and --against {against:g}; give one of them.")
        measure, against = asked, bar
    return measure, against


def _amounts(name: str, text: str) -> dict[str, float]:
    """A number for each label.

    >>> _amounts("prevalence", "yes=0.1,no=0.9")
    {'yes': 0.1, 'no': 0.9}
    """
    try:
        pairs = [part.rpartition("=") for part in text.split(",")]
        found = {label: float(number) for label, equals, number in pairs if equals}
    except ValueError:
        found = {}
    if not found or len(found) != len(pairs):
        raise InferenceError(f"--{name} is {text!r}; write a number for each label, as in yes=0.1,no=0.9.")
    return found


def _benchmark(options: dict[str, Any]) -> Any:
    """How many items of each label there are: typed, or the column of a file."""
    given = options["benchmark"]
    if given is None:
        return None
    if "=" in given and not Path(given).exists():
        return _amounts("benchmark", given)
    from informed.sources.columns import columns, names_of

    names = names_of(given)
    name = options["real"] if options["real"] in names else names[0] if len(names) == 1 else None
    if name is None:
        raise SourceError(f"{given} has no column {options['real']!r} of labels; it has {', '.join(names[:12])}.")
    return columns(given, [name])[name]


# ---------------------------------------------------------------------- what is seen while it runs


class Line:
    """A line on a terminal that is written again as items come in; nothing elsewhere."""

    def __init__(self, run: Run) -> None:
        self.run, self.shown, self.last = run, "", -EVERY
        self.drawn = sys.stderr is not None and sys.stderr.isatty()

    def __call__(self) -> None:
        """Draw it, but not too often."""
        if self.drawn and monotonic() - self.last >= EVERY:
            self.last = monotonic()
            self._draw(self.run.line())

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self.shown:
            self._draw("")

    def _draw(self, text: str) -> None:
        from informed.evidence.table_text import harmless

        text = harmless(text)[: shutil.get_terminal_size((80, 24)).columns - 1]
        sys.stderr.write(f"\r{text}{' ' * (len(self.shown) - len(text))}\r{text}")
        sys.stderr.flush()
        self.shown = text


# ---------------------------------------------------------------------- how it ends


def gates_of(run: Run, options: dict[str, Any]) -> tuple[Gate, ...]:
    """The verdict on the bar, or whether the rule is met: what the exit code says."""
    from informed.summary.watch_gates import gate_of_rule, gate_of_verdict

    if options["decide"] or run.rules is None:
        return (gate_of_verdict(run.watch, options["undecided"]),)
    return (gate_of_rule(run.rules, run.watch, run.met),)
