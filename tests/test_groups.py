"""Groups: the mean of these, the mean over groups like these, and one new group."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import informed
from informed import Marks, Table
from informed.inference.heterogeneity import heterogeneity
from informed.inference.random_effects import FEWEST, between_groups, new_group
from informed.summary.report import Report

# 13 trials of the BCG vaccine (Colditz et al. 1994): cases and others, vaccinated and not. The log risk ratios.
VACCINATED = [[4, 119], [6, 300], [3, 228], [62, 13536], [33, 5036], [180, 1361], [8, 2537], [505, 87886]]
VACCINATED += [[29, 7470], [17, 1699], [186, 50448], [5, 2493], [27, 16886]]
OTHERS = [[11, 128], [29, 274], [11, 209], [248, 12619], [47, 5761], [372, 1079], [10, 619], [499, 87892]]
OTHERS += [[45, 7232], [65, 1600], [141, 27197], [3, 2338], [29, 17825]]


def bcg() -> tuple[Any, Any]:
    (a, b), (c, d) = (np.array(x, float).T for x in (VACCINATED, OTHERS))
    return np.log(a / (a + b) / (c / (c + d))), 1 / a - 1 / (a + b) + 1 / c - 1 / (c + d)


def test_variance_between_groups_is_that_of_metafor() -> None:
    """metafor 4, tests/testthat/test_misc_rma_uni.r: `rma(yi, vi, data=dat, method="DLIT")` has a τ² of 0.3181;
    iterated to the end, DerSimonian and Laird's estimator solves Paule and Mandel's equation."""
    x, v = bcg()
    tau2 = between_groups(x, v, np.ones(13, bool))
    assert float(tau2) == pytest.approx(0.3181, abs=5e-5)
    w = 1 / (v + tau2)
    assert (w * (x - np.average(x, weights=w)) ** 2).sum() == pytest.approx(12, rel=1e-9)


def test_interval_of_the_mean_is_that_of_weighted_least_squares() -> None:
    """Hartung and Knapp's variance is the residual one of a regression on a constant (Sidik and Jonkman)."""
    x, v = bcg()
    found = new_group(x, v, np.ones(13, bool), 0.95, (-np.inf, np.inf))
    root = 1 / np.sqrt(v + float(found.tau) ** 2)
    mean, residual, *_ = np.linalg.lstsq(root[:, None], root * x, rcond=None)
    error = np.sqrt(max(residual[0] / 12, 1.0) / (root**2).sum())
    reach = stats.t.ppf(0.975, 12) * error
    assert (found.estimate, found.low, found.high) == pytest.approx((mean[0], mean[0] - reach, mean[0] + reach))
    assert (found.low, found.high) == pytest.approx((-1.109, -0.321), abs=1e-3)
    far = stats.t.ppf(0.975, 11) * np.sqrt(error**2 + float(found.tau) ** 2)
    assert found.predicted_high - found.estimate == pytest.approx(far)


def test_groups_without_a_value_take_no_part() -> None:
    x, v = bcg()
    known = np.arange(15) < 13
    more, wider = (np.append(one, [np.nan, 3.0]) for one in (x, v))
    found, alone = new_group(more, wider, known, 0.95, (-2, 2)), new_group(x, v, known[:13], 0.95, (-2, 2))
    assert found == alone
    few = new_group(x[: FEWEST - 1], v[: FEWEST - 1], np.ones(FEWEST - 1, bool), 0.95, (-2, 2))
    assert np.isnan([few.estimate, few.low, few.high, few.predicted_low, few.tau]).all()
    alike = new_group(np.full(4, 0.5), np.full(4, 0.01), np.ones(4, bool), 0.95, (-1, 1))
    assert float(alike.tau) == 0
    assert alike.high - 0.5 == pytest.approx(stats.t.ppf(0.975, 3) * np.sqrt(0.01 / 4))


def sites(rng: Any, recall: Any, fallout: Any, n: int, prevalence: float) -> Table:
    positive = rng.binomial(n, prevalence, recall.shape)
    hit, alarm = rng.binomial(positive, recall), rng.binomial(n - positive, fallout)
    cells = np.array([[hit, alarm], [positive - hit, n - positive - alarm]], float)
    return Table.from_counts(np.moveaxis(cells, (0, 1), (-2, -1)))


@pytest.mark.parametrize(("slices", "n"), [(5, 40), (6, 60), (10, 25)])
def test_interval_of_a_few_small_slices_covers(slices: int, n: int) -> None:
    """A rare class: 2.5 to 6 positive cases in a slice. A share of 0.95 of 2,000 has a standard error of 0.005."""
    rng, one = np.random.default_rng(slices), np.ones((2000, slices))
    h = heterogeneity(sites(rng, 0.8 * one, 0.1 * one, n, 0.1), "informedness")
    assert np.mean((h.low <= 0.7) & (h.high >= 0.7)) > 0.93


def test_interval_for_a_new_site_covers_where_that_of_these_sites_does_not() -> None:
    rng = np.random.default_rng(29)
    recall, fallout = (rng.beta(10 * x, 10 * (1 - x), (2000, 6)) for x in (0.8, 0.15))
    h = heterogeneity(sites(rng, recall, fallout, 100, 0.5), "informedness")
    these, new = ((low <= 0.65) & (high >= 0.65) for low, high in ((h.low, h.high), (h.new_low, h.new_high)))
    assert np.mean(these) < 0.7
    assert np.mean(new) > 0.93


def test_a_report_by_groups_leads_with_a_new_group() -> None:
    three = Table.from_counts([[[40, 9], [8, 43]], [[30, 12], [20, 38]], [[45, 3], [6, 46]]], names=list("abc"))
    r = informed.report(three)
    assert r.overview is not None
    assert r.overview.new is not None
    assert r.overview.new.high - r.overview.new.low > 3 * (r.overview.stratified.high - r.overview.stratified.low)
    assert r.answer[0].startswith("For a new group like these 3")
    text = r.text(full=True).replace("\n", " ")
    assert "Both are about these groups." in text
    assert "new group is expected" not in text
    four = informed.report(Table.from_counts([*three.counts, [[42, 7], [8, 43]]])).text(full=True)
    assert "One new group is expected between" in four.replace("\n", " ")
    assert Report.from_json(r.json()).json() == r.json()
    s = informed.slices(three)
    assert (float(s.new[0]), float(s.new_low[0])) == pytest.approx((r.overview.new.value, r.overview.new.low))
    two = informed.report(three[:2])
    assert two.overview is not None
    assert two.overview.new is None
    assert two.answer[0].startswith("On 200 cases these 2 groups together")
    assert informed.report(three[:1]).answer[0].startswith("On 100 cases this one group makes an informed decision")
    assert "Two groups do not show how others would vary." in two.text(full=True).replace("\n", " ")


def test_slices_of_every_kind_say_what_a_new_slice_has() -> None:
    rng = np.random.default_rng(4)
    by, real = np.repeat(list("abcd"), 40), rng.integers(0, 2, 160)
    score = np.clip(rng.normal(0.6, 0.2, 160), 0, 1)
    said = np.where(rng.random(160) < 0.8, real, 1 - real)
    forecasts = pd.DataFrame({"p": np.clip(0.2 + 0.6 * said, 0, 1), "r": real})
    held = [
        informed.slices(Table.from_counts(np.stack([np.eye(2) * 20 + 3 * i for i in range(4)]))),
        informed.slices(Marks.from_columns(mark=score, group=by)),
        informed.slices(informed.read(forecasts, real="r", probability="p", positive=1), by=by),
    ]
    for s in held:
        assert np.isfinite([s.new, s.new_low, s.new_high, s.predicted_low, s.predicted_high]).all()
        assert (s.new_low <= s.new).all()
        assert (s.new <= s.new_high).all()
        assert {"new", "new_low", "predicted_high"} <= set(s.systems_records().dicts()[0])
        assert "like these" in s.text(full=True)
    whole, mean = informed.interval(Marks.from_columns(mark=score)), held[1]
    assert (mean.stratified_low[0], mean.stratified_high[0]) == pytest.approx((whole.low, whole.high))
