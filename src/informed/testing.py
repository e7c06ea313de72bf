"""For test suites: a model that is not better than guessing fails the build."""

from __future__ import annotations

from typing import Any, Literal

from informed.errors import InformedError, one_of
from informed.evidence.calls import explained
from informed.evidence.table import Table
from informed.measures import find
from informed.summary.checks import check
from informed.summary.gates import Bar, bar_of
from informed.summary.states import states_of
from informed.systems.guards import MOST, guards

__all__ = ["assert_informed"]


@explained
def assert_informed(
    t: Table | None = None,
    *,
    real: Any = None,
    predicted: Any = None,
    at_least: float | None = None,
    at_most: float | None = None,
    measure: str = "informedness",
    on: Literal["low", "value", "high"] | None = None,
    level: float = 0.95,
    max_not_run: float = MOST["not-run"],
    max_unscored: float = MOST["unscored"],
    allow_unfinished: bool = False,
    **how: Any,
) -> None:
    """Raise AssertionError, and say by how much, unless a table or labels clear a bar.

    By default the lower limit of the interval of informedness must not lie below 0: the model is
    better than guessing, and that is not luck. Of a stack of tables the total and every table must clear it.

    Parameters
    ----------
    t
        A table, or a stack of one axis, whose tables are groups; or give labels:
    real, predicted
        Labels for `Table.from_labels`, which also takes any further arguments.
    at_least
        The bar of a measure that is better when it is higher; by default 0.
    at_most
        The bar of a measure that is better when it is lower, such as "fallout".
    measure, on, level
        What is held against the bar: the "value", or the "low" or "high" limit of the interval; by default "low" with
        `at_least` and "high" with `at_most`.
    max_not_run
        The share of the cases that may have been dropped for a missing label; leaving out what is
        hard must not pay.
    max_unscored
        The share of the predictions that a join may have left out because they have no real label.
    allow_unfinished
        Whether a log may pass whose run was cancelled, failed, was stopped early, or is still being written.

    >>> t = Table.from_counts([[40, 10], [10, 40]])
    >>> assert_informed(t, at_least=0.3)
    >>> assert_informed(t, measure="fallout", at_most=0.4)
    """
    __tracebackhide__ = True
    one_of("on", on, (None, "low", "value", "high"))
    if (t is None) == (real is None or predicted is None):
        raise InformedError("Give a table, or `real` and `predicted` labels.")
    given = {**how, "real": real, "predicted": predicted}
    also = [name for name, x in given.items() if x is not None]
    if t is not None and also:
        raise InformedError(f"A table is counted already; `{also[0]}` goes with labels.")
    over, bar = bar_of(find(measure), at_least, at_most)
    if t is None:
        t = Table.from_labels(real=real, predicted=predicted, **how)
    asked = Bar(str(find(measure)), on or ("high" if over else "low"), bar, over)
    most = {"not-run": max_not_run, "unscored": max_unscored, "unfinished": float(allow_unfinished)}
    failed = guards(dict(states_of(t.sum() if t.shape else t)), most, unfinished=t.unfinished)
    wrong = [gate for gate in failed or check(t, [asked], level=level) if not gate]
    if wrong:
        said = "\n".join(gate.sentence for gate in wrong)
        raise AssertionError(f"{said}\n\n{t!r}")
