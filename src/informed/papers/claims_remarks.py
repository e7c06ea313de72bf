"""Claims that stand in the running text: examples, and remarks on statistics."""

from __future__ import annotations

from itertools import product

from informed.evidence.table import Table
from informed.papers.claims import Numbers, claim, exact
from informed.papers.examples import MEASURES, TABLE_2, twelve_classes
from informed.papers.register import MARGINS, READINGS, Trial
from informed.simulation.estimates import mean
from informed.simulation.judging import pvalues, statistics, values


@claim("runs-counter")
def runs_counter(_: Trial) -> Numbers:
    first, second = TABLE_2.values()
    found = exact({m: values(first, m) - values(second, m) for m in MEASURES["table-2"]})
    return found | exact({f"inverse F, {name}": values(t, "inverse_f1") for name, t in TABLE_2.items()})


@claim("table-2-significance")
def table_2_significance(_: Trial) -> Numbers:
    found: Numbers = {}
    for name, t in TABLE_2.items():
        one_sided = pvalues(t, "fisher", alternative="greater")
        found |= exact({f"Fisher, one-sided, {name}": one_sided, f"Fisher, two-sided, {name}": pvalues(t, "fisher")})
        of = {"χ²+P, (30)": "plus-p", "χ²KB, (32)": "kb", "Pearson, whole table": "pearson"}
        found |= exact({f"{said}, {name}": pvalues(t, method) for said, method in of.items()})
    return found


@claim("twelve-classes")
def twelve(_: Trial) -> Numbers:
    classes = twelve_classes()
    b = float(classes["B"] @ classes["prevalence"])
    return exact({"of the classified": b, "in all": 0.34 * b})


@claim("apart-without-limit")
def apart_without_limit(_: Trial) -> Numbers:
    found: Numbers = {}
    for n, m in product((10, 1000), ("informedness", "markedness", "recall", "precision")):
        found |= exact({f"{m}, n = {n}": values(Table.from_counts([[1e6, n], [0, 1]]), m)})
    return found


@claim("uneven-inflates")
def uneven_inflates(trial: Trial) -> Numbers:
    margins = claim.grid("uneven-inflates")["margins"]
    return {name: mean(statistics(trial.draw(0.0, **MARGINS[name]), "b")) for name in margins}


@claim("conservative-with-size")
def conservative_with_size(trial: Trial) -> Numbers:
    found: Numbers = {}
    for reading, level in product(READINGS, (0.2, 0.5, 0.9)):
        t = trial.draw(level, reading)
        found[f"χ²_BM/χ² at {level:g}, {reading}"] = mean(statistics(t, "bm") / statistics(t, "pearson"))
    return found
