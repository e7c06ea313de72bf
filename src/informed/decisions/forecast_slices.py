"""Probabilities in slices: what systems gain in each part of the cases, and how the parts differ."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from informed._arrays import Array
from informed._numbers import plural
from informed.decisions.class_forecast import judged
from informed.decisions.probability_cases import Cases
from informed.decisions.probability_input import groups_of
from informed.decisions.probability_notes import FEW
from informed.decisions.probability_spread import PERFECT
from informed.decisions.skill import WORDS, Skill, skill
from informed.evidence.labels import some
from informed.inference.answers import Interval
from informed.inference.heterogeneity import GroupSpread, Heterogeneity, differing
from informed.results import Note, warning
from informed.systems.sliced import Slices, sliced

PSEUDO = 10.0  # cases of the usual spread that every slice is helped by


def forecasts_by_slices(held: Mapping[Hashable, Cases], by: Any, measure: str, level: float) -> Slices:
    """The gain of each system in each slice, against the prevalence there, and in all cases."""
    lead = next(iter(held.values()))
    parts = groups_of(by, len(lead.codes), lead.known)

    each = [{name: x.where(own) for name, own in parts.items()} for x in held.values()]
    shown = [judged(part, level=level, n_draws=0) for own in each for part in own.values()]
    alone: list[Interval] = [replace(getattr(x, measure), notes=()) for x in shown]  # what is said names the slice
    gains = [[skill(part, measure) for part in own.values()] for own in each]
    values = np.array([[x.value for x in own] for own in gains])
    size = np.array([[part.total for part in own.values()] for own in each])
    tested, spread = _spreads(lead, list(parts.values()), [list(own.values()) for own in each], gains, measure)

    most = np.inf if measure == "growth" else 1.0
    small = _small(lead, list(parts.values()))
    mean = differing(values, size, spread, level, (-np.inf, most))
    test = differing(np.where(small, np.nan, values), size, tested, level, (-np.inf, most))
    q: dict[str, Any] = {name: getattr(test, name) for name in ("statistic", "df", "pvalue", "inconsistency")}
    names, ruined = (tuple(held), tuple(parts)), np.isneginf(values)
    numbers = (spread.standard_error, size, [skill(x, measure).value for x in held.values()])
    together = _with_ruin(replace(mean, **q), ruined.any(axis=1))
    found = sliced(names, (measure, WORDS[measure]), level, alone, numbers, together)
    return replace(
        found,
        notes=(
            *found.notes,
            *_said(names, ruined, measure),
            *_few([name for name, lost in zip(parts, small, strict=True) if lost]),
        ),
    )


def _spreads(
    lead: Cases, own: list[Any], each: list[list[Cases]], gains: list[list[Skill]], measure: str
) -> tuple[GroupSpread, GroupSpread]:
    """How the gains of the slices of each system vary: on the scale of the test, and as they are.

    Skills are tested by the logarithm of what is lost, which is more even. What a case adds varies in each slice as
    it does there, and in ten more cases as it does in all, so that small slices are not surer than they can be.
    Slices that share units vary together.
    """
    from scipy.sparse import diags_array

    shape = (len(each), len(own))
    ids, nested = _units(lead, own)
    centre, slope, df = np.zeros(shape), np.ones(shape), np.zeros(shape)
    variance, factors = np.zeros(shape), []
    for s, parts in enumerate(each):
        n = np.array([part.size for part in parts])
        if measure != "growth":
            centre[s], slope[s] = _lost(np.array([x.value for x in gains[s]]), n)
        else:
            centre[s] = [x.value for x in gains[s]]
        added = [part.added(x.each) * np.sqrt(part.scale(part.single)) for part, x in zip(parts, gains[s], strict=True)]
        df[s] = [part.freedom(x) for part, x in zip(parts, added, strict=True)]
        alone = np.array([(x**2).sum() for x in added]) / slope[s] ** 2
        variance[s], scale = _steadied(alone, n, np.isfinite(centre[s]))
        factors.append(_factor(ids, added, scale / slope[s]))
    values = np.array([[x.value for x in row] for row in gains])
    told = np.full(len(each), nested)
    shared = () if nested else tuple(factors)
    of_gains = () if nested else tuple(f @ diags_array(x) for f, x in zip(factors, slope, strict=True))
    tested = GroupSpread(centre, variance, df, told, shared)
    return tested, GroupSpread(values, variance * slope**2, df, told, of_gains)


def _lost(values: Array, n: Array) -> tuple[Array, Array]:
    """The logarithm of what is lost in each slice, and its slope; where nothing is, half a case's share of the mean."""
    lost = np.where(np.isfinite(values), 1 - values, np.nan)
    mean = float(np.nanmean(lost)) if np.isfinite(lost).any() else 1.0
    least = np.where(lost > PERFECT, lost, np.where(np.isnan(lost), np.nan, max(mean, PERFECT) / (2 * n)))
    return np.log(least), np.where(np.isnan(least), 1.0, -least)


def _units(lead: Cases, own: list[Any]) -> tuple[list[Any], bool]:
    """The units, or cases, of each slice, and whether none is in two."""
    unit = np.arange(len(lead.codes)) if lead.units is None else lead.units.unit
    ids = [np.unique(unit[part]) for part in own]
    return ids, len(np.unique(np.concatenate(ids))) == sum(map(len, ids))


def _factor(ids: list[Any], added: list[Array], scale: Array) -> Any:
    """What units add to each slice ``(units, slices)``, whose products are the covariances of two slices."""
    from scipy.sparse import csc_array

    ends = np.cumsum([0, *map(len, ids)])
    where = np.concatenate(ids)
    scaled = np.concatenate([x * by for x, by in zip(added, scale, strict=True)])
    return csc_array((scaled, where, ends), shape=(int(where.max()) + 1, len(ids)))


def _steadied(alone: Array, n: Array, known: Any) -> tuple[Array, Array]:
    """Variances as if each slice had ten more cases, or units, that vary as those of all slices, and by how much that
    stretches the slices."""
    usual = float((n**2 * alone)[known].sum() / n[known].sum()) if known.any() else 0.0
    steady = (n * n * alone + PSEUDO * usual) / (n + PSEUDO) / n
    scale = np.where(alone > 0, np.sqrt(steady / np.where(alone > 0, alone, 1.0)), 1.0)
    return np.where(known, steady, 0.0), scale


def _with_ruin(x: Heterogeneity, ruined: Any) -> Heterogeneity:
    """A mean in which some slice is −∞ is −∞, and there is nothing to test."""
    if not ruined.any():
        return x
    lost: dict[str, Any] = {name: np.where(ruined, -np.inf, getattr(x, name)) for name in ("estimate", "low", "high")}
    for name in ("new_estimate", "new_low", "new_high", "predicted_low", "predicted_high", "tau"):
        lost[name] = np.where(ruined, np.nan, getattr(x, name))
    for name in ("statistic", "pvalue", "inconsistency"):
        lost[name] = np.where(ruined, np.nan, getattr(x, name))
    return replace(x, **lost)


def _said(names: tuple[tuple[Hashable, ...], tuple[Hashable, ...]], ruined: Any, measure: str) -> list[Note]:
    systems, parts = names
    notes = []
    for name, where in zip(systems, ruined, strict=True):
        if where.any():
            slices = some([part for part, lost in zip(parts, where, strict=True) if lost])
            said = f"{some([name])} is ruined in {slices}: what it called impossible happened, so that its"
            notes.append(warning(f"{said} {WORDS[measure]} is −∞ there, and stratified.", "ruined"))
    return notes


def _small(lead: Cases, own: list[Any]) -> Any:
    """Slices with few cases beside their commonest class, whose spread is too uneven to be tested."""
    counts = np.array([np.bincount(lead.codes[part], minlength=len(lead.labels)) for part in own])
    return counts.sum(axis=1) - counts.max(axis=1) < FEW


def _few(small: list[Hashable]) -> list[Note]:
    if not small:
        return []
    where = f"{plural(len(small), 'slice')} ({some(small, 6)}) {'has' if len(small) == 1 else 'have'} fewer than {FEW}"
    said = f"{where} cases beside the commonest class: the intervals may not hold, and the test leaves"
    return [warning(f"{said} {'it' if len(small) == 1 else 'them'} out.", "few-a-class")]
