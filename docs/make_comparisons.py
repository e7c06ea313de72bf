"""The pictures of comparing.md, leaderboards.md, roc.md: ``python docs/make_comparisons.py``."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import informed
from informed.results import Result

DOCS = Path(__file__).parent
DATA = DOCS.parent / "examples" / "breast-cancer.csv"
SYSTEMS = ["logistic", "neighbours", "bayes", "tree", "guess", "majority"]
JOINT = [[[155, 53], [22, 31]], [[32, 78], [22, 319]]]  # DTComPair's example


def _picture(found: Result, section: str) -> str:
    """The first picture of a section of its page."""
    made = informed.report(found).pictures()
    return next(svg for name, svg in made.items() if name.startswith(f"{section}/"))


def pictures() -> dict[str, str]:
    """Each picture by the name of its file."""
    pair = informed.compare.paired(joint=JOINT, labels=[0, 1], names=("new", "old"))
    answers = informed.read(DATA, real="diagnosis", predicted=SYSTEMS, item="case", keep=["fold", "score"])
    board = informed.leaderboard(predictions=answers)
    folds = informed.folds(answers, fold="fold")
    sure = np.abs(np.array(answers.kept["score"], dtype=float) - 0.5)
    risk = informed.risk_coverage(real=answers.real_codes, predicted=answers.codes[:, 0], score=sure)
    return {
        "compare-differences": _picture(pair, "differences"),
        "leaderboard-places": _picture(board, "places"),
        "leaderboard-differences": _picture(board, "pairs"),
        "folds-differences": _picture(folds, "folds"),
        "risk-coverage": _picture(risk, "risk"),
        **curves(),
    }


def curves() -> dict[str, str]:
    """The pictures of a score that is neither perfect nor useless, where a miss costs three."""
    rng = np.random.default_rng(5)
    real = np.repeat([0, 1], [120, 60])
    score = rng.normal(1.2 * real, 1).round(2)
    drawn = informed.report(informed.roc(real=real, score=score), cost="3:1").pictures()
    return {
        "roc-plane": drawn["threshold/ROC plane"],
        "cost-curve": drawn["costs/Cost curve"],
        "coverage": drawn["abstain/Coverage and informedness"],
    }


def main() -> None:
    for name, svg in pictures().items():
        (DOCS / "img" / f"{name}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
