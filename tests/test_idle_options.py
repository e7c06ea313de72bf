"""An option that would change nothing where it was given is refused, and never passed over."""

from __future__ import annotations

import pytest

from command_line import ROOT, ok, refused
from informed import read
from informed.errors import SourceError

FILMS = ("examples/films.csv", "--real", "tags", "--predicted", "new", "--separator", ";")
BOTH = ("compare", *FILMS, "--predicted", "old")
RUN = ("watch", "examples/run.jsonl", "--real", "diagnosis", "--predicted", "logistic")
LOG = ("report", "tests/samples/inspect_ai/mcq.eval", "--marks")
RAIN = ("examples/forecasts.csv", "--real", "rain")
GRADED = ("judge", "examples/graded-answers.csv", "--verdict", "judge", "--gold", "human", "--positive", "good")
TRIAGE = ("report", "examples/triage.csv", "--real", "urgency", "--predicted", "new")
MANY = ("compare", "examples/triage.csv", "--real", "urgency", "--predicted", "new", "--predicted", "old")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["report", *FILMS, "--max-unscored", "0"], "--max-unscored is not for items of several labels"),
        (["report", *FILMS, "--prevalence", "0"], "--prevalence is not for items of several labels"),
        (["report", *FILMS, "--marks"], "--marks is not for items of several labels"),
        (["report", *FILMS, "--undecided", "pass"], "give --decide"),
        ([*BOTH, "--undecided", "pass"], "give --decide"),
        ([*BOTH, "--fail-worse", "0", "--max-errors", "0"], "--max-errors is not for items of several labels"),
        (["report", *RAIN, "--probability", "new", "--prevalence", "0"], "--prevalence is not for probabilities"),
        ([*RUN, "--patience", "1"], "give --follow"),
        ([*RUN, "--disagree", "0.5"], "give --expect and --other"),
        ([*RUN, "--delimiter", ";"], "run.jsonl has JSON lines; --delimiter stands between the columns of CSV"),
        (["watch", *TRIAGE[1:], "--delimiter", ";;"], "--delimiter is ';;'; one character is needed"),
        (["watch", *TRIAGE[1:], "--delimiter", ""], "--delimiter is ''; one character is needed"),
        ([*LOG, "--positive", "A"], "--positive is for a table"),
        ([*LOG, "--missing", "drop"], "--missing is for a table"),
        (["roc", *RAIN, "--score", "new", "--score", "old", "--labels", "a,b"], "'no', 'yes' are not in --labels"),
        (["roc", *RAIN, "--score", "new", "--unit", "station", "--labels", "a,b"], "'no', 'yes' are not in --labels"),
        (["roc", *RAIN, "--score", "new", "--frequency"], "give --weights"),
        ([*TRIAGE, "--frequency"], "give --weights"),
        ([*TRIAGE, "--table", "calls"], "--table is for databases and sheets"),
        ([*GRADED, "--table", "calls"], "--table is for databases and sheets"),
        ([*GRADED, "--seed", "1"], "--seed draws the answers to label next"),
        ([*GRADED, "--design", "folds"], "--design is 'folds'"),
        ([*MANY, "--predicted", "site", "--normalize", "none", "--sampling", "fixed-reals"], "--sampling is for two"),
        ([*MANY, "--predicted", "site", "--normalize", "none", "--design", "case-control"], "case-control is for two"),
    ],
)
def test_what_would_be_passed_over_is_refused(words: list[str], said: str) -> None:
    assert said in refused(*words)


@pytest.mark.parametrize(
    "words",
    [
        ["report", *FILMS, "--max-errors", "0.1"],  # as it always is
        [*BOTH, "--fail-worse", "0"],
        [*LOG, "--missing", "abstain"],
        ["roc", *RAIN, "--score", "new", "--score", "old", "--labels", "yes,no"],
        [*GRADED, "--design", "same-batch"],
        [*GRADED, "--seed", "1", "--id", "id"],
        [*RUN, "--other", "tree", "--expect", "0.1", "--disagree", "0.2"],
    ],
)
def test_what_is_heard_is_taken(words: list[str]) -> None:
    assert ok(*words)


def test_reading_says_so_too() -> None:
    with pytest.raises(SourceError, match="`frequency` says that weights are numbers of cases; give `weights`"):
        read(ROOT / "examples/triage.csv", real="urgency", predicted="new", frequency=True)
