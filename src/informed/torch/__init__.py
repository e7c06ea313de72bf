"""A metric for training loops in PyTorch: its state is the table of counts.

Counts add, so that batches, epochs and processes are summed and the measure is computed once from
all of them, never averaged over batches. With torchmetrics installed, `Metric` is one of its
metrics (state reduced by sum, `MetricCollection`, Lightning logging); otherwise it is a plain
`torch.nn.Module` with the same methods. torch is imported when `Metric` is first asked for::

    metric = Metric("informedness", num_classes=10)
    for x, y in loader:
        metric.update(model(x), y)  # class numbers, or scores of shape (N, classes, ...)
    value = metric.compute()
    metric.reset()

`TagsMetric` is for items of several labels: it keeps their rows, two bits a label, so that `tags()` has intervals, too.
`ProbabilityMetric` is for what probabilities are worth; it keeps those of every case, for `probabilities()`.

With `unit=` or `item=` in each update the table knows what belongs together, and its intervals and tests
measure the spread between units. Of each case 16 bytes are then kept (a hash of its unit, and its cell), and
brought together from all processes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from informed.errors import MissingExtra
from informed.torch.plain_base import plain_base
from informed.torch.probability_metric import ProbabilityRows
from informed.torch.table_metric import TableCounts
from informed.torch.tags_metric import TagRows

__all__ = ["Metric", "ProbabilityMetric", "TagsMetric"]
_OWN = {"Metric": TableCounts, "ProbabilityMetric": ProbabilityRows, "TagsMetric": TagRows}


def __getattr__(name: str) -> Any:
    if name not in _OWN:
        raise AttributeError(f"module 'informed.torch' has no attribute {name!r}")
    globals()[name] = made = _metric_class(name)
    return made


def _metric_class(name: str = "Metric") -> type:
    """A metric by its name, on top of torchmetrics' base, or of our own where that is not installed."""
    try:
        import torch
    except ImportError:
        raise MissingExtra("A torch metric needs torch: pip install 'informed[torch]'.") from None
    try:
        from torchmetrics import Metric as Base
    except ImportError:
        Base = plain_base(torch)
    own = _OWN[name]
    return type(name, (own, Base), {"__doc__": own.__doc__, "__module__": __name__})


if TYPE_CHECKING:
    Metric = Any
    ProbabilityMetric = Any
    TagsMetric = Any
