"""informed simulate"""

from __future__ import annotations

from typing import Any

import click

from informed.cli._options import listed, only, output_options


@click.command("simulate")
@click.option("--generator", default="multinomial", show_default=True, help="How tables are drawn, or module:function.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="Of the generator, repeatable.")
@click.option("--k", type=int, default=4, show_default=True, help="Classes.")
@click.option("--n", type=int, default=128, show_default=True, help="Cases in a table.")
@click.option("--levels", default="0:1:0.1", show_default=True, help="Of informedness: a:b:step.")
@click.option("--replicates", type=int, default=1000, show_default=True, help="Tables a level.")
@listed("--measures", help="Measures to judge; your own as module:function.")
@listed("--intervals", help="Interval methods to judge, e.g. arc,powers-1.")
@listed("--tests", help="Test methods to judge.")
@click.option(
    "--level", type=float, default=0.95, show_default=True, help="Of the intervals; tests reject below 1 − level."
)
@click.option("--seed", type=int, default=7, show_default=True, help="Same seed, same tables.")
@click.option("--jobs", type=int, default=1, show_default=True, help="Workers.")
@click.option("--backend", default="threads", show_default=True, help="threads, loky, dask, spark, ray.")
@click.option("--chunk", type=int, help="Tables a level in a chunk; fixes the numbers, as --seed.")
@click.option("--out", type=click.Path(dir_okay=False), help="Rows as Parquet, chunk by chunk.")
@click.option("--resume", is_flag=True, help="Take up a run that was stopped.")
@click.option("--precision", type=float, help="Stop when errors are below this.")
@click.option("--try", "tried", metavar="MODULE:FUNCTION", help="Try out a measure, your own or one by name.")
@output_options()
def command(
    form: str, output: str | None, levels: str, options: tuple[str, ...], tried: str | None, **asked: Any
) -> None:
    """Draw tables whose truth is known, and judge measures, intervals and tests on them.

    \b
    informed simulate --k 4 --n 128 --levels 0:1:0.1 --replicates 2000 --seed 7 --jobs 2
    informed simulate --k 2 --n 40 --levels 0,0.5,0.9 --intervals arc,wald,powers-1
    informed simulate --generator multinomial --option prevalence=long-tailed --option guess=even
    informed simulate --replicates 1000000 --jobs 2 --out run.parquet      (then --resume)
    informed simulate --measures informedness,mymodule:my_measure --generator mymodule:my_generator
    informed simulate --try mymodule:my_measure -o tried.html

    Generators: multinomial, fixed-classes, class-specific, uniform-cells, premarginal,
    perfect-plus-chance, noise-everywhere. The same seed gives the same numbers on every backend;
    dask uses DASK_SCHEDULER_ADDRESS, or workers of its own. A measure of your own is a function of a
    table, a generator one of (level, k, n, rng) that gives counts; a module may lie in this directory.
    --try puts one beside the usual measures: how often it prefers the worse of two systems, what
    guessing scores and gains by it, its bias in samples; it takes --measures (those beside it),
    --replicates and --seed.
    """
    from informed.cli._pages import show
    from informed.simulation import parsed_levels, simulate, tryout
    from informed.simulation.functions import imported
    from informed.sources.request import typed_option

    def own(name: str) -> Any:
        return imported(name) if ":" in name else name

    given = {name: value for name, value in asked.items() if value is not None}
    given["generator"] = own(given["generator"])
    if "measures" in given:
        given["measures"] = [own(name) for name in given["measures"]]

    if tried is not None:
        only(("tried", "measures", "replicates", "seed", "form", "output"), "--try has its own tables; it takes no {}.")
        chosen = {"replicates": given["replicates"]} if _given("replicates") else {}
        beside = {"beside": given["measures"]} if "measures" in given else {}
        show(tryout(own(tried), seed=given["seed"], **chosen, **beside).document(), form, output)
        return

    chosen = dict(typed_option(text, "prevalence=0.3") for text in options)
    found = simulate(levels=parsed_levels(levels), options=chosen, **given)
    show(found.document(), form, output)


def _given(name: str) -> bool:
    """Whether an option was typed, and is not only the default."""
    source = click.get_current_context().get_parameter_source(name)
    return source is not click.core.ParameterSource.DEFAULT
