"""What a notebook shows: the same pictures, with the style kept inside."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from informed._numbers import rate
from informed.documents.charts.style import asset

if TYPE_CHECKING:
    from informed.documents.page import Page
    from informed.evidence.table import Table
    from informed.inference.results import Interval, Test
    from informed.summary.report import Report


def notebook_html(held: Any) -> str:
    """What a notebook shows of a table, an interval, a test, a report, a decision or a page."""
    from informed.documents.decision_notebook import decision_html
    from informed.documents.page import Page
    from informed.documents.paging import has_page, page
    from informed.inference.results import Interval, Test
    from informed.summary.report import Report

    if isinstance(held, Page):
        return page_html(held, "informed-page")
    if decided := decision_html(held):
        return decided
    if has_page(held):
        key = f"informed-{crc32(repr(held).encode()):x}"
        return page_html(page(held), key)

    if isinstance(held, Interval):
        return interval_html(held)
    if isinstance(held, Test):
        return test_html(held)
    if isinstance(held, Report):
        return report_html(held)
    return table_html(held)


def _scoped() -> str:
    """The page's style for what stands in `.informed` only; a notebook has its own dark mode."""
    return f"<style>@scope (.informed) {{{asset('style.css').replace(':root', ':scope')}}}</style>"


def wrapped(inside: str) -> str:
    return f'{_scoped()}<div class="informed">{inside}</div>'


def table_html(t: Table) -> str:
    """The heat map of a table that is small enough; its text otherwise."""
    from informed.documents.pages.report_pictures import table

    key = f"informed-{crc32(repr(t).encode()):x}"  # a notebook shows many tables
    drawn = None if t.shape else table(t)
    return wrapped(drawn.svg(key)) if drawn else f"<pre>{escape(repr(t))}</pre>"


def interval_html(i: Interval) -> str:
    """An interval as a forest of one row, or of the first rows of a stack."""
    from informed.documents.charts.forest import Row, forest

    flat = np.broadcast_arrays(*(np.atleast_1d(x) for x in (i.estimate, i.low, i.high)))
    name = i.measure or "estimate"
    many = flat[0].size > 1
    rows = [
        Row(f"{name} {n}" if many else name, v, a, b, int(a > 0) - int(b < 0), said=rate(v))
        for n, (v, a, b) in enumerate(zip(*(x.ravel().tolist() for x in flat), strict=True))
    ]
    chart = forest(rows, f"{name} with its {i.method} interval")
    drawn = chart.svg("informed-interval") if chart else ""
    words = f"<p>{100 * i.level:g} % interval, {escape(i.method)}. {escape(' '.join(i.notes))}</p>"
    return wrapped(drawn + words)


def test_html(test: Test) -> str:
    """A test in one sentence."""
    from informed._numbers import pvalue

    if np.ndim(test.pvalue):
        return f"<pre>{escape(repr(test))}</pre>"
    return wrapped(
        f"<p><b>p {escape(pvalue(float(test.pvalue)))}</b> ({escape(test.method)}): "
        f"{escape(test.null)}. {escape(test.calibration)}</p>"
    )


def page_html(page: Page, key: str) -> str:
    """The answer, its warnings, pictures and grids; `.html()` is the whole page."""
    said = f'<p class="answer">{escape(page.answer)}</p>'
    warned = "".join(f'<p class="warning">{escape(x)}</p>' for x in page.warnings)
    notes = "".join(f'<p class="note">{escape(x)}</p>' for x in page.notes)
    return wrapped(f"{said}{warned}{page.inside(key)}{notes}")


def report_html(report: Report) -> str:
    """The answer, the key numbers and the table; `.html()` is the whole page."""
    from informed.documents.pages.report_pictures import measures, table

    said = f'<p class="answer">{escape(report.answer[0])}</p>'
    warned = "".join(f'<p class="warning">{escape(x)}</p>' for x in report.warnings)
    held = {"informed-report": table(report.table), "informed-forest": measures(report)}
    drawn = "".join(chart.svg(key) for key, chart in held.items() if chart)
    return wrapped(f'{said}{warned}<div class="pictures">{drawn}</div>')
