"""Every option of every command, from the tree of the command line, with values that make no sense.

A command answers, or refuses in one line of bounded length: exit code 0, 1 (a gate) or 2, no traceback, no control
character. A few values an option are drawn by a seed; another seed draws others.

    python tests/test_every_option.py SEED VALUES     # so many an option: all of them take minutes
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import pytest

import command_line
from command_line import run
from informed.cli import COMMANDS, cli

CASES = "r,p,q,s,u\n" + "1,1,1,.9,a\n0,0,0,.1,a\n1,0,1,.4,b\n0,1,0,.6,b\n1,1,1,.8,c\n0,0,1,.3,c\n" * 5
LABELS = ("c.csv", "--real", "r", "--predicted", "p")
COUNTS = ("56 20 / 12 12",)
BASE: dict[str, tuple[str, ...]] = {  # a call of each command that works, and takes little time
    "report": LABELS,
    "table": COUNTS,
    "compare": ("c.csv", "--real", "r", "--predicted", "p", "--predicted", "q"),
    "watch": (*LABELS, "--stop", "n >= 1"),
    "describe": ("c.csv",),
    "agree": ("c.csv", "--raters", "r,p,q"),
    "judge": ("c.csv", "--real", "r", "--predicted", "q", "--design", "elsewhere", "--apparent", "0.5", "--n", "100"),
    "verify": ("c.csv", "--predicted", "q", "--gold", "r"),
    "roc": ("c.csv", "--real", "r", "--score", "s"),
    "sample-size": ("0.3",),
    "assign": LABELS,
    "odds": COUNTS,
    "recover": ("accuracy=0.8", "-n", "20"),
    "measures": ("informedness",),
    "simulate": ("--k", "2", "--n", "20", "--levels", "0,0.5", "--replicates", "40", "--measures", "informedness"),
    "reproduce": ("nothing",),
    "errata": ("1",),
    "claims": ("nothing",),
}
NOT_TRIED = {"lab"}  # which serves until it is stopped: see test_web.py
VALUES = (
    "", "nan", "inf", "-inf", "-1", "0", "1", "1e308", "1e-308", "1000000000000", "95%", "0.5", "a,b", "a=b", "=",
    ",,,", "r", "p", "\x1b[31m", "\x9b1m", "ééé", "x" * 5000, "c.csv", "b.bin", "nowhere/x", "/dev/null", "{}", "[1]",
    "True", "None", "0x10", "1_000", "--", "%s {0}", "a = 'b", "1,1", "0 0 / 0 0", "nan nan / 1 1", "informedness", "-",
)  # fmt: skip


def calls(seed: int, values: int, options: int | None = None) -> Iterator[list[str]]:
    """Each command with each of its options (or some of them) and arguments, and so many values of each."""
    for name, base in BASE.items():
        rng = random.Random(f"{seed} {name}")
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        known = [x for x in command.params if not (isinstance(x, click.Option) and x.is_flag)]
        for one in known if options is None else rng.sample(known, min(options, len(known))):
            for value in rng.sample(VALUES, values):
                given = [f"{one.opts[0]}={value}" if one.opts[0].startswith("--") else f"{one.opts[0]}{value}"]
                yield [name, *base, *given] if isinstance(one, click.Option) else [name, *base[1:], value]


def wrong(words: list[str]) -> str:
    """What is wrong with how a command went; empty where nothing is."""
    done = run(*words)
    said = done.stderr
    if done.returncode not in (0, 1, 2) or "Traceback" in said:
        return f"exit {done.returncode}: {said}"
    if done.returncode == 2 and not (said.startswith("error: ") and said.count("\n") == 1 and len(said) < 1500):
        return f"not one line: {said}"
    return f"control characters: {said!r}" if any(not x.isprintable() for x in said.replace("\n", "")) else ""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    prepare(tmp_path)
    monkeypatch.setattr(command_line, "ROOT", tmp_path)
    return tmp_path


def prepare(folder: Path) -> None:
    (folder / "c.csv").write_text(CASES)
    (folder / "b.bin").write_bytes(bytes(range(256)))


def test_nonsense_is_answered_or_refused_in_one_line(place: Path) -> None:
    tried = list(calls(18, 1, 5))
    assert len(tried) > 60
    for words in tried:
        assert not wrong(words), words


@pytest.mark.parametrize(
    "words",
    [
        ["simulate", *BASE["simulate"], "--out="],
        ["report", *LABELS, "--baseline=b.bin"],
        ["report", *LABELS, "--method=" + "x" * 5000],
        ["sample-size", "0.3", "--n=inf"],
        ["compare", *BASE["compare"], "--margin=nan"],
        ["table", *COUNTS, "--max-errors=nan"],  # a gate that would never close
    ],
)
def test_what_was_found_so_is_one_line(place: Path, words: list[str]) -> None:
    assert not wrong(words)
    assert run(*words).returncode == 2


def test_every_command_is_tried(place: Path) -> None:
    assert {*BASE, *NOT_TRIED} == set(COMMANDS)
    for name, base in BASE.items():
        works = base != ("nothing",) and name != "describe"  # a file of cases is no log
        assert run(name, *base).returncode == (0 if works else 2), name


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        prepare(Path(folder))
        os.chdir(folder)
        command_line.ROOT = Path(folder)
        count, bad = 0, 0
        for asked in calls(int(sys.argv[1]), int(sys.argv[2])):
            count += 1
            if found := wrong(asked):
                bad += 1
                sys.stdout.write(f"{[x[:60] for x in asked]}: {found[:300]}\n")
        sys.stdout.write(f"{count:,} calls, {bad} that went wrong\n")
