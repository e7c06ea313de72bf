"""What DuckDB says of a file, as one sentence."""

from __future__ import annotations

import re

from informed.errors import SourceError
from informed.sources.paths import Files, check_gzip, compression, redacted


def explained(error: Exception, files: Files) -> Exception:
    """What DuckDB says, as one sentence with the file, the line and what to do."""
    import duckdb

    if isinstance(error, UnicodeDecodeError):  # a message that was cut inside a letter
        error = duckdb.Error(error.object.decode("utf-8", "replace"))
    if not isinstance(error, duckdb.Error):
        return error
    for name in files.names:
        if compression(files, name) == "gzip":
            try:
                check_gzip(files, name)
            except SourceError as broken:
                return broken

    # What else is wrong DuckDB says in words only, one type of error for all.
    said = str(error)
    found = re.search(r"^\s*file = (.*)$", said, re.MULTILINE)
    where = redacted(found[1].strip()) if found and len(files.names) > 1 else files.shown
    line = re.search(r"(?:CSV Error on Line: |in line |at line )(\d+)", said)
    at = f", line {int(line[1]):,}" if line else ""
    for pattern, sentence in _SENTENCES:
        if m := re.search(pattern, said):
            return SourceError(f"{where}{at}: " + sentence.format(*m.groups()))
    rest = re.sub(r"^\w[\w ]* Error: ", "", said.strip())
    if not rest:  # a message that was cut inside a letter may be lost on its way
        return SourceError(f"{where}{at}: cannot be read, and DuckDB does not say why; is every line whole and valid?")
    return SourceError(f"{where}{at}: cannot be read. DuckDB says: {rest.splitlines()[0][:300]}")


_SENTENCES = (
    (
        r"no label: (.*)",
        "{0} stands where one label, a text or a number, is needed; one object for each case is needed, which "
        'pandas writes with to_json(orient="records"). Lists of labels are tags: `separator=None`, or '
        "--average prevalence.",
    ),
    (
        r"Expected Number of Columns: (\d+) Found: (\d+)",
        "this row has {1} fields and the header {0}; repair the row, or check the delimiter and the quotes.",
    ),
    (
        r"not utf-8 encoded|Invalid unicode|unicode",
        'this is not in the encoding that was expected; give it, for instance `encoding="latin-1"`.',
    ),
    (r"[Mm]aximum line size", "the line is longer than 2 MB; is it a text file with one case a line?"),
    (
        r"unterminated quote|unquoted",
        'a quoted value does not end; double the quotes inside quotes, or give `quote=""` if quotes '
        "mean nothing in this file.",
    ),
    (r"state machine reached an invalid state", "this is no regular CSV: quotes or line ends (CRLF and LF) are mixed."),
    (
        r"Malformed JSON[^:]*: (.*?)\.?\s*(?:\n|$)",
        "this is no valid JSON ({0}); one object a line, or one array of objects, is needed.",
    ),
    (r"maximum_object_size", "one JSON object is larger than 16 MB; one object for each case is needed."),
    (
        r"No magic bytes|too small to be a Parquet|Footer length|not a parquet|metadata",
        "this is no whole Parquet file; write or copy it again.",
    ),
)
