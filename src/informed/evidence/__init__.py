"""What was seen, as data: tables, pairs, scores, tallies, and the only label policy."""
