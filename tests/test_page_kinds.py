"""Every kind of page in a real browser: nothing for axe to find in light, in dark and on a phone; and on paper."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, ViewportSize

import informed
from command_line import ok
from informed import Table
from informed.simulation import Experiment
from test_report_html import AXE

RNG = np.random.default_rng(17)
REAL = RNG.integers(0, 2, 120)
SKILLS = {"new": 0.9, "old": 0.8, "c": 0.6}
SAID = {name: np.where(RNG.random(120) < skill, REAL, 1 - REAL) for name, skill in SKILLS.items()}
LONG = [f"urn:example:organism:{x}" for x in ("drosophila-melanogaster-strain", "mus-musculus", "yeast")]
PHONE: ViewportSize = {"width": 390, "height": 844}
SAMPLES = "tests/samples"
CANCER = ("examples/breast-cancer.csv", "--real", "diagnosis")
RUN = ("examples/run.jsonl", "--real", "diagnosis")
RAIN = ("examples/forecasts.csv", "--real", "rain", "--positive", "yes")


def of_classes(k: int, labels: Any = None) -> Table:
    rng = np.random.default_rng(k)
    counts = np.diag(rng.integers(20, 60, k)) + rng.poisson(3 / k, (k, k))
    return Table.from_counts(counts, labels=labels, rows="predicted")


def stack() -> Table:
    rng = np.random.default_rng(4)
    return Table.from_counts(rng.poisson(9, (3, 3, 2, 2)) + 6 * np.eye(2, dtype=int), names=[list(SAID), list("uvw")])


def clusters() -> Table:
    return Table.from_counts([[20, 1], [3, 18], [0, 2]], predicted_labels=list("xyz"), real_labels=list("ab"))


def curve() -> Any:
    rng = np.random.default_rng(11)
    return informed.roc(real=REAL, score=np.round(REAL + rng.normal(0, 1, 120)))


KINDS: dict[str, Callable[[], Any]] = {
    "two": lambda: ("report", *CANCER, "--predicted", "tree", "--positive", "malignant"),
    "three": lambda: informed.report(of_classes(3, LONG)),
    "two hundred": lambda: informed.report(of_classes(200)),
    "groups": lambda: informed.report(stack()["new"]),
    "scored": lambda: informed.report(curve().table_at(0.5), scores=curve(), cost="5:1", prevalence=0.1),
    "comparison": lambda: informed.report(informed.compare.paired(real=REAL, a=SAID["new"], b=SAID["old"]), margin=0.1),
    "leaderboard": lambda: informed.leaderboard(real=REAL, predictions=SAID),
    "curve": lambda: ("roc", *CANCER, "--score", "score", "--positive", "malignant"),
    "threshold": lambda: informed.threshold(curve(), cost="5:1"),
    "probabilities": lambda: ("report", *RAIN, "--probability", "old", "--cost", "5:1"),
    "class probabilities": lambda: ("report", "examples/forecasts.csv", "--real", "sky", "--probability", "sky_*"),
    "probabilities compared": lambda: ("compare", *RAIN, "--probability", "new", "--probability", "old"),
    "suite": lambda: ("report", f"{SAMPLES}/promptfoo/sentiment13.csv"),
    "marks": lambda: ("report", f"{SAMPLES}/inspect_ai/epochs.eval", "--marks"),
    "watch": lambda: ("watch", *RUN, "--predicted", "logistic", "--other", "tree", "--stop", "better"),
    "watched systems": lambda: ("watch", *RUN, "--predicted", "tree", "--predicted", "guess"),
    "raters": lambda: informed.agreement({name: x.tolist() for name, x in SAID.items()}),
    "measured": lambda: informed.intraclass_correlation(RNG.normal(size=(12, 3)) + np.arange(12)[:, None] / 4),
    "judge": lambda: informed.judge(Table.from_counts([[90, 15], [10, 85]]), 0.4, 500, design="elsewhere"),
    "judged batch": lambda: informed.judge(verdict=SAID["new"], gold=[*REAL[:60].tolist(), *[None] * 60]),
    "odds": lambda: informed.odds(0.25),
    "winnings": lambda: informed.payoffs(Table.from_counts([[56, 20], [12, 12]])),
    "assignment": lambda: informed.assign(clusters(), n_draws=99),
    "folds": lambda: informed.folds(stack(), design="data-sets"),
    "slices": lambda: informed.slices(stack()),
    "abstention": lambda: informed.risk_coverage(real=REAL, predicted=SAID["old"], score=np.round(RNG.random(120), 2)),
    "simulation": lambda: Experiment(k=3, n=60, levels=(0, 0.5), replicates=200).run(),
    "interval": lambda: informed.interval(Table.from_counts([[56, 20], [12, 12]]), "informedness"),
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kinds")


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Iterator[Page]:
    """One page of a browser for all: each kind is opened in it."""
    page = browser.new_page()
    page.add_init_script(AXE.read_text(encoding="utf-8"))
    yield page
    page.close()


def saved(folder: Path, name: str) -> str:
    path = folder / f"{name}.html"
    if not path.exists():
        made = KINDS[name]()
        if isinstance(made, tuple):
            ok(*made, "-o", str(path))
        else:
            made.save(path)
    return path.as_uri()


def violations(tab: Page, asked: str = "") -> list[tuple[str, str]]:
    found = tab.evaluate(f"axe.run({{resultTypes: ['violations'], {asked}}})")
    return [(v["id"], v["nodes"][0]["html"]) for v in found["violations"]]


@pytest.mark.parametrize("name", [name for name in KINDS if name != "two"])  # which is within "scored"
def test_a_kind_of_page_is_right_in_light_in_dark_and_on_a_phone(tab: Page, folder: Path, name: str) -> None:
    complaints: list[str] = []
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    url = saved(folder, name)
    tab.set_viewport_size({"width": 1280, "height": 900})
    tab.emulate_media(color_scheme="light", media="screen")
    tab.goto(url)
    assert violations(tab) == []

    tab.emulate_media(color_scheme="dark")
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 23, 30)"
    assert violations(tab, "runOnly: ['color-contrast']") == []

    tab.set_viewport_size(PHONE)
    assert tab.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert violations(tab, "runOnly: ['scrollable-region-focusable', 'target-size']") == []  # what its width changes
    assert complaints == []


# ---------------------------------------------------------------------- on paper and on a phone


def sheets(tab: Page, paper: str) -> int:
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", tab.pdf(format=paper)))


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_two_classes_are_two_pages_of_paper(tab: Page, folder: Path, paper: str) -> None:
    tab.emulate_media(media="null")
    tab.goto(saved(folder, "two"))
    assert sheets(tab, paper) == 2


def test_a_grid_wider_than_the_text_takes_the_empty_margin(tab: Page, folder: Path) -> None:
    ok("compare", *RAIN, *(f"--probability={name}" for name in ("new", "old", "almanac")), "-o", str(folder / "x.html"))
    tab.emulate_media(media="screen")
    tab.goto((folder / "x.html").as_uri())
    hidden = "Math.max(...[...document.querySelectorAll('.wide > .scroll')].map(x => x.scrollWidth - x.clientWidth))"
    for width, cut in ((1440, False), (1010, True)):
        tab.set_viewport_size({"width": width, "height": 900})
        assert (tab.evaluate(hidden) > 0) == cut
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_names_of_rows_stay_while_cells_are_scrolled(tab: Page, folder: Path) -> None:
    tab.set_viewport_size(PHONE)
    informed.report(of_classes(8, [f"class-{i}" for i in range(8)])).save(folder / "eight.html")
    tab.goto((folder / "eight.html").as_uri())
    place = "document.querySelector('svg.heat .staying text').getBoundingClientRect().left"
    box = "document.querySelector('svg.heat').closest('.scroll')"
    corner = "document.querySelector('svg.heat rect[data-tip]').getBoundingClientRect().left"
    before, cell = tab.evaluate(place), tab.evaluate(corner)
    tab.evaluate(f"{box}.scrollLeft = 120")
    tab.wait_for_function("document.querySelector('svg.heat .staying').getAttribute('transform')")
    assert tab.evaluate(place) == pytest.approx(before, abs=1)
    assert tab.evaluate(corner) == pytest.approx(cell - 120, abs=1)

    tab.evaluate("document.querySelector('#table details').open = true")
    head = "document.querySelector('#table details tbody th').getBoundingClientRect().left"
    at = tab.evaluate(head)
    tab.evaluate("document.querySelector('#table details .scroll').scrollLeft = 90")
    assert tab.evaluate(head) == pytest.approx(at, abs=1)


def test_confusions_of_many_classes_sort_by_keyboard(tab: Page, folder: Path) -> None:
    tab.goto(saved(folder, "two hundred"))
    table = tab.locator("#table table")
    button = table.get_by_role("button", name="of the class")
    button.focus()
    tab.keyboard.press("Enter")
    shares = [float(x.split()[0]) for x in table.locator("tbody tr td:nth-child(5)").all_inner_texts()]
    assert len(shares) == 20
    assert shares == sorted(shares, reverse=True)
    assert table.locator("th[aria-sort=descending]").inner_text().startswith("of the class")


# ---------------------------------------------------------------------- in notebooks

LUMINANCE = """css => {
  const linear = (x) => (x <= .04045 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4);
  const [r, g, b] = css.match(/[\\d.]+/g).map((x) => linear(x / 255));
  return .2126 * r + .7152 * g + .0722 * b;
}"""
HOSTS = {  # what a notebook says of itself, and whether our paper must be dark on a light and on a dark system
    "JupyterLab dark": ('<html><body data-jp-theme-light="false">', (True, True)),
    "JupyterLab light": ('<html><body data-jp-theme-light="true">', (False, False)),
    "VS Code dark": ('<html><body class="vscode-dark">', (True, True)),
    "VS Code light": ('<html><body class="vscode-light">', (False, False)),
    "Colab dark": ('<html theme="dark"><body>', (True, True)),
    "unknown": ("<html><body>", (False, True)),
}


@pytest.mark.parametrize("host", HOSTS)
def test_a_notebook_is_readable_whatever_its_theme(tab: Page, folder: Path, host: str) -> None:
    start, wanted = HOSTS[host]
    shown = informed.report(Table.from_counts([[56, 20], [12, 12]]))._repr_html_()
    path = folder / "notebook.html"
    path.write_text(f'<!doctype html>{start}<meta charset="utf-8">{shown}</body></html>', encoding="utf-8")
    for scheme, dark in zip(("light", "dark"), wanted, strict=True):
        tab.emulate_media(color_scheme=scheme, media="screen")  # type: ignore[arg-type]  # it is one of its literals
        tab.goto(path.as_uri())

        def light(selector: str, what: str) -> float:
            return float(tab.evaluate(f"({LUMINANCE})(getComputedStyle(document.querySelector('{selector}')).{what})"))

        paper = light(".informed", "backgroundColor")
        assert (paper < 0.1) == dark
        for selector, what in ((".answer", "color"), (".cap", "color"), ("svg text.lab", "fill"), ("td", "color")):
            ink = light(selector, what)
            assert (max(ink, paper) + 0.05) / (min(ink, paper) + 0.05) >= 4.5, selector
        found = tab.evaluate("axe.run({runOnly: ['color-contrast']})")
        assert found["violations"] == []
