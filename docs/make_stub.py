"""Write src/informed/__init__.pyi: for type checkers, every name that `informed` loads when it is first used; and
src/informed/sklearn/named.pyi: the scores and scorers that `informed.sklearn` makes when they are asked for.

Run by `make docs`; a test checks that the committed file is what this script would write.
"""

from __future__ import annotations

import sys
from pathlib import Path

import informed
import informed.sklearn
from informed import plotting
from informed.measures import ALIASES, MEASURES
from informed.sklearn.probability_scores import BY_PROBABILITY

STUB = Path(informed.__file__).with_suffix(".pyi")
NAMED = STUB.parent / "sklearn" / "named.pyi"

SHAPES = """# Written by docs/make_stub.py
from typing import Any, Protocol

class Score(Protocol):
    __name__: str
    def __call__(
        self, y_true: Any, y_pred: Any, *, labels: Any = ..., sample_weight: Any = ..., pos_label: Any = ...,
        missing: Any = ..., normalize: Any = ..., average: Any = ..., undefined: Any = ..., **parameters: Any,
    ) -> Any: ...

class ProbabilityScore(Protocol):
    __name__: str
    def __call__(
        self, y_true: Any, y_prob: Any, *, labels: Any = ..., sample_weight: Any = ..., pos_label: Any = ...,
        clip: Any = ...,
    ) -> float: ...
"""


def stub() -> str:
    """An import for each public name, and for each other name of a measure."""
    homes = {(home, name, name) for home, names in informed._HOMES.items() for name in names}
    homes |= {(MEASURES[name].function.__module__, name, name) for name in MEASURES}
    homes |= {("informed", name, name) for name in informed._ROOMS}
    imports = [f"from {home} import {name} as {called}" for home, name, called in sorted(homes)]
    imports += ["", *(f"{called} = {name}" for called, name in sorted(ALIASES.items()) if called.isidentifier())]
    rest = ["__all__: list[str]", "__version__: str", "_HOMES: dict[str, tuple[str, ...]]", "_ROOMS: tuple[str, ...]"]
    return "\n".join(["# Written by docs/make_stub.py", "", *imports, "", *rest, ""])


def sklearn_stub() -> str:
    """A declaration of each score and scorer, by every name of its measure."""
    named = {name: name for name in MEASURES} | dict(ALIASES)
    lines = [f"{called}_score: Score" for called in sorted(named)]
    lines += [f"{called}_scorer: Any" for called, name in sorted(named.items()) if name in oriented()]
    lines += [f"{name}_score: ProbabilityScore" for name in BY_PROBABILITY]
    lines += [f"{name}_scorer: Any" for name in BY_PROBABILITY]
    displays = [f"from informed.plotting import {name} as {name}" for name in plotting.__all__]
    return "\n".join([SHAPES, *displays, "", "scorers: Any", *lines, ""])


def oriented() -> set[str]:
    """Measures that are better the larger or the smaller they are: what a search can choose by."""
    return {name for name in MEASURES if f"{name}_scorer" in informed.sklearn.__all__}


def main() -> None:
    for path, text in ((STUB, stub()), (NAMED, sklearn_stub())):
        path.write_text(text, "utf-8")
        sys.stdout.write(f"{path.name}\n")


if __name__ == "__main__":
    main()
