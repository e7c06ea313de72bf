"""Evaluation logs: three models on 14,000 multiple-choice questions, and two models on 60 tasks.

python benchmarks/logs.py      # prints seconds of this process; the bars are 2 s and 5 s

Beside each stands the ratio to `json.loads` of the same lines, which hardly depends on the machine.
"""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from informed import leaderboard
from informed.sources import logs
from informed.sources.logs.suites import gathered, tasks_of
from informed.systems.suite import suite

QUESTION = "Which of the following statements about the ordinary course of events is the one that holds? " * 4


def row(place: int, rng: random.Random, skill: float) -> dict[str, Any]:
    """A sample as lm-evaluation-harness writes it, of four options."""
    gold = place % 4
    best = gold if rng.random() < skill else rng.randrange(4)
    scores = [[str(-1.0 if i == best else -2.0 - rng.random()), "False"] for i in range(4)]
    return {
        "doc_id": place,
        "doc": {"question": QUESTION, "subject": f"s{place % 57}", "choices": ["w", "x", "y", "z"], "answer": gold},
        "target": str(gold),
        "arguments": {f"gen_args_{i}": {"arg_0": QUESTION, "arg_1": f" {'ABCD'[i]}"} for i in range(4)},
        "resps": [[pair] for pair in scores],
        "filtered_resps": scores,
        "filter": "none",
        "metrics": ["acc"],
        "doc_hash": f"{place:064d}",
        "acc": float(best == gold),
    }


def write(path: Path, rows: int, seed: int, skill: float) -> Path:
    rng = random.Random(seed)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row(i, rng, skill)) + "\n" for i in range(rows)))
    return path


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def bare(paths: Iterable[Path]) -> float:
    """Seconds that parsing the same lines takes, and no more."""
    return seconds(lambda: [None for path in paths for line in path.open() if not json.loads(line)])


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        when = "2026-01-01T00-00-00.000000"
        large = [write(root / f"org__m{i}" / f"samples_all_{when}.jsonl", 14_000, i, 0.5 + i / 10) for i in range(3)]
        size = sum(path.stat().st_size for path in large) >> 20
        took = seconds(lambda: leaderboard(predictions=logs.paired(large)))
        ratio = took / bare(large)
        print(f"3 x 14,000 samples ({size} MB), read and compared: {took:.2f} s (bar 2 s), {ratio:.1f} x json.loads")

        tasks = [
            [write(root / f"org__s{m}" / f"samples_t{i}_{when}.jsonl", 250, i, 0.5 + m / 10) for m in range(2)]
            for i in range(60)
        ]
        folders = [str(root / f"org__s{m}") for m in range(2)]
        took = seconds(lambda: suite(tasks_of(gathered(folders))[0]))
        ratio = took / bare(path for pair in tasks for path in pair)
        print(f"60 tasks x 2 models, 250 samples each, as suites: {took:.2f} s (bar 5 s), {ratio:.1f} x json.loads")


if __name__ == "__main__":
    main()
