"""What columns and files of systems are usually called."""

from __future__ import annotations

from pathlib import PurePosixPath

REAL = ("real", "truth", "true", "label", "labels", "gold", "target", "actual", "y", "y_true")
SYSTEM = ("system", "model", "classifier", "run", "method", "algorithm")
ITEM = ("id", "item", "item_id", "case", "index", "key", "doc_id", "question_id", "example")
PREDICTED = ("predicted", "prediction", "pred", "answer", "output", "guess", "yhat", "y_pred")


def guess(names: list[str], usual: tuple[str, ...]) -> str | None:
    folded = {name.casefold().strip(): name for name in names}
    return next((folded[name] for name in usual if name in folded), None)


def names(given: list[str]) -> list[str]:
    """What systems are called whose files have these names.

    >>> names(["new.csv", "old.csv.gz"]), names(["run.csv", "run.tsv"]), names(["a.csv", "a.csv"])
    (['new', 'old'], ['run.csv', 'run.tsv'], ['a.csv', 'a.csv (2)'])
    """
    short = [PurePosixPath(name).name.partition(".")[0] or name for name in given]
    if len(set(short)) == len(short):
        return short
    found: list[str] = []
    for name in given:
        again = 1 + sum(given[i] == name for i in range(len(found)))
        found.append(name if again == 1 else f"{name} ({again})")
    return found
