"""MySQL and MariaDB, whose text takes "A" and "a", and "a" and "a ", for one label unless it is told otherwise."""

from __future__ import annotations

from informed.errors import SourceError
from informed.sources.databases import DatabaseEngine
from informed.sources.engine import Name, Names
from informed.sources.sql import quoted

EXACT = ("utf8mb4_0900_bin", "utf8mb4_nopad_bin")  # of MySQL from 8.0.17 on, and of MariaDB
TEXTS = (15, 245, 247, 248, 249, 250, 251, 252, 253, 254)  # types of the protocol that may hold text
NUMBER = "'^ *[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)? *$'"


class MySqlEngine(DatabaseEngine):
    """A table or a query of MySQL or MariaDB, through any driver."""

    mark = "`"
    same = "<=>"
    _collation = ""

    def names(self) -> Names:
        if not self._collation:
            asked = ", ".join(f"'{name}'" for name in EXACT)
            rows = self.run(
                f"SELECT COLLATION_NAME FROM information_schema.COLLATIONS WHERE COLLATION_NAME IN ({asked})"
            )
            if not rows:
                raise SourceError(
                    f"{self.shown} has no collation that tells 'a' from 'A' and from 'a ' "
                    f"({' or '.join(EXACT)}); MySQL 8.0.17 or MariaDB 10.2 is needed, or a copy as a file."
                )
            self._collation = str(rows[0][0])
        return super().names()

    def _refuse_folded(self, names: Names) -> None:
        """Its text is compared by a collation of ours."""

    def _renamed(self, names: Names) -> bool:
        return False  # it refuses two columns of one name by itself

    def _exact(self, key: Name) -> str:
        column = quoted(key, self.mark)
        return self.text(column) if self._kinds.get(key) in TEXTS and not self._is_bytes(column) else column

    def _is_bytes(self, column: str) -> bool:
        """Whether a column that may hold text holds bytes: the drivers call both the same."""
        rows = self.run(f"SELECT CHARSET({column}) FROM {self.source} AS source LIMIT 1")
        return bool(rows) and rows[0][0] == "binary"

    def text(self, column: str) -> str:
        return f"CONVERT({column} USING utf8mb4) COLLATE {self._collation}"

    def literal(self, value: str) -> str:
        return f"_utf8mb4 X'{value.encode().hex()}'"  # whatever the server takes a backslash for

    def number(self, column: str) -> str:
        return f"CASE WHEN CONVERT({column} USING utf8mb4) REGEXP {NUMBER} THEN {column} + 0e0 END"
