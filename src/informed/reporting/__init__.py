"""Reports: what a careful statistician would say of a table, as text, page, paper or data."""

from informed.reporting.model import report
from informed.reporting.records import Report

__all__ = ["Report", "report"]
