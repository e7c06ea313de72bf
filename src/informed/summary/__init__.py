"""The analysis of one table, with no layout."""
