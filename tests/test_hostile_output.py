"""Labels and file names are data to whatever reads our output: a terminal, a GitHub action, a spreadsheet."""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path

import pytest

from command_line import run
from informed import Table, report

STOP, RED, LINK = "::stop-commands::x", "\x1b[31mred", "\x1b]8;;http://evil\x1b\\click\x1b]8;;\x1b\\"
FORMS = ("text", "csv", "latex", "markdown", "github", "html", "json", "junit")


@pytest.fixture
def verdicts(tmp_path: Path) -> Path:
    draw = random.Random(1)
    labels = (STOP, RED, LINK, "##[add-mask]x")
    path = tmp_path / "a\x1b[31mb.csv"
    rows = [(real, real if draw.random() < 0.6 else draw.choice(labels)) for real in draw.choices(labels, k=120)]
    lines = [f"{real},{said},{real if i < 60 else ''}" for i, (real, said) in enumerate(rows)]
    path.write_text("\n".join(["real,said,gold", *lines]) + "\n")
    return path


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "words",
    [
        ("report", "--real", "real", "--predicted", "said", "--fail-under", "informedness=0.99"),
        ("judge", "--verdict", "said", "--gold", "gold", "--design", "same batch", "--positive", STOP),
    ],
)
def test_no_line_of_data_is_a_command_and_no_label_is_obeyed(verdicts: Path, form: str, words: tuple[str, ...]) -> None:
    annotate = ["--annotate"] if words[0] == "report" else []
    done = run(words[0], str(verdicts), *words[1:], "--format", form, *annotate)
    assert done.stdout, done.stderr
    own = [line for line in done.stderr.splitlines() if line.startswith("::error title=informedness::")]
    assert len(own) == len(annotate)
    if annotate:
        lines = (done.stdout + done.stderr.replace(own[0], "")).splitlines()
        assert not [line for line in lines if line.lstrip().startswith("::")]
        assert all("##[" not in line or "\u200b##[" in line for line in lines)
    if form != "csv":  # which keeps labels as they are
        assert "\x1b" not in done.stdout


def test_a_field_of_csv_is_what_it_was() -> None:
    labels = ("a\rb", "c,d", 'e"f', "g\nh", STOP, "plain")
    t = Table.from_counts([[9 if i == j else 1 for i in range(6)] for j in range(6)], labels=labels)
    said = report(t).csv()
    assert '"a\rb"' in said
    assert f'"{STOP}"' in said
    rows = list(csv.reader(io.StringIO(said, newline="")))
    assert len({len(row) for row in rows}) == 1
    assert {x for row in rows for x in row} >= set(labels)
