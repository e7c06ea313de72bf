"""What a report is called: by its data, and by the system that predicted them."""

from __future__ import annotations

import re
from collections.abc import Sequence

MOST_NAMES = 3  # of files in a title


def report_title(files: Sequence[str], system: str = "") -> str:
    """The title of a report of files, whose folders and addresses are nobody's business.

    >>> report_title(["data/breast-cancer.csv"], "tree"), report_title(["-"])
    ('Report of tree on breast-cancer.csv', 'Report of standard input')
    """
    return f"Report of {f'{system} on ' if system else ''}{data_name(files)}"


def with_data(title: str, files: Sequence[str]) -> str:
    """A title that says of which data it is, where they are known by files.

    >>> with_data("new and old on the same items", ["runs/run.csv"]), with_data("new and old on the same items", [])
    ('new and old on the same items (run.csv)', 'new and old on the same items')
    """
    return f"{title} ({data_name(files)})" if files else title


def data_name(files: Sequence[str]) -> str:
    """Files by their last names.

    >>> data_name(["postgresql://me:secret@host/db?sslmode=on"]), data_name(["a/x.csv", "b/y.csv", "z", "u", "v"])
    ('db', 'x.csv, y.csv, z and 2 more')
    """
    names = [_last_name(str(x)) for x in files]
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more


def file_stem(title: str) -> str:
    """A title as the name of a file.

    >>> file_stem("Report of tree on breast-cancer.csv")
    'report-of-tree-on-breast-cancer-csv'
    """
    return re.sub(r"\W+", "-", title.lower()).strip("-")[:120] or "report"


def _last_name(given: str) -> str:
    if given == "-":
        return "standard input"
    if "://" in given:
        given = given.partition("?")[0]
    return re.split(r"[/\\]", given.rstrip("/\\"))[-1] or given
