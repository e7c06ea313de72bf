"""informed claims"""

from __future__ import annotations

import json

import click

from informed.cli._options import output_options, written


@click.command("claims")
@click.argument("names", nargs=-1, metavar="[CLAIM]…")
@click.option("--quick", is_flag=True, help="Fewer tables, for a first look.")
@click.option("--size", type=int, help="Tables for each claim.")
@click.option("--seed", type=int, default=2011, show_default=True, help="Same seed, same tables.")
@output_options("text", "json")
def command(
    names: tuple[str, ...], quick: bool, size: int | None, seed: int, form: str, output: str | None
) -> None:
    """Every empirical claim of the papers, run again, with a verdict.

    \b
    informed claims --quick
    informed claims tracking --size 10000
    """
    from informed.simulation import run_claims

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
