"""The pictures of comparing.md and leaderboards.md: ``python docs/make_comparisons.py``."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import informed

DOCS = Path(__file__).parent
DATA = DOCS.parent / "examples" / "breast-cancer.csv"
SYSTEMS = ["logistic", "neighbours", "bayes", "tree", "guess", "majority"]
JOINT = [[[155, 53], [22, 31]], [[32, 78], [22, 319]]]  # DTComPair's example


def pictures() -> dict[str, str]:
    """Each picture by the name of its file."""
    pair = informed.compare.paired(joint=JOINT, labels=[0, 1], names=("new", "old"))
    answers = informed.read(
        DATA, real="diagnosis", predicted=SYSTEMS, item="case", keep=["fold", "score"]
    )
    board = informed.leaderboard(predictions=answers)
    folds = informed.folds(answers.tables_by(answers.kept["fold"]), test_share=0.1)
    sure = np.abs(np.array(answers.kept["score"], dtype=float) - 0.5)
    risk = informed.risk_coverage(
        real=answers.real_codes, predicted=answers.codes[:, 0], score=sure
    )
    return {
        "compare-differences": informed.page(pair).pictures()["differences-0"],
        "leaderboard-places": informed.page(board).pictures()["places-1"],
        "leaderboard-differences": informed.page(board).pictures()["pairs-0"],
        "folds-critical": informed.page(folds).pictures()["folds-0"],
        "risk-coverage": informed.page(risk).pictures()["risk-0"],
    }


def main() -> None:
    for name, svg in pictures().items():
        (DOCS / "img" / f"{name}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
