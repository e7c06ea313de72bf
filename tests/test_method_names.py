"""Methods have published names and references, and full pages end with a methods sentence to paste."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import informed
from informed import Marks, Table, Tags
from informed.documents.references import in_list, in_text, works
from informed.inference.interval_methods import METHODS
from informed.inference.method_names import COMPARISONS, INTERVALS, TESTS
from informed.inference.tests import METHODS as TEST_METHODS
from informed.systems.paired_methods import METHODS as PAIRED
from informed.systems.unpaired import METHODS as UNPAIRED


def test_every_interval_method_has_a_name_and_every_reference_exists() -> None:
    assert {*INTERVALS} == {*METHODS}
    assert {*TESTS} <= {*TEST_METHODS}
    assert {*COMPARISONS} <= {*PAIRED, *UNPAIRED}
    held = {**PAIRED, **UNPAIRED}
    unnamed = {name for name in held if name not in COMPARISONS and not name.startswith("powers")}
    assert unnamed == {"weighted-score", "swap"}
    cited = {ref for named in (INTERVALS, TESTS, COMPARISONS) for method in named.values() for ref in method.refs}
    assert cited <= works().keys()
    assert INTERVALS["newcombe"].title.startswith("Newcombe/Wilson")
    assert "Miettinen–Nurminen" in INTERVALS["miettinen-nurminen"].title


def test_works_are_cited_as_papers_do() -> None:
    assert in_text("zou2008") == "Zou and Donner, 2008"
    assert in_text("brown2001") == "Brown et al., 2001"
    assert in_list("wilson1927") == (
        "Wilson, Edwin B. (1927). Probable inference, the law of succession, and statistical inference. Journal of the "
        "American Statistical Association, 22(158): 209–212. doi:10.1080/01621459.1927.10502953"
    )
    assert "“exact”" in in_list("agresti1998")


def test_a_full_report_ends_with_its_methods_and_their_references() -> None:
    made = informed.report(Table.from_counts([[56, 20], [12, 12]]))
    said = " ".join(made.text(full=True).split())
    sentence = said[said.index("Methods, to cite") :]
    assert "mid-P interval (Lancaster, 1961; Brown et al., 2001) for accuracy" in sentence
    assert "mid-P permutation test, conditional on both margins (Lancaster, 1961)" in sentence
    for name in re.findall(r"\(([A-Z][^()]*?), \d{4}", sentence):
        assert name.split()[0].rstrip(",") in sentence.split("All were computed")[1]
    assert "doi:10.1214/ss/1009213286" in sentence
    assert "Methods, to cite" not in made.text()
    tex = made.write("latex")
    assert "Lancaster" in tex
    assert "10.1214/ss/1009213286" in tex


def test_a_full_comparison_names_its_methods() -> None:
    found = informed.compare(Table.from_counts([[56, 20], [12, 32]]), Table.from_counts([[50, 20], [12, 32]]))
    said = " ".join(found.text(full=True).split())
    assert "from the Fisher arcs of both samples" in said
    assert "Each p-value is 1 minus the confidence level at which a limit reaches no difference." in said
    assert "Anscombe, F. J. (1948)" in said


# ---------------------------------------------------------------- every kind of result


def results() -> dict[str, Any]:
    """A result of each kind that infers something."""
    rng = np.random.default_rng(32)
    real = rng.integers(0, 2, 60)
    systems = {name: np.where(rng.random(60) < share, real, 1 - real) for name, share in (("a", 0.8), ("b", 0.7))}
    three = systems | {"c": np.where(rng.random(60) < 0.6, real, 1 - real)}
    score = real + rng.normal(size=60)
    marks = [Marks.from_columns(mark=rng.random(40)) for _ in range(2)]
    tags = [Tags.from_labels(real=x, predicted=y) for x, y in (rng.integers(0, 2, (2, 30, 4)),)]
    stack = Table.from_labels(real=real, predicted=systems["a"], by=np.arange(60) % 4, positive=1)
    gold = [x if i % 3 else None for i, x in enumerate(map(str, real))]
    watched = informed.watch()
    watched.update(real=real, predicted=systems["a"])
    curve = informed.roc(real=real, score=score)
    return {
        "interval": informed.interval(stack.sum(), "f1"),
        "test": informed.test(stack.sum()),
        "board": informed.leaderboard(real=real, predictions=three),
        "curve": curve,
        "choice": informed.threshold(curve),
        "agreement": informed.agreement(systems),
        "raters": informed.agreement(three),
        "intraclass": informed.intraclass_correlation({"x": score, "y": score + rng.normal(size=60)}),
        "tags": informed.report(tags[0]),
        "probabilities": informed.probabilities(real=real, probability=rng.random(60), positive=1),
        "marks": informed.report(marks[0]),
        "marks of two": informed.compare(*marks),
        "judged batch": informed.judge(verdict=list(map(str, systems["a"])), gold=gold, positive="1"),
        "judged": informed.judge(stack.sum(), 0.4, 500, design="elsewhere"),
        "verified": informed.verified(predicted=list(map(str, systems["a"])), gold=gold, positive="1"),
        "folds": informed.folds({"a": rng.random(10), "b": rng.random(10)}),
        "slices": informed.slices(stack, measure="accuracy"),
        "watch": watched,
        "risk": informed.risk_coverage(real=real, predicted=systems["a"], score=rng.random(60)),
        "plan": informed.sample_size(0.3),
        "report of groups": informed.report(stack),
        "comparison": informed.compare.paired(real=real, a=systems["a"], b=systems["b"]),
    }


RESULTS = results()


@pytest.mark.parametrize("kind", RESULTS)
def test_full_pages_of_every_kind_name_their_methods(kind: str) -> None:
    """In text and LaTeX, with each work that is cited in the list, and not on the first screen."""
    made = RESULTS[kind]
    said = " ".join(made.text(full=True).split())
    sentence, _, listed = said[said.index("Methods, to cite") :].partition("All were computed")
    works_cited = re.findall(r"([A-Z][^(),;]*?(?: et al\.)?), (\d{4})", sentence)
    assert all(f"({year})" in listed for _, year in works_cited)
    assert "The informed authors (2026)" in listed
    assert said.count("Methods, to cite") == 1
    assert "Methods, to cite" not in made.text()
    assert "The informed authors" in made.write("latex")


def test_methods_are_those_that_were_used() -> None:
    said = {kind: " ".join(x.text(full=True).split()) for kind, x in RESULTS.items()}
    assert "DeLong's on the logit scale (DeLong et al., 1988)" in said["curve"]
    assert "Gaffke's bound" in said["marks"]
    assert "corrected resampled t-test (Nadeau and Bengio, 2003)" in said["folds"]
    assert "Pearson's χ² with its exact distribution" in said["slices"]
    assert "Cochran's Q (Cochran, 1954)" in said["report of groups"]
    assert "Hartung–Knapp–Sidik–Jonkman" in said["report of groups"]
    assert "Begg and Greenes, 1983" in said["verified"]
    assert "Shrout and Fleiss, 1979; McGraw and Wong, 1996" in said["intraclass"]
    rng = np.random.default_rng(1)
    real = rng.integers(0, 2, 90)
    by_units = informed.roc(real=real, score=real + rng.normal(size=90), unit=np.arange(90) // 3)
    assert "Obuchowski, 1997" in by_units.text(full=True)


def test_pages_that_stand_together_have_one_section_of_methods() -> None:
    both = RESULTS["comparison"].document().and_(RESULTS["folds"].document(), "folds")
    keys = [section.key for section in both.sections]
    assert keys.count("methods") == 1
    assert keys[-1] == "methods"
    said = " ".join(both.text(full=True).split()) if hasattr(both, "text") else str(both.sections[-1].blocks[0])
    assert "paired Fisher-arc interval" in said
    assert "Nadeau and Bengio, 2003" in said
