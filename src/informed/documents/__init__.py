"""What is shown of a result: charts as data, pages of sections, writers of formats."""
