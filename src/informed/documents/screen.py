"""One screen of a document: what of it stands within so many lines, and what is left for later.

The answer comes first and what to do next comes last; between them stand what must not be overlooked
and what the page chose for a glance, in its order. Nothing is left out unsaid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from informed._numbers import plural
from informed.documents.blocks import Glance, Grid, Seen, Words, glanced
from informed.documents.document import Document

LINES = 23  # of 24: the next prompt is on the screen, too
MOST_ANSWER = 6
MOST_WARNED = 7  # with the empty lines between them
MOST_PASSED = 2  # gates whose sentences are shown
MOST_STEPS = 3
LEAST_ROWS = 3  # a grid of fewer rows is not worth its titles


@dataclass(frozen=True)
class Measured:
    """How a writer lays out blocks: the lines that one takes, and a grid as it fits the width."""

    tall: Callable[[Seen], int]
    fits: Callable[[Grid], bool]
    narrowed: Callable[[Grid], Grid]


def on_screen(document: Document, measured: Measured) -> list[Seen]:
    """The answer, what stands below it, and what to do next."""
    tall = measured.tall
    answer = _capped(Words(document.said, "answer"), MOST_ANSWER, tall)
    steps = _first_steps(document.steps, tall)
    left = LINES - tall(answer) - sum(map(tall, steps)) - 2  # an empty line, and where all of it is

    warned = list(_warned(document.warnings, min(MOST_WARNED, left), tall))
    left -= sum(tall(x) + 1 for x in warned)
    passed = list(_passed(document))
    left -= sum(tall(x) + 1 for x in passed)
    body = _chosen(document.glance, left, measured) if document.glance else _from_the_first(document, left, measured)
    return [answer, *warned, *passed, *body, *steps]


def _passed(document: Document) -> Iterator[Words]:
    """The gates that passed, or how many did; those that do not are warnings."""
    held = [g.sentence for g in document.gates if g and g.sentence not in document.said]
    if len(held) > MOST_PASSED:
        groups = len({g.group for g in document.gates if g and g.group})
        of = f" (the total and {plural(groups, 'group')})" if groups else ""
        yield Words(f"{len(held):,} gates passed{of}; they are in the full text.")
    else:
        yield from (Words(x if x.endswith(": pass.") else f"Gate passed: {x}") for x in held)


def _first_steps(said: Sequence[str], tall: Callable[[Seen], int]) -> list[Words]:
    """What to do next, as far as a few lines hold it."""
    steps = [Words(x, "step", "Next") for x in said]
    while len(steps) > 1 and sum(map(tall, steps)) > MOST_STEPS:
        steps.pop()
    return steps


def _capped(said: Words, most: int, tall: Callable[[Seen], int]) -> Words:
    """As many of its words as so many lines hold."""
    words = said.text.split()
    while tall(said) > most:
        words.pop()
        said = replace(said, text=" ".join((*words, "…")))
    return said


def _warned(warnings: Sequence[str], room: int, tall: Callable[[Seen], int]) -> Iterator[Words]:
    """Warnings while there is room; of the others, how many there are."""
    for i, text in enumerate(warnings):
        said = Words(text, "warning")
        last = i == len(warnings) - 1
        if i and tall(said) + 1 + 2 * (not last) > room:
            many = len(warnings) - i
            yield Words(f"{many} more warning{'s' * (many > 1)} in the full text.", "warning")
            return
        said = _capped(said, max(room - 1 - 2 * (not last), 1), tall)
        room -= tall(said) + 1
        yield said


def _from_the_first(document: Document, left: int, measured: Measured) -> Iterator[Seen]:
    """Of a page that chose nothing its sentences and grids, without notes, as far as they go."""
    blocks = (x for section in document.body() for block in section.blocks for x in glanced(block))
    for block in blocks:
        if isinstance(block, Words) and block.kind not in ("plain", "term"):
            continue
        found = list(_chosen((block,), left, measured))
        yield from found
        left -= sum(measured.tall(x) + 1 for x in found)
        if not found or left < LEAST_ROWS:
            return


def _chosen(glance: Glance, left: int, measured: Measured) -> Iterator[Seen]:
    """What fits, each after an empty line: of alternatives the first that is whole, a long grid in part."""
    items = [x if isinstance(x, tuple) else (x,) for x in glance]
    for i, ways in enumerate(items):
        later = sum(_least(x[-1], measured) for x in items[i + 1 : i + 2])
        for room in (left - later, left):  # what comes next is asked for its least, if that helps
            whole = [x for x in ways if _whole(x, room - 1, measured)]
            cut = _cut(ways[-1], room - 1, measured)
            if found := whole[0] if whole else cut:
                yield found
                left -= measured.tall(found) + 1
                break


def _least(block: Seen, measured: Measured) -> int:
    """Lines that show something of a block."""
    if isinstance(block, Words):
        return measured.tall(block) + 1
    grid = measured.narrowed(block)
    return min(measured.tall(grid), measured.tall(_shortened(grid, LEAST_ROWS))) + 1


def _whole(block: Seen, room: int, measured: Measured) -> bool:
    """Whether all of it fits."""
    fits = isinstance(block, Words) or measured.fits(block)
    return fits and measured.tall(block) <= room


def _cut(block: Seen, room: int, measured: Measured) -> Seen | None:
    """A grid with as many rows as fit, its sums among them; nothing where that is too little."""
    if isinstance(block, Words):
        return None
    grid = measured.narrowed(block)
    over = measured.tall(grid) - room
    if over <= 0:
        return grid
    body = len(grid.rows) - grid.sums
    kept = body - over - 1  # and the line that says how many more there are
    return None if kept < min(LEAST_ROWS, body) else _shortened(grid, kept)


def _shortened(grid: Grid, kept: int) -> Grid:
    """A grid with its first rows, how many more there are, and its sums."""
    body, sums = grid.rows[: len(grid.rows) - grid.sums], grid.rows[len(grid.rows) - grid.sums :]
    more = (f"… {len(body) - kept:,} more", *([""] * (len(grid.columns) - 1)))
    return replace(grid, rows=(*body[:kept], more, *sums))
