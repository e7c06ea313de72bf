"""Gold columns as people fill them in: fields where nobody looked, labels in several spellings, slips of the pen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import informed
from command_line import ok, refused
from informed.errors import InformedError
from informed.systems.judge_planning import gold_needed

VERDICT = ["good", "good", "good", "bad", "bad"] * 12
GOLD = ["good", "good", None, "bad", None] * 12

JUDGED: dict[str, Callable[..., Any]] = {
    "judge": lambda verdict, gold, **how: informed.judge(verdict=verdict, gold=gold, positive="good", **how),
    "verified": lambda verdict, gold, **how: informed.verified(predicted=verdict, gold=gold, **how),
    "compare.judged": lambda verdict, gold, **how: informed.compare.judged(
        verdict={"a": verdict, "b": VERDICT[::-1]}, gold={"a": gold, "b": GOLD[::-1]}, positive="good", **how
    ),
}
every = pytest.mark.parametrize("name", JUDGED)


def filled(blank: str) -> list[Any]:
    return [blank if x is None else x for x in GOLD]


@every
@pytest.mark.parametrize("blank", ["NaN", "nan", "n/a", "NA", "null", "None", "-"])
def test_text_where_nobody_looked_is_refused(name: str, blank: str) -> None:
    with pytest.raises(InformedError, match=rf"'{blank}' in 24 rows.*leave such fields blank.*labels="):
        JUDGED[name](VERDICT, filled(blank))


@every
def test_a_class_of_that_name_can_be_named(name: str) -> None:
    found = JUDGED[name](VERDICT, filled("None"), labels=["good", "bad", "None"])
    if name == "judge":
        assert (found.labelled, found.estimate) == (60, pytest.approx(0.4))
    if name == "verified":
        assert (found.verified, found.labels) == (60, ("good", "bad", "None"))


def test_minus_is_a_result_beside_plus() -> None:
    """As laboratories write results: the same as with words, whether the verified cases hold a plus or not."""
    signs = {"good": "+", "bad": "-", None: None}
    verdict, gold = ([signs[x] for x in side] for side in (VERDICT, GOLD))
    found, plain = informed.judge(verdict=verdict, gold=gold, positive="+"), JUDGED["judge"](VERDICT, GOLD)
    assert (found.labelled, found.estimate, found.low) == (plain.labelled, plain.estimate, plain.low)
    held = informed.verified(predicted=verdict, gold=gold, positive="+")
    assert (held.verified, held.labels) == (36, ("+", "-"))
    with pytest.raises(InformedError, match="'n/a' in 24 rows"):
        informed.judge(verdict=verdict, gold=["n/a" if x is None else x for x in gold], positive="+")


@every
@pytest.mark.parametrize("other", ["Good", "good ", "GOOD"])
def test_labels_in_several_spellings_are_refused(name: str, other: str) -> None:
    gold = [other if x == "good" and i % 10 == 0 else x for i, x in enumerate(GOLD)]
    with pytest.raises(InformedError, match=r"differ only by.*normalize="):
        JUDGED[name](VERDICT, gold)
    same, plain = JUDGED[name](VERDICT, gold, normalize="case,space"), JUDGED[name](VERDICT, GOLD)
    if name == "judge":
        assert (same.estimate, same.low) == (plain.estimate, plain.low)


def test_grades_in_several_spellings() -> None:
    grades = ["3", "3.0", "2", "1", "1"] * 12
    with pytest.raises(InformedError, match=r"`verdict` has '3', '3.0', which differ only by how a number"):
        JUDGED["judge"](grades, GOLD)
    merged = JUDGED["judge"](grades, GOLD, normalize="number")
    assert merged.estimate == JUDGED["judge"](["3", "3", "2", "1", "1"] * 12, GOLD).estimate


def test_a_gold_label_that_is_never_a_verdict_is_said() -> None:
    gold = ["goood" if i == 0 else x for i, x in enumerate(GOLD)]
    for name in JUDGED:
        notes = JUDGED[name](VERDICT, gold).notes
        assert [x.severity for x in notes if x.code == "never-said" and "'goood' in 1 row" in x.text] == ["warning"]
    assert not [x for x in JUDGED["judge"](VERDICT, GOLD).notes if x.code == "never-said"]


def test_files_name_the_column(tmp_path: Path) -> None:
    file = tmp_path / "graded.csv"
    file.write_text("a,b,human\n" + "".join(f"{x},{x},{g}\n" for x, g in zip(VERDICT, filled("NaN"), strict=True)))
    for words in (
        ["judge", "--verdict", "a"],
        ["verify", "--predicted", "a"],
        ["verify", "--predicted", "a", "--predicted", "b"],
    ):
        said = refused(words[0], str(file), *words[1:], "--gold", "human", "--positive", "good")
        assert "`human` has 'NaN' in 24 rows" in said
        assert "--labels" in said

    file.write_text("a,b,human\n" + "".join(f"{x},{x.upper()},{g or ''}\n" for x, g in zip(VERDICT, GOLD, strict=True)))
    two = ["verify", str(file), "--predicted", "a", "--predicted", "b", "--gold", "human", "--positive", "good"]
    assert "--normalize case" in refused(*two)
    assert "minus that of b (1.000)" in ok(*two, "--normalize", "case")


# ---------------------------------------------------------------------- what is said


def test_a_table_without_a_positive_class_has_a_page() -> None:
    found = informed.verified(predicted=VERDICT, gold=GOLD)
    assert set(found.records()["measure"]) == {"informedness", "markedness", "accuracy", "matthews"}
    assert "positive='good'" in str(informed.report(found))
    named = informed.verified(predicted=VERDICT, gold=GOLD, positive="good")
    assert "inverse_recall" in named.records()["measure"]
    assert "inverse recall" in str(informed.report(named)).lower()
    for x, y in zip(found.records(), named.records().where(measure="informedness"), strict=False):
        assert (x["estimate"], x["low"], x["high"]) == (y["estimate"], y["low"], y["high"])


def test_a_difference_says_why_a_value_is_another_than_alone() -> None:
    gold = [x if i % 7 else None for i, x in enumerate(GOLD)]
    other = [("bad" if x == "good" else "good") if i % 4 == 0 else x for i, x in enumerate(VERDICT)]
    a, b = (informed.verified(predicted=x, gold=gold) for x in (VERDICT, other))
    d = a.minus(b)
    own = [float(x.interval().estimate) for x in (a, b)]
    assert [round(x, 3) for x in own] != [round(x, 3) for x in d.values]
    assert [x.severity for x in d.notes if x.code == "both-sort" and f"{own[1]:.3f}" in x.text] == ["warning"]
    assert not [x for x in a.minus(a).notes if x.code == "both-sort"]


def test_whole_cases_are_shown_and_explained() -> None:
    truth = ["bad" if i % 11 == 0 else x for i, x in enumerate(VERDICT * 4)]
    gold = [x if i % 4 == 0 else None for i, x in enumerate(truth)]
    found = informed.verified(predicted=VERDICT * 4, gold=gold, positive="good")
    assert max(found.records()["n_eff"]) > found.verified
    assert "It can be more than were verified" in str(informed.report(found))


def test_lengths_and_ranges() -> None:
    with pytest.raises(InformedError, match="`verdict` has 60 values, and `gold` 1"):
        informed.judge(verdict=VERDICT, gold=["good"])
    right: dict[str, Any] = {"rate": 0.7, "saving": 0.4, "batch": 2000}
    for name, wrong in (("rate", 70), ("saving", 40), ("batch", 0), ("rate", float("nan"))):
        with pytest.raises(InformedError, match=f"`{name}` is {wrong}"):
            gold_needed(0.05, **{**right, name: wrong})
    with pytest.raises(InformedError, match="`reach` is 5"):
        gold_needed(5, **right)


def test_one_gold_column_is_of_one_system(tmp_path: Path) -> None:
    file = tmp_path / "graded.csv"
    file.write_text("a,b,human\ngood,bad,good\nbad,bad,\n")
    words = ["--verdict", "a", "--gold", "human", "--verdict", "b", "--gold", "human"]
    assert "cannot be of two systems' answers" in refused("verify", str(file), *words)


def test_what_to_label_next_is_true(tmp_path: Path) -> None:
    file = tmp_path / "graded.csv"
    rows = [f"{i},{i % 50},{x},{g or ''}\n" for i, (x, g) in enumerate(zip(VERDICT, GOLD, strict=True))]
    file.write_text("id,page,a,human\n" + "".join(rows))
    words = ["judge", str(file), "--verdict", "a", "--gold", "human", "--positive", "good"]
    assert "Drawn: rows " in ok(*words, "--more", "6")
    said = ok(*words, "--more", "5000", "--id", "id", "--full")
    assert "The next 24 labels" in said
    assert "repeated" not in said
    assert "10 of 60 ids are repeated" in ok(*words, "--more", "5", "--id", "page")

    assert "±" not in ok(*words)
    assert "For ±0.01" in ok(*words, "--reach", "0.01")
    whole = informed.judge(verdict=VERDICT, gold=VERDICT, positive="good")
    assert "±" not in str(informed.report(whole))
