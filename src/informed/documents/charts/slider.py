"""A slider of a page: all that it shows was computed before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape


def slider(
    id_: str, name: str, said: Sequence[str], start: int, readout: Mapping[str, Sequence[str]], more: str = ""
) -> str:
    """A range input over steps that `said` names; numbers beside it and marks in pictures that
    follow it move along. `more` is markup below it."""
    outputs = "".join(
        f"<span><b>{escape(title)}</b> {moving(id_, values, start)}</span>" for title, values in readout.items()
    )
    return (
        f'<div class="slider" data-said="{escape("|".join(said))}"><label for="{id_}">'
        f"{escape(name)} <output>{escape(said[start])}</output></label>"
        f'<input type="range" id="{id_}" min="0" max="{len(said) - 1}" value="{start}" step="1">'
        f'<div class="readout">{outputs}</div>{more}</div>'
    )


def moving(id_: str, values: Sequence[str], start: int) -> str:
    """A number that a slider moves."""
    held = escape(" ".join(v.replace(" ", "") for v in values))
    return f'<output for="{id_}" data-y="{held}">{escape(values[start])}</output>'
