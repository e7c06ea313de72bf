"""What the lab writes into docs/: ``python docs/make_lab.py [claims] [figures] [questions]``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from informed.simulation.claims import page, run_claims
from informed.simulation.figures import FIGURES, reproduce
from informed.simulation.questions import QUESTIONS, questions_page, run_questions

DOCS = Path(__file__).parent


def claims() -> None:
    """Run every claim and write the run and its page."""
    run = run_claims()
    (DOCS / "data" / "claims.json").write_text(json.dumps(run, indent=1) + "\n", encoding="utf-8")
    (DOCS / "claims.md").write_text(page(run), encoding="utf-8")


def figures() -> None:
    """The papers' figures, as SVG in both layouts and as CSV."""
    for name in FIGURES:
        f = reproduce(name)
        (DOCS / "img" / f"{name}.svg").write_text(f.paper, encoding="utf-8")
        (DOCS / "img" / f"{name}-bands.svg").write_text(f.modern, encoding="utf-8")
        (DOCS / "data" / f"{name}.csv").write_text(f.csv(), encoding="utf-8")


def questions() -> None:
    """Run the open questions and write run, pictures and page."""
    run, pictures = run_questions(list(QUESTIONS))
    text = json.dumps(run, indent=1, ensure_ascii=False) + "\n"
    (DOCS / "data" / "questions.json").write_text(text, encoding="utf-8")
    for name, svg in pictures.items():
        (DOCS / "img" / f"question-{name}.svg").write_text(svg, encoding="utf-8")
    (DOCS / "open-questions.md").write_text(questions_page(run), encoding="utf-8")


if __name__ == "__main__":
    parts = {"claims": claims, "figures": figures, "questions": questions}
    for part in sys.argv[1:] or parts:
        parts[part]()
