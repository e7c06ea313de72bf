"""What can have become of a case: the states, in the order in which they are told."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

State: TypeAlias = Literal["right", "wrong", "partial", "abstained", "error", "unscored", "not-run"]
STATES: tuple[State, ...] = get_args(State)
RIGHT, WRONG = "right", "wrong"  # also the labels of a table of right and wrong answers
SILENT: tuple[State, ...] = ("abstained", "error")  # no answer, where they count
NO_ANSWER: tuple[State, ...] = (*SILENT, "not-run")  # what was not run is none either, where its tool counts it
UNCOUNTED: tuple[State, ...] = ("unscored", "not-run")  # they count nowhere, unless a tool says so
