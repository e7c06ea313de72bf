"""informed measures"""

from __future__ import annotations

import json
import re
from typing import Any

import click

from informed.cli._options import output_options, written
from informed.cli._pages import PIPE, seen

_NAMED = re.compile(r"( *[\w.-]+(?: \w+)*)(  .*)")  # a name, and from the next column on what is said of it


@click.command("measures")
@click.argument("name", required=False)
@click.option("--search", "-s", "text", help="Only measures that mention this text.")
@output_options(screen=False)
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
        how: dict[str, Any] = seen() if output in (None, "-") else {"width": PIPE, "colour": False}
        lines = page(name, how["width"]) if name else listing(text, how["width"])
        written(_styled(lines, one=bool(name)) if how["colour"] else lines, output, styled=how["colour"])
    else:
        made = catalogue.measure(name) if name else catalogue.catalogue(text)
        written(made.write(form).rstrip("\n"), output)


def _styled(text: str, *, one: bool) -> str:
    """Titles and names in bold."""
    from informed.documents.writers.text import coloured

    lines = text.splitlines()
    parts = [_NAMED.fullmatch(line) for line in lines]
    titles = {0} if one else {i for i, line in enumerate(lines) if not line.startswith(" ")}
    return coloured(
        ((found[1], "bold"), (found[2], "")) if found else ((line, "bold blue" if i in titles else ""),)
        for i, (line, found) in enumerate(zip(lines, parts, strict=True))
    ).rstrip("\n")
