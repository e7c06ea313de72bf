"""Reading whatever holds the labels, at any size: only counts come back."""

from informed.sources.examples import examples as examples
from informed.sources.read import read as read

__all__ = ["examples", "read"]
