"""Deliberate mistakes, one at a time, in a copy of the source: does the suite catch each?

Run `python tests/mutations.py` (or `make mutations`). Prints caught or missed for each mistake and
exits with 1 if one was missed. Not part of `make test`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent

LAWS, IDENTITIES, GOLDEN = "test_laws.py", "test_identities.py", "test_golden.py"
TABLE, TALLY, BAD = "test_table.py", "test_tally.py", "test_bad_input.py"
PEERS = "test_peers.py"


@dataclass(frozen=True)
class Mistake:
    """Text of a file replaced by something wrong, and the tests that should notice."""

    what: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


MISTAKES = [
    Mistake(
        "fallout as the paper prints it: fp/rp (E-1)",
        "measures/rates.py",
        "return ratio(t.fp, t.rn)",
        "return ratio(t.fp, t.rp)",
        (GOLDEN,),
    ),
    Mistake(
        "recall and precision exchanged",
        "measures/rates.py",
        "return ratio(t.tp, t.rp)",
        "return ratio(t.tp, t.pp)",
        (GOLDEN,),
    ),
    Mistake(
        "negative likelihood ratio upside down (E-2)",
        "measures/diagnosis.py",
        "ratio(ratio(t.fn, t.rp), ratio(t.tn, t.rn))",
        "ratio(ratio(t.tn, t.rn), ratio(t.fn, t.rp))",
        (GOLDEN,),
    ),
    Mistake(
        "Scott's pi without its halves (E-3)",
        "measures/agreement.py",
        "pi = ratio(t.predicted_totals + t.real_totals, 2 * t.total)",
        "pi = ratio(t.predicted_totals + t.real_totals, t.total)",
        (GOLDEN,),
    ),
    Mistake(
        "Krippendorff's correction the wrong way",
        "measures/agreement.py",
        "ratio(2 * t.total - 1, 2 * t.total)",
        "ratio(2 * t.total, 2 * t.total - 1)",
        (GOLDEN,),
    ),
    Mistake(
        "Gwet's chance not divided by K - 1",
        "measures/agreement.py",
        "chance = ratio(_apart(t), t.k - 1)",
        "chance = _apart(t)",
        (GOLDEN,),
    ),
    Mistake(
        "linear weights squared",
        "measures/agreement.py",
        '"linear": 1, "quadratic": 2',
        '"linear": 2, "quadratic": 2',
        (GOLDEN,),
    ),
    Mistake(
        "mutual information with the sign of (39) (E-4)",
        "measures/information.py",
        "terms = ratio(t.cells, t.total) * np.log",
        "terms = -ratio(t.cells, t.total) * np.log",
        (GOLDEN,),
    ),
    Mistake(
        "bits that are nats",
        "measures/information.py",
        '"2": np.log(2)',
        '"2": 1.0',
        (GOLDEN,),
    ),
    Mistake(
        "alpha = beta² (E-9)",
        "measures/overlap.py",
        "ratio((1 + beta**2) * t.tp, beta**2 * t.rp + t.pp)",
        "ratio(t.tp, beta**2 * t.rp + (1 - beta**2) * t.pp)",
        (PEERS,),
    ),
    Mistake(
        "informedness weighted by bias by default (E-17)",
        "measures/chance.py",
        'weighting: Weighting = "prevalence") -> Array',
        'weighting: Weighting = "bias") -> Array',
        (IDENTITIES,),
    ),
    Mistake(
        "markedness that is informedness for three classes",
        "measures/chance.py",
        "missed = ratio(t.misses, t.predicted_rest)",
        "missed = ratio(t.false_alarms, t.real_rest)",
        (IDENTITIES,),
    ),
    Mistake(
        "correlation that takes the root of |BM| (the author's script)",
        "measures/chance.py",
        "np.sqrt(np.maximum(b * m, 0))",
        "np.sqrt(np.abs(b * m))",
        (IDENTITIES,),
    ),
    Mistake(
        "the exact exponent read as 2/K",
        "measures/chance.py",
        '"exact": 1 / (k - 1)',
        '"exact": 2 / k',
        (IDENTITIES,),
    ),
    Mistake(
        "a determinant that loses its sign",
        "measures/chance.py",
        "sign * np.exp(log",
        "np.exp(log",
        (LAWS,),
    ),
    Mistake(
        "lambda of the other side",
        "measures/association.py",
        "1 - ratio(_not_modal(t.cells), t.real_rest.min(axis=0))",
        "1 - ratio(_not_modal(t.cells.swapaxes(0, 1)), t.real_rest.min(axis=0))",
        (GOLDEN,),
    ),
    Mistake(
        "pairs counted twice",
        "measures/association.py",
        "return totals * (totals - 1) / 2",
        "return totals * totals / 2",
        (PEERS,),
    ),
    Mistake(
        "an expectation that starts above its first term",
        "measures/information.py",
        "inside = (k >= np.maximum(low, 1))",
        "inside = (k > np.maximum(low, 1))",
        (PEERS,),
    ),
    Mistake(
        "0/0 counted as 0",
        "_arrays.py",
        "return np.asarray(np.true_divide(numerator, denominator), dtype=np.float64)",
        "return np.nan_to_num(np.true_divide(numerator, denominator), posinf=np.inf)",
        (LAWS,),
    ),
    Mistake(
        "an undefined class that spoils a mean it has no weight in",
        "_arrays.py",
        "np.where(weights == 0, 0.0, values)",
        "values",
        (BAD,),
    ),
    Mistake(
        "rows and columns exchanged",
        "evidence/checks.py",
        "np.moveaxis(given, (-2, -1), (0, 1))",
        "np.moveaxis(given, (-1, -2), (0, 1))",
        (TABLE,),
    ),
    Mistake(
        "scikit-learn's orientation not turned",
        "evidence/table.py",
        'if rows == "real":\n            array = np.swapaxes(array, -1, -2)',
        'if rows == "real":\n            array = np.swapaxes(array, -1, -1)',
        (TABLE,),
    ),
    Mistake(
        "labels added by position",
        "evidence/table.py",
        "wide[np.ix_(at_p, at_r)] = held",
        "wide[: len(at_p), : len(at_r)] = held",
        (TABLE,),
    ),
    Mistake(
        "a stack added along the wrong axis",
        "evidence/checks.py",
        "array.reshape((*classes, *ones, *own))",
        "array.reshape((*own, *ones, *classes))",
        (TABLE,),
    ),
    Mistake(
        "the caller's memory kept",
        "evidence/checks.py",
        "frozen(result.copy()) if",
        "result if",
        (TABLE,),
    ),
    Mistake(
        "prevalence of the wrong class",
        "evidence/table.py",
        "if np.ndim(prevalence) == 0 and self._plus == 1:",
        "if False:",
        (TABLE,),
    ),
    Mistake(
        "abstentions that do not count as rows",
        "evidence/table.py",
        "self.total + self.abstained.sum(axis=-1) + self.missing",
        "self.total + self.missing",
        (TABLE,),
    ),
    Mistake(
        "weights without their squares",
        "evidence/table.py",
        "squares=build.cells_first(counted.squares) if weighted else None",
        "squares=None",
        (TABLE,),
    ),
    Mistake(
        "a merge that forgets the other tally",
        "evidence/tally.py",
        "self._add(other._so_far)",
        "self._add(self._so_far or other._so_far)",
        (TALLY,),
    ),
    Mistake(
        "text and numbers that look alike let through",
        "evidence/labels.py",
        "if other != label:",
        "if False:",
        (BAD,),
    ),
    Mistake(
        "scores taken for labels",
        "evidence/labels.py",
        "isinstance(label, (float, Decimal)) and not isinstance(label, Enum)",
        "False",
        (BAD,),
    ),
    Mistake(
        "negative counts let through",
        "evidence/checks.py",
        'if (array < 0).any():\n        raise TableError(f"`counts`',
        'if False:\n        raise TableError(f"`counts`',
        (BAD,),
    ),
    Mistake(
        "labels not escaped in HTML",
        "documents/charts/svg.py",
        "{escape(said)}</text>",
        "{said}</text>",
        (TABLE,),
    ),
]


def caught(mistake: Mistake, workspace: Path) -> bool:
    """Whether the tests fail on a copy of the source with the mistake in it."""
    source = workspace / "src"
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
    path = source / "informed" / mistake.file
    text = path.read_text(encoding="utf-8")
    if text.count(mistake.old) < 1:
        raise SystemExit(f"{mistake.what}: its text is no longer in {mistake.file}")
    path.write_text(text.replace(mistake.old, mistake.new, 1), encoding="utf-8")
    options = ["-x", "-q", "-p", "no:cacheprovider", "-o", f"pythonpath={source} {ROOT / 'tests'}"]
    files = [str(ROOT / "tests" / name) for name in mistake.tests]
    command = [sys.executable, "-m", "pytest", *options, *files]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    if ended.returncode not in (0, 1, 2):
        raise SystemExit(f"{mistake.what}: pytest could not run\n{ended.stdout}{ended.stderr}")
    if ended.returncode == 2 and str(source) not in ended.stdout + ended.stderr:
        raise SystemExit(f"{mistake.what}: pytest stopped\n{ended.stdout}{ended.stderr}")
    return ended.returncode != 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="?", default="", help="words of the mistakes to try")
    wanted = parser.parse_args().only
    missed = []
    started = time.perf_counter()
    chosen = [m for m in MISTAKES if wanted in m.what]
    files = tuple(dict.fromkeys(name for m in chosen for name in m.tests))
    with tempfile.TemporaryDirectory() as folder:
        if caught(Mistake("no mistake", "errors.py", "class", "class", files), Path(folder)):
            print("The tests fail without any mistake.")
            return 1
        for mistake in chosen:
            found = caught(mistake, Path(folder))
            missed += [] if found else [mistake]
            print(f"{'caught' if found else 'MISSED'}  {mistake.what}", flush=True)
    seconds = time.perf_counter() - started
    print(f"{len(chosen) - len(missed)} of {len(chosen)} caught in {seconds:.0f} s")
    return 1 if missed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
