"""What is said of each result."""
