"""Made-up reviews for the documentation of comparisons: ``python examples/make_reviews.py``.

300 reviews in 60 documents of two languages; two systems call them good or bad and say how sure
they are. The new system is better on average and leaves some unanswered.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def main() -> None:
    rng = np.random.default_rng(20)
    document = np.repeat(np.arange(60), 5)
    language = np.where(document < 36, "en", "de")
    good = rng.random(300) < 0.55
    label = np.where(good, "good", "bad")
    hard = rng.normal(0, 0.7, 60)[document] + rng.normal(0, 1, 300)
    rows = zip(range(1, 301), label, language, document, strict=True)
    write("reviews.csv", ["id", "label", "language", "document"], rows)
    for name, skill in (("new", 1.55), ("old", 1.0)):
        right = skill + 0.3 * (language == "en") - hard
        said = np.where((right > 0) == good, "good", "bad")
        sure = np.clip(0.5 + np.abs(right) / 8 + rng.normal(0, 0.03, 300), 0.5, 1)
        kept = (rng.random(300) > 0.06) | (name == "old")
        answers = zip(np.arange(1, 301)[kept], said[kept], sure[kept].round(3), strict=True)
        write(f"reviews-{name}.csv", ["id", "answer", "sure"], answers)


def write(name: str, head: list[str], rows: object) -> None:
    with (HERE / name).open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *rows])  # type: ignore[misc]


if __name__ == "__main__":
    main()
