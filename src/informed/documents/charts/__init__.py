"""Pictures as data, and what draws them."""
