"""What the design of a study allows to say: where class sizes were chosen, nothing that depends on the prevalence."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from informed.measures.lookup import needs_prevalence
from informed.summary.parts import Estimate

CASE_CONTROL = "case_control"  # in the context of a report
WHY = "it depends on the prevalence, and the class sizes were chosen (case-control): give the prevalence of the field"

NO_ANSWERS = (
    "Some cases got no answer, and measures over all cases depend on the prevalence, which was chosen (case-control): "
    "give `count='answered'`."
)


def without_prevalence(e: Estimate) -> Estimate:
    """The estimate, or why there is none where class sizes were chosen."""
    if not needs_prevalence(e.measure):
        return e
    none: dict[str, Any] = dict.fromkeys(("value", "low", "high", "chance", "pvalue", "worth"), math.nan)
    return replace(e, **none, method="", null="", why=WHY, notes=())
