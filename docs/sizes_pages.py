"""What is written from the study of sizes (make_sizes.py): sizes.json, and figures of two pages.

Whatever stands between two marks on docs/tests.md, the row of docs/methods.md that begins with
"Could this be guessing?", what it says of Fisher, and statements of calibration wherever an example prints one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from unit_coverage import GUESSED

from error_rates import LEVELS, SIDES, WEIGHTED  # make_sizes.py says where
from informed.inference import calibration
from informed.inference.tests import METHODS

DOCS = Path(__file__).resolve().parent
LEVEL_NAMES = ("5 %", "1 %", ".1 %", ".01 %")
Data = dict[str, Any]


def of(found: Data, family: str) -> dict[str, Any]:
    """Parts of one family, by the rest of their names."""
    return {name.removeprefix(f"{family}-"): value for name, value in found.items() if name.startswith(f"{family}-")}


def row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def head(*cells: str) -> str:
    return f"{row(*cells)}\n{row(*['---'] * len(cells))}"


def shown(values: list[float]) -> list[str]:
    return [f"{x:.2f}" if x < 10 else f"{x:.0f}" for x in values]


def percent(rates: list[float]) -> str:
    """Mean and range."""
    return f"{100 * sum(rates) / len(rates):.1f} | {100 * min(rates):.1f} to {100 * max(rates):.1f}"


def in_order(methods: Iterable[str]) -> list[str]:
    """As the library lists them."""
    return sorted(methods, key=list(METHODS).index)


def over_worlds(rates: list[list[float]]) -> dict[str, list[float]]:
    """Most, mean and least of worlds, as multiples of the levels."""
    by_level = np.array(rates) / LEVELS
    found = {"most": by_level.max(axis=0), "mean": by_level.mean(axis=0), "least": by_level.min(axis=0)}
    return {name: [float(f"{x:.3g}") for x in values] for name, values in found.items()}


# ------------------------------------------------------------------ sizes.json


def stated(found: Data) -> Data:
    """What statements of calibration are made of."""
    slow = {method: {side: {"20": at} for side, at in sides.items()} for each in of(found, "slow").values()
            for method, sides in each.items()}  # fmt: skip
    worlds = {method: [five(found, "five-two", method)] for method in found["five-two-32"]}
    for method in found["five-more-3"]:
        worlds[method].append(five(found, "five-more", method))
    return {
        "two": by_method(found, "two"),
        "slow": slow,
        "several": by_method(found, "several"),
        "worlds": worlds,
        "weighted": by_classes(
            zip((len(rates[0]) + 1 for _, rates, _ in WEIGHTED), listed(found, "weighted"), strict=True)
        ),
        "units": by_classes(
            (len(shares), {"permutation-units": part})
            for (_, shares, _), part in zip(GUESSED.values(), listed(found, "units"), strict=True)
        ),
    }


def listed(found: Data, family: str) -> list[Data]:
    """Parts of a family by their numbers."""
    return [part for _, part in sorted(of(found, family).items(), key=lambda each: int(each[0]))]


def by_classes(parts: Iterable[tuple[int, Data]]) -> Data:
    """Most, mean and least over worlds, by method, side and number of classes."""
    held: Data = {}
    for k, methods in parts:
        for method, sides in methods.items():
            for side, rates in sides.items():
                held.setdefault(method, {}).setdefault(side, {}).setdefault(str(k), []).append(rates)
    return {
        method: {side: {k: over_worlds(each) for k, each in of_side.items()} for side, of_side in sides.items()}
        for method, sides in held.items()
    }


def by_method(found: Data, family: str) -> Data:
    """Figures of a family's parts by method, side and part."""
    turned: Data = {}
    for name, methods in of(found, family).items():
        for method, sides in methods.items():
            for side, at in sides.items():
                turned.setdefault(method, {}).setdefault(side, {})[name] = at
    return turned


def five(found: Data, family: str, method: str) -> list[float]:
    """Percent rejected at 5 %: mean, least and most of all worlds."""
    rates = [x for part in of(found, family).values() for x in part[method]["sizes"]]
    return [round(100 * x, 2) for x in (sum(rates) / len(rates), min(rates), max(rates))]


# ------------------------------------------------------------------ docs/tests.md


BEGIN, END = "<!-- measured by make study: begin -->", "<!-- measured by make study: end -->"


def at_five_two(found: Data) -> Iterator[str]:
    yield head("method", "rejects a true null, %", "range", "power: 32 cases", "64, a 20 % class", "64")
    for method in in_order(found["five-two-32"]):
        every = of(found, "five-two").values()
        powers = [f"{100 * x:.1f}" for part in every for x in part[method]["powers"]]
        yield row(f"`{method}`", percent([x for part in every for x in part[method]["sizes"]]), *powers)


def at_five_more(found: Data) -> Iterator[str]:
    classes = of(found, "five-more")
    powers = [f"power: {k} classes" if k == "3" else k for k in classes]
    yield head("method", "rejects a true null, %", "range", *powers, "informedness 0, but dependent")
    for method in in_order(found["five-more-3"]):
        every = classes.values()
        shares = [x for part in every for x in part[method]["powers"]] + classes["5"][method]["dependent"]
        sizes = percent([x for part in every for x in part[method]["sizes"]])
        yield row(f"`{method}`", sizes, *(f"{100 * x:.1f}" for x in shares))


def of_two(found: Data) -> Iterator[str]:
    yield head("cases", "side", "method", *LEVEL_NAMES, "given the margins")
    rows = {n: dict(part) for n, part in of(found, "two").items()}
    for part in of(found, "slow").values():
        rows["20"] |= part
    drawn = list(of(found, "beyond").values())
    rows["10000"] = {
        method: {side: over_worlds([world[method][side] for world in drawn]) for side in sides}
        for method, sides in drawn[0].items()
    }
    for n in sorted(rows, key=int):
        for side in SIDES:
            for method in in_order(m for m in rows[n] if side in rows[n][m]):
                at = rows[n][method][side]
                both = zip(shown(at["most"]), shown(at["mean"]), strict=True)
                given = " ".join(shown(at["given"])) if "given" in at else "–"
                yield row(n, side, f"`{method}`", *(f"{a} ({b})" for a, b in both), given)


def of_more(found: Data) -> Iterator[str]:
    yield head("classes", "side", "method", *LEVEL_NAMES)
    rates = by_method(found, "several")
    for k in sorted(rates["permutation-midp"]["two-sided"], key=int):
        for side in SIDES:
            for method in in_order(m for m in rates if side in rates[m]):
                at = rates[method][side][k]
                both = zip(shown(at["most"]), shown(at["mean"]), strict=True)
                yield row(k, side, f"`{method}`", *(f"{a} ({b})" for a, b in both))


def of_weights(found: Data) -> Iterator[str]:
    yield head("weights, cases, real and guessed shares", "side", "method", *LEVEL_NAMES[:3])
    for (n, rates, even), part in zip(WEIGHTED, listed(found, "weighted"), strict=True):
        shares = " and ".join(", ".join(f"{x:g}" for x in each) for each in rates)
        name = f"{'uniform .2 to 1.8' if even else 'exponential'}, {n}, {shares}"
        for side in SIDES:
            for method, sides in part.items():
                yield row(name, side, f"`{method}`", *multiples(sides[side])[:3])


def of_units(found: Data) -> Iterator[str]:
    yield head("data", *(f"{side}, {level}" for side in SIDES for level in LEVEL_NAMES[:3]))
    for name, part in zip(GUESSED, listed(found, "units"), strict=True):
        yield row(name, *(x for side in SIDES for x in multiples(part[side])[:3]))


def multiples(rates: list[float]) -> list[str]:
    """Rates as multiples of the levels."""
    return shown([x / level for x, level in zip(rates, LEVELS, strict=True)])


def given_margins(found: Data) -> str:
    """The worst given the margins of more classes, in a sentence."""
    parts = of(found, "given").values()

    def of_kind(how: str, levels: int) -> tuple[int, str]:
        most = [max(x) for x in zip(*(part[how]["most"] for part in parts), strict=True)][:levels]
        return sum(part[how]["pairs"] for part in parts), ", ".join(shown(most))

    (listed, exact), (drawn, simulated) = of_kind("listed", 4), of_kind("drawn", 3)
    return (
        f"Given the margins of {' and '.join(of(found, 'given'))} classes, two-sided: at most {exact} times the four "
        f"levels for {listed} pairs of margins whose tables were all listed, and {simulated} times the first three for "
        f"{drawn} whose tables were drawn, {fewest(found, 'given'):,} each."
    )


def fewest(found: Data, family: str) -> int:
    """Tables drawn in a world of this family."""
    return int(min(of(found["draws"], family).values()))


def errors(draws: int) -> str:
    """Standard errors of a simulated multiple of each level, where it is 1."""
    return ", ".join(f"{((1 - level) / level / draws) ** 0.5:.1g}" for level in LEVELS)


def measured_part(found: Data) -> str:
    """What stands on docs/tests.md between the marks."""
    drawn = {family: fewest(found, family) for family in ("five-more", "several", "beyond", "weighted", "units")}
    paragraphs = [
        "At a nominal 5 %. Two classes: exact, from every possible table, over "
        f"{sum(len(part['pearson']['sizes']) for part in of(found, 'five-two').values())} worlds of guessing with "
        "32, 64 and 128 cases in which each margin expects at least 5. Power is that of a system with informedness "
        ".3 that guesses with the prevalence; all in percent. Here and below a p-value rejects at a level that it "
        "is below or equals.",
        "\n".join(at_five_two(found)),
        f"More classes: {drawn['five-more']:,} tables drawn in each of "
        f"{sum(len(part['pearson']['sizes']) for part in of(found, 'five-more').values())} worlds of guessing (3, 5, "
        "10 classes; 4, 8, 32 cases a class; even and 10:1 margins; guesses that match them or do not). Power is that "
        "of informedness .2 with 8 cases a class and even margins. In the last column the truth is informedness 0 "
        "with a system that depends on reality all the same (5 classes, 160 cases): a test of informedness should "
        "say 5.",
        "\n".join(at_five_more(found)),
        "`make study` measures all figures of this part and the next, and the project's tests some of them again.",
        "## The size of the tests in the whole tail",
        "How often a true null is rejected, as a multiple of the nominal level: 1 is right, more is too often. Two "
        f"classes, exact over all tables: the worst (and the mean) of {len(of(found, 'beyond'))} worlds of guessing, "
        "with prevalence and guess rate from .01 to .5. The last column is the worst given the margins, at the four "
        "levels: a mid-P can reach 2 there, because a single table can be half rejected. "
        "`barnard` and `boschloo` search over a rate, table by table, and are measured with 20 cases only; methods "
        f"that list all tables not with 1000. 10,000 cases are too many to enumerate: {drawn['beyond']:,} tables were "
        f"drawn in each world (standard errors {errors(drawn['beyond'])}).",
        "\n".join(of_two(found)),
        f"More classes, informedness: the worst (and the mean) of eight worlds of guessing, {drawn['several']:,} "
        "tables drawn in each (even margins with 4 and 16 cases a class; a class of .9 on both sides with 120 and 1000 "
        "cases, or of .98; a real class of .9 guessed evenly; classes of .8 that are not the same; one class of .02). "
        f"Standard errors of one world are at least {errors(drawn['several'])}, so that the worst of eight lies above "
        "the truth. Fisher's test of more classes takes too long for so many tables.",
        "\n".join(of_more(found)),
        given_margins(found),
        f"Weighted cases at their effective number, {drawn['weighted']:,} tables each (the last class has the "
        "rest of the shares):",
        "\n".join(of_weights(found)),
        f"Cases in units, `permutation-units`, {drawn['units']:,} tables each; answers are correlated .3 within "
        "documents, and reality .3 or wholly:",
        "\n".join(of_units(found)),
    ]
    return "\n\n".join(paragraphs)


def tests_page(text: str, found: Data) -> str:
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n\n{measured_part(found)}\n\n{END}{rest.split(END)[1]}"


# ------------------------------------------------------------------ docs/methods.md


def methods_page(text: str, found: Data) -> str:
    """The page with its row on guessing, and what it says of Fisher's test."""
    data = stated(found)

    def at_five(method: str, which: int) -> str:
        return "{1:.1f} to {2:.1f} %".format(*data["worlds"][method][which])

    def powers(method: str) -> str:
        shares = [part[method]["powers"][0] for part in of(found, "five-more").values()]
        return f"{100 * min(shares):.0f} to {100 * max(shares):.0f} %"

    worst = max(at["most"][2] for at in data["two"]["permutation-z"]["two-sided"].values())
    line = row(
        "Could this be guessing?",
        "all shufflings, ties counting half (`permutation-midp`)",
        f"rejects a true null at a nominal 5 % {at_five('permutation-midp', 0)} of the time with two classes, "
        f"{at_five('permutation-midp', 1)} with three to ten, and is "
        "[right in the whole tail](tests.md#the-size-of-the-tests-in-the-whole-tail)",
        f"a normal tail, which rejects at .1 % up to {worst:.0f} times too often where a label is rare; Pearson's χ², "
        f"whose power with three to ten classes is {powers('pearson')} where that of the default is "
        f"{powers('permutation-midp')}; the papers' K family, which rejects {data['worlds']['kb'][0][0]:.1f} %",
    )
    text = re.sub(r"^\| Could this be guessing\? \|.*$", lambda _: line, text, flags=re.MULTILINE)
    return re.sub(r"Fisher rejects \S+ %", f"Fisher rejects {data['worlds']['fisher'][0][0]:.1f} %", text)


# ------------------------------------------------------------------ statements


def statements(data: Data) -> dict[tuple[str, int, str], str]:
    """What each test says of itself, by method, classes and side."""
    return {
        (method, k, side): calibration.calibration_of(method, k, side, data)
        for method in METHODS
        for k in (2, 3)
        for side in SIDES
    }


def restated(text: str, before: Data, after: Data) -> str:
    """A page whose examples print statements of calibration, with the new ones for the old."""
    new = statements(after)
    for key, old in sorted(statements(before).items(), key=lambda each: -len(each[1])):
        if old:
            text = text.replace(old, new[key])
    return text


def write(found: Data, file: Path) -> None:
    """The file of stated sizes, and all that is made of it."""
    before = json.loads(file.read_text("utf-8"))
    after = stated(found)
    for name, page in {"tests": tests_page, "methods": methods_page}.items():
        path = DOCS / f"{name}.md"
        path.write_text(restated(page(path.read_text("utf-8"), found), before, after), "utf-8")
    file.write_text(json.dumps(after, indent=1, sort_keys=True, ensure_ascii=False) + "\n", "utf-8")
