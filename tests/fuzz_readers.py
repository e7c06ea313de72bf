"""Fuzz every reader, guided by the code it reaches, for a bounded time: `make fuzz`.

Each reader gets a process of its own (libFuzzer through atheris). What it raises that is none of our errors is a
finding: it is kept in tests/fuzz/findings, by reader, and the tests try it from then on. What reached new code is kept
in tests/fuzz/corpus, a few small files a reader. The counts of the run are written to docs/data/fuzz.json.
DuckDB, Arrow and SQLite are not instrumented: in them the bytes are changed blindly.

    python tests/fuzz_readers.py [--seconds 20] [--seed 18] [--only NAME …]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
import random
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
import zipfile
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
KEEP = HERE / "fuzz"
DATA = HERE.parent / "docs/data/fuzz.json"
KEPT, LARGEST = 4, 4096  # files that a reader's corpus keeps, and bytes of one


def fuzz(name: str, folder: str, flags: list[str]) -> None:
    """In a process of its own: never returns."""
    atheris: Any = import_module("atheris")

    with atheris.instrument_imports(include=["informed.sources", "informed.evidence"]):
        import informed.sources.logs
        import informed.sources.read  # noqa: F401
    from fuzz_targets import hurry, targets, tried

    hurry()
    target, place, seen = targets()[name], Path(folder), set()

    def one(data: bytes) -> None:
        problem = tried(target, data, place)
        if problem is None:
            return
        raised = traceback.extract_tb(problem.__traceback__)
        where = f"{Path(raised[-1].filename).stem}-{raised[-1].lineno}" if raised else "message"
        key = f"{type(problem).__name__}-{where}"
        if key not in seen:
            seen.add(key)
            (place / "findings" / key).write_bytes(data)
            told = "".join(traceback.format_exception(problem))
            (place / "findings" / f"{key}.txt").write_text(told)

    packed = target.suffix in (".xlsx", ".eval")
    atheris.Setup(["fuzz", *flags], one, **({"custom_mutator": _repacked} if packed else {}))
    atheris.Fuzz()


def _repacked(data: bytes, most: int, seed: int) -> bytes:
    """A zip with one of its members changed; now and then its bytes themselves."""
    atheris: Any = import_module("atheris")

    from fuzz_targets import zipped

    rng, members = random.Random(seed), zipped(data)
    if not members or rng.random() < 0.2:
        return bytes(atheris.Mutate(data, most))
    at, out = rng.randrange(len(members)), BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for i, (name, content) in enumerate(members):
            made.writestr(name, atheris.Mutate(content, len(content) + 64) if i == at else content)
    return out.getvalue() if len(out.getvalue()) <= most else data


def measured(name: str, seconds: int, seed: int) -> dict[str, Any]:
    """One reader: what was executed, reached and found."""
    from fuzz_targets import folder_name, kept, targets

    memory = next((place for place in ("/dev/shm",) if Path(place).is_dir()), None)
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=memory) as held:
        folder = Path(held)
        for part in ("corpus", "findings", "crash"):
            (folder / part).mkdir()
        seeds = [*targets()[name].seeds(), *(p.read_bytes() for p in kept(name))]
        for i, data in enumerate(seeds):
            (folder / "corpus" / f"seed-{i:03}").write_bytes(data)

        most = max(4096, *(len(x) + 512 for x in seeds))
        flags = [f"-max_total_time={seconds}", f"-seed={seed}", "-timeout=10", "-rss_limit_mb=2048", f"-max_len={most}",
                 f"-artifact_prefix={folder}/crash/", "-print_final_stats=1", f"{folder}/corpus"]  # fmt: skip
        words = [sys.executable, __file__, "--one", name, str(folder), *flags]
        try:
            ran = subprocess.run(
                words, capture_output=True, text=True, errors="replace", timeout=seconds + 60, check=False
            )
            said, code = ran.stderr, ran.returncode
        except subprocess.TimeoutExpired as stuck:  # inside a library, where no signal is heard
            said, code = (stuck.stderr or b"").decode(errors="replace"), 0
            for path in folder.glob("data.*"):
                if _hangs(name, path):  # and the machine was not just busy
                    path.rename(folder / "crash" / f"hang-{hashlib.sha256(path.read_bytes()).hexdigest()[:12]}")
        reached = re.findall(r"cov: (\d+) ft: (\d+)", said)
        executed = re.search(r"number_of_executed_units:\s*(\d+)", said) or re.findall(r"#(\d+)", said)
        _keep(folder, folder_name(name))
        stopped = sorted(p.name.partition("-")[0] for p in (folder / "crash").iterdir())  # timeout, hang, oom, crash
        problems = sorted(p.name for p in (folder / "findings").glob("*") if p.suffix != ".txt")
        if code and not stopped:
            raise SystemExit(f"{name}: {said[-2000:]}")
        return {
            "executions": int(executed[1]) if isinstance(executed, re.Match) else int(executed[-1]),
            "seeds": len(seeds),
            "first coverage": int(reached[0][0]),
            "coverage": int(reached[-1][0]),
            "findings": problems,
            "stopped by": stopped,
        }


def _hangs(name: str, path: Path) -> bool:
    """Whether one file takes longer than any may."""
    again = f"from pathlib import Path; from fuzz_targets import targets; targets()[{name!r}].read(Path({str(path)!r}))"
    try:
        subprocess.run([sys.executable, "-c", again], capture_output=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return True
    return False


def _keep(folder: Path, name: str) -> None:
    """Findings, all of them; of what reached new code a few files, the smallest first."""
    for path in (folder / "findings").glob("*"):
        into = KEEP / ("findings" if path.suffix != ".txt" else ".told") / name
        into.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, into / path.name)
    for path in (folder / "crash").iterdir():
        into = KEEP / "findings" / name
        into.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, into / path.name[:24])

    new = [p for p in (folder / "corpus").iterdir() if not p.name.startswith("seed-") and p.stat().st_size <= LARGEST]
    into = KEEP / "corpus" / name
    room = KEPT - len(list(into.glob("*")))
    for path in sorted(new, key=lambda p: (p.stat().st_mtime, p.name), reverse=True)[: max(room, 0)]:
        into.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, into / hashlib.sha256(path.read_bytes()).hexdigest()[:12])


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        fuzz(sys.argv[2], sys.argv[3], sys.argv[4:])
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=20, help="for each reader")
    parser.add_argument("--seed", type=int, default=18)
    parser.add_argument("--only", nargs="*")
    asked = parser.parse_args()

    from importlib.metadata import version

    from fuzz_targets import targets

    found = {}
    for name in asked.only or targets():
        found[name] = measured(name, asked.seconds, asked.seed)
        sys.stdout.write(f"{name}: {found[name]}\n")
        sys.stdout.flush()

    run = {"seconds": asked.seconds, "seed": asked.seed, "python": platform.python_version(),
           **{name: version(name) for name in ("atheris", "duckdb", "pyarrow", "openpyxl")}}  # fmt: skip
    if asked.only:  # beside what is known of the others
        run["again"] = asked.only
        found = {**json.loads(DATA.read_text())["readers"], **found}
    DATA.write_text(json.dumps({"run": run, "readers": found}, indent=1, ensure_ascii=False) + "\n")
    if any(x["findings"] or x["stopped by"] for x in found.values()):
        raise SystemExit("there are findings; they are in tests/fuzz/findings, what they raised in tests/fuzz/.told")


if __name__ == "__main__":
    main()
