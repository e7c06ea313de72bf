"""`intraclass_correlation`: agreement of raters who measure, by the six coefficients of Shrout and Fleiss (1979).

With k raters of n items, let the mean squares be those of the two-way table without replication: MSB between items,
MSJ between raters, MSE of the residual, and MSW within items (MSJ and MSE together). Limits are those of the F
distribution; those of ICC(2,1) and ICC(2,k) take Satterthwaite's degrees of freedom (McGraw and Wong 1996).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from informed._arrays import Array
from informed._numbers import plural, position, probability, rate, span
from informed.errors import InferenceError, LabelError, one_of
from informed.evidence.calls import explained
from informed.evidence.labels import text
from informed.inference.given import checked_level
from informed.results import Note, Records, Result, picked, plain_dict
from informed.systems.rated import by_rater

FORMS = {  # of Shrout and Fleiss: model, number of ratings, McGraw and Wong's name
    "ICC(1,1)": ("one-way", "single", "ICC(1)"),
    "ICC(2,1)": ("two-way, agreement", "single", "ICC(A,1)"),
    "ICC(3,1)": ("two-way, consistency", "single", "ICC(C,1)"),
    "ICC(1,k)": ("one-way", "average", "ICC(k)"),
    "ICC(2,k)": ("two-way, agreement", "average", "ICC(A,k)"),
    "ICC(3,k)": ("two-way, consistency", "average", "ICC(C,k)"),
}
_ROUNDING = 1e-12  # of the largest mean square: smaller ones are 0


@dataclass(frozen=True, eq=False, repr=False)
class IntraclassCoefficient(Result):
    """One intraclass correlation with its confidence interval, and the F test that it is 0."""

    page = "intraclass"

    name: str
    model: str
    ratings: str  # "single": of one rater; "average": of the mean of all raters
    estimate: float = np.nan
    low: float = np.nan
    high: float = np.nan
    f: float = np.nan
    df1: float = np.nan
    df2: float = np.nan
    pvalue: float = np.nan
    level: float = 0.95
    why: str = ""  # where the coefficient, or its interval, is undefined

    def sentence(self) -> str:
        """The coefficient with its interval and its test, or why it is undefined."""
        if np.isnan(self.estimate):
            return f"{self.name} is undefined: {self.why}"
        if self.why:
            return f"{self.name} {rate(self.estimate)}; its interval is undefined: {self.why}"
        f = f"F({self.df1:g}, {self.df2:g}) = {self.f:.3g}, {probability(self.pvalue)}"
        return f"{self.name} {rate(self.estimate)} {span(self.low, self.high)}, {f}"


@dataclass(frozen=True, eq=False, repr=False)
class IntraclassCorrelation(Result):
    """The six intraclass correlations of raters; ``found["ICC(2,1)"]`` is one of them."""

    page = "intraclass"

    raters: tuple[Hashable, ...]
    items: int
    level: float
    coefficients: dict[str, IntraclassCoefficient]
    mean_squares: dict[str, float]  # "between", "within", "raters", "error"
    notes: tuple[Note, ...] = ()

    def __getitem__(self, name: str) -> IntraclassCoefficient:
        """A coefficient by the name of Shrout and Fleiss, or of McGraw and Wong."""
        names = {theirs: ours for ours, (*_, theirs) in FORMS.items()}
        wanted = names.get(name, name)
        if wanted not in self.coefficients:
            raise InferenceError(f"There is no coefficient {name!r} here; there are {', '.join(self.coefficients)}.")
        return self.coefficients[wanted]

    def records(self) -> Records:
        """One row per coefficient."""
        columns = "coefficient:label model:words ratings:words estimate low high f df1:count df2:count pvalue:p"
        rows = [
            (c.name, c.model, c.ratings, c.estimate, c.low, c.high, c.f, c.df1, c.df2, c.pvalue, c.why)
            for c in self.coefficients.values()
        ]
        return Records.of(f"{columns} why:words", rows)

    def to_dict(self) -> dict[str, Any]:
        """Every coefficient by its name, and the mean squares."""
        held = picked(self, "raters n=items level mean_squares")
        return plain_dict({**held, "coefficients": self.records().by("coefficient"), "notes": self.notes})


@explained
def intraclass_correlation(
    ratings: Any, *, level: float = 0.95, missing: Literal["error", "drop"] = "error"
) -> IntraclassCorrelation:
    """Estimate the agreement of raters who measure, by intraclass correlations.

    Parameters
    ----------
    ratings
        A mapping from each rater's name to their numbers, a data frame with a column for each, or an
        array (items x raters). Items are the sample.
    level
        Confidence level of the intervals.
    missing
        What a missing rating (None, NaN) does: "error", or "drop", which leaves the item out. The
        coefficients are defined for items that every rater rated.

    Returns
    -------
    IntraclassCorrelation
        ICC(1,1), ICC(2,1) and ICC(3,1) of a single rating, and ICC(1,k), ICC(2,k) and ICC(3,k) of the
        mean of the k raters, with confidence intervals and F tests that they are 0.

    Notes
    -----
    ICC(1,·) is for items that are each rated by other raters (one-way random effects). ICC(2,·) asks for
    absolute agreement: a rater who always gives more lowers it. ICC(3,·) asks for consistency only, and is
    the same number whether the raters are fixed or a sample.

    >>> judges = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> found = intraclass_correlation(judges)
    >>> [round(c.estimate, 2) for c in found.coefficients.values()]
    [0.17, 0.29, 0.71, 0.44, 0.62, 0.91]
    """
    checked_level(level)
    one_of("missing", missing, ("error", "drop"), LabelError)
    given = by_rater(ratings)
    if len(given) < 2:
        raise LabelError(f"`ratings` has {plural(len(given), 'rater')}; an intraclass correlation takes two or more.")
    columns = [_numbers(rater, x) for rater, x in given.items()]
    sizes = {len(x) for x in columns}
    if len(sizes) > 1:
        each = ", ".join(f"{text(rater)}: {len(x):,}" for rater, x in zip(given, columns, strict=True))
        raise LabelError(f"The raters must have equally many ratings, and there are {each}.")
    values = np.stack(columns, axis=1)
    lost = np.isnan(values).any(axis=1)
    if lost.any() and missing == "error":
        raise LabelError(
            f"A rating is missing in {int(lost.sum()):,} of {len(values):,} items (the first at "
            f"{position(np.flatnonzero(lost)[0])}), and an intraclass correlation takes items that every rater rated.",
            'give `missing="drop"`, which leaves these items out',
        )
    values = values[~lost]
    if len(values) < 2:
        raise LabelError(
            f"Every rater rated {plural(len(values), 'item')}; an intraclass correlation takes two or more."
        )
    said = f"{plural(int(lost.sum()), 'item')} with a missing rating {'was' if lost.sum() == 1 else 'were'} left out."
    notes = [Note(said, code="left-out")] if lost.any() else []
    squares = _mean_squares(values)
    n, k = values.shape
    found = {c.name: c for c in _coefficients(squares, n, k, level)}
    return IntraclassCorrelation(tuple(given), len(values), level, found, squares, tuple(notes))


def _numbers(rater: Hashable, x: Any) -> Array:
    """Ratings as numbers; NaN where one is missing."""
    held = []
    for value in x.tolist() if hasattr(x, "tolist") else list(x):
        missing = value is None or (isinstance(value, str) and not value.strip())
        try:
            number = np.nan if missing else float(value)
        except (TypeError, ValueError):
            number = np.inf
        if isinstance(value, bool) or np.isinf(number):
            raise LabelError(
                f"Rater {text(rater)} gave {text(value)}; an intraclass correlation takes finite numbers. "
                "Names of classes are for `agreement`."
            )
        held.append(number)
    return np.array(held, dtype=np.float64)


def _mean_squares(values: Array) -> dict[str, float]:
    """The mean squares of items by raters; what is only rounding is 0."""
    n, k = values.shape
    values = values - values.mean()
    items, raters = values.mean(axis=1), values.mean(axis=0)
    between, of_raters = k * float((items**2).sum()), n * float((raters**2).sum())
    error = float(((values - items[:, None] - raters) ** 2).sum())
    least = _ROUNDING * float((values**2).sum())
    between, of_raters, error = (x if x > least else 0.0 for x in (between, of_raters, error))
    return {
        "between": between / (n - 1),
        "within": (of_raters + error) / (n * (k - 1)),
        "raters": of_raters / (k - 1),
        "error": error / ((n - 1) * (k - 1)),
    }


def _coefficients(squares: dict[str, float], n: int, k: int, level: float) -> Iterator[IntraclassCoefficient]:
    from scipy.special import fdtrc

    b, w, j, e = (squares[name] for name in ("between", "within", "raters", "error"))
    values = {
        "ICC(1,1)": (b - w, b + (k - 1) * w),
        "ICC(2,1)": (b - e, b + (k - 1) * e + k * (j - e) / n),
        "ICC(3,1)": (b - e, b + (k - 1) * e),
        "ICC(1,k)": (b - w, b),
        "ICC(2,k)": (b - e, b + (j - e) / n),
        "ICC(3,k)": (b - e, b),
    }
    for name, (above, below) in values.items():
        model, ratings, _ = FORMS[name]
        said: dict[str, Any] = {"name": name, "model": model, "ratings": ratings, "level": level}
        if not b > 0:
            why = "all items have the same mean rating" if max(w, e) > 0 else "all ratings are the same number"
            yield IntraclassCoefficient(**said, why=why)
            continue
        error, df2 = (w, n * (k - 1)) if name.startswith("ICC(1") else (e, (n - 1) * (k - 1))
        said["estimate"] = above / below
        if not error > 0:
            yield IntraclassCoefficient(**said, why="the raters never differ, so that nothing is known of their error")
            continue
        f = b / error
        low, high = _limits(name, squares, n, k, level)
        said |= {"f": f, "df1": n - 1.0, "df2": float(df2), "pvalue": float(fdtrc(n - 1, df2, f))}
        yield IntraclassCoefficient(**said, low=low, high=high)


def _limits(name: str, squares: dict[str, float], n: int, k: int, level: float) -> tuple[float, float]:
    """Confidence limits of a single rating, or of the mean of k by Spearman and Brown's formula."""
    of_one = _agreement_limits if name.startswith("ICC(2") else _ratio_limits
    error = "within" if name.startswith("ICC(1") else "error"
    low, high = of_one(squares, error, n, k, level)
    if FORMS[name][1] == "single":
        return low, high
    return _of_average(low, k), _of_average(high, k)


def _of_average(x: float, k: int) -> float:
    """The correlation of the mean of k ratings, of that of one."""
    return k * x / (1 + (k - 1) * x) if 1 + (k - 1) * x > 0 else -np.inf


def _ratio_limits(squares: dict[str, float], error: str, n: int, k: int, level: float) -> tuple[float, float]:
    """Of a coefficient that is a function of one ratio of mean squares, whose distribution is F."""
    from scipy.stats import f as law

    df2 = n * (k - 1) if error == "within" else (n - 1) * (k - 1)
    ratio, upper = squares["between"] / squares[error], (1 + level) / 2
    low, high = ratio / law.ppf(upper, n - 1, df2), ratio * law.ppf(upper, df2, n - 1)
    return float((low - 1) / (low + k - 1)), float((high - 1) / (high + k - 1))


def _agreement_limits(squares: dict[str, float], _: str, n: int, k: int, level: float) -> tuple[float, float]:
    """Of ICC(2,1), whose error has two parts: Satterthwaite's degrees of freedom."""
    from scipy.stats import f as law

    b, j, e = (squares[name] for name in ("between", "raters", "error"))
    value, of_raters = (b - e) / (b + (k - 1) * e + k * (j - e) / n), j / e
    rest = n * (1 + (k - 1) * value) - k * value
    df = (k - 1) * (n - 1) * (k * value * of_raters + rest) ** 2
    df /= (n - 1) * k**2 * value**2 * of_raters**2 + rest**2
    upper, both = (1 + level) / 2, k * j + (k * n - k - n) * e
    below, above = float(law.ppf(upper, n - 1, df)), float(law.ppf(upper, df, n - 1))
    low = n * (b - below * e) / (below * both + n * b)
    return low, n * (above * b - e) / (both + n * above * b)
