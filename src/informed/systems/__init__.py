"""Comparing systems."""
