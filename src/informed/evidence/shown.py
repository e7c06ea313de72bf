"""A label as a reader may see it: on one line, cut where it is long, harmless to a terminal."""

from __future__ import annotations

import re
import unicodedata

from informed.evidence.labels import Label, written
from informed.evidence.table_text import shortened

_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")  # would reorder what stands beside them


def shown(label: Label, widest: int = 24) -> str:
    """One line without control characters.

    >>> shown("two\\nlines"), shown("\\x1b[31mred"), shown("")
    ('two lines', '�[31mred', '(blank)')
    """
    flat = " ".join(_TURNING.sub("", written(label)).split())
    safe = "".join("�" if unicodedata.category(c) in ("Cc", "Cs") else c for c in flat)
    return shortened(safe, widest) or "(blank)"
