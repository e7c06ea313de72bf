"""informed judge"""

from __future__ import annotations

from typing import Any

import click

from informed.cli._options import LEVEL, Source, output_options, reading, source_options


@click.command("judge")
@click.argument("file", metavar="CALIBRATION", type=Source())
@source_options
@click.option(
    "--apparent",
    required=True,
    metavar="SHARE",
    help="Share of new cases that the judge calls positive; or counts, a=120,b=30,c=50.",
)
@click.option("--n", type=click.IntRange(1), help="Number of new cases.")
@LEVEL
@click.option("--reach", type=float, help="Say how many calibration labels ± this would take.")
@output_options(terms=True)
def command(file: str, apparent: str, reach: float | None, form: str, output: str | None, **options: Any) -> None:
    """What is the true rate, when only a judge has seen the cases?

    CALIBRATION has the judge's verdicts (--predicted) beside the truth (--real). The rate that
    the judge reports on new cases is corrected for its mistakes, and the interval carries what
    the calibration and the new cases leave unknown.

    \b
    informed judge labels.csv --real truth --predicted judge --positive yes --apparent .31 --n 2000
    informed judge labels.csv --real truth --predicted judge --apparent good=120,fair=30,bad=50
    """
    from informed import judge, read, report
    from informed.cli._pages import show
    from informed.errors import InferenceError

    t = read(file, **reading(options))
    if t.shape:
        raise InferenceError("The calibration is one table; leave --by out.")
    given = _apparent(apparent)
    if isinstance(given, float) and len(t.labels) == 2 and t.positive is None:
        raise InferenceError(
            f"A share needs --positive LABEL: of which of {' and '.join(map(repr, t.labels))} is it the share?"
        )
    show(report(judge(t, given, **options), reach=reach), form, output)


def _apparent(text: str) -> float | dict[str, float]:
    """A share, or a count for each label."""
    from informed.errors import InferenceError

    try:
        if "=" not in text:
            return float(text)
        pairs = [part.rpartition("=") for part in text.split(",")]
        return {label: float(count) for label, _, count in pairs}
    except ValueError:
        raise InferenceError(
            f"--apparent is {text!r}; it can be a share such as 0.31, or counts such as good=120,bad=80."
        ) from None
