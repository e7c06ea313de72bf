"""The errata by command: the same as on their page, and the wrong number is the one that is printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from informed import InformedError
from informed.papers.errata import CHECKS, ERRATA, errata

PAGE = Path(__file__).parents[1] / "docs" / "errata.md"


def test_the_page_and_the_command_have_the_same_errata() -> None:
    numbered = [int(n) for n in re.findall(r"^\*\*(\d+)\.", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)]
    assert numbered == list(ERRATA) == list(range(1, 44))
    assert all(len(row) == 3 and all(row) and row[1] != row[2] for row in ERRATA.values())


def test_numbers_as_printed_and_corrected() -> None:
    """Computed from [[56, 20], [12, 12]] by hand, or printed in the paper; the two never agree."""
    found = errata().records()
    held = {n: (a, b) for n, a, b in zip(found["erratum"], found["as_printed"], found["as_corrected"], strict=True)}
    assert {n for n, (a, _) in held.items() if a is not None} == set(CHECKS)
    assert all(abs(held[n][0] - held[n][1]) > 0.005 for n in CHECKS)
    assert held[1] == pytest.approx((20 / 68, 20 / 32))
    assert held[2] == pytest.approx(((12 / 32) / (12 / 68), (12 / 68) / (12 / 32)))
    assert held[3] == pytest.approx((1.44**2 + 0.56**2, 0.72**2 + 0.28**2))
    assert held[5] == pytest.approx((2.25, 4.5), abs=5e-5)
    assert held[6] == pytest.approx((1.61, 1.50), abs=5e-3)  # the first is what the paper prints
    assert held[9] == pytest.approx((56 / 68, 112 / 144))
    assert held[14][1] == pytest.approx(27 / 127)
    assert held[14][0] < 0
    assert held[41] == pytest.approx((0.86, 0.33), abs=5e-3)


def test_some_errata() -> None:
    assert errata(6, 1).records()["erratum"] == (6, 1)
    with pytest.raises(InformedError, match="no erratum 44; they are numbered 1 to 43"):
        errata(44)
