"""How often each test really rejects a true null at a nominal 5 %.

Measured by benchmarks/significance.py: for two classes exactly, over every table of 17 worlds of
guessing (32, 64 and 128 cases, each margin expecting 5 or more); for more classes by simulation
of 36 worlds (3, 5 and 10 classes, 4, 8 and 32 cases a class, even and 10:1 margins, guesses that
match them or do not), 4000 tables each. The tests of the project measure them again.
"""

from __future__ import annotations

Rates = tuple[float, float, float]

# percent of true nulls rejected: mean, least and most over the worlds of two classes, and of more
RATES: dict[str, tuple[Rates, Rates | None]] = {
    "permutation-midp": ((4.41, 3.18, 4.94), (4.64, 3.72, 5.27)),
    "permutation-z": ((4.68, 3.92, 5.37), (4.66, 3.40, 5.25)),
    "pearson": ((4.83, 4.02, 5.65), (5.34, 3.18, 8.75)),
    "pearson-n1": ((4.68, 3.92, 5.37), (4.63, 1.95, 7.10)),
    "yates": ((1.93, 1.11, 3.16), (0.18, 0.00, 1.55)),
    "g": ((5.69, 2.22, 7.27), (6.10, 0.00, 17.45)),
    "g-williams": ((4.75, 0.60, 5.96), (1.78, 0.00, 8.55)),
    "fisher": ((2.86, 1.81, 4.04), None),
    "fisher-midp": ((3.53, 1.63, 4.61), None),
    "fisher-midp-minlike": ((4.44, 3.18, 4.95), None),
    "plus-p": ((2.09, 0.22, 5.36), None),
    "minus-p": ((0.21, 0.00, 0.63), None),
    "plus-r": ((2.09, 0.22, 5.36), None),
    "minus-r": ((0.21, 0.00, 0.63), None),
    "g-plus-p": ((2.54, 0.62, 6.57), None),
    "kb": ((0.21, 0.00, 0.56), (0.00, 0.00, 0.03)),
    "km": ((0.21, 0.00, 0.56), (0.00, 0.00, 0.03)),
    "kbm": ((0.16, 0.00, 0.57), (0.00, 0.00, 0.03)),
    "xb": ((0.21, 0.00, 0.56), (0.00, 0.00, 0.05)),
    "xm": ((0.21, 0.00, 0.56), (0.01, 0.00, 0.08)),
    "xbm": ((0.16, 0.00, 0.57), (0.00, 0.00, 0.05)),
    "b": ((9.51, 0.00, 42.57), (0.25, 0.00, 3.67)),
    "m": ((9.51, 0.00, 42.57), (0.44, 0.00, 3.65)),
    "bm": ((4.83, 4.02, 5.65), (0.15, 0.00, 1.55)),
    "b-corrected": ((9.51, 0.00, 42.57), (5.65, 0.65, 14.47)),
    "m-corrected": ((9.51, 0.00, 42.57), (7.11, 0.65, 16.43)),
    "bm-corrected": ((4.83, 4.02, 5.65), (5.86, 0.35, 13.90)),
    "kb-det": ((0.21, 0.00, 0.56), (0.00, 0.00, 0.00)),
    "km-det": ((0.21, 0.00, 0.56), (0.00, 0.00, 0.00)),
    "kbm-det": ((0.16, 0.00, 0.57), (0.00, 0.00, 0.00)),
}


def calibration_of(method: str, classes: int) -> str:
    """The measured error rate of a test, in words; nothing where it was not measured.

    >>> calibration_of("kb", 2)
    'rejects a true null 0.2 % of the time at a nominal 5 % (0.0 to 0.6 % over worlds of 2 classes)'
    """
    of_two, of_more = RATES.get(method, (None, None))
    rates, worlds = (of_two, "2 classes") if classes == 2 else (of_more, "3 to 10 classes")
    if rates is None:
        return ""
    mean, least, most = rates
    return (
        f"rejects a true null {mean:.1f} % of the time at a nominal 5 % "
        f"({least:.1f} to {most:.1f} % over worlds of {worlds})"
    )
