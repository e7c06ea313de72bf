"""Write src/informed/__init__.pyi: for type checkers, every name that `informed` loads when it is first used.

Run by `make docs`; a test checks that the committed file is what this script would write.
"""

from __future__ import annotations

import sys
from pathlib import Path

import informed
from informed.measures import ALIASES, MEASURES

STUB = Path(informed.__file__).with_suffix(".pyi")


def stub() -> str:
    """An import for each public name, and for each other name of a measure."""
    homes = {(home, name, name) for home, names in informed._HOMES.items() for name in names}
    for called, name in (*zip(MEASURES, MEASURES, strict=True), *ALIASES.items()):
        homes.add((MEASURES[name].function.__module__, name, called))
    imports = [f"from {home} import {name} as {called}" for home, name, called in sorted(homes)]
    rest = ["__all__: list[str]", "__version__: str", "_HOMES: dict[str, tuple[str, ...]]"]
    return "\n".join(["# Written by docs/make_stub.py", "", *imports, "", *rest, ""])


def main() -> None:
    STUB.write_text(stub(), "utf-8")
    sys.stdout.write(f"{STUB.name}\n")


if __name__ == "__main__":
    main()
