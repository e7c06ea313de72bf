"""Tables of many classes hold what is occupied, and nobody who reads them can tell."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partialmethod
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import informed
from informed import Table
from informed._arrays import Array
from informed.cli import _reports, cli
from informed.errors import TableError
from informed.evidence import cells as held
from informed.evidence.cells import Occupied, Product, Smoothed, StandIn, is_sparse, occupied, smoothed
from informed.evidence.histogram import distinct_rows, sorted_rows
from informed.inference import delta
from informed.measures import MEASURES, Measure

SEEN = np.array([[9, 0, 1, 0, 2], [0, 7, 0, 0, 0], [2, 0, 0, 3, 0], [0, 1, 0, 8, 0], [0, 0, 0, 0, 4]])
LABELS = ["a", "b", "c", "d", "e"]


@pytest.fixture
def sparse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of three classes and more are held as what is occupied."""
    monkeypatch.setattr(held, "DENSE_UP_TO", 2)
    return


def both(monkeypatch: pytest.MonkeyPatch) -> tuple[Table, Table]:
    """The same table, as an array and as what is occupied."""
    dense = Table.from_counts(SEEN, labels=LABELS, rows="predicted")
    monkeypatch.setattr(held, "DENSE_UP_TO", 2)
    few = Table.from_counts(SEEN, labels=LABELS, rows="predicted")
    assert is_sparse(few.cells)
    assert not is_sparse(dense.cells)
    return dense, few


def same(a: Any, b: Any) -> None:
    np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize(
    "way",
    [
        lambda t: t.dual,
        lambda t: t.independent,
        lambda t: t.one_vs_rest(),
        lambda t: t.one_vs_rest("c"),
        lambda t: t.select(["d", "a", "c"]),
        lambda t: t.collapse({"x": ["a", "c"]}),
        lambda t: t.collapse({"x": ["a", "c"], "y": ["b", "d", "e"]}),
        lambda t: t.at_prevalence([0.1, 0.2, 0.0, 0.3, 0.4]),
        lambda t: t + t.select(["a", "b", "c"]),
        lambda t: t + Table.from_counts([[1, 2], [3, 4]], labels=["e", "f"]),
        lambda t: t.independent.one_vs_rest(),
        lambda t: t.independent.dual,
    ],
)
def test_what_is_made_of_it(monkeypatch: pytest.MonkeyPatch, way: Callable[[Table], Table]) -> None:
    t, u = both(monkeypatch)
    monkeypatch.setattr(held, "DENSE_UP_TO", 2000)
    wanted = way(t)
    monkeypatch.setattr(held, "DENSE_UP_TO", 2)
    found = way(u)
    assert (found.predicted_labels, found.real_labels) == (wanted.predicted_labels, wanted.real_labels)
    same(found.counts, wanted.counts)
    for name in ("real_totals", "predicted_totals", "total", "real_rest"):
        same(getattr(found, name), getattr(wanted, name))
    if wanted.is_square:
        for name in ("hits", "false_alarms", "misses"):
            same(getattr(found, name), getattr(wanted, name))


def test_a_stack(sparse: None) -> None:
    parts = [SEEN, SEEN.T, 2 * SEEN]
    t = Table.from_counts(parts, labels=LABELS, names=["x", "y", "z"])
    assert is_sparse(t.cells)
    assert t.shape == (3,)
    for i, part in enumerate(parts):
        same(t[i].counts, part)
        assert t[i] == Table.from_counts(part, labels=LABELS, rows="predicted")
    same(t[["x", "z"][1]].counts, 2 * SEEN)
    same(t.sum().counts, np.sum(parts, axis=0))
    same(t.one_vs_rest().counts[1], t[1].one_vs_rest().counts)
    assert t + t == Table.from_counts([2 * x for x in parts], labels=LABELS, names=["x", "y", "z"])
    assert t != t.dual


def test_labels_with_weights_groups_and_abstentions(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    real = rng.choice(LABELS, 300)
    predicted = np.where(rng.random(300) < 0.6, real, rng.choice([*LABELS, "?"], 300))
    cluster, weights = rng.integers(0, 4, 300), rng.random(300)

    def tables() -> list[Table]:
        given: dict[str, Any] = {"real": real, "predicted": predicted, "abstain": "?"}
        return [
            Table.from_labels(**given),
            Table.from_labels(**given, weights=weights),
            Table.from_labels(**given, by=cluster),
            Table.from_labels(**given, by=cluster, weights=weights),
        ]

    wanted = tables()
    monkeypatch.setattr(held, "DENSE_UP_TO", 2)
    for a, b in zip(wanted, tables(), strict=True):
        assert is_sparse(b.cells)
        same(b.counts, a.counts)
        same(b.abstained, a.abstained)
        assert (b.squares is None) == (a.squares is None)
        if a.squares is not None and b.squares is not None:
            same(b.squares.sum(axis=(0, 1)), a.squares.sum(axis=(0, 1)))
        assert Table.from_json(b.to_json()) == b


def test_json_and_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    t, u = both(monkeypatch)
    assert Table.from_json(u.to_json()) == u
    assert len(u.to_frame()) == np.count_nonzero(SEEN) < len(t.to_frame()) == SEEN.size
    for wrong in ({"predicted": [9], "real": [0], "count": [1]}, {"predicted": [0], "real": [0]}):
        text = informed.Table.from_counts(SEEN, labels=LABELS, rows="predicted").to_json()
        start, end = text.index('"counts": ') + 10, text.index(', "abstained"')
        with pytest.raises(TableError):
            Table.from_json(text[:start] + str(wrong).replace("'", '"') + text[end:])


@pytest.mark.parametrize("m", [m for m in MEASURES.values() if m.facts.classes == "any"], ids=str)
def test_measures(monkeypatch: pytest.MonkeyPatch, m: Measure) -> None:
    t, u = both(monkeypatch)
    parameters = {"order": "given"} if "order" in m.parameters else {}
    t, u = (replace(x, stated="given") for x in (t, u))
    same(m(u, **parameters), m(t, **parameters))
    if "whole counts" not in m.facts.needs:
        same(m(u.independent), m(t.independent))


@pytest.mark.parametrize(
    "measure", ["informedness", "markedness", "matthews", "cohen_kappa", "accuracy", "recall", "f1"]
)
@pytest.mark.parametrize("method", ["auto", "plus-four"])
def test_intervals(monkeypatch: pytest.MonkeyPatch, measure: str, method: str) -> None:
    name = f"{measure}(average='macro')" if measure in ("recall", "f1") else measure
    t, u = both(monkeypatch)
    a, b = (informed.interval(x, name, method=method) for x in (t, u))
    assert a.method == b.method
    np.testing.assert_allclose([b.low, b.high], [a.low, a.high], rtol=1e-6)


@pytest.mark.parametrize("name", ["informedness", "matthews", "precision(average='macro')"])
def test_pseudo_cases_by_margins_or_by_cells(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    rng = np.random.default_rng(3)
    t = Table.from_counts(rng.poisson(1, (4, 30, 30)) + 9 * np.eye(30))
    by_cells = informed.interval(t, name, method="plus-four")
    monkeypatch.setattr(delta, "BY_MARGINS_ABOVE", 2)
    by_margins = informed.interval(t, name, method="plus-four")
    same(by_margins.low, by_cells.low)
    same(by_margins.high, by_cells.high)


@pytest.mark.parametrize("name", ["informedness_of_all", "informedness_discounted"])
def test_pseudo_cases_beside_abstentions(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    rng = np.random.default_rng(4)
    counts = rng.poisson(1, (20, 20)) + 9 * np.eye(20)
    t = Table.from_counts(counts, abstained=rng.poisson(3, 20))
    by_cells = informed.interval(t, name, method="plus-four")
    monkeypatch.setattr(delta, "BY_MARGINS_ABOVE", 2)
    by_margins = informed.interval(t, name, method="plus-four")
    same([by_margins.low, by_margins.high], [by_cells.low, by_cells.high])


def test_a_report_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    t, u = both(monkeypatch)
    a, b = informed.report(t), informed.report(u)
    assert b.text(full=True) == a.text(full=True)
    assert repr(b.confusions) == repr(a.confusions)
    again = informed.Report.from_json(b.json())
    assert again.table == u
    assert again.text(full=True) == b.text(full=True)


def cases(k: int, n: int) -> dict[str, Any]:
    rng = np.random.default_rng(1)
    real = np.concatenate([np.arange(k), rng.integers(0, k, n)])
    guess = rng.integers(0, k, len(real))
    return {"real": real, "predicted": np.where(rng.random(len(real)) < 0.7, real, guess)}


def test_nothing_makes_the_array_of_many_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting, the report and its pages of 4,500 classes look at nothing that is empty."""

    def made(self: StandIn, of: Callable[[StandIn], Array]) -> Array:
        assert self.size < 1e6, "all cells were made"
        return of(self)

    for kind in (Occupied, Product, Smoothed):
        monkeypatch.setattr(kind, "dense", partialmethod(made, of=kind.dense))
    t = Table.from_labels(**cases(4500, 20_000))
    assert isinstance(t.cells, Occupied)
    assert t.k == 4500
    r = informed.report(t)
    assert 0.6 < r["informedness"].value < 0.8
    assert r["informedness"].low > 0.6
    assert not np.isnan(r["recall(average='macro')"].low)
    page = r.html()
    assert "of 4,500 classes" in page
    assert len(page) < 1_000_000
    assert len(r.classes) == 4500
    assert r.csv().count("\n") > 4500 * 7
    assert informed.Report.from_json(r.json()).table == t


@pytest.mark.parametrize("k", [300, 1000])
def test_pages_of_hundreds_of_classes(k: int) -> None:
    r = informed.report(Table.from_labels(**cases(k, 5000)))
    assert f"{k} predicted and {k} real classes" in r.html().replace(",", "")


def test_too_many_cells_to_write_out() -> None:
    t = Table.from_labels(**cases(12_000, 10))
    with pytest.raises(TableError, match=r"12,000 x 12,000 cells .* 1\.2 GB"):
        _ = t.counts
    assert t.real_totals.sum() == t.n


def test_smoothed_cells() -> None:
    dense = SEEN.astype(float)
    few = Occupied.gathered(*occupied(dense), (5, 5))
    found = smoothed(few, 0.5, 0.25)  # type: ignore[arg-type]
    wanted = dense + 0.25 + 0.25 * np.eye(5)
    same(np.asarray(found), wanted)
    same(found.sum(axis=0), wanted.sum(axis=0))
    same(found.swapaxes(0, 1).sum(axis=0), wanted.sum(axis=1))
    same(found[np.array([0, 1]), np.array([0, 3])], wanted[[0, 1], [0, 3]])
    same(held.off_diagonal(found), held.off_diagonal(wanted))
    same(np.asarray(found * 2), 2 * wanted)


def test_rows_by_sorting() -> None:
    rng = np.random.default_rng(2)
    columns = [rng.integers(0, 40, 600_000), rng.integers(0, 30, 600_000)]
    for weights in (None, rng.random(600_000)):
        a = distinct_rows(columns, weights, 1 << 20)
        assert a is not None
        tables = []
        for codes, sums in (a, sorted_rows(columns, weights)):
            at = codes[0] * 30 + codes[1]
            tables.append([np.bincount(at, x, 1200) for x in sums])
        same(tables[0], tables[1])


def test_progress(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told: list[float] = []
    titles: list[str] = []
    t = Table.from_counts(SEEN, labels=LABELS, rows="predicted")
    informed.report(t, progress=told.append)
    assert told == sorted(told)
    assert 0 < told[0] < told[-1] < 1

    @contextmanager
    def bar(title: str) -> Iterator[Callable[[float], None]]:
        titles.append(title)
        yield told.append

    told.clear()
    path = tmp_path / "cases.csv"
    path.write_text("real,predicted\n" + "".join(f"{x},{x}\n" for x in LABELS * 3))
    monkeypatch.setattr(_reports, "LONG", 4)
    monkeypatch.setattr("informed.sources.progress.bar", bar)
    for terminal in (False, True):
        streams = SimpleNamespace(stderr=SimpleNamespace(isatty=lambda on=terminal: on))
        monkeypatch.setattr(_reports, "sys", streams)
        asked = ["report", str(path), "--real", "real", "--predicted", "predicted"]
        assert CliRunner().invoke(cli, asked).exit_code == 0
        assert bool(told) is terminal
        told.clear()
    path.write_text("real,predicted,g\n" + "".join(f"{'ab'[i % 2]},{'ab'[i // 9 % 2]},{i % 6}\n" for i in range(72)))
    assert CliRunner().invoke(cli, [*asked, "--by", "g"]).exit_code == 0
    assert titles == ["Reporting 5 classes", "Reporting 6 groups"]
    assert told == sorted(told)
    assert len(told) > 1


# ---------------------------------------------------------------- many classes with few cases


@pytest.mark.parametrize("knows", [0.0, 0.6, 1.0])
def test_a_report_of_three_cases_a_class(knows: float) -> None:
    """No interval that nobody asked for stops it."""
    rng = np.random.default_rng(3)
    real = np.repeat(np.arange(300), 3)
    said = np.where(rng.random(900) < knows, real, rng.integers(0, 300, 900))
    t = Table.from_labels(real=real, predicted=said)
    text = informed.report(t).text(full=True)
    assert text.index("too many to write out") < text.index("The measures") < text.index("Class by class")
    assert f"{float(informed.informedness(t)):.3f}" in text


def test_thousands_of_classes_of_three_cases() -> None:
    """Rates, informedness, its plus-four interval, the worst confusions; no view of K x K, and that is said first."""
    k, rng = 2100, np.random.default_rng(4)  # more than are ever held as an array
    real = np.repeat(np.arange(k), 3)
    said = np.where(rng.random(3 * k) < 0.6, real, rng.integers(0, k, 3 * k))
    said[:12] = k - 1  # one confusion that stands out
    t = Table.from_labels(real=real, predicted=said)
    assert is_sparse(t.cells)
    r = informed.report(t)
    known = float(np.mean(real == said))
    assert float(informed.accuracy(t)) == pytest.approx(known, abs=1e-15)
    assert float(informed.informedness(t)) == pytest.approx((known - 1 / k) / (1 - 1 / k), abs=1e-12)  # equal classes
    found = informed.interval(t, "informedness")
    assert found.method == "plus-four"
    error = np.sqrt(known * (1 - known) / len(real))
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * error, rel=0.1)
    html = r.html()
    assert html.index("too many to write out") < html.index("Cohen")
    worst = json.loads(r.json())["confusions"][:4]
    assert [(x["real"], x["predicted"]) for x in worst] == [(i, k - 1) for i in range(4)]


def test_twenty_thousand_labels_and_no_more() -> None:
    labels = np.arange(20_000)
    t = Table.from_labels(real=labels, predicted=labels[::-1])
    assert (t.n, len(t.labels)) == (20_000, 20_000)
    more = np.arange(20_001)
    with pytest.raises(informed.InformedError, match="too many for a table"):
        Table.from_labels(real=more, predicted=more[::-1])


def test_correlation_has_an_interval_where_informedness_has_one() -> None:
    rng = np.random.default_rng(3)
    real = np.repeat(np.arange(300), 3)
    t = Table.from_labels(real=real, predicted=np.where(rng.random(900) < 0.6, real, rng.permutation(real)))
    found, b, m = (informed.interval(t, name) for name in ("correlation", "informedness", "markedness"))
    assert found.method == b.method == "plus-four"
    same([found.low, found.high], [np.sqrt(b.low * m.low), np.sqrt(b.high * m.high)])
    row = informed.report(t)["correlation"]
    assert (row.low, row.high) == (found.low, found.high)
    assert informed.interval(t.select(list(range(30))), "correlation").method == "arc"

    with pytest.raises(informed.InformedError, match=r"300 classes are too many .* Take `method='bootstrap-centred'`"):
        informed.interval(t, "balanced_accuracy")


def test_plus_four_of_a_correlation_covers() -> None:
    rng, k, draws = np.random.default_rng(5), 40, 400
    truth = (np.full((k, k), 0.4 / k**2) + np.eye(k) * 0.6 / k) * rng.dirichlet(np.full(k, 2.0)) * k
    truth /= truth.sum()
    t = Table.from_counts(rng.multinomial(160, truth.ravel(), size=draws).reshape(draws, k, k))
    found, at = informed.interval(t, "correlation", method="plus-four"), informed.correlation(Table.from_counts(truth))
    held = np.mean((found.low <= at) & (at <= found.high))
    assert abs(held - 0.95) < 3 * np.sqrt(0.95 * 0.05 / draws)


def test_a_screen_says_first_that_there_is_no_view_of_every_two_classes() -> None:
    real = np.repeat(np.arange(300), 3)
    t = Table.from_labels(real=real, predicted=np.where(np.arange(900) % 7 == 0, (real + 1) % 300, real))
    text = informed.report(t).text()
    told = text.index("300 × 300 cells are too many to show; the confusions that cost most:")
    assert told < text.index("really") < text.index("Informedness ")
    assert len(text.splitlines()) < 60
