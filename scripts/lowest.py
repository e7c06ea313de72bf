"""Print, as constraints of pip, the lowest versions that pyproject.toml claims."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent

# Frames and estimators are the user's: the lowest ones that are claimed stand among what the tests need.
BROUGHT = ("pandas", "polars", "scikit-learn")


def claims() -> dict[str, str]:
    """Package and lowest version, of what is required, of the extras, and of what users bring."""
    read = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    asked = [*read["project"]["dependencies"]]
    asked += [line for extra in read["project"]["optional-dependencies"].values() for line in extra]
    asked += [line for line in read["dependency-groups"]["test"] if line.startswith(BROUGHT)]

    found = (re.match(r"([\w.-]+)(?:\[[^\]]*\])?>=([\d.]+)", line) for line in asked)
    return {match[1]: match[2] for match in found if match}


if __name__ == "__main__":
    sys.stdout.writelines(f"{name}=={version}\n" for name, version in claims().items())
