"""The documentation holds together: links lead somewhere, every public name is explained."""

from __future__ import annotations

import ast
import json
import re
import sys
import tomllib
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from playwright.sync_api import Browser
from scipy import stats

from informed.cli import COMMANDS, cli
from informed.inference import powers_intervals
from informed.systems import fold_designs, powers_rules

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


def script(name: str) -> Any:
    spec = spec_from_file_location(f"docs_{name}", DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look for their module there
    spec.loader.exec_module(module)
    return module


def test_type_checkers_see_every_name() -> None:
    """What is loaded when it is used is imported for type checkers, from the same home."""
    made = script("make_stub")
    assert made.STUB.read_text("utf-8") == made.stub(), "run `make docs`"
    assert made.NAMED.read_text("utf-8") == made.sklearn_stub(), "run `make docs`"


@pytest.fixture(scope="module")
def check() -> Any:
    return script("check")


def test_the_reference_is_up_to_date() -> None:
    pages = script("make_reference").pages()
    held = {p.name: p.read_text("utf-8") for p in (DOCS / "reference").iterdir()}
    assert sorted(held) == sorted(pages)
    stale = [name for name in pages if held[name] != pages[name]]
    assert not stale, "run `make docs`"


def test_the_pictures_are_up_to_date() -> None:
    for name, draw in script("make_pictures").PICTURES.items():
        there, drawn = (DOCS / "img" / f"{name}.svg").read_text("utf-8"), draw().file()
        if name == "tryout":  # simulated: another NumPy draws other tables
            there, drawn = (re.sub(r"[\d.-]+", "0", x) for x in (there, drawn))
        assert there == drawn, "run `make docs`"


def test_the_relations_of_the_catalogue_hold() -> None:
    relations = script("relations")
    assert all(relations.hold(each, 2) for each in relations.TWO)
    assert all(relations.hold(each, k) for each in relations.ANY for k in (2, 3, 5))
    assert not relations.hold("precision == recall", 2)
    assert not relations.hold("f1 >= g_measure", 2)
    assert relations.written("f1 == g_measure ** 2 / a_measure") == "`f1 = g_measure^2 / a_measure`"


def test_the_short_form_of_the_methods_agrees_with_the_tables(studies: dict[str, Any]) -> None:
    """docs/methods.md quotes docs/intervals.md and the study of sizes, which may be measured again."""
    intervals, short = ((DOCS / f"{name}.md").read_text("utf-8") for name in ("intervals", "methods"))
    sizes = script("make_sizes")
    pages = sizes.sizes_pages

    def percent(share: str | float) -> str:
        return f"{100 * float(share):.0f} %"

    rows = {(x["measure"], x["method"].strip("`")): x for x in studies["interval_coverage"].rows("methods")}
    (core,) = re.findall(r"^\| informedness \| 105 \| (\S+) \| (\S+) \|", intervals, re.MULTILINE)[:1]
    wald, *papers = (rows["informedness", name] for name in ("wald", "powers-2", "powers-0"))
    assert f"less than {percent(core[1])} of the time (nominal 95), mean {percent(core[0])}" in short
    assert f"Wald: as low as {percent(wald['least'])}" in short
    low, high = (percent(x["mean"]) for x in papers)
    assert f"{low.removesuffix(' %')} to {high} on average" in short
    wilson, exact, mid_p = (rows["accuracy", name] for name in ("wilson", "clopper-pearson", "mid-p"))
    assert f"Wilson dips to {percent(wilson['least'])}" in short
    wider = f"{100 * (exact['width'] / mid_p['width'] - 1):.0f} % wider"
    assert f"Clopper–Pearson is {wider}" in short
    assert f"Wilson dips to .{100 * wilson['least']:.0f}; Clopper–Pearson is {wider}" in intervals
    assert short == pages.methods_page(short, sizes.results())


def test_the_page_on_gates_says_what_checks_of_every_night_do(studies: dict[str, Any]) -> None:
    """False alarms of a month, with a fixed baseline and a moving one; and how long a kept state stays green."""
    text = (DOCS / "how-to/gates.md").read_text("utf-8")
    study = studies["nightly_gates"]
    months = {x["baseline"]: x["months with a red night"] for x in study.rows("alarms")}
    assert "about a quarter of all months" in text
    assert 0.2 < months["one release"] < 0.3
    assert "more than half\nwhen each night" in text
    assert months["the night before"] > 0.5
    assert all(x["with `--level 0.9983`"] < 0.05 for x in study.rows("alarms"))
    kept = [x["kept state: bad nights until it no longer passes"] for x in study.rows("states")]
    alone = [x["new state each night: until it fails"] for x in study.rows("states")]
    assert all(int(one) < int(many) for one, many in zip(alone, kept, strict=True))


def test_notes_on_folds_quote_their_study(studies: dict[str, Any]) -> None:
    rows = studies["fold_sizes"].rows("sizes")
    items, cautious = ([round(100 * row[name]) for row in rows] for name in ("one partition: items", "its corrected t"))
    assert f"up to {max(items)} % of such tests at 5 %" in fold_designs.RETRAINING
    assert f"{min(cautious)} to {max(cautious)} % false alarms at 5 %" in fold_designs.CAUTIOUS
    friedman = [row["Friedman"] for row in rows]
    assert 0.4 < min(friedman) < max(friedman) < 0.65
    assert "half of the time" in fold_designs.OVERLAP


def test_the_measured_sizes_on_the_pages_are_those_that_were_found() -> None:
    """Also that no part of the study is missing; and the pages would be changed if a figure did."""
    sizes = script("make_sizes")
    pages, found = sizes.sizes_pages, sizes.results()
    stated = json.loads(sizes.DATA.read_text("utf-8"))
    assert stated == pages.stated(found)
    page = (DOCS / "tests.md").read_text("utf-8")
    assert pages.tests_page(page, found) == page
    count = 2 + 3 * (5 + len(sizes.CLASSES) + 6)  # at 5 %, by cases, classes and weights on each side
    assert page.count("| `permutation-midp` |") == count
    at = stated["two"]["permutation-midp"]["two-sided"]["120"]
    assert f"{at['most'][0]:.2f} ({at['mean'][0]:.2f})" in page
    for name in ("five-two-64", "five-more-5", "two-60", "several-4", "weighted-1", "units-7", "given-3", "beyond-2"):
        other = found | {name: json.loads(re.sub(r"\d+\.\d+", "0.333", json.dumps(found[name])))}
        assert pages.tests_page(page, other) != page, name


@pytest.fixture(scope="module")
def studies() -> dict[str, Any]:
    """Of each script of benchmarks/studies its study."""
    home = ROOT / "benchmarks" / "studies"
    sys.path.insert(0, str(home))
    names = [path.stem for path in sorted(home.glob("*.py")) if "\nSTUDY = Study(" in path.read_text("utf-8")]
    found = {name: import_module(name).STUDY for name in names}
    sys.path.remove(str(home))
    return found


GOALS = ("unit_coverage", "area_coverage", "board_coverage", "pair_coverage", "fold_sizes")  # what goals are judged by


def test_pages_show_what_studies_measured(studies: dict[str, Any]) -> None:
    """Every part was measured and stands on its page as its data say; no mark is of anything else."""
    marks = {
        mark for page in DOCS.rglob("*.md") for mark in re.findall(r"<!-- (\w+: \w+) -->", page.read_text("utf-8"))
    }
    assert marks == {f"{name}: {part}" for name, study in studies.items() for part in study.parts}
    for name, study in studies.items():
        assert study.name == name
        held = study.held()
        for part, each in study.parts.items():
            page = (DOCS / each.page).read_text("utf-8")
            assert study.page(part, page, held[part]) == page, f"benchmarks/studies/{name}.py --shown --write"
    goals = studies["units_goals"]
    found = goals.rows("goals")
    assert found == list(goals.parts["goals"].rows(0)), "benchmarks/studies/units_goals.py --write"
    assert [row["holds"] for row in found] == ["yes"] * 34
    assert all(part["runs"] >= 200 for name in GOALS for part in studies[name].held().values())


def test_a_changed_figure_shows(studies: dict[str, Any]) -> None:
    study = studies["unit_coverage"]
    held = study.held()["epochs"]
    page = (DOCS / "intervals.md").read_text("utf-8")
    other = {**held, "rows": [{**row, "mean": 0.5} for row in held["rows"]]}
    assert ".500" in study.parts["epochs"].section(other)
    assert study.page("epochs", page, other) != page
    with pytest.raises(SystemExit, match="has no"):
        study.page("epochs", "a page without marks", held)


def test_rates_of_the_papers_rules_are_those_measured(studies: dict[str, Any]) -> None:
    for row in studies["compare_coverage"].rows("powers"):
        same, different = powers_rules.RATES[row["interval"].strip("`")].split(";")
        said, found = (
            [float(x) for x in re.findall(r"\.\d+", text)]
            for text in (same if row["items"] == "same" else different, row["significant"])
        )
        assert said == pytest.approx(found, abs=0.0051)  # mean and largest


def test_the_papers_intervals_say_the_coverage_that_was_measured(studies: dict[str, Any]) -> None:
    rows = {row["method"].strip("`"): row for row in studies["interval_coverage"].rows("methods")}
    for method, said in powers_intervals.COVERAGE.items():
        mean, least = (float(x) for x in re.findall(r"(?:on average|down to|interval) (\.\d+|0)\b", said))
        assert [mean, least] == pytest.approx([rows[method]["mean"], rows[method]["least"]], abs=0.0051)
    best = min(studies["powers_fit"].rows("fit"), key=lambda row: row["distance"])
    assert float(best["constant"]) == powers_intervals.PULL


def test_no_evenness_is_right_inside_the_papers_statistics(studies: dict[str, Any]) -> None:
    """What the page says in words, of the data that it shows; a reading that is right in all worlds would be named."""
    study = studies["evenness_trial"]
    ends = {part: each.section(study.held()[part]).split("class and label: ")[1] for part, each in study.parts.items()}
    said = {part: end.split(".\n")[0] for part, end in ends.items()}
    assert said == {"statistics": "V₀", "null": "V₀ with K − 1", "alternate": "none", "full": "none"}
    mended = [{**row, "det": 0.95} for row in study.rows("null")]
    assert "det with 2, det with K − 1" in study.parts["null"].text(mended)


def test_units_are_covered_and_tests_keep_their_sizes(studies: dict[str, Any]) -> None:
    measured = studies["unit_coverage"]
    enough = [row for row in measured.rows("units") if row["units"] >= 20]
    assert min(row["mean"] for row in enough) >= 0.94
    for part, least in (("holdout", 0.92), ("epochs", 0.92), ("weights", 0.92)):
        assert all(row["mean"] >= 0.935 and row["least"] >= least for row in measured.rows(part)), part
    sizes = {"5 %": 0.055, "1 %": 0.0125, ".1 %": 0.002}
    assert all(row[level] <= most for row in measured.rows("tests") for level, most in sizes.items())
    assert all(row["size"] <= 0.065 for row in measured.rows("groups"))


def test_a_part_of_the_study_is_kept_until_its_parameters_or_p_values_change(tmp_path: Path) -> None:
    sizes = script("make_sizes")
    sizes.RESULTS = tmp_path

    def part(seed: int = 1, p: float = 0.25) -> Any:
        return sizes.Part("a", lambda seed: {"found": seed}, {"seed": seed}, lambda: iter([p, 0.5]))

    assert not part().is_measured()
    part().run()
    assert part().is_measured()
    assert part(p=0.25 * (1 + 1e-12)).is_measured()  # another machine
    assert not part(seed=2).is_measured()
    assert not part(p=0.2501).is_measured()
    every = list(script("make_sizes").parts())
    assert len({each.name for each in every}) == len(every)
    for each in every:  # what the files hold was measured as the study says now
        assert json.loads(each.file.read_text("utf-8"))["version"]["parameters"] == each.given, each.name


def test_statements_of_calibration_are_replaced_where_they_stand() -> None:
    sizes = script("make_sizes")
    pages = sizes.sizes_pages
    before = json.loads(sizes.DATA.read_text("utf-8"))
    after = json.loads(json.dumps(before))
    after["worlds"]["kb"][0][0] += 1
    old, new = (pages.statements(x)["kb", 2, "two-sided"] for x in (before, after))
    assert old != new
    assert pages.restated(f"a '{old}' b", before, after) == f"a '{new}' b"


def test_figures_of_examples_by_other_means() -> None:
    """Examples run as written; these were wrong for a while, and are worked out apart."""
    tests, report = ((DOCS / f"{name}.md").read_text("utf-8") for name in ("tests", "report"))
    half = stats.binom.cdf(44, 50, 0.95) + stats.binom.pmf(45, 50, 0.95) / 2  # 45 of 50 found
    assert f"against=0.95).pvalue, 3)\n{2 * half:.3f}\n" in tests

    fallout = np.linspace(0.01, 0.39, 10_001)  # recall .9 and fallout .12 of 50 each, against a difference of .6
    likely = np.asarray(stats.binom.logpmf(45, 50, fallout + 0.6) + stats.binom.logpmf(6, 50, fallout))
    best = fallout[np.argmax(likely)]
    root = np.sqrt(2 * (stats.binom.logpmf(45, 50, 0.9) + stats.binom.logpmf(6, 50, 0.12) - likely.max()))
    score = 0.18 / np.sqrt((best * (1 - best) + (best + 0.6) * (0.4 - best)) / 50)
    (shown,) = re.findall(r"\((\S+), 'informedness is at most 0.6'", tests)
    assert stats.norm.sf(root) < float(shown) < stats.norm.sf(score)

    hits, alarms = np.array([[40, 8], [30, 20], [45, 6]]), np.array([[9, 43], [12, 38], [3, 46]])
    (a, b), (c, d) = (x.T + 1.0 for x in (hits, alarms))
    value, weight = a / (a + b) - c / (c + d), 1 / (a * b / (a + b) ** 3 + c * d / (c + d) ** 3)
    q = np.sum(weight * (value - np.average(value, weights=weight)) ** 2)
    assert f"Q = {q:.1f}, p = {stats.chi2.sf(q, 2):.3f}" in report


def test_a_docstring_becomes_markdown() -> None:
    words = script("docstrings")
    doc = "Half.\n\nParameters\n----------\nx, y : float\n    Any ``float`` *.\n\n>>> half(1)\n0.5"
    assert list(words.markdown(doc)) == [
        "Half.", "", "**Parameters**", "", "- `x`, `y`: Any `float` \\*.", "",
        "```python", ">>> half(1)", "0.5", "```", "",
    ]  # fmt: skip


def test_a_signature_is_as_it_is_written() -> None:
    words = script("docstrings")

    def scaled(self: Any, x: float, *, by: int | None = None) -> float:
        return x

    assert words.signature("Box.scaled", scaled) == ("Box.scaled(x: float, *, by: int | None = None) -> float")
    assert words.signature("scaled", scaled, types=False) == "scaled(x, *, by=None)"
    name = "a" * 90
    assert words.signature(name, scaled) == (f"{name}(\n    x: float,\n    *,\n    by: int | None = None,\n) -> float")


def test_no_link_is_broken(check: Any) -> None:
    assert list(check.broken_links()) == []


def test_no_public_name_is_silent(check: Any) -> None:
    assert list(check.undocumented()) == []


def test_every_command_that_is_shown_exists() -> None:
    """Also where it is not run: in a block without output, in a sentence, in a help text."""
    context = click.Context(cli)
    commands = {name: cli.get_command(context, name) for name in COMMANDS}
    pages = [ROOT / "README.md", *DOCS.rglob("*.md")]
    shown = re.compile(r"(?:^|`|\$ )informed ([a-z][a-z-]*)\b([^`\n#]*)", re.MULTILINE)
    found = [(p.name, *each) for p in pages for each in shown.findall(p.read_text("utf-8"))]
    assert len(found) > 50
    for page, name, rest in found:
        command = commands.get(name)
        assert command is not None, (page, name)
        known = {option for each in command.params for option in each.opts} | {"--help", "-h"}
        given = set(re.findall(r"(?<!\S)-{1,2}[a-z][a-z-]*", rest))
        assert given <= known, (page, name, given - known)


def test_a_broken_link_is_found(check: Any, tmp_path: Path) -> None:
    (tmp_path / "there.md").write_text("# One, two\n\n## Same\n\n## Same\n\n```\n# no heading\n```\n")
    (tmp_path / "page.md").write_text(
        "[good](there.md#one-two) [good](there.md#same-1) `[code](gone.md)` [web](https://x.y)\n"
        "[a](gone.md) [b](there.md#no-heading) ![c](img/none.svg) [d](#here) [e](../away.md)\n"
    )
    faults = list(check.broken_links(tmp_path, ("*.md",)))
    assert [re.findall(r": (\S+)", fault)[0] for fault in faults] == [
        "gone.md", "there.md#no-heading", "img/none.svg", "#here", "../away.md",
    ]  # fmt: skip


def test_an_anchor_is_as_on_github(check: Any) -> None:
    said = check.slug("What `informed.read` takes: [files](a.md), frames & more")
    assert said == "what-informedread-takes-files-frames--more"


def test_a_silent_member_is_found(check: Any) -> None:
    class Loud:
        def said(self) -> None:
            """Words."""

        def silent(self) -> None: ...

    Loud.__module__ = "informed.loud"
    faults = list(check.silent_members(Loud, "informed.Loud", "Loud.silent"))
    assert faults == ["informed.Loud.said is not in the reference.", "informed.Loud.silent has no docstring."]


def test_a_fault_of_the_site_is_found(check: Any, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<p id="here"><a href="#here">1</a><a href="#gone">2</a><a href="b.html">3</a>'
        '<script src="https://cdn.example/x.js"></script><a href="https://web.example">4</a>'
    )
    (tmp_path / "a.css").write_text("@import url(https://fonts.example/f.css)")
    assert list(check.site_faults(tmp_path)) == [
        "a.html: #gone has no such place.",
        "a.html: b.html is not there.",
        "a.html loads https://cdn.example/x.js.",
        "a.css loads something from elsewhere.",
    ]


def test_every_page_is_in_the_menu(check: Any) -> None:
    """Sphinx takes its menu from the links of the READMEs."""
    reached = {(page.parent / target).resolve() for page in DOCS.rglob("README.md") for target in check.links(page)}
    lost = {p.resolve() for p in DOCS.rglob("*.md")} - reached - {(DOCS / "README.md").resolve()}
    assert not lost


def test_the_site_needs_nothing_that_make_docs_does_not_install() -> None:
    """The environment of the tests has more, and would hide what is missing in a fresh clone."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    asked = project["project"]["dependencies"] + project["dependency-groups"]["docs"]
    installed = {re.split(r"[^\w.-]", name)[0] for name in asked} | {"informed", "docutils"}  # Sphinx brings docutils

    recipe = re.search(r"^docs:.*\n(?:\t.*\n)+", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert recipe is not None
    scripts, needed = [*re.findall(r"docs/(\w+)\.py", recipe[0]), "conf"], set[str]()
    for name in scripts:  # grows by what they import of each other
        beside, others = _imported(DOCS / f"{name}.py")
        scripts += [other for other in beside if other not in scripts]
        needed |= others
    assert "check_browser" in scripts
    assert needed - installed == {"PIL"}  # only what photographs pages for the gallery

    entries = (DOCS / "gallery_entries.py").read_text("utf-8")
    assert ("backports.zstd" in installed) == (".eval" in entries), "Inspect's logs are compressed with zstd"


FORMULAS = {  # MathML, as the site has it
    "B/2": "<mi>B</mi><mi>/</mi><mn>2</mn>",
    "B·M": "<mi>B</mi><mo>·</mo><mi>M</mi>",
    "a share": "<mfrac><mrow><mi>P</mi><mi>P</mi></mrow><mi>N</mi></mfrac>",
    "a mean": "<mfrac><mn>1</mn><mi>K</mi></mfrac><munder><mo>∑</mo><mi>l</mi></munder><mi>n</mi>",
}


@pytest.mark.xdist_group("browser")
def test_no_font_cuts_a_formula_off(browser: Browser) -> None:
    """Fonts round the height of a line differently, and a formula that is too low for its frame scrolls."""
    rows = "".join(
        f'<div class="math" style="font: {size}px {font}"><math display="block"><mrow>{formula}</mrow></math></div>'
        for formula in FORMULAS.values()
        for font in ("serif", "sans-serif", "monospace", "math")
        for size in (16, 18.4, 20.8, 23)
    )
    style = (DOCS / "site.css").read_text("utf-8")
    with browser.new_context() as context:
        page = context.new_page()
        page.set_content(f"<!doctype html><style>{style}</style><article>{rows}</article>")
        over = page.evaluate("[...document.querySelectorAll('.math')].map(x => x.scrollHeight - x.clientHeight)")
    assert len(over) == 64
    assert max(over) == 0


def _imported(path: Path) -> tuple[set[str], set[str]]:
    """Scripts beside a script that it imports, and packages that Python does not bring."""
    roots = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            roots |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            roots.add(node.module.partition(".")[0])
    beside = {root for root in roots if (path.parent / f"{root}.py").exists()}
    return beside, roots - beside - set(sys.stdlib_module_names)


def test_what_is_not_trusted_is_tried_by_tests_that_are_there() -> None:
    page = (DOCS / "reliability.md").read_text("utf-8").partition("## What is trusted")[2].partition("## ")[0]
    rows = [line.strip("|").split(" | ") for line in page.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 8
    for _, trusted, tried in rows:
        named = re.findall(r"`(\w+)(?:::(\w+))?`", tried)
        assert bool(named) == (not trusted.startswith("yes")), trusted
        for file, test in named:
            assert f"def {test or 'test_'}" in (DOCS.parent / "tests" / f"{file}.py").read_text("utf-8")


def test_the_page_of_reliability_is_made_from_its_data() -> None:
    made = script("make_reliability")
    counts, *more = (json.loads(path.read_text("utf-8")) for path in (made.COUNTS, made.DATA, made.FAULTS))
    page = made.PAGE.read_text("utf-8")
    assert made.page(page, counts, *more) == page, "run docs/make_reliability.py"
    assert made.page(page, {**counts, "Probes of the lab": 1}, *more) != page
    assert sorted(counts) == sorted(made.GROUPS)
    assert all(counts.values())
    for asked in made.GROUPS.values():  # a file that is gone would be counted as none
        assert all(any((ROOT / "tests").glob(part.split("::")[0])) for part in asked)
