"""Makes graded-answers.csv: answers of which a judge graded all and people a random quarter.

600 made-up questions were asked twice. A question decides most of whether its answer is good, and part of whether
judges err, so that answers to one question belong together and judges share errors.

    python examples/make_judged.py
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

QUESTIONS, TIMES, LABELLED = 600, 2, 300
JUDGES = {"judge": (0.92, 0.30), "judge_2": (0.85, 0.20), "judge_3": (0.88, 0.35)}  # recall and fallout
SHARED = 0.3  # of the luck of a verdict, what all judges and both answers of a question share


def main() -> None:
    rng = np.random.default_rng(20)
    question = np.repeat(np.arange(QUESTIONS), TIMES)
    n = len(question)
    good = rng.random(n) < np.clip(rng.beta(2.1, 0.9, QUESTIONS), 0.02, 0.98)[question]

    luck = rng.random(QUESTIONS)[question]
    verdicts = {}
    for name, (recall, fallout) in JUDGES.items():
        own = np.where(rng.random(n) < SHARED, luck, rng.random(n))
        verdicts[name] = own < np.where(good, recall, fallout)
    grade = np.clip(np.round(2.1 + 2 * good + rng.normal(0, 0.9, n)), 1, 5).astype(int)
    seen = set(rng.choice(n, LABELLED, replace=False).tolist())

    word = {True: "good", False: "bad"}
    path = Path(__file__).parent / "graded-answers.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["id", "question", *JUDGES, "grade", "human"])
        for i in range(n):
            said = [word[bool(verdicts[name][i])] for name in JUDGES]
            human = word[bool(good[i])] if i in seen else ""
            out.writerow([f"a{i + 1:04}", f"q{question[i] + 1:03}", *said, grade[i], human])


if __name__ == "__main__":
    main()
