"""Claims about the recipes that make the papers' tables."""

from __future__ import annotations

from itertools import product

import numpy as np

from informed._arrays import Array
from informed.evidence.table import Table
from informed.papers.claims import Numbers, claim
from informed.papers.register import PAPERS, READINGS, Trial
from informed.simulation.estimates import MonteCarlo, mean, quotient, spread
from informed.simulation.generators import Cells, outer, random_shares, scattered
from informed.simulation.judging import values

ABSOLUTE: dict[str, Cells] = {"absolute normal": "absolute-normal", "shifted": "absolute-normal-shifted"}


@claim("correction-falls-with-k")
def correction_falls_with_k(trial: Trial) -> Numbers:
    found: Numbers = {}
    grid = claim.grid("correction-falls-with-k")
    for each, k, (name, cells) in product(grid["N/K"], grid["K"], ABSOLUTE.items()):
        n = each * k
        chance = _chance(trial, max(trial.size // k**2, 20), k, n, cells)
        off = np.abs(np.rint(chance).sum(axis=(1, 2)) - n)
        found[f"K = {k}, N/K = {each}, {name}"] = mean(off / n)
    return found


def _chance(trial: Trial, size: int, k: int, n: int, cells: Cells) -> Array:
    """Cells of chance tables, scattered around what random margins expect."""
    q, b = (random_shares(trial.rng, size, k) for _ in range(2))
    return scattered(trial.rng, n, outer(b, q), cells)


@claim("level-is-informedness")
def level_is_informedness(trial: Trial) -> Numbers:
    found: Numbers = {}
    for level in (0.3, 0.5, 0.7):
        u, q, b = (random_shares(trial.rng, trial.size, 4) for _ in range(3))
        mixed = level * u[:, None, :] * np.eye(4) + (1 - level) * outer(b, q)
        found[f"spread at {level:g}"] = spread(values(Table.from_counts(mixed), "informedness"))
    return found


@claim("uniform-is-broader")
def uniform_is_broader(trial: Trial) -> Numbers:
    found: Numbers = {}
    for name, total in (("uniform, discrete", "repair"), ("uniform, real-valued", "renormalise")):
        found[name] = spread(values(trial.draw(0.0, "uniform-cells", total=total), "informedness"))
    found |= {f"spread, {r}": spread(values(trial.draw(0.0, r), "informedness")) for r in READINGS}
    return found


@claim("last-cell")
def last_cell(trial: Trial) -> Numbers:
    found: Numbers = {}
    for k in (2, 4, 8):
        t = trial.draw(0.0, "uniform-cells", k=k, n=16 * k * k, total="last")
        found[f"K = {k}"] = quotient(spread(t.cells[-1, -1]), spread(t.cells[0, 0]))
    return found


@claim("top-overshoots")
def top_overshoots(trial: Trial) -> Numbers:
    return {f"B − 1, {r}": mean(values(trial.draw(1.0, r), "informedness") - 1) for r in READINGS}


@claim("integrality")
def integrality(trial: Trial) -> Numbers:
    found: Numbers = {}
    for n, reading in product((128, 16), PAPERS):
        whole, real = (
            values(trial.draw(0.5, reading, n=n, real_valued=real), "informedness") for real in (False, True)
        )
        found |= {
            f"means apart, N = {n}, {reading}": _apart(mean(real), mean(whole)),
            f"deviations apart, N = {n}, {reading}": _apart(spread(real), spread(whole)),
            f"deviation, whole cells, N = {n}, {reading}": spread(whole),
            f"deviation, real cells, N = {n}, {reading}": spread(real),
        }
    return found


@claim("copula")
def copula(trial: Trial) -> Numbers:
    kinds: dict[str, Cells] = {"inverse-cdf": "inverse-cdf", "binomial": "binomial", "normal": "normal", **ABSOLUTE}
    b = {name: values(trial.draw(0.5, "premarginal", cells=cells), "informedness") for name, cells in kinds.items()}
    found = {f"deviation, {name}": spread(x) for name, x in b.items()}
    copied = mean(b["inverse-cdf"])
    return found | {f"means apart, {name}": _apart(copied, mean(b[name])) for name in ABSOLUTE}


@claim("binornd")
def binornd(trial: Trial) -> Numbers:
    total = _chance(trial, trial.size, 4, 128, "binomial").sum(axis=(1, 2))
    return {"mean total / N": mean(total / 128)}


def _apart(a: MonteCarlo, b: MonteCarlo) -> MonteCarlo:
    """How far apart two independent estimates are."""
    return MonteCarlo(abs(a.value - b.value), float(np.hypot(a.standard_error, b.standard_error)))
