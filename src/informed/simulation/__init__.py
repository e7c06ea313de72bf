"""The Monte Carlo lab: measures, intervals and tests judged on tables whose truth is known."""
