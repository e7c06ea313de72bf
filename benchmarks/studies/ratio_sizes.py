"""How often two tests of equal likelihood ratios are told apart: by their difference, and by their ratio."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import ndtr
from study import Part, Row, Study, bare, shown, table

from informed import compare

SEED = 2030
LEVELS = (0.05, 0.01, 0.001)
AT_ONCE = 1000  # comparisons: of many more, the default is in closed form
# sensitivity and false positive rate of both, whose LR+ are equal; prevalence; correlation within a class; patients
WORLDS: dict[str, tuple[tuple[float, float], tuple[float, float], float, float, int]] = {
    "LR+ 3, alike": ((0.9, 0.3), (0.9, 0.3), 0.5, 0.3, 200),
    "LR+ 3, one strict": ((0.9, 0.3), (0.6, 0.2), 0.5, 0.3, 200),
    "LR+ 8, alike": ((0.8, 0.1), (0.8, 0.1), 0.5, 0.3, 200),
    "LR+ 8, one strict": ((0.8, 0.1), (0.48, 0.06), 0.3, 0.3, 400),
    "LR+ 8, rare disease": ((0.8, 0.1), (0.56, 0.07), 0.1, 0.3, 1000),
    "LR+ 5, apart": ((0.75, 0.15), (0.5, 0.1), 0.3, 0.0, 300),
    "LR+ 16, few false positives": ((0.8, 0.05), (0.64, 0.04), 0.4, 0.3, 300),
}


def sizes(runs: int) -> Iterator[Row]:
    """Paired tests that are equal in LR+, and how often p is below a level."""
    for i, (name, (a, b, prevalence, alike, n)) in enumerate(WORLDS.items()):
        rng = np.random.default_rng([SEED, i])
        joint = rng.multinomial(n, truth(a, b, prevalence, alike).ravel(), runs).reshape(runs, 2, 2, 2)
        kept = joint[(joint[:, 1].sum(axis=1)[:, 0] > 0) & (joint[:, 1].sum(axis=2)[:, 0] > 0)].astype(float)
        tests = {
            "difference": subtracted(kept),
            'ratio, `method="delta"`': divided(kept, "delta"),
            "ratio, by default": divided(kept, "auto"),
        }
        for how, p in tests.items():
            found = {f"at {bare(x)}": float(np.mean(np.asarray(p) < x)) for x in LEVELS}
            yield {"world": name, "patients": n, "prevalence": bare(prevalence), "test": how, **found}


def truth(a: tuple[float, float], b: tuple[float, float], prevalence: float, alike: float) -> Any:
    """Chances of (real, a, b), positive first; both answers of a patient of one class have this correlation."""
    each = []
    for x, y, share in zip(a, b, (prevalence, 1 - prevalence), strict=True):
        both = x * y + alike * min(x * (1 - y), y * (1 - x))
        each.append(share * np.array([[both, x - both], [y - both, 1 - x - y + both]]))
    return np.array(each)


def divided(joint: Any, method: str) -> Any:
    """p of the ratio of two LR+."""
    parts = (joint[i : i + AT_ONCE] for i in range(0, len(joint), AT_ONCE))
    asked: dict[str, Any] = {"labels": ["ill", "well"], "positive": "ill", "method": method}
    return np.concatenate([np.asarray(compare.paired(joint=x, **asked)["lr"].pvalue) for x in parts])


def subtracted(joint: Any) -> Any:
    """p of the difference of two LR+ by the delta method: what a program does that does not take logarithms."""
    n = joint.sum(axis=(1, 2, 3))
    p = joint / n[:, None, None, None]
    slopes = np.zeros_like(p)
    values = []
    for sign, axis in ((1, 3), (-1, 2)):  # the margin of a is over b, and the other way round
        hits, total = p.sum(axis=axis)[:, :, 0], p.sum(axis=(2, 3))
        recall, fallout = (hits / total).T
        values.append(recall / fallout)
        said = np.array([1.0, 0.0]).reshape((1, 2, 1) if axis == 3 else (1, 1, 2))
        slopes[:, 0] += sign * (said - recall[:, None, None]) / total[:, :1, None] / fallout[:, None, None]
        slopes[:, 1] -= (
            sign * (recall / fallout**2)[:, None, None] * (said - fallout[:, None, None]) / total[:, 1:, None]
        )
    spread = (p * slopes**2).sum(axis=(1, 2, 3)) / n
    away = np.abs(values[0] - values[1]) / np.sqrt(np.maximum(spread, 1e-300))
    return 2 * ndtr(-away)


def furthest(rows: list[Row]) -> str:
    """The table, and the least and the most of each test."""
    said = []
    for how in dict.fromkeys(row["test"] for row in rows):
        each = [[float(row[f"at {bare(x)}"]) for row in rows if row["test"] == how] for x in LEVELS]
        told = ", ".join(
            f"{shown(min(x))} to {shown(max(x))} at {bare(level)}" for x, level in zip(each, LEVELS, strict=True)
        )
        said.append(f"{how}: {told}")
    return f"{table(rows)}\n\n{'; '.join(said)}."


STUDY = Study(
    "ratio_sizes",
    {
        "sizes": Part(
            "Two tests on the same patients whose LR+ are equal: how often p is below .05, .01 and .001.",
            sizes,
            "diagnostics.md",
            runs=10_000,
            errors=((0.05, 1.0), (0.01, 1.0), (0.001, 1.0)),
            text=furthest,
        )
    },
)

if __name__ == "__main__":
    STUDY.main()
