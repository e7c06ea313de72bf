"""Seeds of a training on the command line: logs of systems that were trained several times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from informed.cli._options import SCORING, chosen_of, only, reading
from informed.cli._suites import GATES
from informed.cli._systems import Systems

if TYPE_CHECKING:
    from informed.documents.document import Document
    from informed.evidence.paired import Paired

WRITTEN = {"form", "output", "precision"}
CHOSEN = (*SCORING, "seed")
TAKEN = {*CHOSEN, *WRITTEN, "choices", "unit", "level", "count"}
OF_TWO = {*TAKEN, *GATES, "measure", "adjust", "baseline"}
SAID = "Seeds of a training are of logs, over which items and seeds lead; {} is not for them."


def _read(systems: dict[str, list[str]], how: dict[str, Any], which: dict[str, Any], count: Any) -> Paired:
    from informed.sources.logs.seeds import trained

    return trained(systems, count=count, **(how | chosen_of(which, CHOSEN)))


def read_trainings(files: tuple[str, ...], options: dict[str, Any], which: dict[str, Any]) -> Systems:
    """The systems of a comparison, with the seeds of training as their folds."""
    from informed.sources.logs.seeds import SEED
    from informed.sources.logs.several import VERDICTS
    from informed.sources.logs.suites import systems_of

    only(OF_TWO, SAID)
    found = _read(systems_of(files), reading(dict(options)), which, options["count"])
    if found.labels == VERDICTS and options["measure"] == "informedness":
        options["measure"] = "accuracy"  # where nothing is confused with anything
    options["design"] = "training-seeds"
    return Systems(found, found.names, fold=SEED)


def trainings_page(
    files: tuple[str, ...], how: dict[str, Any], options: dict[str, Any], which: dict[str, Any]
) -> Document:
    """The page of one system over its trainings."""
    from informed import report
    from informed.sources.logs.several import VERDICTS
    from informed.sources.logs.suites import systems_of
    from informed.systems.trainings import over_seeds

    only(TAKEN, SAID)
    named = systems_of(files)
    name = next(iter(named)) if len(named) == 1 else "the system"
    found = _read({name: [path for paths in named.values() for path in paths]}, how, which, options["count"])
    measure = "accuracy" if found.labels == VERDICTS else "informedness"
    return report(over_seeds(found, measure=measure, level=options["level"], count=options["count"]))
