"""The lab: recipes have the moments they should, and every backend gives the same numbers."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import informed
from informed import InformedError
from informed.documents import writers
from informed.measures import find
from informed.papers.examples import MEASURES
from informed.papers.figure_runs import Simulated
from informed.papers.figures import FIGURES, reproduce
from informed.simulation import GENERATORS, Experiment, parsed_levels, population
from informed.simulation.generators import (
    class_levels,
    fixed_classes,
    multinomial,
    premarginal,
    scattered,
    shares,
    uniform_cells,
    whole_sizes,
)
from informed.simulation.two_classes import priced_pairs, random_pairs, same_cases
from informed.simulation.whole_tables import _looked_up, fill_margins, to_total

SOURCE = str(Path(informed.__file__).parents[1])
DOCS = Path(__file__).parents[1] / "docs"
SMALL = Experiment(k=3, n=40, levels=(0, 0.5, 1), replicates=300, chunk=60,
                   intervals=("wald",), tests=("permutation-z",))  # fmt: skip


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


# ------------------------------------------------------------------ recipes


@pytest.mark.parametrize("name", GENERATORS)
@pytest.mark.parametrize(("k", "n"), [(2, 16), (4, 64), (7, 14)])
def test_tables_are_whole_with_the_total_asked_for(name: str, k: int, n: int) -> None:
    for level in (0.0, 0.4, 1.0):
        t = GENERATORS[name].draw(rng(), level, k=k, n=n, size=200)
        assert t.shape == (200,)
        assert np.all(t.total == n)
        assert np.all(t.cells == np.rint(t.cells))
        if not GENERATORS[name].honest:
            assert t.real_totals.min() > 0
            assert t.predicted_totals.min() > 0


@pytest.mark.parametrize("name", GENERATORS)
def test_the_same_seed_gives_the_same_tables(name: str) -> None:
    a, b, c = (GENERATORS[name].draw(rng(s), 0.3, k=3, n=30, size=50) for s in (5, 5, 6))
    assert a == b
    assert a != c


@pytest.mark.parametrize("draw", [multinomial, fixed_classes])
def test_honest_cells_have_their_population_as_mean(draw: Any) -> None:
    how = {"prevalence": "geometric", "guess": "reversed"}
    t = draw(rng(), 0.4, k=3, n=111, size=20_000, **how)
    name = "multinomial" if draw is multinomial else "fixed-classes"
    truth = GENERATORS[name].truth(0.4, k=3, n=111, **how)
    assert truth is not None
    error = t.counts.std(axis=0) / np.sqrt(20_000)
    assert np.all(np.abs(t.counts.mean(axis=0) - 111 * truth.counts) < 4.5 * error + 1e-9)
    variance = t.counts.var(axis=0)
    if draw is multinomial:  # N·p·(1 − p)
        wanted = 111 * truth.counts * (1 - truth.counts)
        assert np.allclose(variance, wanted, rtol=0.06)
    else:
        assert np.all(t.real_totals.std(axis=-1) == 0)


def test_class_levels_make_recalls_differ() -> None:
    t = population(class_levels(0.5, 3), k=3)
    recall = np.diagonal(t.counts) / t.prevalence
    assert recall == pytest.approx([0.8 + 0.2 / 3, 0.5 + 0.5 / 3, 0.2 + 0.8 / 3])


def test_negative_levels_are_perverse() -> None:
    t = population(-0.15, k=2, prevalence=0.7, guess=0.8)  # model 4 of 2003
    assert t.counts * 100 == pytest.approx(np.array([[47.6, 24.9], [22.4, 5.1]]))


def test_shifted_cells_are_one_deviation_higher() -> None:
    p = np.array([0.3, 0.5])
    plain, shifted = (
        scattered(rng(), 100, np.broadcast_to(p, (20_000, 2)), cells)
        for cells in ("absolute-normal", "absolute-normal-shifted")
    )
    assert shifted - plain == pytest.approx(np.broadcast_to(np.sqrt(100 * p * (1 - p)), plain.shape))


def test_pairs_that_differ_in_what_their_errors_cost() -> None:
    """The gap is exact in the population at every weight, and is that of informedness at weight ½."""
    for weight in (0.05, 0.5, 0.9):
        both = priced_pairs(rng(), 500, gap=0.1, prevalence=0.2, weight=weight)
        recall, specificity = ([np.asarray(find(m)(t)) for t in both] for m in ("recall", "inverse_recall"))
        worth = [2 * (weight * r + (1 - weight) * s) - 1 for r, s in zip(recall, specificity, strict=True)]
        assert worth[0] - worth[1] == pytest.approx(np.full(500, 0.1))


def test_systems_that_answer_the_same_cases() -> None:
    a, b = same_cases(rng(), 1000, *random_pairs(rng(), 4000, gap=0.1, prevalence=0.2))
    assert np.all(a.real_totals == b.real_totals)
    assert np.all(a.total == 1000)
    assert a.prevalence[:, 0].mean() == pytest.approx(0.2, abs=5 * 0.0002)
    gap = np.asarray(find("informedness")(a)) - np.asarray(find("informedness")(b))
    assert gap.mean() == pytest.approx(0.1, abs=5 * gap.std() / 4000**0.5)


@pytest.mark.parametrize("cells", ["normal", "binomial", "inverse-cdf", "absolute-normal"])
def test_scattered_cells_have_binomial_moments(cells: Any) -> None:
    p = np.array([0.3, 0.5])
    x = scattered(rng(), 100, np.broadcast_to(p, (20_000, 2)), cells)
    deviation = np.sqrt(100 * p * (1 - p))
    assert np.all(np.abs(x.mean(axis=0) - 100 * p) < 4.5 * deviation / np.sqrt(20_000))
    assert x.std(axis=0) == pytest.approx(deviation, rel=0.03)


def test_the_papers_spread_falls_with_the_level_and_honest_spread_does_not() -> None:
    def spread(name: str, level: float) -> float:
        t = GENERATORS[name].draw(rng(), level, k=4, n=128, size=4000)
        return float(np.std(informed.informedness(t)))

    ratios = {n: spread(n, 0.5) / spread(n, 0) for n in ("premarginal", "multinomial")}
    assert ratios["premarginal"] == pytest.approx(0.5, abs=0.08)  # 1 − level
    assert ratios["multinomial"] == pytest.approx(1.12, abs=0.06)  # √((1 − B)(B + 1/3)·3)


@pytest.mark.parametrize("total", ["leave", "repair", "renormalise", "last"])
def test_uniform_cells(total: Any) -> None:
    t = uniform_cells(rng(), 0.0, k=3, n=90, size=10_000, total=total)
    assert float(t.total.mean()) == pytest.approx(90, abs=0.6)
    if total != "leave":
        assert np.allclose(t.total, 90)
    first, last = t.cells[0, 0], t.cells[-1, -1]
    assert float(first.mean()) == pytest.approx(10, abs=0.3)
    assert (last.std() > 2 * first.std()) == (total == "last")


def test_real_valued_tables() -> None:
    t = premarginal(rng(), 0.5, k=3, n=20, size=100, real_valued=True)
    assert np.allclose(t.total, 20)
    assert np.any(t.cells != np.rint(t.cells))


def test_repair_of_empty_margins() -> None:
    cells = np.zeros((500, 3, 3), dtype=np.int64)
    cells[:, 0, 0] = 9  # rows 1, 2 and columns 1, 2 are empty: two pairs
    filled = fill_margins(rng(), cells)
    assert np.all(filled.sum(axis=(1, 2)) == 9)
    assert np.all(filled[:, 0, 0] == 7)
    assert np.all(filled[:, 1:, 1:].sum(axis=(1, 2)) == 2)  # ones where empty meets empty
    assert filled.sum(axis=1).min() == filled.sum(axis=2).min() == 1
    assert 0.4 < (filled[:, 1, 1] == 1).mean() < 0.6  # either pairing


def test_repair_of_the_total_takes_only_what_is_there() -> None:
    cells = rng().integers(0, 4, size=(400, 3, 3))
    for n in (5, 30):
        fixed = to_total(rng(), cells, n)
        assert np.all(fixed.sum(axis=(1, 2)) == n)
        assert fixed.min() >= 0
    up = to_total(rng(), cells, 40) - cells
    assert up.min() >= 0  # only increments where cases are lacking
    assert up.mean(axis=0) == pytest.approx(np.full((3, 3), up.mean()), rel=0.15)


@pytest.mark.parametrize("n", [5, 6, 9, 100])
def test_chosen_class_sizes_are_near_their_shares(n: int) -> None:
    q = shares("geometric", 5)
    sizes = whole_sizes(q, n)
    assert sizes.sum() == n
    assert sizes.min() >= 1
    assert n < 50 or np.all(np.abs(sizes - n * q) < 1)


def test_shares() -> None:
    assert shares(0.2, 3).tolist() == pytest.approx([0.2, 0.4, 0.4])
    assert shares("sparse", 4).tolist() == pytest.approx([0.475, 0.475, 0.025, 0.025])
    q = shares("geometric", 3)
    assert q[0] / q[-1] == pytest.approx(10)
    assert shares("reversed", 3, prevalence=q).tolist() == q[::-1].tolist()


def test_cases_by_table_lookup_are_multinomial() -> None:
    """Counts of every value of every cell, against the binomial; a tiny cell and an empty one."""
    from scipy.stats import binom

    p = np.array([0.5, 0.3, 0.2 - 3e-6, 3e-6, 0.0])
    size, n = 60_000, 12
    drawn = _looked_up(rng(), n, p, size)
    assert np.all(drawn.sum(axis=1) == n)
    assert drawn[:, 4].sum() == 0
    for cell, share in enumerate(p[:4]):
        seen = np.bincount(drawn[:, cell], minlength=n + 1) / size
        wanted = binom.pmf(np.arange(n + 1), n, share)
        assert np.all(np.abs(seen - wanted) <= 4.5 * np.sqrt(wanted * (1 - wanted) / size) + 1e-6)
    apart = np.cov(drawn[:, 0], drawn[:, 1])[0, 1]
    assert apart == pytest.approx(-n * p[0] * p[1], abs=0.05)
    rare = int(_looked_up(rng(), 128, p, 200_000)[:, 3].sum())  # 77 expected, none by rounding
    assert 77 - 4.5 * 77**0.5 < rare < 77 + 4.5 * 77**0.5


# ------------------------------------------------------------------ experiments


def test_statistics_are_those_of_the_tables() -> None:
    e = Experiment(k=3, n=40, levels=(0.3, 0.6), replicates=500, intervals=("wald",),
                   measures=("informedness", "accuracy"), tests=("pearson",))  # fmt: skip
    rows = e.run()
    stream = np.random.default_rng(np.random.SeedSequence(e.seed, spawn_key=(0,)))
    a, b = (multinomial(stream, level, k=3, n=40, size=500) for level in e.levels)
    x, y = informed.informedness(a), informed.accuracy(a)
    assert rows.value("informedness", "mean", level=0.3) == pytest.approx(x.mean())
    assert rows.value("informedness", "bias", level=0.3) == pytest.approx(x.mean() - 0.3)
    assert rows.value("informedness", "variance", level=0.3) == pytest.approx(x.var(ddof=1))
    rmse = np.sqrt(((x - 0.3) ** 2).mean())
    assert rows.value("informedness", "rmse", level=0.3) == pytest.approx(rmse)
    assert rows.value("accuracy", "truth", level=0.3) == pytest.approx(0.3 + 0.7 / 3)
    right = (informed.informedness(b) > x).mean() + 0.5 * (informed.informedness(b) == x).mean()
    assert rows.value("informedness", "ranked_right", level=0.3) == pytest.approx(right)
    pair = "informedness & accuracy"
    assert rows.value(pair, "correlation", level=0.3) == pytest.approx(np.corrcoef(x, y)[0, 1])
    alike = np.sign(x[:250] - x[250:]) * np.sign(y[:250] - y[250:])
    assert rows.value(pair, "rank_agreement", level=0.3) == pytest.approx(alike.mean())
    i = informed.interval(a, "informedness", method="wald")
    hit = (i.low <= 0.3) & (i.high >= 0.3)
    assert rows.value("informedness", "coverage", level=0.3) == pytest.approx(hit.mean())
    p = informed.test(b, method="pearson").pvalue
    assert rows.value("informedness", "power", level=0.6) == pytest.approx((p < 0.05).mean())


def test_errors_are_the_spread_of_repeated_runs() -> None:
    """Monte Carlo standard errors, against the spread over a hundred seeds."""
    what = ("bias", "rmse", "variance", "coverage", "correlation", "ranked_right")
    found: dict[str, list[tuple[Any, Any]]] = {w: [] for w in what}
    for seed in range(100):
        e = Experiment(k=2, n=40, levels=(0.3, 0.4), replicates=300, seed=seed,
                       measures=("informedness", "accuracy"), intervals=("wald",),
                       options={"prevalence": 0.3})  # fmt: skip
        for r in e.run().select(level=0.3):
            if r["statistic"] in found and not r["measure"].startswith("accuracy"):
                found[r["statistic"]].append((r["value"], r["error"]))
    for statistic, pairs in found.items():
        value, error = np.array(pairs).T
        assert len(pairs) == 100
        assert value.std(ddof=1) / error.mean() == pytest.approx(1, abs=0.33), statistic


def test_threads_and_processes_give_the_same_numbers() -> None:
    rows = SMALL.run().rows
    assert SMALL.run(jobs=3).rows == rows
    assert SMALL.run(jobs=2, backend="loky").rows == rows
    assert Experiment(**{**SMALL.__dict__, "seed": 8}).run().rows != rows


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of the cluster's own shutting down
def test_dask_gives_the_same_numbers() -> None:
    """With a client that is there, and with a scheduler that the settings name."""
    import dask.config
    import distributed as package

    distributed: Any = package
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False,
                                  dashboard_address=None) as cluster:  # fmt: skip
        with distributed.Client(cluster):
            assert SMALL.run(jobs=2, backend="dask").rows == SMALL.run().rows
        with dask.config.set({"scheduler-address": cluster.scheduler_address}):
            assert SMALL.run(jobs=2, backend="dask").rows == SMALL.run().rows


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    out = tmp_path / "run.parquet"
    code = f"""
import sys; sys.path.insert(0, {SOURCE!r})
from informed.simulation import Experiment
Experiment(k=3, n=60, levels=(0.2, 0.7), replicates=320, chunk=8, intervals=("arc",)).run(
    out={str(out)!r})
"""
    folder = tmp_path / "run.parquet.chunks"
    worker = subprocess.Popen([sys.executable, "-c", code])
    deadline = time.monotonic() + 60
    while len(list(folder.glob("chunk-*"))) < 3 and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(worker.pid, signal.SIGKILL)
    worker.wait()
    kept = {p.name: p.stat().st_mtime_ns for p in folder.glob("chunk-*")}
    assert 3 <= len(kept) < 40
    assert not out.exists()
    e = Experiment(k=3, n=60, levels=(0.2, 0.7), replicates=320, chunk=8, intervals=("arc",))
    with pytest.raises(InformedError, match="unfinished run"):
        e.run(out=out)
    with pytest.raises(InformedError, match="its n was 60 and now is 61"):
        Experiment(**{**e.__dict__, "n": 61}).run(out=out, resume=True)
    from informed.simulation import experiment as module

    ran: list[int] = []
    original = module.run_chunk

    def counting(x: Experiment, index: int) -> Any:
        ran.append(index)
        return original(x, index)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "run_chunk", counting)
        resumed = e.run(out=out, resume=True)
    done = {int(name[6:14]) for name in kept}
    assert set(ran) == set(range(40)) - done
    assert len(ran) == len(set(ran))
    assert resumed.rows == e.run(jobs=2).rows
    assert not folder.exists()
    import duckdb

    with duckdb.connect() as engine:
        count = engine.execute("SELECT count(*) FROM read_parquet(?)", [str(out)]).fetchone()
    assert count == (len(resumed.rows),)


def test_results_write_every_format() -> None:
    found = Experiment(k=2, n=30, levels=(0.5,), replicates=20, measures=("informedness",)).run()
    assert repr(found).startswith("20 tables by multinomial, k = 2, n = 30, 1 level, seed 7")
    held = json.loads(found.json())
    assert held["rows"] == found.rows
    assert held["run"] == found.run
    for form in writers.names():
        assert "rmse" in found.write(form) or form == "junit"
    assert list(found.to_frame()["statistic"]) == [r["statistic"] for r in found.rows]


def test_early_stop_is_the_same_on_every_backend() -> None:
    e = Experiment(k=2, n=40, levels=(0, 0.5), replicates=5000, chunk=100)
    one, many = e.run(precision=0.006), e.run(precision=0.006, jobs=3)
    assert one.rows == many.rows
    assert one.run["stopped_early"]
    assert 0.004 < max(r["error"] or 0 for r in one.rows if r["statistic"] == "bias") <= 0.006
    assert one.rows == Experiment(**{**e.__dict__, "replicates": one.run["chunks"] * 100}).run().rows


def test_memory_is_bounded_by_the_chunk() -> None:
    for k in (2, 5, 30, 102):
        e = Experiment(k=k, n=4 * k, levels=(0,), replicates=10**7, measures=("accuracy",))
        assert e.chunk_size * k * k <= 700_000


BAD: list[tuple[dict[str, Any], str]] = [
    ({"k": 9, "n": 4}, "4 cases cannot fill 9 classes"),
    ({"k": 1}, "`k` is 1"),
    ({"n": 2.5}, "`n` is 2.5"),
    ({"levels": (0.5, 1.2)}, r"1.2 is outside \[0, 1\]"),
    ({"levels": (-0.2,)}, "negative for two classes only"),
    ({"k": 2, "levels": (-1.2,)}, r"outside \[−1, 1\]"),
    ({"levels": ()}, "no level"),
    ({"levels": ("x",)}, "must be numbers"),
    ({"generator": "normal"}, "`generator` is 'normal'; it can be 'multinomial'"),
    ({"generator": "premarginal", "k": 4, "n": 7}, "premarginal needs at least 8"),
    ({"options": {"speed": 3}}, "no option speed; it takes prevalence, guess"),
    ({"options": {"prevalence": "odd"}}, "'odd'"),
    ({"options": {"prevalence": (0.5, 0.5)}}, "must be 4 non-negative numbers"),
    ({"measures": ("infrmedness",)}, "Did you mean informedness"),
    ({"intervals": ("wilson",)}, "wilson is no interval for informedness"),
    ({"tests": ("chi",)}, "There is no method 'chi'"),
    ({"level": 0}, "`level` is 0"),
    ({"replicates": 0}, "`replicates` is 0"),
    ({"seed": -1}, "`seed` is -1"),
    ({"chunk": 1}, "`chunk` is 1"),
    ({"measures": ()}, "Nothing is to be judged"),
]


@pytest.mark.parametrize(("given", "said"), BAD, ids=[s for _, s in BAD])
def test_bad_parameters_are_refused_before_any_work(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InformedError, match=said) as caught:
        Experiment(**given)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"jobs": 0}, "`jobs` is 0"),
        ({"precision": 0}, "`precision` is 0"),
        ({"resume": True}, "without `out`"),
        ({"out": "/no/such/folder/x.parquet"}, "does not exist"),
        ({"backend": "warp"}, "'warp' cannot be used"),
    ],
)
def test_bad_runs_are_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InformedError, match=said):
        SMALL.run(**given)


def test_levels_as_text() -> None:
    assert parsed_levels("0:1:0.1") == tuple(i / 10 for i in range(11))
    for text in ("0:1", "a", "1:0:.1", "0:1:0"):
        with pytest.raises(InformedError, match="cannot be read"):
            parsed_levels(text)


def test_arc_covers_and_the_papers_interval_does_not() -> None:
    e = Experiment(k=4, n=128, levels=(0.5, 0.9), replicates=1500, intervals=("arc", "powers-2"))
    r = e.run()
    for level in e.levels:
        held = r.value("informedness", "coverage", level=level, method="arc")
        assert held > 0.95 - 4 * 0.0056
        assert r.value("informedness", "coverage", level=level, method="powers-2") < 0.8


# ------------------------------------------------------------------ figures


@pytest.mark.parametrize("name", FIGURES)
def test_figures(name: str, tmp_path: Path) -> None:
    from xml.etree import ElementTree

    f = reproduce(name, replicates=20)
    for svg in (f.paper, f.modern):
        assert ElementTree.fromstring(svg).tag.endswith("svg")
        assert not re.search(r"\bnan\b", svg)
    lines = list(csv.reader(io.StringIO(f.csv())))
    assert {len(line) for line in lines} == {len(f.data)}
    if "run" in f.data:
        assert len(lines) == 111
    again = reproduce(name, replicates=20)
    assert (f.csv(), f.paper, f.modern) == (again.csv(), again.paper, again.modern)
    kept = DOCS / "img" / f"{name}.svg"
    assert kept.read_text(encoding="utf-8") == f.paper, "python docs/make_lab.py figures"
    assert {p.name for p in f.save_all(tmp_path)} == {f"{name}.csv", f"{name}.svg", f"{name}-bands.svg"}


def test_table_2_and_the_spreadsheet_have_the_papers_values() -> None:
    found = reproduce("table-2").records().by("what")
    printed = [0.1985, 0.2368, 0.2168, 0.8235, 0.7368, 0.68, 0.7778, 0.7790, 0.2126]
    assert [found[m]["first"] for m in MEASURES["table-2"]] == pytest.approx(printed, abs=6e-5)
    for name in ("first", "second"):
        apart = {x for x, row in found.items() if (y := row[f"{name}, printed"]) and abs(y - row[name]) > 0.0051}
        assert apart == {"χ²+R", "χ² at p = .05"}  # an erratum each
        assert found["χ²BM"][name] == pytest.approx(found["χ², Pearson"][name])
    assert [found["G²"][x] for x in ("first", "second")] == pytest.approx([4.5000, 4.0116], abs=5e-5)
    assert [found["χ²−R"][x] for x in ("first", "second")] == pytest.approx([3.1974, 2.3645], abs=5e-5)
    sheet = reproduce("iccs-1").data
    at = sheet["measure"].index("f1")
    assert [round(sheet[c][at], 4) for c in list(sheet)[1::2]] == [0.7467, 1.0, 0.7825, 0.6681]


def test_twelve_classes() -> None:
    d = reproduce("twelve-class").data
    b, q = np.asarray(d["B"][:12]), np.asarray(d["prevalence"][:12])
    wav = {row: round(100 * d[row][12]) for row in ("r", "p", "B as printed", "F", "G")}
    assert wav == {"r": 34, "p": 54, "B as printed": 86, "F": 18, "G": 31}  # as the paper has it
    assert float(b @ q) == pytest.approx(0.330, abs=5e-4)  # 33.0 %, not the printed 86 %
    assert round(100 * b[1]) == 79
    assert round(100 * d["B as printed"][1]) == -24


def test_the_areas_of_figure_1_are_informedness() -> None:
    """ "Such a kite-shaped area", "the alternate parallelogram": both are B; the trapezoid is AUC = (1 + B)/2."""
    rows = reproduce("fig-1").records()
    assert len(rows) == 9
    for row in rows:
        wanted = (1 + row["B"]) / 2 if row["shape"] == "trapezoid" else row["B"]
        assert row["area"] == pytest.approx(wanted)
    assert rows.where(system="first")["B"][0] == pytest.approx(27 / 136)


def test_table_1_of_2003_has_500_occurrences() -> None:
    d = reproduce("table-1").data
    assert sum(d["occurrences"]) == 500
    assert len(d["class"]) == 17
    shown, least, most = (d[f"classified, {x}"] for x in ("one of six", "least", "most"))
    assert all(a <= b <= c <= o for a, b, c, o in zip(least, shown, most, d["occurrences"], strict=True))
    assert [(least[i], shown[i], most[i]) for i in (0, 12, 13)] == [(31, 79, 96), (3, 24, 84), (29, 41, 45)]


@pytest.mark.parametrize("name", ["fig-6", "fig-7", "sig-2"])
def test_figures_with_bands_draw_the_printed_correction(name: str) -> None:
    """|O − E| less ½ where fewer than 5 are expected, by hand; above the plain p."""
    from scipy.stats import chi2

    held = FIGURES[name]
    curves = {c.name: c for c in Simulated.of(held).curves}
    t = GENERATORS["premarginal"].draw(np.random.default_rng(1), 0.8, k=held["k"], n=held["n"], size=1)
    counts = t.counts[0]
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    gap = np.maximum(np.abs(counts - expected) - 0.5 * (expected < 5), 0)
    wanted = chi2.sf((gap**2 / expected).sum(), (held["k"] - 1) ** 2)
    assert curves["p of χ², Yates"](t)[0] == pytest.approx(wanted, rel=1e-9)
    assert curves["p of χ², plain"](t)[0] < wanted


def test_every_figure_and_table_of_the_papers_is_reproduced() -> None:
    """The captions of the five papers, and the pictures and tables that have none."""
    captions = {
        "J": ["Table 1", "Table 2", *(f"Figure {i}" for i in range(1, 8))],
        "M": ["Table 1", "Figure 1", "Figure 2"],
        "S": ["Table 1", "Figure 1", "Figure 2"],
        "B": ["Table 1", "Figure 1", "the search", "the noun", "the 12 classes"],
        "P": ["the simulation", "the spreadsheet"],
    }
    wanted = sorted(f"{paper} {caption}" for paper, held in captions.items() for caption in held)
    assert sorted(place for held in FIGURES.values() for place in held["of"]) == wanted
    page = (DOCS / "figures.md").read_text(encoding="utf-8")
    for name in FIGURES:
        assert f"`informed reproduce {name}`" in page
        for picture in (f"img/{name}.svg", f"img/{name}-bands.svg"):
            assert f"]({picture})" in page
            assert (DOCS / picture).is_file()
        assert (DOCS / "data" / f"{name}.csv").is_file()


def test_figure_errors() -> None:
    with pytest.raises(InformedError, match="no figure or table 'fig-9'; there are fig-1"):
        reproduce("fig-9")
    with pytest.raises(InformedError, match="does not exist"):
        reproduce("fig-4").save_all("/no/such/folder")
