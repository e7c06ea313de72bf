"""Methods have published names and references, and full pages end with a methods sentence to paste."""

from __future__ import annotations

import re

import informed
from informed import Table
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
    assert "Anscombe, F. J. (1948)" in said
