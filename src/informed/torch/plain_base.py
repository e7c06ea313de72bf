"""What torchmetrics would do for the states of a metric, where it is not installed."""

from __future__ import annotations

from typing import Any


class _Lists:
    """The states of a plain module that grow by each batch; a checkpoint holds them."""

    _lists: list[str]  # their names
    buffers: Any  # of the module

    def get_extra_state(self) -> Any:
        return {name: list(getattr(self, name)) for name in self._lists}

    def set_extra_state(self, state: Any) -> None:
        for name, held in state.items():
            setattr(self, name, list(held))

    def _held(self) -> tuple[list[Any], dict[str, list[Any]]]:
        return [held.clone() for held in self.buffers()], {name: list(getattr(self, name)) for name in self._lists}


def plain_base(torch: Any) -> type:
    """What torchmetrics would do for states that are summed, or joined, as a module of plain torch."""

    class Base(_Lists, torch.nn.Module):  # type: ignore[misc]  # torch has no types here
        def __init__(self) -> None:
            super().__init__()
            self._lists = []

        def add_state(self, name: str, default: Any, dist_reduce_fx: str) -> None:
            if dist_reduce_fx == "cat":
                self._lists.append(name)
                setattr(self, name, list(default))
            else:
                self.register_buffer(name, default.clone())

        def _load_from_state_dict(self, state: Any, prefix: str, *how: Any) -> None:
            state.setdefault(f"{prefix}_extra_state", {})  # a checkpoint of 0.1.0 has no units
            super()._load_from_state_dict(state, prefix, *how)

        def forward(self, *batch: Any, **named: Any) -> Any:
            """Count a batch, and the measure of this batch alone."""
            before = self._held()
            self.reset()
            self.update(*batch, **named)
            value = type(self)._own_compute(self)
            for held, earlier in zip(self.buffers(), before[0], strict=True):
                held += earlier
            self.set_extra_state({name: earlier + getattr(self, name) for name, earlier in before[1].items()})
            return value

        def reset(self) -> None:
            for held in self.buffers():
                held.zero_()
            self.set_extra_state({name: [] for name in self._lists})

        def __init_subclass__(cls, **options: Any) -> None:
            super().__init_subclass__(**options)
            cls._own_compute = cls.compute
            cls.compute = Base._summed

        def _summed(self) -> Any:
            if not (torch.distributed.is_available() and torch.distributed.is_initialized()):
                return type(self)._own_compute(self)
            buffers, lists = self._held()
            for held in self.buffers():
                torch.distributed.all_reduce(held)
            everyone: list[Any] = [None] * torch.distributed.get_world_size()
            torch.distributed.all_gather_object(everyone, lists)
            self.set_extra_state({name: [x for one in everyone for x in one[name]] for name in lists})
            try:
                return type(self)._own_compute(self)
            finally:
                for held, before in zip(self.buffers(), buffers, strict=True):
                    held.copy_(before)
                self.set_extra_state(lists)

    return Base
