"""How results with a page show themselves: as its text, and in a notebook as its pictures."""

from __future__ import annotations


class Shown:
    """A result that `informed.page` knows."""

    def __repr__(self) -> str:
        import informed

        return informed.page(self).text().rstrip()

    def _repr_html_(self) -> str:
        import informed

        return informed.notebook_html(self)
