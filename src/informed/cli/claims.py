"""informed claims"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from informed.cli._options import output_options, written
from informed.errors import InferenceError


@click.command("claims")
@click.argument("names", nargs=-1, metavar="[NAME]…")
@click.option("--questions", is_flag=True, help="The open questions instead of the claims.")
@click.option("--quick", is_flag=True, help="Fewer tables, for a first look.")
@click.option("--size", type=int, help="Tables for each claim or question.")
@click.option("--seed", type=int, default=2011, show_default=True, help="Same seed, same tables.")
@click.option("--pictures", type=click.Path(), help="A folder for the pictures of the questions.")
@output_options("text", "json")
def command(
    names: tuple[str, ...],
    questions: bool,
    quick: bool,
    size: int | None,
    seed: int,
    pictures: str | None,
    form: str,
    output: str | None,
) -> None:
    """Every empirical claim of the papers, run again, with a verdict; or their open questions.

    \b
    informed claims --quick
    informed claims tracking --size 10000
    informed claims --questions freedoms outside --pictures .
    """
    from informed.papers import run_claims

    if questions:
        _questions(names, pictures, form, output, quick=quick, size=size, seed=seed)
        return
    if pictures:
        raise InferenceError("Claims have no pictures; --pictures goes with --questions.")
    found = run_claims(names or None, quick=quick, size=size, seed=seed)
    if form == "json":
        written(json.dumps(found, ensure_ascii=False, indent=1), output)
        return
    blocks = []
    for row in found["rows"]:
        results = [f"    {r['name']}: {r['value']:.4g} ± {r['error']:.2g}" for r in row["results"]]
        head = f"{row['claim']}: {row['verdict']}"
        blocks.append("\n".join([head, f"  {row['says']} ({row['where']})", *results]))
    run = ", ".join(f"{name} {value}" for name, value in found["run"].items())
    written("\n\n".join([*blocks, f"Run: {run}."]), output)


def _questions(
    names: tuple[str, ...], pictures: str | None, form: str, output: str | None, **how: Any
) -> None:
    from informed.papers import run_questions
    from informed.papers.pages import questions_text

    found, drawings = run_questions(names or None, **how)
    if pictures:
        folder = Path(pictures)
        folder.mkdir(parents=True, exist_ok=True)
        for name, svg in drawings.items():
            path = folder / f"question-{name}.svg"
            path.write_text(svg, encoding="utf-8")
            click.echo(f"wrote {path}", err=True)
    if form == "json":
        written(json.dumps(found, ensure_ascii=False, indent=1), output)
        return
    run = ", ".join(f"{name} {value}" for name, value in found["run"].items() if name != "seconds")
    written(f"{questions_text(found)}\n\nRun: {run}.", output)
