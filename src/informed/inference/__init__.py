"""What a table says about the world: tests, intervals, power."""
