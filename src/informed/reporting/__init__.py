"""Reports: what a careful statistician would say of a table, as text, page, paper or data."""
