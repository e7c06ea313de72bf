"""What the lab writes into docs/: ``python docs/make_lab.py claims``, or figures, questions, seeds, pages.

``claims ranks tracking`` and ``questions coverage bars`` run these again and leave the others, so that a
run can be made in parts; ``seeds`` runs the claims with other seeds and keeps their verdicts; ``pages``
runs nothing, and writes pages and pictures of the runs that lie there.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from informed.papers.claims import claim, retold, run_claims, run_seeds
from informed.papers.figures import FIGURES, reproduce
from informed.papers.pages import claims_page, errata_page, figures_page, questions_pages
from informed.papers.questions import pictures, question, run_questions

DOCS = Path(__file__).parent


SEEDS = (2011, 1, 2)  # the first is that of the page


def claims(names: list[str]) -> None:
    """Run the claims, all or those named, and write the run and its page."""
    run = run_claims(names or None)
    path = DOCS / "data" / "claims.json"
    if names:  # the others stay as they were: each has a random stream of its own
        before = retold(json.loads(path.read_text(encoding="utf-8")), only=set(claim.texts) - set(names))
        order = list(claim.texts)
        run["rows"] = sorted(before["rows"] + run["rows"], key=lambda r: order.index(r["claim"]))
        run["run"]["seconds"] = before["run"]["seconds"]
    written(run)


def seeds() -> None:
    """The verdict of every claim with three seeds."""
    held = run_seeds(SEEDS)
    (DOCS / "data" / "claims-seeds.json").write_text(json.dumps(held, indent=1) + "\n", encoding="utf-8")
    page_only()


def written(run: dict[str, Any]) -> None:
    """The run of the claims and its page."""
    seeds = json.loads((DOCS / "data" / "claims-seeds.json").read_text(encoding="utf-8"))
    (DOCS / "data" / "claims.json").write_text(json.dumps(run, indent=1) + "\n", encoding="utf-8")
    (DOCS / "claims.md").write_text(claims_page(run, seeds), encoding="utf-8")
    (DOCS / "figures.md").write_text(figures_page(run), encoding="utf-8")
    (DOCS / "errata.md").write_text(errata_page(), encoding="utf-8")


def figures() -> None:
    """The papers' figures, as SVG in both layouts and as CSV."""
    for name in FIGURES:
        f = reproduce(name)
        (DOCS / "img" / f"{name}.svg").write_text(f.paper, encoding="utf-8")
        (DOCS / "img" / f"{name}-bands.svg").write_text(f.modern, encoding="utf-8")
        (DOCS / "data" / f"{name}.csv").write_text(f.csv(), encoding="utf-8", newline="")


def questions(names: list[str]) -> None:
    """Run the open questions, all or those named, and write run, pictures and page."""
    path = DOCS / "data" / "questions.json"
    wanted = names or list(question.texts)
    run, _ = run_questions(wanted)
    if names:  # the others stay as they were: each has a random stream of its own
        before = json.loads(path.read_text(encoding="utf-8"))
        kept = [r for r in before["rows"] if r["question"] not in names]
        order = list(question.texts)
        run["rows"] = sorted(kept + run["rows"], key=lambda r: order.index(r["question"]))
        run["run"]["seconds"] = {**before["run"]["seconds"], **run["run"]["seconds"]}
    lines = ",\n".join(json.dumps(r, ensure_ascii=False) for r in run["rows"])
    head = json.dumps(run["run"], ensure_ascii=False)
    path.write_text(f'{{"run": {head},\n"rows": [\n{lines}\n]}}\n', encoding="utf-8")
    page_only()


def page_only() -> None:
    """Pages and pictures again from the runs that lie there, with the texts as they are now."""
    run = json.loads((DOCS / "data" / "questions.json").read_text(encoding="utf-8"))
    for name, svg in pictures(run["rows"]).items():
        (DOCS / "img" / f"question-{name}.svg").write_text(svg, encoding="utf-8")
    for file, text in questions_pages(run).items():
        (DOCS / file).write_text(text, encoding="utf-8")
    written(retold(json.loads((DOCS / "data" / "claims.json").read_text(encoding="utf-8"))))


if __name__ == "__main__":
    named = {"claims": claims, "questions": questions}
    parts = {"figures": figures, "seeds": seeds, "pages": page_only}
    part, *rest = sys.argv[1:] or ["all"]
    if part in named:
        named[part](rest)
    elif part in parts:
        parts[part]()
    elif part != "all":
        sys.exit(f"There is no {part!r}; there are all, {', '.join([*named, *parts])}.")
    else:
        claims([])
        seeds()
        figures()
        questions([])
