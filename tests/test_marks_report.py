"""The report of marks: what its sentences count, and numbers by item."""

from __future__ import annotations

from typing import ClassVar

import pytest

from informed import Marks
from informed.summary.marks_report import report_marks
from informed.summary.parts import Score


class TestWhatAScoreLeavesOut:
    """Sentences that know which cases count, and numbers by item."""

    STATE: ClassVar[list[str]] = ["right"] * 4 + ["wrong"] * 3 + ["abstained", "error", "error"]
    MARK: ClassVar[list[float | None]] = [*[1.0] * 4, *[0.0] * 4, None, None]

    def test_errors_that_are_left_out_are_those_that_do_not_count(self) -> None:
        m = Marks.from_columns(mark=self.MARK, state=self.STATE)
        said = report_marks(m, tool="Inspect").sentence()
        assert "2 of 10 cases ended in an error and are left out, as Inspect does" in said
        assert "counted as failures, the score is 0.400 instead of 0.500" in said
        assert "1 case without an answer is not right." in said

    def test_errors_that_count_are_not_said_to_be_left_out(self) -> None:
        m = Marks.from_columns(mark=[0.0 if x is None else x for x in self.MARK], state=self.STATE)
        said = report_marks(m, tool="SWE-bench").sentence()
        assert "left out" not in said
        assert "2 cases that ended in an error are not right." in said

    def test_what_was_asked_to_be_left_out_is_said_so(self) -> None:
        m = Marks.from_columns(
            mark=[None if s in ("abstained", "error") else x for s, x in zip(self.STATE, self.MARK, strict=True)],
            state=self.STATE,
        )
        said = report_marks(m, tool="Inspect", count="answered").sentence()
        assert "3 of 10 cases got no answer and are left out, as was asked" in said
        assert "not right" not in said

    def test_partial_credit_is_of_the_answers(self) -> None:
        m = Marks.from_columns(mark=[1, 0.5, 0, 0], state=["right", "partial", "wrong", "abstained"])
        assert "Partial credit: 1 of 3 answers got 0.5; the score is a mean of marks." in report_marks(m).sentence()

    def test_a_count_that_was_asked_for_is_no_warning(self) -> None:
        s = Score(0.39, reported=0.46)
        m = Marks.from_columns(mark=[1, 0])
        assert [x.code for x in report_marks(m, score=s).notes] == ["score-differs"]
        assert not report_marks(m, score=s, count="errors").notes

    def test_coverage_is_by_item_whatever_the_number_of_epochs(self) -> None:
        state = ["abstained"] * 10 + ["right"] * 30
        once = report_marks(Marks.from_columns(mark=[0] * 10 + [1] * 30, state=state)).coverage
        often = Marks.from_columns(
            mark=([0] * 10 + [1] * 30) * 8,
            state=state * 8,
            item=list(range(40)) * 8,
            epoch=[i // 40 for i in range(320)],
        )
        found = report_marks(often).coverage
        assert (found.low, found.high) == pytest.approx((once.low, once.high), abs=0.02)

    def test_coverage_counts_an_item_once_however_often_it_was_asked(self) -> None:
        m = Marks.from_columns(mark=[1, 0, 0], item=list("abb"), state=["right", "abstained", "abstained"])
        assert report_marks(m).coverage.estimate == pytest.approx(m.coverage) == pytest.approx(1 / 2)
        heavy = Marks.from_columns(
            mark=[1, 0, 0], item=list("abb"), state=["right", "abstained", "abstained"], weights=[3, 1, 1]
        )
        assert report_marks(heavy).coverage.estimate == pytest.approx(heavy.coverage) == pytest.approx(3 / 4)

    def test_what_was_left_out_as_failures_is_weighed_as_the_score_is(self) -> None:
        state = ["right", "wrong", "error", "right"]
        m = Marks.from_columns(mark=[1, 0, None, 1], item=list("aabc"), state=state, weights=[5, 5, 1, 1])
        assert m.score == pytest.approx((5 / 2 + 1) / 6)
        # the weight of an item that does not count is not known: that of the others on average, 3
        assert report_marks(m).score.with_left_out == pytest.approx((5 / 2 + 1) / (6 + 3))

    def test_attempts_say_how_many_items_they_use(self) -> None:
        m = Marks.from_columns(mark=[1, 0, 1, 1, 0, 1], item=list("aaabbc"))
        assert [(row["k"], row["items"]) for row in report_marks(m).attempts] == [(1, 3), (2, 2), (3, 1)]
