"""Numbers as people read them: never rounded to a false 0 or 1, and aligned."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import SupportsInt

MISSING = "n/a"
MOST_DECIMALS = 7


def rate(x: float | None, digits: int = 3) -> str:
    """A share, a measure: fixed decimals, never rounded to a 0, 1 or −1 that it is not.

    >>> rate(0.5), rate(0.99999), rate(0.00001), rate(-0.00001), rate(1), rate(float("nan"))
    ('0.500', '>0.999', '<0.001', '>-0.001', '1.000', 'n/a')
    """
    if x is None or math.isnan(x):
        return MISSING
    if math.isinf(x):
        return "∞" if x > 0 else "-∞"
    step = 10.0**-digits
    shown = round(x, digits)
    if abs(shown - x) < 1e-12 or shown not in (-1, 0, 1):
        return f"{shown if shown else 0.0:.{digits}f}"
    nearest = shown - step if shown > x else shown + step
    return f"{'>' if shown > x else '<'}{nearest:.{digits}f}"


def position(at: SupportsInt) -> str:
    """The place of a case in the columns that were given, as Python counts.

    >>> position(2)
    'position 2, counted from 0'
    """
    return f"position {int(at)}, counted from 0"


def decimals(values: Iterable[float], digits: int = 3) -> int:
    """How many decimals a column of shares needs so that most of it has two digits to be told apart by.

    >>> decimals([0.5, 0.1]), decimals([0.0004, 0.0003, 0.0002]), decimals([0.0])
    (3, 5, 3)
    """
    sizes = sorted(abs(x) for x in values if x and math.isfinite(x))
    if not sizes:
        return digits
    usual = sizes[len(sizes) // 2]
    return min(max(digits, 1 - math.floor(math.log10(usual))), MOST_DECIMALS)


def signed(x: float, digits: int = 3) -> str:
    """A difference: with its sign."""
    shown = rate(x, digits)
    return shown if x != x or x <= 0 or shown[0] in "<>" else f"+{shown}"


def pvalue(p: float | None, digits: int = 3) -> str:
    """A p-value, with its own relation: "= 0.031", "< 0.001".

    >>> pvalue(0.031), pvalue(1e-9), pvalue(0.99999)
    ('= 0.031', '< 0.001', '> 0.999')
    """
    shown = rate(p, max(digits, 3))
    if shown == "0.000":  # an underflow: no p-value is 0
        shown = f"<{10.0 ** -max(digits, 3):.{max(digits, 3)}f}"
    return f"{shown[0]} {shown[1:]}" if shown[0] in "<>" else f"= {shown}"


def bare_pvalue(p: float | None, digits: int = 3) -> str:
    """A p-value in a column."""
    return pvalue(p, digits).replace("= ", "").replace(" ", "")


def pvalue_text(p: float) -> str:
    """A p-value with two digits, and a bound for the very small."""
    if math.isnan(p):
        return "undefined"
    return "< 1e-12" if p < 1e-12 else f"{p:.2g}"


def probability(p: float) -> str:
    """A p-value in a sentence: "p = 0.031", "p < 1e-12"."""
    said = pvalue_text(p)
    return f"p {said}" if said.startswith("<") else f"p = {said}"


def span(low: float, high: float, digits: int = 3) -> str:
    """An interval in a column."""
    if low != low or high != high:
        return ""
    return f"[{rate(low, digits)}, {rate(high, digits)}]"


def digits_beside(low: float, high: float, value: float, digits: int = 3, most: int = 12) -> int:
    """Decimals with which neither limit is rounded to the other side of a value, or onto it.

    >>> digits_beside(0.1, 0.4, 0.2), digits_beside(0.19998, 0.4, 0.2), digits_beside(0.2, 0.4, 0.2)
    (3, 5, 3)
    """

    def sides(*limits: float) -> list[int]:
        return [(x > value) - (x < value) for x in limits]

    wanted = sides(low, high)
    while digits < most and sides(round(low, digits), round(high, digits)) != wanted:
        digits += 1
    return digits


def percent(x: float, digits: int = 0) -> str:
    """A share in words: "87 %", and "99.6 %" rather than a false "100 %".

    >>> percent(0.873), percent(0.996), percent(0.0004), percent(-0.2), percent(1.0)
    ('87 %', '99.6 %', '0.04 %', '-20 %', '100 %')
    """
    return f"{_hundredths(x, digits)} %"


def percents(low: float, high: float, digits: int = 0) -> str:
    """An interval in words: "82–91 %", and "-3 to 12 %" where a sign would be misread."""
    a, b = _hundredths(low, digits), _hundredths(high, digits)
    return f"{a} to {b} %" if low < 0 or high < 0 else f"{a}–{b} %"


def _hundredths(x: float, digits: int) -> str:
    if math.isnan(x):
        return MISSING
    for more in range(digits, digits + 4):
        shown = round(100 * x, more)
        if shown == 100 * x or shown not in (-100, 0, 100):
            break
    else:
        return {100: ">99.99", 0: "<0.01" if x > 0 else ">-0.01", -100: "<-99.99"}[round(shown)]
    return f"{shown if shown else 0:.{more if shown != round(shown) else 0}f}"


def unbroken(said: str) -> str:
    """Words for formats that break lines themselves: no number is parted from its percent sign, nor p from its value.

    >>> unbroken("84 % of the time (p < 0.001)").count("\N{NO-BREAK SPACE}")
    3
    """
    return _HELD_TOGETHER.sub("\N{NO-BREAK SPACE}", said)


_HELD_TOGETHER = re.compile(r"(?<=\d) (?=%)|(?<=\bp) (?=[=<>] \d)|(?<=\bp [=<>]) (?=\d)")


def count(x: float) -> str:
    """A number of cases: whole where it is whole but for rounding.

    >>> count(3000), count(1215.25), count(12.5), count(float("nan"))
    ('3,000', '1,215.2', '12.50', 'n/a')
    """
    if math.isnan(x):
        return MISSING
    if abs(x - round(x)) <= 1e-9 * max(1.0, abs(x)) and abs(x) < 1e15:
        return f"{round(x):,}"
    return f"{x:,.1f}" if abs(x) >= 100 else f"{x:.2f}"


def plural(n: float, word: str, many: str | None = None) -> str:
    """A number of things.

    >>> plural(1, "case"), plural(2, "class", "classes")
    ('1 case', '2 classes')
    """
    return f"{count(n)} {word if n == 1 else many or of_many(word)}"


def of_many(word: str) -> str:
    """The word for several: what units are called is the name of any column.

    >>> [of_many(x) for x in ("patient", "study", "day", "batch", "пациент")]
    ['patients', 'studies', 'days', 'batches', 'пациент']
    """
    if not word[-1:].isascii() or not word[-1:].isalpha():
        return word
    if word.endswith("y") and word[-2:-1] not in tuple("aeiou"):
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "z", "ch", "sh")) else f"{word}s"
