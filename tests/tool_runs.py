"""Evaluation tools that are run with mock models, and what a reader finds in the logs they write.

They live in an environment of their own, `.venv-tools` (or where TOOLS says): Python packages,
and promptfoo with its Node below `node`.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from informed.sources.logs.log import Log

TOOLS = Path(os.environ.get("TOOLS", Path(__file__).parents[1] / ".venv-tools"))
OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
    "PROMPTFOO_DISABLE_TELEMETRY": "1",
    "PROMPTFOO_DISABLE_UPDATE": "1",
    "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
    "RAGAS_DO_NOT_TRACK": "true",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "LANGSMITH_TRACING": "false",
}

NOTHING: Mapping[str, str] = {}


def run(
    folder: Path, command: Sequence[str | Path], codes: tuple[int, ...] = (0,), more: Mapping[str, str] = NOTHING
) -> None:
    """A command in a folder, which is its home, too."""
    home = {"HOME": str(folder), "HF_HOME": str(folder / "cache"), "PROMPTFOO_CONFIG_DIR": str(folder / "config")}
    env = {**{name: value for name, value in os.environ.items() if name != "PYTHONPATH"}, **OFFLINE, **home, **more}
    said = subprocess.run(list(map(str, command)), cwd=folder, env=env, capture_output=True, text=True, timeout=600)
    assert said.returncode in codes, said.stdout[-2000:] + said.stderr[-2000:]


def python(folder: Path, code: str, **more: str) -> None:
    (folder / "script.py").write_text(code)
    run(folder, [TOOLS / "bin" / "python", "script.py"], more=more)


def states(log: Log, scoring: str) -> dict[Any, str]:
    """The state of each case, by its item, and its attempt where there are several."""
    held = log.selection(log.selected(None, None, scoring))
    several = len({case.epoch for case in held.cases}) > 1
    keys = [(case.item, case.epoch) if several else case.item for case in held.cases]
    assert len(set(keys)) == len(keys)
    return dict(zip(keys, held.named.tolist(), strict=True))


def score(log: Log, scoring: str) -> float:
    found = log.score(chosen=scoring)
    assert not found.differs
    return found.value


def shows(log: Log, scoring: str, scripted: Mapping[Any, str], told: float) -> None:
    """Every case is in the state that was scripted, and the score is what the tool itself says, before and after."""
    found = states(log, scoring)
    other = {key: (found.get(key), scripted.get(key)) for key in {**found, **scripted}}
    assert not (other := {key: pair for key, pair in other.items() if pair[0] != pair[1]}), other
    assert score(log, scoring) == pytest.approx(told, abs=1e-9)
