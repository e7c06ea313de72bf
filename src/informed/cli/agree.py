"""informed agree"""

from __future__ import annotations

from typing import Any

import click

from informed.cli._options import DELIMITER, LEVEL, SOURCE, Source, choice, listed, output_options


@click.command("agree")
@click.argument("file", metavar="FILE", type=Source())
@listed("--raters", required=True, help="Columns, one for each rater.")
@listed("--versus", metavar="C,D,…", help="Other raters of the same items: do the first agree more than these?")
@choice(
    "--disagreement",
    *("nominal", "ordinal", "linear", "interval", "quadratic", "ratio"),
    help="How bad a disagreement is; all but nominal and ordinal take numbers.",
)
@click.option("--icc", is_flag=True, help="Ratings are measurements: report intraclass correlations.")
@SOURCE["unit"]
@SOURCE["item"]
@listed("--labels", help="The categories and their order.")
@choice(
    "--missing",
    *("error", "drop", "abstain"),
    help="What an empty field does: drop leaves the item out, abstain takes its other ratings.",
)
@SOURCE["normalize"]
@LEVEL
@choice("--method", "arc", "linearised", "jackknife", "bootstrap", help="Of the confidence intervals.")
@DELIMITER
@click.option("--input-format", metavar="NAME", help="Read it as this kind of file.")
@output_options(terms=True)
def command(
    file: str,
    raters: list[str],
    versus: list[str] | None,
    form: str,
    output: str | None,
    missing: Any,
    icc: bool,
    **how: Any,
) -> None:
    """How much do raters agree beyond chance?

    An empty field is a missing rating: an error, unless --missing says otherwise.

    \b
    informed agree ratings.csv --raters ann,bob,cem
    informed agree grades.csv --raters ann,bob --disagreement ordinal --labels poor,fair,good
    informed agree ratings.csv --raters ann,bob --versus cem,dee
    informed agree ratings.csv --raters ann,bob,cem -o agreement.html
    informed agree ratings.csv --raters ann,bob --unit document
    informed agree scores.csv --raters ann,bob,cem --icc
    """
    from informed import agreement, intraclass_correlation, report
    from informed.cli._pages import show
    from informed.errors import SourceError
    from informed.evidence.label_policy import LabelPolicy, missing_labels
    from informed.sources.columns import columns

    groups = [raters] if versus is None else [raters, versus]
    for option, names in zip(("--raters", "--versus"), groups, strict=False):
        if len(names) < 2 or len(set(names)) < len(names):
            raise SourceError(f"{option} takes two or more different columns, such as {option} ann,bob.")

    opening = {name: how.pop(name) for name in ("delimiter", "input_format")}
    if icc:
        _refuse_beside_icc({"versus": versus, **how}, missing)
        held = columns(file, raters, types="native", **opening)
        show(report(intraclass_correlation(held, missing=missing, level=how["level"])), form, output)
        return
    native = how["disagreement"] != "nominal" and how["labels"] is None
    every = list(dict.fromkeys(name for names in groups for name in names))
    told = [how[name] for name in ("unit", "item") if how[name] is not None]
    held = columns(file, [*every, *told], types="native" if native else None, **opening)

    policy = LabelPolicy(missing=missing, ratings=True)
    gone = {name: [i for i, x in enumerate(values) if x is None] for name, values in held.items() if name in every}
    if policy.missing == "error" and any(gone.values()):
        gaps = {name: (len(at), at[:3]) for name, at in gone.items()}
        raise SourceError(f"{file}: {missing_labels(gaps, policy, 'row')}")
    if how["labels"] is None and how["disagreement"] in ("nominal", "ordinal"):
        _refuse_measurements(file, held, every)
    found = [agreement({name: held[name] for name in (*names, *told)}, missing=missing, **how) for names in groups]
    show(report(found[0], **({"versus": found[1]} if versus else {})), form, output)


def _refuse_measurements(file: str, held: dict[str, Any], raters: list[str]) -> None:
    """Refuse ratings with fractions where each would be the name of a class."""
    from informed.errors import SourceError
    from informed.evidence.labels import text
    from informed.systems.rated import with_fraction

    broken = with_fraction(x for name in raters for x in held[name] if x is not None)
    if broken is not None:
        raise SourceError(
            f"{file}: the ratings are numbers with fractions, such as {text(broken)}, and would be taken for names of "
            "classes. For measurements, give --icc or --disagreement interval; names of classes stand in --labels."
        )


def _refuse_beside_icc(given: dict[str, Any], missing: str) -> None:
    """Refuse options that an intraclass correlation has no use for."""
    from informed.errors import SourceError

    plain = {"disagreement": "nominal", "method": "arc"}
    beside = [name for name, value in given.items() if name not in ("level", "terms") and value != plain.get(name)]
    if beside:
        raise SourceError(f"--icc takes ratings as numbers, and --{beside[0]} has no effect beside it: leave one out.")
    if missing == "abstain":
        raise SourceError("--icc takes items that every rater rated: --missing drop leaves the others out.")
