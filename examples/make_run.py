"""A run to watch, in an order that was fixed beforehand: ``python examples/make_run.py``.

The cases of breast-cancer.csv, shuffled once with a seed, one JSON object a line, as an evaluation would write them.
"""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path

HERE = Path(__file__).parent
SEED = 2003


def main() -> None:
    with (HERE / "breast-cancer.csv").open(newline="", encoding="utf-8") as file:
        cases = list(csv.DictReader(file))
    random.Random(SEED).shuffle(cases)
    kept = ("case", "diagnosis", "logistic", "tree", "guess")
    lines = [json.dumps({name: case[name] for name in kept}) + "\n" for case in cases]
    (HERE / "run.jsonl").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
