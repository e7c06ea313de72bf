"""Measures by the names that clinicians have for them: in every page and error, and never in data."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import informed
from command_line import ok, refused, run
from informed import InformedError, Table
from informed.documents.document import Document
from informed.documents.terms import Spoken
from informed.measures import find
from informed.measures.registry import MEASURES
from informed.measures.terms import clinical, spoken_in
from informed.results import Result
from test_page_kinds import KINDS

OURS = re.compile(
    r"\b(recalls?|precisions?|informedness|markedness|fallouts?|miss rate|inverse[ _](recall|precision|bias|prevalence)"
    r"|false[ _](positive|negative)[ _]accuracy|(positive|negative) likelihood ratio)\b",
    re.IGNORECASE,
)
SLOW = ("two hundred", "simulation", "abstention", "folds", "suite", "slices", "winnings")
FORMATS = ("html", "text", "markdown", "latex", "github")
CANCER = ("examples/breast-cancer.csv", "--real", "diagnosis", "--positive", "malignant")
TWO = Table.from_counts([[56, 20], [12, 12]], labels=["ill", "well"], positive="ill")


def read_in(page: str) -> str:
    """What is read of a page: no style, script or command; tips and what is said to those who do not see it."""
    page = re.sub(r"(?s)<(style|script).*?</\1>|<pre>.*?</pre>", "", page)
    tips = re.findall(r'(?:data-tip|aria-label|title)="([^"]*)"', page)
    return unescape("\n".join([re.sub(r"<[^>]+>", "\n", page), *tips]))


def left(page: str) -> list[str]:
    lines = [x for x in page.splitlines() if "This page again" not in x and "informed " not in x]
    return [x for x in lines if OURS.search(x)]


def pages(made: Any) -> dict[str, str]:
    if isinstance(made, tuple):
        return {"html": run(*made, "--terms", "clinical", "--format", "html").stdout}
    if isinstance(made, Document):
        made = made.in_terms("clinical", title=True)
        return {form: made.write(form) for form in FORMATS}
    return {form: made.write(form, terms="clinical") for form in FORMATS}


@pytest.mark.parametrize("name", [x for x in KINDS if x not in SLOW])
def test_no_page_has_a_name_of_ours(name: str) -> None:
    for form, page in pages(KINDS[name]()).items():
        assert page
        assert left(read_in(page) if form == "html" else page) == [], form


@pytest.mark.parametrize(
    "words",
    [
        ("compare", *CANCER, "--predicted", "tree", "--predicted", "bayes", "--relative"),
        ("sample-size", "0.3", "--n", "50,100"),
        ("recover", "recall=.8", "precision=.9", "-n", "50"),
        ("agree", *CANCER[:1], "--raters", "tree,bayes"),
        ("table", "56 20 / 12 12", "--all"),
        ("verify", "VERIFIED", "--predicted", "screen", "--gold", "biopsy", "--positive", "ill"),
        ("judge", *CANCER, "--predicted", "tree", "--apparent", "0.4", "--n", "500", "--design", "elsewhere"),
    ],
)
def test_nor_has_what_a_command_prints(words: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "verified.csv"
    path.write_text("screen,biopsy\n" + "ill,ill\nill,well\nwell,\nwell,well\nill,ill\nwell,\nwell,ill\n" * 12)
    words = tuple(str(path) if x == "VERIFIED" else x for x in words)
    said = ok(*words, "--terms", "clinical", "--full")
    assert left(said) == []
    assert said != ok(*words, "--full")


def test_the_picture_of_a_curve_alone(tmp_path: Path) -> None:
    for more in (("--score", "score"), ("--score", "score", "--by", "fold")):
        ok("roc", *CANCER, *more, "--terms", "clinical", "-o", str(tmp_path / "roc.svg"))
        drawn = read_in((tmp_path / "roc.svg").read_text(encoding="utf-8"))
        assert "false positive rate" in drawn.lower()
        assert left(drawn) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--measures", "recal"), "Did you mean sensitivity"),
        (("--fail-under", "informedness=x"), "Youden's J"),
        (("--against", "inverse_recall=2"), "specificity"),
    ],
)
def test_errors(words: tuple[str, ...], said: str) -> None:
    for terms in (("--terms", "clinical"), ("--terms=clinical",)):
        found = refused("table", "56 20 / 12 12", *words, *terms)
        assert said in found
        assert not OURS.search(re.sub(r"'[^']*'", "", found))
    assert said not in refused("table", "56 20 / 12 12", *words)


def test_gates_and_options_take_both_names() -> None:
    asked = ("table", "56 20 / 12 12", "--fail-under", "sensitivity.low=.9", "--decide", "specificity=.9")
    done = run(*asked, "--measures", "ppv,NPV,LR+", "--terms", "clinical")
    assert done.returncode == 1
    assert "lower limit of sensitivity is 0.719" in done.stderr
    assert "Specificity is 0.375" in done.stderr
    assert "LR+" in done.stdout
    held = json.loads(run(*asked, "--terms", "clinical", "--format", "json").stdout)
    assert [g["name"] for g in held["gates"]] == ["recall.low", "decide inverse_recall=0.9"]
    assert ok("compare", *CANCER, "--predicted", "tree", "--predicted", "bayes", "--measure", "sensitivity")


@pytest.mark.parametrize("m", [m for m in MEASURES.values() if m.facts.clinical], ids=str)
def test_what_is_read_can_be_typed(m: Any) -> None:
    """A name of a page is one of the measure."""
    assert find(clinical(m)).name == m.name


def test_data_are_never_renamed(tmp_path: Path) -> None:
    """A recalled product, a system called precision, a file called recall."""
    t = Table.from_counts([[30, 5], [4, 40]], labels=["recall", "no recall"], positive="recall")
    page = informed.report(t, terms="clinical", source="recall.csv")
    said = page.text(full=True)
    assert "“recall”" in said
    assert "no recall" in said
    assert "no sensitivity" not in said
    assert page.document().title == "Report of recall.csv"
    two = informed.compare.paired(
        real=[0, 1] * 9, a=[0, 1] * 9, b=[0, 1, 1] * 6, names=("precision", "a high-precision one")
    )
    said = two.in_terms("clinical").text(full=True)
    assert "a high-precision one" in said
    assert "high-PPV" not in said


def test_json_and_csv_keep_our_names() -> None:
    ours, theirs = informed.report(TWO), informed.report(TWO, terms="clinical")
    ratios = (",ill,lr,", ",,lr,", ",,nlr,")  # which clinicians are shown as well
    assert [x for x in theirs.csv().splitlines() if not x.startswith(ratios)] == ours.csv().splitlines()
    first, second = json.loads(ours.json())["measures"], json.loads(theirs.json())["measures"]
    assert {name: x for name, x in second.items() if name not in ("lr", "nlr")} == first


def test_a_result_stays_in_its_terms() -> None:
    found = informed.interval(TWO, "recall").in_terms("clinical")
    assert repr(found).startswith("sensitivity 0.824")
    assert "Sensitivity" in informed.report(TWO, terms="clinical").with_gates(())._repr_html_()
    assert isinstance(found, Result)
    assert found.measure == "recall"
    assert "recall" in repr(found.in_terms("informed"))
    assert informed.report(found, terms="clinical").title == "Interval of sensitivity"
    with pytest.raises(InformedError, match="it can be 'informed' or 'clinical'"):
        found.in_terms("medical")
    with pytest.raises(InformedError, match="it can be 'informed' or 'clinical'"):
        informed.report(TWO, terms="medical")  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("An informedness of .8", "A Youden's J of .8"),
        ("a precision, an inverse precision", "a PPV, an NPV"),
        ("Recalls", "Sensitivities"),
        ("informedness.low=0.8", "Youden's J.low=0.8"),
        ("recall.csv, docs/recall, --precision, x=recall", "recall.csv, docs/recall, --precision, x=recall"),
        ("“recall” and 'recall' and `recall`", "“recall” and 'recall' and `recall`"),
        ("position bias", "position bias"),
        ("Bias", "Apparent prevalence"),
        ("LR of Cohen's kappa and Youden's recall", "LR of Cohen's kappa and Youden's sensitivity"),
    ],
)
def test_words(ours: str, theirs: str) -> None:
    assert spoken_in("clinical")(ours) == theirs
    assert spoken_in("informed")(ours) == ours
    assert spoken_in("clinical")(theirs) == theirs  # said again it is the same


def test_markup_stays_markup() -> None:
    said = Spoken(spoken_in("clinical")).markup('<b class="recall" data-tip="recall &lt; 1">Recall &amp; more</b>')
    assert said == '<b class="recall" data-tip="sensitivity &lt; 1">Sensitivity &amp; more</b>'


def test_lines_of_the_plane() -> None:
    drawn = read_in(informed.report(TWO, terms="clinical").html())
    assert "J 0.5" in drawn
    assert "B 0.5" not in drawn


def test_what_clinicians_look_for_stands_first() -> None:
    said = informed.report(TWO, terms="clinical").text()
    for name in ("Youden's J", "Sensitivity", "Specificity", "PPV", "NPV"):
        assert name in said
    cards = [x.name for x in informed.report(TWO, terms="clinical").document().cards]
    assert cards == ["Youden's J", "Sensitivity", "Specificity"]
    assert [x.name for x in informed.report(TWO).document().cards] == ["Informedness", "Markedness", "Correlation"]
    told = informed.report(TWO, terms="clinical").document()
    assert told.in_terms("clinical") == told


def test_errors_of_a_report_are_in_its_terms() -> None:
    with pytest.raises(InformedError, match="Did you mean sensitivity"):
        informed.report(TWO, measures="recal", terms="clinical")
    with pytest.raises(InformedError, match="Did you mean recall"):
        informed.report(TWO, measures="recal")
