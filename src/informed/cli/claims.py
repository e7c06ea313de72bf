"""informed claims"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from informed._files import write_whole
from informed.cli._options import output_options, written, wrote
from informed.errors import InferenceError


@click.command("claims")
@click.argument("names", nargs=-1, metavar="[NAME]…")
@click.option("--questions", is_flag=True, help="The open questions instead of the claims.")
@click.option("--quick", is_flag=True, help="Fewer tables, for a first look.")
@click.option("--size", type=int, help="Tables for each claim or question.")
@click.option(
    "--seed", "seeds", type=int, multiple=True, default=(2011,), show_default=True,
    help="Same seed, same tables; several compare the verdicts.",
)  # fmt: skip
@click.option("--pictures", type=click.Path(), help="A folder for the pictures of the questions.")
@output_options("text", "json", screen=False)
def command(
    names: tuple[str, ...],
    questions: bool,
    seeds: tuple[int, ...],
    pictures: str | None,
    form: str,
    output: str | None,
    **how: Any,
) -> None:
    """Every empirical claim of the papers, run again, with a verdict; or their open questions.

    \b
    informed claims --quick
    informed claims tracking --size 10000
    informed claims --seed 2011 --seed 1 --seed 2
    informed claims --questions freedoms outside --pictures .
    """
    if pictures and not questions:
        raise InferenceError("Claims have no pictures; --pictures goes with --questions.")
    if len(set(seeds)) < len(seeds) or (questions and len(seeds) > 1):
        raise InferenceError("Give --seed once, or several different ones to compare the verdicts of the claims.")
    if len(seeds) > 1:
        found, said = _verdicts(names, seeds, **how)
    else:
        how["seed"] = seeds[0]
        found, said = _questions(names, pictures, **how) if questions else _claims(names, **how)
    written(json.dumps(found, ensure_ascii=False, indent=1) if form == "json" else said, output)


def _claims(names: tuple[str, ...], **how: Any) -> tuple[dict[str, Any], str]:
    """Claims with their verdicts, as data and as text."""
    from informed.papers import run_claims

    found = run_claims(names or None, **how)
    blocks = []
    for row in found["rows"]:
        results = [f"    {r['name']}: {r['value']:.4g} ± {r['error']:.2g}" for r in row["results"]]
        head = f"{row['claim']}: {row['verdict']}"
        rule = [f"  {_side(p)}: “{p['says']}” ({p['of']}, {p['wanted']})" for p in row["rule"]]
        blocks.append("\n".join([head, f"  {row['says']} ({row['where']})", *rule, *results]))
    run = ", ".join(f"{name} {value}" for name, value in found["run"].items())
    return found, "\n\n".join([*blocks, f"Run: {run}."])


def _verdicts(names: tuple[str, ...], seeds: tuple[int, ...], **how: Any) -> tuple[dict[str, Any], str]:
    """The verdicts of claims with several seeds, as data and as text."""
    from informed.papers.claims import run_seeds
    from informed.papers.pages import seeds_text

    found = run_seeds(seeds, names or None, **how)
    return found, seeds_text(found)


def _side(part: dict[str, Any]) -> str:
    """Whether a part of a claim is so, in every reading or in some."""
    sides = {"so": part["met"], "not so": part["missed"], "too close to tell": part["close"]}
    said = {side: names for side, names in sides.items() if names}
    if not any(name for names in said.values() for name in names):  # it has no readings
        return next(iter(said))
    if len(said) == 1:
        return f"{next(iter(said))} in every reading"
    return ". ".join(f"{side} in {'; '.join(names)}" for side, names in said.items())


def _questions(names: tuple[str, ...], pictures: str | None, **how: Any) -> tuple[dict[str, Any], str]:
    """Open questions, as data and as text; their pictures go into a folder."""
    from informed.papers import run_questions
    from informed.papers.pages import questions_text

    found, drawings = run_questions(names or None, **how)
    if pictures:
        folder = Path(pictures)
        folder.mkdir(parents=True, exist_ok=True)
        for name, svg in drawings.items():
            path = folder / f"question-{name}.svg"
            write_whole(path, svg)
            wrote(path)
    run = ", ".join(f"{name} {value}" for name, value in found["run"].items() if name != "seconds")
    return found, f"{questions_text(found)}\n\nRun: {run}."
