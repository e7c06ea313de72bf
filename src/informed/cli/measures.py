"""informed measures"""

from __future__ import annotations

import json

import click

from informed.cli._options import output_options, written


@click.command("measures")
@click.argument("name", required=False)
@click.option("--search", "-s", "text", help="Only measures that mention this text.")
@output_options()
def command(name: str | None, text: str | None, form: str, output: str | None) -> None:
    """The catalogue of measures, or one of them with its formula, chance level and relations.

    \b
    informed measures
    informed measures informedness
    informed measures --search youden
    """
    from informed.documents.pages import catalogue
    from informed.measures.catalogue import facts_json, listing, page

    if form == "json":
        written(json.dumps(facts_json(name, text), ensure_ascii=False, indent=2), output)
    elif form == "text":
        written(page(name) if name else listing(text), output)
    else:
        made = catalogue.measure(name) if name else catalogue.catalogue(text)
        written(made.write(form).rstrip("\n"), output)
