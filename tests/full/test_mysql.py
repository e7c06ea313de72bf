"""MySQL's relative MariaDB, a server of its own on a socket: what every door must give, through two drivers."""

from __future__ import annotations

import datetime as dt
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import informed
import nasty
import test_every_door as doors
import test_sources as sources
from backends import EVERY, Places, _kinds
from informed import Table
from nasty import Columns

TYPES: dict[type, str] = {
    str: "longtext",
    int: "bigint",
    float: "double",
    bool: "boolean",
    bytes: "varbinary(20)",
    Decimal: "decimal(40, 2)",
    dt.date: "date",
    dt.datetime: "datetime(6)",
}
# Booleans are numbers there, and times have no zone; infinity and NaN are no numbers; a decimal has two places.
CANNOT = (*doors.UNTYPED, *doors.LARGE, *doors.MOMENTS[2:], "infinity", "bools", "bools and 0/1", "bools and numbers")
SPECIFICATION = [test for test in vars(sources).values() if sources.every.mark in getattr(test, "pytestmark", ())]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The socket of a server that is gone afterwards."""
    program = Path(shutil.which("mariadbd") or "/usr/sbin/mariadbd").resolve()
    base, home = program.parents[1], Path(tempfile.mkdtemp(prefix="informed-mariadb-"))
    user = f"--user={'root' if os.geteuid() == 0 else os.environ['USER']}"
    common = ["--no-defaults", user, f"--datadir={home / 'data'}", f"--basedir={base}"]
    made = [str(base / "bin/mariadb-install-db"), *common, "--auth-root-authentication-method=normal", "--skip-test-db"]
    subprocess.run(made, check=True, capture_output=True)
    running = subprocess.Popen(
        [program, *common, f"--socket={home / 's'}", "--skip-networking"], stderr=subprocess.DEVNULL
    )
    try:
        while not (home / "s").exists():
            assert running.poll() is None
            time.sleep(0.1)
        yield str(home / "s")
    finally:
        running.terminate()
        running.wait(30)
        shutil.rmtree(home)


@pytest.fixture(params=["pymysql", "mysql.connector"])
def connection(server: str, request: pytest.FixtureRequest) -> Iterator[Any]:
    connection = import_module(request.param).connect(unix_socket=server, user="root", charset="utf8mb4")
    cursor = connection.cursor()
    cursor.execute("CREATE DATABASE IF NOT EXISTS tried CHARACTER SET utf8mb4")
    cursor.execute("USE tried")
    yield connection
    with suppress(Exception):
        connection.close()


@pytest.fixture
def mysql(connection: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """A backend as the others are."""

    def filled(columns: Columns, places: Places) -> tuple[Any, dict[str, Any]]:
        cursor = connection.cursor()
        cursor.execute("DROP TABLE IF EXISTS `the cases`")
        names = ", ".join(f"`{name}` {kind}" for name, kind in zip(columns, _kinds(columns, TYPES), strict=True))
        cursor.execute(f"CREATE TABLE `the cases` ({names})")
        rows = [tuple(None if x != x else x for x in row) for row in zip(*columns.values(), strict=True)]
        cursor.executemany(f"INSERT INTO `the cases` VALUES ({', '.join(['%s'] * len(columns))})", rows)
        connection.commit()
        return connection, {"table": "the cases"}

    monkeypatch.setitem(EVERY, "mysql", filled)
    return "mysql"


@pytest.mark.parametrize("test", SPECIFICATION)
def test_every_source(test: Any, mysql: str, tmp_path: Path) -> None:
    test(mysql, Places(tmp_path))


@pytest.mark.parametrize("kind", [kind for kind in nasty.KINDS if kind not in CANNOT])
def test_every_kind_of_label(kind: str, mysql: str, tmp_path: Path) -> None:
    doors.check(mysql, kind, nasty.every_kind(1)[kind], Places(tmp_path))


def test_a_collation_merges_no_labels(mysql: str, connection: Any, tmp_path: Path) -> None:
    """By default "A" is "a", "é" is "e", and blanks at the end are none."""
    pairs = [("A", "a"), ("a", "A"), ("a ", "a"), ("a", "a "), ("é", "e"), ("e", "é")]
    columns = {"r": [r for r, _ in pairs], "p": [p for _, p in pairs], "u": list("xXyYzZ")}
    EVERY[mysql](columns, Places(tmp_path))
    asked: dict[str, Any] = {"real": "r", "predicted": "p", "normalize": "none"}
    expected = Table.from_labels(real=columns["r"], predicted=columns["p"], normalize="none")
    assert informed.read(connection, table="the cases", **asked) == expected
    assert informed.read(connection, query="SELECT * FROM `the cases`", **asked) == expected
    units = informed.read(connection, table="the cases", unit="u", **asked)
    assert (units.counts.tolist(), units.units is not None) == (expected.counts.tolist(), True)
    assert informed.read(connection, table="the cases", where="r = 'a'", **asked).n == 2


@pytest.mark.parametrize("mode", ["", "NO_BACKSLASH_ESCAPES", "ANSI_QUOTES"])
def test_a_value_is_never_run(mysql: str, connection: Any, tmp_path: Path, mode: str) -> None:
    connection.cursor().execute(f"SET SESSION sql_mode = '{mode}'")
    source, how = EVERY[mysql]({"r": ["\\' OR 1=1 -- ", "b"], "p": ["b", "b"]}, Places(tmp_path))
    assert informed.read(source, real="r", predicted="p", where="r = '\\'' OR 1=1 -- '", **how).n == 1
    with pytest.raises(informed.InformedError, match="no rows of data"):
        informed.read(source, real="r", predicted="p", where="r = 'x'' OR ''1''=''1'", **how)
