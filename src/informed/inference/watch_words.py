"""What a watch says: a sentence, and what a careful reader should know."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

import numpy as np

from informed._arrays import Array
from informed._numbers import percent, plural, rate, signed
from informed.evidence.labels import text
from informed.inference.asymptotic_sequence import ENOUGH
from informed.inference.watch_looks import Look
from informed.inference.watch_settings import EXACT, Settings
from informed.measures import find
from informed.results import Note, warning

DOUBTED = 20.0  # evidence against the declared prevalences that is told


def sentence(s: Settings, look: Look, held_back: int) -> str:
    """Where the bettor stands, and between which limits the measure lies."""
    if not look.n:
        waits = f" {plural(held_back, 'item')} wait for those scheduled before." if held_back else ""
        return f"Nothing was counted yet: the bettor has the 1 that he started with.{waits}"
    said = [_money(s, look)] if s.tested else []
    said.append(_limits(s, look, held_back))
    return " ".join(said)


def _money(s: Settings, look: Look) -> str:
    now, best = (look.above, look.best_above) if s.alternative != "less" else (look.below, look.best_below)
    start = f"After {plural(look.n, 'item')} the bettor who started with 1 has"
    if _no_sign(now, best, s.level):
        if not _no_sign(*_other_side(s, look), s.level):
            return _against(s, look, f"{start} {amount(now)} left")
        none = "no sign of a difference so far" if s.paired else "no sign of knowledge so far"
        if s.against != 0 or s.alternative == "less":
            none = f"no sign so far that {name_of(s)} is {_beyond(s)} {s.against:g}"
        return f"{start} {amount(now)} left: {none}." if now < 0 else f"{start} {amount(now)}: {none}."
    had = "" if best <= now + 1e-9 else f", and has had {amount(best)}"
    runs = "no run" if math.isinf(best) else f"at most 1 of {amount(best)} runs"
    return f"{start} {amount(now)}{had}. {_were(s)}, he would get that far in {runs}, however often you look."


def _no_sign(now: float, best: float, level: float) -> bool:
    return best < math.log(2) or (now < 0 and best < math.log(1 / (1 - level)))


def _other_side(s: Settings, look: Look) -> tuple[float, float]:
    """What the bettor of the other side has, and the most that he has had."""
    return (look.below, look.best_below) if s.alternative != "less" else (look.above, look.best_above)


def _against(s: Settings, look: Look, start: str) -> str:
    """The other bettor is the one who wins."""
    now, best = _other_side(s, look)
    above = s.alternative == "less"
    had = "" if best <= now + 1e-9 else f", and has had {amount(best)}"
    claim = f"that {name_of(s)} is {'above' if above else 'below'} {s.against:g}"
    were = f"Were {name_of(s)} no {'more' if above else 'less'} than {s.against:g}"
    if s.paired and not s.against:
        claim = f"that the first system is {'better' if above else 'worse'} than the second"
        were = f"Were the first system no {'better' if above else 'worse'} than the second"
    runs = "no run" if math.isinf(best) else f"at most 1 of {amount(best)} runs"
    whose = f"{start}, and who bets {claim} has {amount(now)}{had}."
    return f"{whose} {were}, he would get that far in {runs}, however often you look."


def _were(s: Settings) -> str:
    if s.alternative == "less":
        return f"Were {name_of(s)} no less than {s.against:g}"
    if s.against:
        return f"Were {name_of(s)} no more than {s.against:g}"
    if s.paired:
        return "Were the first system no better than the second"
    return "Had the system only guessed" if find(s.measure).facts.chance == 0 else f"Were {name_of(s)} 0"


def _beyond(s: Settings) -> str:
    return "below" if s.alternative == "less" else "above"


def words_of(measure: str) -> str:
    """A measure as a watch calls it."""
    return measure.removesuffix("_of_all").replace("_", " ")


def name_of(s: Settings) -> str:
    """What is watched."""
    measure = words_of(s.measure)
    return f"the difference in {measure}" if s.paired else measure


def _limits(s: Settings, look: Look, held_back: int) -> str:
    name, number = name_of(s), signed if s.paired else rate
    name = name[0].upper() + name[1:]
    waits = f" {plural(held_back, 'item')} wait for those scheduled before." if held_back else ""
    if look.low > look.high:
        return f"{name}: the limits of different looks contradict each other.{waits}"
    if math.isnan(look.estimate) or not math.isfinite(look.low):
        return f"{name} is not known yet.{waits}"
    how = "valid at every look" if s.bets else "approximately valid at every look"
    start = "" if s.tested else f"After {plural(look.n, 'item')}: "
    limits = f"{number(look.low)} to {number(look.high)}"
    if s.alternative != "two-sided":
        greater = s.alternative == "greater"
        limits = f"{number(look.low)} or more" if greater else f"{number(look.high)} or less"
    return f"{start}{name if not start else name[0].lower() + name[1:]} {limits}, {how}.{waits}"


def amount(log: float) -> str:
    """Money, from its logarithm.

    >>> import math
    >>> [amount(math.log(x)) for x in (0.14, 1, 3.2, 37.4, 5e6, 9.7e9, 2e-7)]
    ['0.14', '1', '3.2', '37', '5e6', '1e10', '2e-7']
    """
    if math.isinf(log):
        return "all there is" if log > 0 else "0"
    if log < math.log(10):
        return f"{math.exp(log):.2g}" if log > math.log(1e-3) else _power(log)
    return f"{math.exp(log):,.0f}" if log < math.log(1e6) else _power(log)


def _power(log: float) -> str:
    exponent = math.floor(log / math.log(10) + 1e-9)
    first = round(math.exp(log - exponent * math.log(10)))
    return f"1e{exponent + 1}" if first == 10 else f"{first}e{exponent}"


# ---------------------------------------------------------------------- notes


def notes(s: Settings, look: Look, labels: Sequence[Hashable], classes: Array, least: float) -> tuple[Note, ...]:
    """What the limits are of, and what is wrong with the stream. `classes` are the items of each real class."""
    found = [_of_what(s)]
    if look.low > look.high:
        found.append(
            warning(
                "The stream contradicts itself: it changed on the way, or this is the 1 in "
                f"{1 / (1 - s.level):.3g} in which the limits miss.",
                "contradiction",
            )
        )
    found += [_approximate(least)] if not s.bets else []
    if not s.barred:
        said = f"No threshold is tested, since {name_of(s)} has no chance level that is known here"
        found.append(Note(f"{said}: give one as `against=` (`--against 0.5`).", code="no-threshold"))
    missing = [text(label) for label, n in zip(labels, classes.tolist(), strict=True) if not n]
    if look.n and (missing or len(labels) < 2) and math.isnan(look.estimate):
        told = f"No item of {', '.join(missing)} came yet" if missing else "Items of one class only came yet"
        found.append(Note(f"{told}, so that {name_of(s)} has no estimate.", code="one-class"))
    doubt = other_shares(s, classes)
    if doubt is not None:
        found.append(doubt)
    return tuple(found)


def unanswered(s: Settings, silent: float) -> Note:
    """What missing answers count as, of so many."""
    how = "take no part" if not find(s.measure).facts.abstentions else "count as it says"
    if s.measure in EXACT:
        how = "are no bets, which neither win nor lose"
    elif s.bets:
        how = "count as not right"
    return Note(f"{silent:,.4g} missing answers {how}.", code="no-answer")


def _of_what(s: Settings) -> Note:
    if s.size is not None:
        return Note(f"The limits are of these {s.size:,} items and no others, drawn in random order.", code="benchmark")
    return Note(
        "The limits are of the population that the items are drawn from, in an order that the answers have no say in.",
        code="population",
    )


def _approximate(least: float) -> Note:
    if least < ENOUGH:
        return warning(
            f"Nothing is shown before every class and every label has {ENOUGH} cases; the rarest has {least:.3g}.",
            "too-few",
        )
    return Note("The limits are approximate: they need many cases to hold.", code="approximate")


def other_shares(s: Settings, classes: Array) -> Note | None:
    """A warning once the stream contradicts the prevalences that were declared."""
    if s.prevalence is None or len(classes) != len(s.prevalence):
        return None
    if log_evidence(classes, np.asarray(s.prevalence)) < math.log(DOUBTED):
        return None
    total = float(classes.sum())
    assert s.labels is not None
    at = int(np.argmax(np.abs(classes / total - s.prevalence)))
    share, wanted = percent(classes[at] / total), percent(s.prevalence[at])
    seen = f"{share} of the items are {text(s.labels[at])}, and {wanted} was declared"
    two = len(classes) == 2
    what = "the bets are slower than they could be" if two else "what is watched is as at the declared ones"
    return warning(f"The stream has other prevalences than declared: {seen}; {what}.", "prevalence")


def log_evidence(classes: Array, shares: Array) -> float:
    """The logarithm of what a bettor on other shares of the classes has made: Dirichlet-multinomial at ½.

    >>> round(log_evidence(np.array([3.0, 1.0]), np.array([0.5, 0.5])), 4)
    -0.47
    """
    from scipy.special import gammaln

    k, n = len(classes), classes.sum()
    found = gammaln(k / 2) - gammaln(n + k / 2) + (gammaln(classes + 0.5) - gammaln(0.5)).sum()
    return float(found - (classes * np.log(shares)).sum())
