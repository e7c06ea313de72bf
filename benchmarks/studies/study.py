"""A study: what a script measures is kept in docs/data/ and shown on pages of docs/ between marks.

    python benchmarks/studies/<study>.py [part …] [--runs 1000] [--write]

A study has parts. Each is measured row by row with seeds of its own, and says what its table shows and on which page.
Without `--write` the tables are printed; with it the rows go to ``docs/data/<study>.json`` and the tables to where a
page has ``<!-- <study>: <part> -->`` and ``<!-- end of <part> -->``. tests/test_docs.py holds that pages show the data.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[2] / "docs"
Row = dict[str, Any]


def table(rows: list[Row]) -> str:
    """Rows as Markdown, a column for each name that any of them has."""
    heads = list(dict.fromkeys(name for row in rows for name in row))
    lines = [heads, ["---"] * len(heads), *([shown(row.get(h, "")) for h in heads] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def shown(x: Any) -> str:
    """A share with three places and no zero before them; anything else as it is."""
    if not isinstance(x, float):
        return str(x)
    return f"{x:.3f}".replace("0.", ".", 1) if abs(x) < 1 else f"{x:.4g}"


def bare(x: float) -> str:
    """A number of the world that is simulated, with no more places than it has."""
    return f"{x:g}".replace("0.", ".", 1)


@dataclass(frozen=True)
class Part:
    """One table of a page: how it is measured, and what is said above it.

    `runs` are those of a scenario, unless told. `errors` are shares that the table is about, with the multiple of the
    runs that each rests on: their standard errors stand below, where `run` is what one is called. `text` is for what
    is no table.
    """

    said: str
    rows: Callable[[int], Iterable[Row]]
    page: str
    runs: int = 1000
    errors: tuple[tuple[float, float], ...] = ((0.95, 1.0),)
    run: str = "runs a row"
    text: Callable[[list[Row]], str] = table

    def section(self, held: Row) -> str:
        """What the page shows of the data."""
        said = [
            f"{runs} {self.run}: a share of {bare(share)} has a standard error of "
            f"{shown((share * (1 - share) / runs) ** 0.5)}"
            for share, runs in ((share, round(held["runs"] * times)) for share, times in self.errors)
        ]
        below = f"\n{'; '.join(said)}.\n" if said else ""
        return f"{self.said}\n\n{self.text(held['rows'])}\n{below}".lstrip()


@dataclass(frozen=True)
class Study:
    """Parts by name, with the file that keeps their rows."""

    name: str
    parts: Mapping[str, Part]

    @property
    def data(self) -> Path:
        return DOCS / "data" / f"{self.name}.json"

    def held(self) -> dict[str, Row]:
        """Rows and runs of the parts that were measured."""
        return dict(json.loads(self.data.read_text("utf-8"))) if self.data.exists() else {}

    def rows(self, part: str) -> list[Row]:
        return list(self.held()[part]["rows"])

    def marks(self, part: str) -> tuple[str, str]:
        """Lines before and after a part on its page."""
        return f"<!-- {self.name}: {part} -->\n", f"<!-- end of {part} -->\n"

    def page(self, part: str, text: str, held: Row) -> str:
        """The page with this part as it was measured."""
        start, end = self.marks(part)
        before, _, rest = text.partition(start)
        _, found, after = rest.partition(end)
        if not found:
            raise SystemExit(f"docs/{self.parts[part].page} has no {start.strip()} … {end.strip()}")
        return f"{before}{start}\n{self.parts[part].section(held)}\n{end}{after}"

    def write(self, held: dict[str, Row]) -> None:
        """Keep rows, and show them on their pages."""
        known = {name: held[name] for name in self.parts if name in held}
        self.data.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        for name, part in known.items():
            path = DOCS / self.parts[name].page
            path.write_text(self.page(name, path.read_text("utf-8"), part), encoding="utf-8")

    def main(self) -> None:
        """Measure the parts that are asked for, or show again what is held (`--shown`)."""
        parser = argparse.ArgumentParser(description=f"The study {self.name}; see study.py.")
        parser.add_argument("parts", nargs="*", default=list(self.parts), help=", ".join(self.parts))
        parser.add_argument("--runs", type=int, help="runs of a scenario")
        parser.add_argument("--write", action="store_true", help="keep the rows and change the pages")
        parser.add_argument("--shown", action="store_true", help="measure nothing; show what is held")
        given = parser.parse_args()
        for name in [] if given.shown else given.parts:
            part, start = self.parts[name], time.perf_counter()
            runs = given.runs or part.runs
            found = {"runs": runs, "rows": list(part.rows(runs))}
            print(f"{part.section(found)}\n{name}: {time.perf_counter() - start:.0f} s\n", flush=True)
            if given.write:
                self.write(self.held() | {name: found})
        if given.write and given.shown:
            self.write(self.held())
