"""Start-up: `import informed` and `informed --help` against a bare `import numpy`.

And a whole report of a file of 1000 rows, which has a second. Each is a fresh interpreter; the
smallest of several alternating runs is taken.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 15
COMMANDS = {
    "import numpy": ["-c", "import numpy"],
    "import informed": ["-c", "import informed"],
    "import informed; informed.Table": ["-c", "import informed; informed.Table"],
    "informed --help": ["-m", "informed", "--help"],
}
REPORT = "informed report, 1000 rows"
TARGETS = {"import informed": 2.0, "informed --help": 4.0}


def seconds(arguments: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cases.csv"
        path.write_text("real,predicted\n" + "".join(f"{i % 3},{i % 7 % 3}\n" for i in range(1000)))
        asked = ["-m", "informed", "report", str(path), "--real", "real"]
        commands = {**COMMANDS, REPORT: [*asked, "--predicted", "predicted"]}
        taken: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(RUNS):
            for name, arguments in commands.items():
                taken[name].append(seconds(arguments))
    bare = min(taken["import numpy"])
    for name, runs in taken.items():
        ratio = min(runs) / bare
        goal = TARGETS.get(name)
        said = "" if goal is None else f", target {goal:g}x: {'ok' if ratio <= goal else 'MISSED'}"
        if name == REPORT:
            said = f", target 1000 ms: {'ok' if min(runs) < 1 else 'MISSED'}"
        print(f"{name}: {min(runs) * 1000:.0f} ms, ratio {ratio:.2f}x{said}")


if __name__ == "__main__":
    main()
