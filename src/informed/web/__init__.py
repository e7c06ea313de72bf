"""The lab: the same API in a browser, on this machine only. Started by `informed lab`."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]  # an object of JSON, as it came or as it goes
