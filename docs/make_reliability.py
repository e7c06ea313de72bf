"""Write docs/reliability.md between its marks: what was tried, counted from the tests and from the last fuzz run.

    python docs/make_reliability.py

A test that is parametrised counts once for each of its cases; a fault test tries many faults inside one case. A new
file of tests is a line in GROUPS.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE, DATA, COUNTS = ROOT / "docs/reliability.md", ROOT / "docs/data/fuzz.json", ROOT / "docs/data/reliability.json"
FAULTS = ROOT / "docs/data/faults.json"
GROUPS: dict[str, tuple[str, ...]] = {  # what is tried: the tests that try it, as files or as a part of their names
    "Hostile and damaged input": ("test_bad_input.py", "test_logs_hostile.py", "test_sources.py::test_broken"),
    "The same data through every door": ("test_every_door.py", "test_label_doors.py", "test_silent_readings.py"),
    "Traps: labels, counts, columns": ("test_traps.py",),
    "Faults of the disk: checkpoints": ("test_checkpoints.py",),
    "Faults of the disk: output": ("test_output_faults.py", "test_files.py"),
    "Faults of the disk: reading": ("test_reading_faults.py",),
    "Probes of the lab": ("test_web.py", "test_web_*.py"),
    "The terminal": ("test_terminal.py", "test_every_option.py"),
    "Readers on the files of fuzzing": ("test_fuzz.py",),
}
OF_FAULTS = {
    "checkpoints": ("test_checkpoints.py",),
    "output": ("test_output_faults.py",),
    "reading": ("test_reading_faults.py",),
}
WAYS = {  # how an operation fails, as the harness says it, and as the page does
    "ENOSPC": "no space",
    "EIO": "I/O error",
    "EACCES": "no permission",
    "short": "half of it",
    "kill": "kill",
    "changed": "the file changes",
}
VERSIONS = {"Python": "python", "atheris": "atheris", "DuckDB": "duckdb", "PyArrow": "pyarrow"}
Counts = dict[str, int]


def collected() -> Counts:
    """How many cases each group has, as pytest collects them now."""
    files = sorted(
        {p for asked in GROUPS.values() for part in asked for p in (ROOT / "tests").glob(part.split("::")[0])}
    )
    words = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *map(str, files)]
    said = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    ids = [line.removeprefix("tests/") for line in said.splitlines() if line.startswith("tests/")]
    return {group: sum(any(_is_of(one, part) for part in asked) for one in ids) for group, asked in GROUPS.items()}


def failed() -> Counts:
    """How often each operation was made to fail in each way: the tests of faults are run, and count it."""
    with tempfile.TemporaryDirectory() as folder:
        tried = Path(folder) / "tried.json"
        files = [str(ROOT / "tests" / name) for names in OF_FAULTS.values() for name in names]
        words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files]
        subprocess.run(words, cwd=ROOT, env={**os.environ, "FAULTS_TRIED": str(tried)}, check=True)
        found: Counts = json.loads(tried.read_text())
        return found


def matrix(tried: Counts) -> str:
    """What was made to fail: a row for each operation, a column for each way."""
    rows = ["| | operation | " + " | ".join(WAYS.values()) + " |", "|---|---|" + "---:|" * len(WAYS)]
    for group, files in OF_FAULTS.items():
        own = [key.split(" ") for key in tried if key.split(" ")[0] in files]
        for operation in sorted({name for _, name, *_ in own}):
            counts = {way: sum(tried[" ".join(key)] for key in own if key[1:3] == [operation, way]) for way in WAYS}
            rows.append(
                f"| {group} | {operation} | " + " | ".join(f"{n:,}" if n else "" for n in counts.values()) + " |"
            )
    return "\n".join([*rows, f"| together | | {sum(tried.values()):,}" + " |" * len(WAYS)])


def _is_of(one: str, part: str) -> bool:
    """Whether the id of a test is of a file, or of a test whose name begins so.

    >>> _is_of("test_web_sharing.py::test_x[a]", "test_web_*.py"), _is_of("test_a.py::test_b", "test_a.py::test_c")
    (True, False)
    """
    file, _, name = part.partition("::")
    return re.match(re.escape(file).replace(r"\*", ".*") + "::" + re.escape(name), one) is not None


def tables(counts: Counts, fuzzed: dict[str, Any], tried: Counts) -> dict[str, str]:
    """What stands between each pair of marks of the page."""
    run, readers = fuzzed["run"], fuzzed["readers"]
    rows = [f"| {group} | {count:,} |" for group, count in counts.items()]
    cases = ["| what is tried | cases |", "|---|---:|", *rows, f"| together | {sum(counts.values()):,} |"]

    found = sum(len(x["findings"]) + len(x["stopped by"]) for x in readers.values())
    executed = sum(x["executions"] for x in readers.values())
    tools = ", ".join(f"{name} {run[key]}" for name, key in VERSIONS.items())
    again = f" ({' and '.join(run['again'])} ran again after what they had found was mended)" if "again" in run else ""
    said = (
        f"The last run: {len(readers)} readers, {run['seconds']} seconds each, seed {run['seed']}, {tools}: "
        f"{executed:,} executions, {found} findings{again}. "
        f"Findings of all runs, mended and tried with every change: {_kept()}."
    )
    head = [
        "| reader | executions | branches reached by the seeds | in the end | findings |",
        "|---|---:|---:|---:|---:|",
    ]
    lines = [
        f"| {name} | {x['executions']:,} | {x['first coverage']} | {x['coverage']} | "
        f"{len(x['findings']) + len(x['stopped by'])} |"
        for name, x in readers.items()
    ]
    return {
        "cases": "\n".join(cases),
        "faults": matrix(tried),
        "fuzz": "\n".join([said, "", *head, *lines]),
        "limits": _limits(),
    }


def _kept() -> int:
    return sum(path.is_file() for path in (ROOT / "tests/fuzz/findings").rglob("*"))


def _limits() -> str:
    """The bounds with their numbers, from where they are stated."""
    from informed.sources import databases, unpacking
    from informed.sources.engine import MOST_GROUPS
    from informed.sources.logs import bounded_files
    from informed.sources.paths import HEAD
    from informed.web import limits

    rows = [
        ("header of a text file", f"{HEAD >> 20} MB"),
        ("line of a log", f"{bounded_files.LINE >> 20} MB"),
        ("log that is one document, or a zip, inflated", f"{bounded_files.DOCUMENT >> 20} MB"),
        ("file packed with zstd or bzip2, unpacked", f"{unpacking.MOST >> 30} GB"),
        ("counting a SQLite or DuckDB file with views", f"{databases.LONGEST:.0f} s"),
        ("different combinations of labels and groups in a file", f"{MOST_GROUPS:,}"),
        ("the lab: file sent", f"{limits.UPLOAD >> 30} GB"),
        ("the lab: what it may unpack to", f"{limits.UNPACKED >> 30} GB"),
        ("the lab: question", f"{limits.BODY >> 10} KB"),
        ("the lab: answer about a table", f"{limits.ANSWER:.0f} s"),
        ("the lab: counting a file", f"{limits.WORK:.0f} s"),
        ("the lab: without a byte of a body", f"{limits.STALLED:.0f} s"),
        ("the lab: files held", f"{limits.UPLOADS}"),
    ]
    return "\n".join(["| what | at most |", "|---|---:|", *(f"| {what} | {most} |" for what, most in rows)])


def page(text: str, counts: Counts, fuzzed: dict[str, Any], tried: Counts) -> str:
    """The page with its figures."""
    for name, table in tables(counts, fuzzed, tried).items():
        start, end = f"<!-- {name} -->\n", f"\n<!-- end of {name} -->"
        before, _, rest = text.partition(start)
        _, found, after = rest.partition(end)
        assert found, name
        text = f"{before}{start}\n{table}\n{end}{after}"
    return text


def main() -> None:
    counts = collected()
    tried = failed()
    for path, held in ((COUNTS, counts), (FAULTS, tried)):
        path.write_text(json.dumps(held, indent=1) + "\n", encoding="utf-8")
    fuzzed = json.loads(DATA.read_text("utf-8"))
    PAGE.write_text(page(PAGE.read_text("utf-8"), counts, fuzzed, tried), encoding="utf-8")


if __name__ == "__main__":
    main()
