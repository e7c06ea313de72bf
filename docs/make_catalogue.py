"""Write docs/catalogue: an index, a page and a picture for each measure, from its facts.

Run by `make docs`; a test checks that the committed pages are what this script would write.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from urllib.parse import quote

import numpy as np

from informed.documents.charts.chart import Chart
from informed.documents.charts.marks import Lines, around, scale
from informed.documents.references import entries
from informed.evidence.table import Table
from informed.measures import MEASURES, Measure
from informed.measures.catalogue import chance, facts, facts_json, families, number, span

sys.path.insert(0, str(Path(__file__).parent))
import relations  # beside this script

HERE = Path(__file__).parent / "catalogue"
BIBLIOGRAPHY = Path(__file__).parent.parent / "src" / "informed" / "references.bib"
RECALL, FALLOUT, CASES = 0.8, 0.2, 1000
PREVALENCES = np.linspace(0.02, 0.98, 49)


def pages() -> dict[str, str]:
    """Every file of the catalogue by its path in docs/catalogue."""
    works = bibliography(BIBLIOGRAPHY.read_text("utf-8")) if BIBLIOGRAPHY.exists() else {}
    written = {"README.md": index()}
    for m in MEASURES.values():
        drawing = picture(m)
        if drawing:
            written[f"img/{m.name}.svg"] = drawing
        written[f"{m.name}.md"] = page(m, works, pictured=bool(drawing))
    return written


def index() -> str:
    lines = [
        "# The measures",
        "",
        f"All {len(MEASURES)} of them, by family. Each is a function of a table, "
        '`informed.recall(t)`, and is found by any of its names, `informed.find("tpr")`. '
        "*Chance* is what guessing with the same margins scores: a number, another measure, or "
        "where no short formula is known a value computed from the margins. This page and those "
        "it links to are written by `make docs` from what is declared above each function.",
    ]
    for title, members in families(MEASURES.values()):
        lines += ["", f"## {title}", "", "| measure | meaning | range | chance |", "|---|---|---|---|"]
        lines += [
            f"| [{m.title}]({m.name}.md) `{m.name}` | {cell(m.summary)} | {span(m)} | {cell(linked(in_short(m)))} |"
            for m in members
        ]
    return "\n".join(lines) + "\n"


def in_short(m: Measure) -> str:
    return "by margins" if m.facts.chance is None else chance(m)


def page(m: Measure, works: dict[str, str], *, pictured: bool) -> str:
    known = facts_json(m.name)
    lines = [f"# {m.title}", "", f"`informed.{m.name}`: {m.summary}", ""]
    for paragraph in known["description"]:
        lines += [paragraph, ""]
    lines += ["$$", m.facts.tex, "$$", "", "| fact | of this measure |", "|---|---|"]
    for label, words in facts(m):
        if label == "also called":
            words = ", ".join(f"`{name}`" for name in m.facts.aka)
        elif label == "parameters":
            words = f"`{words}`"
        elif label in ("dual", "inverse", "chance"):
            words = linked(words)
        if label not in ("formula", "references"):
            lines.append(f"| {label} | {cell(words)} |")
    if pictured:
        lines += [
            "",
            f"![{m.title} against prevalence](img/{m.name}.svg)",
            "",
            f"A system with recall {RECALL} and fallout {FALLOUT} as its positive class becomes "
            "more common; dashed, what guessing with the same margins scores.",
        ]
    related = list(relations.of(m.name))
    if related:
        lines += ["", "## Relations", "", *(f"- {each}" for each in related)]
    if known["example"]:
        lines += ["", "## Example"]
        lines += ["", "```python", *imports(m), known["example"], "```"]
    if m.facts.refs:
        lines += ["", "## References", ""]
        lines += [f"- {reference(ref, works)}" for ref in m.facts.refs]
    lines += ["", "[All measures](README.md)"]
    return "\n".join(lines) + "\n"


def imports(m: Measure) -> list[str]:
    return [f">>> from informed import Table, {m.name}"]


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def linked(words: str) -> str:
    """Names of measures, linked to their pages."""
    return re.sub(
        r"\b[a-z][a-z0-9_]+\b",
        lambda found: f"[{found[0]}]({found[0]}.md)" if found[0] in MEASURES else found[0],
        words,
    )


# ---------------------------------------------------------------------- references


def bibliography(text: str) -> dict[str, str]:
    """Works by key, each as a line of Markdown, from the entries of a BibTeX file."""
    return {key: work(fields) for key, fields in entries(text).items()}


def work(f: dict[str, str]) -> str:
    place = f.get("journal") or f.get("booktitle") or f.get("publisher") or ""
    volume = f.get("volume", "") + (f"({f['number']})" if "number" in f else "")
    where = ", ".join(x for x in (f"*{place.rstrip('.')}*" if place else "", volume) if x)
    where += f": {f['pages']}" if "pages" in f and where else ""
    author = f.get("author", "").replace(" and ", "; ")
    parts = (f"{author} ({f.get('year', 'n.d.')})", f.get("title", ""), where)
    said = ". ".join(x.rstrip(".") for x in parts if x)
    link = f" [doi:{f['doi']}](https://doi.org/{quote(f['doi'])})" if "doi" in f else ""
    return f"{said}.{link.replace('<', '&lt;').replace('>', '&gt;')}"


def reference(ref: str, works: dict[str, str]) -> str:
    """A reference such as "powers2011 (15), (42)": the work, then the place in it."""
    found = re.match(r"(\w+),?\s*(.*)", ref)
    if found is None or found[1] not in works:
        return ref
    return f"{works[found[1]]} {found[2]}".rstrip()


# ---------------------------------------------------------------------- pictures


def picture(m: Measure) -> str:
    """The measure of a fixed system against prevalence, as SVG; empty where it has no values."""
    plus, minus = CASES * PREVALENCES, CASES * (1 - PREVALENCES)
    cells = [[RECALL * plus, FALLOUT * minus], [(1 - RECALL) * plus, (1 - FALLOUT) * minus]]
    t = Table.from_counts(np.round(np.moveaxis(np.array(cells), -1, 0), 9))
    value = np.broadcast_to(np.asarray(m(t), dtype=float), t.shape)
    guess = np.broadcast_to(np.asarray(m.chance(t), dtype=float), t.shape)
    shown = np.concatenate([value, guess])
    if not np.isfinite(value).any():
        return ""
    low, high = m.facts.bounds
    finite = shown[np.isfinite(shown)]
    low = low if low == 0 or finite.min() < 0 else 0.0
    top = high if np.isfinite(high) else float(finite.max()) * 1.1
    ticks = around(float(min(low, finite.min())), float(max(top, finite.max())), room=False)
    chart = Chart(
        f"{m.title} against prevalence",
        f"{m.title} of a system with recall {RECALL:g} and fallout {FALLOUT:g}, and of guessing "
        "(dashed), at every prevalence.",
        scale(0, 1, "prevalence", at=(0, 0.25, 0.5, 0.75, 1), role=""),
        scale(ticks[0], ticks[-1], at=ticks, said=number),
        (Lines(PREVALENCES, guess, "curve thin dashed c8"), Lines(PREVALENCES, value)),
        width=308,
        height=156,
    )
    return chart.file()


def main() -> None:
    written = pages()
    for old in sorted(p for p in HERE.rglob("*") if p.is_file()):
        if str(old.relative_to(HERE)) not in written:
            old.unlink()
    for name, text in written.items():
        path = HERE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    sys.stdout.write(f"{len(written)} files in {HERE.name}/\n")


if __name__ == "__main__":
    main()
