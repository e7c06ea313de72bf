"""Pages of comparisons, boards, raters and judges: the same numbers in every format."""

from __future__ import annotations

import json
import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import informed
from command_line import process
from informed import Table
from informed.documents import writers
from informed.documents.charts.marks import around
from informed.documents.document import Document
from informed.errors import InformedError
from informed.results import plain

NASTY = "<script>alert(1)</script>"
RNG = np.random.default_rng(11)
REAL = RNG.integers(0, 2, 200)


def system(skill: float) -> Any:
    return np.where(RNG.random(200) < skill, REAL, 1 - REAL)


ANSWERS = {"good": system(0.95), NASTY: system(0.93), "poor": system(0.7), "coin": system(0.5)}
BOARD = informed.leaderboard(real=REAL, predictions=ANSWERS)
PAIR = informed.compare.paired(real=REAL, a=ANSWERS["good"], b=ANSWERS["poor"], names=("good", NASTY), positive=1)
STACK = Table.from_counts(
    RNG.poisson(8, (3, 6, 2, 2)) + np.array([9, 6, 0])[:, None, None, None] * np.eye(2),
    names=[["good", NASTY, "coin"], list("uvwxyz")],
)
FOUND = {
    "pair": PAIR,
    "board": BOARD,
    "folds": informed.folds(STACK, design="data-sets"),
    "slices": informed.slices(STACK),
    "raters": informed.agreement({name: x.tolist() for name, x in ANSWERS.items()}),
    "measured": informed.intraclass_correlation(np.arange(24).reshape(8, 3) + np.eye(8)[:, :3]),
    "judge": informed.judge(
        Table.from_counts([[90, 15], [10, 85]], labels=[NASTY, "no"], positive=NASTY), 0.4, 500, design="elsewhere"
    ),
    "batch": informed.judge(verdict=[NASTY, "no"] * 60, gold=[NASTY, "no", None, "no", NASTY, ""] * 20, positive=NASTY),
    "silence": informed.abstention(Table.from_counts([[30, 10], [10, 30]], labels=[NASTY, "no"], abstained=[10, 10])),
    "probabilities": informed.probabilities(
        real=np.where(REAL, NASTY, "no"),
        probability=0.2 + 0.5 * ANSWERS["good"],
        positive=NASTY,
        cost="5:1",
        n_draws=99,
    ),
    "classes": informed.probabilities(
        real=np.array([NASTY, "b", "c"])[REAL + (np.arange(200) % 5 == 0)],
        probability={NASTY: 0.5 - 0.2 * REAL, "b": 0.3 + 0.1 * REAL, "c": 0.2 + 0.1 * REAL},
        n_draws=99,
    ),
    "forecasters": informed.probabilities.compare(
        real=REAL, probabilities={name: 0.2 + 0.5 * x for name, x in ANSWERS.items()}, positive=1, n_draws=99
    ),
    "risk": informed.risk_coverage(real=REAL, predicted=ANSWERS["poor"], score=np.round(RNG.random(200), 2)),
}
PAGES = {name: informed.report(found) for name, found in FOUND.items()}


@pytest.mark.parametrize("name", PAGES)
def test_every_format_has_the_answer_and_no_markup_of_names(name: str, tmp_path: Path) -> None:
    page = PAGES[name]
    assert page.said in " ".join(page.text(full=True, width=10_000).split())
    held = json.loads(page.save(tmp_path / "x.json").read_text(encoding="utf-8"))
    assert held["answer"] == page.said
    assert "<script>" not in page.markdown()
    html = page.html()
    assert "<script>alert" not in html
    pictures = re.findall(r"<svg class=\"chart.*?</svg>", html, re.S)
    assert bool(pictures) == (name != "silence")
    for picture in pictures:
        root = ElementTree.fromstring(picture)
        assert root.findtext("title")
        assert root.findtext("desc")
        assert not re.search(r"\bnan\b", picture)
    shown = FOUND[name]._repr_html_()
    assert "<script>alert" not in shown
    assert pictures == [] or "<svg" in shown


def test_json_of_every_page_has_the_version_and_one_text_as_its_answer() -> None:
    """A program reads reports of every kind, comparisons, curves and watches in one way."""
    right = np.equal(REAL, ANSWERS["good"])
    watch = informed.watch(measure="accuracy", against=0.5)
    watch.update(real=REAL, predicted=ANSWERS["good"])
    pages = {
        **PAGES,
        "labels": informed.report(informed.Table.from_labels(real=REAL, predicted=ANSWERS["good"])).document(),
        "marks": informed.report(informed.Marks.from_columns(mark=right)).document(),
        "tags": informed.report(informed.Tags.from_labels(real=[["a"]] * 4, predicted=[["a"], ["b"]] * 2)).document(),
        "watch": watch.document(),
    }
    for name, page in pages.items():
        held = json.loads(page.write("json"))
        assert held["informed"]["version"] == informed.__version__, name
        assert held["answer"] == page.said, name


@pytest.mark.parametrize("name", PAGES)
def test_a_result_shows_itself_in_a_few_lines(name: str) -> None:
    shown = repr(FOUND[name])
    assert shown.startswith(PAGES[name].said)
    assert len(shown.splitlines()) <= 14
    assert str(FOUND[name]) == PAGES[name].text()


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("form", writers.names())
def test_every_result_is_written_in_every_format(name: str, form: str) -> None:
    written = FOUND[name].write(form)
    assert written.endswith("\n")
    assert written == FOUND[name].document().write(form)


def test_a_format_is_one_module(tmp_path: Path) -> None:
    """Dropped among the writers, `save`, the command line and the lab know it."""
    (tmp_path / "shout.py").write_text(
        "from informed.documents.writers import writer\n"
        "@writer('shout', suffixes=('.shout',), title='Loud')\n"
        "def shout(document, *, mark='!'):\n"
        "    return document.said.upper() + mark + '\\n'\n",
        encoding="utf-8",
    )
    program = (
        "import sys; from informed.documents import writers; folder = sys.argv[1]\n"
        "writers.__path__.append(folder)\n"
        "import informed; from informed.cli import cli; from informed.web.results import offered\n"
        "odds = informed.odds(0.25)\n"
        "print(odds.save(folder + '/a.shout', mark='?').read_text().strip())\n"
        "print(offered()['shout'])\n"
        "cli(['odds', '.25', '.75', '-o', folder + '/b.shout'], standalone_mode=False)\n"
        "cli(['odds', '.25', '.75', '--format', 'shout'], standalone_mode=False)\n"
    )
    done = process("-c", program, str(tmp_path))
    said = "FAIR ODDS ON '−', WHICH COMES 75 % OF THE TIME, ARE 1/3"
    first, title, last = done.stdout.splitlines()
    assert first.startswith(said)
    assert first.endswith("?")
    assert title == "Loud"
    assert last.startswith(said)
    assert (tmp_path / "b.shout").read_text(encoding="utf-8").strip() == last


def test_one_real_class_is_said() -> None:
    found = informed.compare.paired(real=[1] * 9, a=[1] * 9, b=[1, 0, 1] * 3)
    assert [note.code for note in found.notes] == ["one-real-class"]
    assert str(found.notes[0]) == (
        "Every item is really 1; with one real class nothing can be told from guessing, and only "
        "accuracy and its like can be compared."
    )
    page = informed.report(found)
    assert "cannot be compared by informedness" in page.answer
    assert "power" not in page.data


def test_a_page_says_what_the_comparison_says() -> None:
    d = PAIR["informedness"]
    data = PAGES["pair"].data["measures"]["informedness"]
    assert (data["estimate"], data["low"], data["high"], data["pvalue"]) == (
        d.estimate, d.low, d.high, d.pvalue,
    )  # fmt: skip
    assert f"{d.estimate:+.3f} [{d.low:.3f}, {d.high:.3f}]" in PAGES["pair"].answer
    with_margin = informed.report(PAIR, margin=0.3)
    assert with_margin.data["equivalence"]["pvalue"] == PAIR.equivalence("informedness", margin=0.3).pvalue
    assert with_margin.data["noninferiority"]["shown"] is True
    plan = next(p for p in PAGES["pair"].data["power"] if p["difference"] == 0.1)
    assert plan["items"] == PAIR.sample_size("informedness", difference=0.1)
    assert plan["power"] == PAIR.power("informedness", difference=0.1)


def test_the_papers_rules_stand_beside_their_error_rates() -> None:
    page = informed.report(PAIR.at(method="powers"))
    said = page.text(full=True, width=400)
    assert "claims one, at a nominal .05" in said
    assert "outside good's interval at X = 1.65" in said
    assert page.data["measures"]["informedness"]["claims"]["significant"] is True


def test_places_and_ties_are_drawn_where_they_are() -> None:
    html = PAGES["board"].html()
    for s, name in enumerate(BOARD.names):
        low, high = BOARD.rank_low[s], BOARD.rank_high[s]
        if name != NASTY:
            assert f"{name}: place {low} to {high}, informedness {BOARD.estimate[s]:.3f}" in html
    ties = [group for group in BOARD.groups if len(group) > 1]
    assert html.count('class="tie"') == len(ties) == 1
    assert PAGES["board"].data["cochran_q"]["pvalue"] < 1e-6
    assert "Cochran's Q of equal accuracy" in PAGES["board"].text(full=True)


def test_a_baseline_is_what_differences_are_from() -> None:
    board = informed.leaderboard(real=REAL, predictions=ANSWERS, baseline="poor")
    page = informed.report(board)
    assert [row["b"] for row in page.data["versus"]] == ["poor"] * 3
    assert board.versus is not None
    first = page.data["versus"][0]
    assert first["adjusted"] == board.versus.adjusted[board.names.index(first["a"])]
    assert "poor better" in page.html()


def test_many_systems_are_shown_in_part() -> None:
    names = [f"s{i}" for i in range(120)]
    codes = np.stack([system(0.5 + 0.4 * i / 120) for i in range(120)], axis=1)
    board = informed.leaderboard(real=REAL, predictions=codes, names=names, n_draws=500)
    page = informed.report(board)
    assert len(page.data["pairs"]) == 119
    assert len(page.data["systems"]) == 120
    assert len(page.html()) < 400_000


def test_mean_ranks_stand_on_their_axis() -> None:
    found = FOUND["folds"]
    assert isinstance(found, informed.systems.folds.Folds)
    html = PAGES["folds"].html()
    assert found.ranks is not None
    assert f"critical difference {found.ranks.critical_difference:.2f}" in html
    for name, rank in zip(found.names, found.mean_rank, strict=True):
        if name != NASTY:
            assert f"{name}: mean rank {rank:.2f}" in html
    many = informed.folds(RNG.normal(size=(5, 60)), names=range(60), design="data-sets")
    assert "<svg" not in informed.report(many).html()  # more names than fit around an axis


def test_slices_warn_where_the_pool_contradicts_them() -> None:
    few, many = [[47, 3], [3, 47]], [[290, 160], [160, 290]]
    other, rare = [[405, 45], [45, 405]], [[30, 20], [20, 30]]
    t = Table.from_counts([[few, many], [other, rare]], names=[["careful", "lucky"], ["easy", "hard"]])
    page = informed.report(informed.slices(t), name="task")
    assert page.warnings
    assert "Simpson" in page.warnings[0]
    assert page.data["reversals"] == [["lucky", "careful"]]
    assert "the band is the stratified value" in page.html()


def test_one_defined_slice_tests_nothing() -> None:
    t = Table.from_counts([[[9, 2], [1, 8]], [[5, 0], [4, 0]]], names=["u", "v"])
    assert "defined in fewer than two slices" in informed.report(informed.slices(t)).answer


def test_pages_join_and_keep_their_warnings() -> None:
    both = PAGES["board"].and_(PAGES["folds"], "folds")
    assert len(both.sections) == len(PAGES["board"].sections) + 1
    assert both.data["folds"]["answer"] == PAGES["folds"].answer
    assert f"{PAGES['folds'].answer}." in both.text(full=True, width=500)


def test_what_has_no_page_says_so(tmp_path: Path) -> None:
    with pytest.raises(InformedError, match="A list is no Table"):
        informed.report([1, 2])  # type: ignore[call-overload]  # wrong on purpose
    with pytest.raises(InformedError, match="no option 'colour'"):
        informed.report(PAIR, colour="red")
    with pytest.raises(InformedError, match=r"'\.pdf' is no format"):
        PAGES["pair"].save(tmp_path / "x.pdf")
    stack = informed.compare.paired(joint=np.ones((2, 2, 2, 2)))
    assert "a stack of the shape (2,)" in informed.report(stack).text(full=True)


def test_undefined_is_null_in_json() -> None:
    assert plain({"a": float("nan"), "b": [np.inf, np.int64(3)]}) == {"a": None, "b": [None, 3]}
    constant = informed.compare.paired(real=REAL, a=np.zeros(200, int), b=ANSWERS["good"])
    held = json.loads(informed.report(constant).json())
    assert held["measures"]["markedness"]["a"] is None
    assert any("one label only" in note for note in held["notes"])


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.0), (-1e-5, 0.0), (-2.0, 2.0), (-0.083, 0.21), (0.0, 0.999)])
def test_ticks_hold_the_range_and_zero(low: float, high: float) -> None:
    ticks = around(low, high)
    assert ticks[0] <= low <= high <= ticks[-1]
    assert 0 in ticks
    assert 2 <= len(ticks) <= 8
    assert isinstance(PAGES["pair"], Document)


def test_the_pictures_of_the_documentation_are_these() -> None:
    """`python docs/make_comparisons.py` writes them again."""
    docs = Path(__file__).parent.parent / "docs"
    spec = spec_from_file_location("make_comparisons", docs / "make_comparisons.py")
    assert spec is not None
    assert spec.loader is not None
    made = module_from_spec(spec)
    spec.loader.exec_module(made)
    for name, svg in made.pictures().items():
        assert (docs / "img" / f"{name}.svg").read_text(encoding="utf-8") == svg, name
        ElementTree.fromstring(svg)


def test_the_full_text_has_every_row_and_one_to_be_read_says_which() -> None:
    counts = np.diag(np.arange(100, 145)) + 1
    made = informed.report(Table.from_counts(counts, labels=[f"class-{i}" for i in range(45)], rows="predicted"))
    whole, read = made.text(full=True), made.markdown()
    assert all(re.search(rf"^class-{i} .* (informed|guessed)", whole, re.MULTILINE) for i in range(45))
    assert "hold all" not in whole
    assert "The 40 classes with most cases of 45; JSON, CSV and the HTML page hold all." in read
    assert not re.search(r"^\| class-0 .*informed", read, re.MULTILINE)
