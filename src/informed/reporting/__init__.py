"""Reports: what a careful statistician would say of a table, as text, page, paper or data."""

from informed.reporting.model import Report, report

__all__ = ["Report", "report"]
