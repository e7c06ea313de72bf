"""Items that were counted, by eight bytes each."""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import numpy as np

from informed._numbers import plural
from informed.evidence.labels import text


@dataclass
class Seen:
    """Items that were counted, 8 bytes each, so that none is counted twice."""

    digests: set[int] = field(default_factory=set)
    again: int = 0  # rows of items that were counted already
    first: str = ""  # of these

    def __contains__(self, name: str) -> bool:
        return _digest(name) in self.digests

    def add(self, name: str) -> None:
        """This item was counted."""
        self.digests.add(_digest(name))

    def twice(self, name: str, rows: int) -> None:
        """Rows of an item that was counted, which are not counted again."""
        self.again += rows
        self.first = self.first or name

    def said(self) -> list[str]:
        """What was not counted again."""
        if not self.again:
            return []
        rows = f"{plural(self.again, 'row')} {'is' if self.again == 1 else 'are'}"
        return [f"{rows} of items that were counted already (the first of {text(self.first)}): not counted again."]

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        held = np.sort(np.fromiter(self.digests, np.uint64, len(self.digests))).tobytes()
        return {"items": b64encode(held).decode(), "again": self.again, "first": self.first}

    @classmethod
    def from_dict(cls, held: dict[str, Any]) -> Seen:
        """What `to_dict` gave."""
        found = np.frombuffer(b64decode(held["items"]), np.uint64).tolist()
        return cls(set(found), int(held["again"]), str(held["first"]))


def _digest(name: str) -> int:
    return int.from_bytes(blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
