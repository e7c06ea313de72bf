"""Deciding: thresholds, costs, assignments."""
