"""Start-up: `import informed` and `informed --help` against a bare `import numpy`.

Each is a fresh interpreter; the smallest of several alternating runs is taken.
"""

from __future__ import annotations

import subprocess
import sys
import time

RUNS = 15
COMMANDS = {
    "import numpy": ["-c", "import numpy"],
    "import informed": ["-c", "import informed"],
    "import informed; informed.Table": ["-c", "import informed; informed.Table"],
    "informed --help": ["-m", "informed", "--help"],
}
TARGETS = {"import informed": 2.0, "informed --help": 4.0}


def seconds(arguments: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    taken: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(RUNS):
        for name, arguments in COMMANDS.items():
            taken[name].append(seconds(arguments))
    bare = min(taken["import numpy"])
    for name, runs in taken.items():
        ratio = min(runs) / bare
        goal = TARGETS.get(name)
        said = "" if goal is None else f", target {goal:g}x: {'ok' if ratio <= goal else 'MISSED'}"
        print(f"{name}: {min(runs) * 1000:.0f} ms, ratio {ratio:.2f}x{said}")


if __name__ == "__main__":
    main()
