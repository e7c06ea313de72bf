"""Every backend of `read`: how the same columns get into it. Servers are real ones."""

from __future__ import annotations

import contextlib
import csv
import datetime as dt
import gzip
import io
import json
import os
import secrets
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

import informed
from nasty import Columns

Source = tuple[Any, dict[str, Any]]  # what `read` is given, and its options


@dataclass
class Places:
    """Where things can be put."""

    folder: Path
    postgres: str = ""
    spark: Any = None
    connect: Any = None
    closing: list[Any] = field(default_factory=list)


# ---------------------------------------------------------------- text


def _csv_text(columns: Columns, delimiter: str) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return out.getvalue()


def as_csv(columns: Columns, places: Places) -> Source:
    path = places.folder / "cases.csv"
    path.write_text(_csv_text(columns, ","), "utf-8", newline="")
    return path, {}


def as_bom_tsv_gz(columns: Columns, places: Places) -> Source:
    path = places.folder / "cases.tsv.gz"
    path.write_bytes(gzip.compress(_csv_text(columns, "\t").encode("utf-8-sig")))
    return path, {}


def as_semicolons(columns: Columns, places: Places) -> Source:
    path = places.folder / "cases.txt"
    path.write_text(_csv_text(columns, ";"), "utf-8", newline="")
    return str(path), {}


def as_json_lines(columns: Columns, places: Places) -> Source:
    path = places.folder / "cases.jsonl"
    rows = zip(*columns.values(), strict=True)
    lines = [json.dumps(dict(zip(columns, row, strict=True)), default=str) for row in rows]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path, {}


def as_json_array(columns: Columns, places: Places) -> Source:
    path = places.folder / "cases.json"
    rows = zip(*columns.values(), strict=True)
    data = [dict(zip(columns, row, strict=True)) for row in rows]
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False, default=str), "utf-8")
    return path, {}


TEXT: dict[str, Callable[[Columns, Places], Source]] = {
    "csv": as_csv,
    "tsv.gz with BOM": as_bom_tsv_gz,
    "semicolons": as_semicolons,
    "json lines": as_json_lines,
    "json array": as_json_array,
}

# ---------------------------------------------------------------- typed


def as_arrow(columns: Columns, places: Places) -> Source:
    import pyarrow as pa

    def array(values: list[Any]) -> Any:
        try:
            return pa.array(values)
        except OverflowError:  # beyond 64 bits
            return pa.array([None if x is None else Decimal(x) for x in values], pa.decimal128(38, 0))

    return pa.table({name: array(values) for name, values in columns.items()}), {}


def as_parquet(columns: Columns, places: Places) -> Source:
    import pyarrow.parquet as pq

    path = places.folder / "cases.parquet"
    pq.write_table(as_arrow(columns, places)[0], path)
    return path, {}


def as_shards(columns: Columns, places: Places) -> Source:
    """A folder of Parquet files whose columns are not in the same order."""
    import pyarrow.parquet as pq

    table = as_arrow(columns, places)[0]
    folder = places.folder / "shards"
    (folder / "deep").mkdir(parents=True, exist_ok=True)
    half = table.num_rows // 2
    pq.write_table(table.slice(0, half), folder / "part-0.parquet")
    other = table.slice(half).select(table.column_names[::-1])
    pq.write_table(other, folder / "deep" / "part-1.parquet")
    (folder / "_SUCCESS").write_text("")
    return folder, {}


def as_feather(columns: Columns, places: Places) -> Source:
    import pyarrow.feather as feather

    path = places.folder / "cases.feather"
    feather.write_feather(as_arrow(columns, places)[0], str(path))
    return path, {}


def as_memory_url(columns: Columns, places: Places) -> Source:
    import fsspec

    path = as_parquet(columns, places)[0]
    fsspec.filesystem("memory").pipe("/bucket/cases.parquet", path.read_bytes())
    return "memory://bucket/cases.parquet", {}


def as_excel(columns: Columns, places: Places) -> Source:
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(list(columns))
    for row in zip(*columns.values(), strict=True):
        sheet.append([None if x != x else x for x in row])
    for cells in sheet.iter_rows():
        for cell in cells:
            if isinstance(cell.value, str):
                cell.data_type = "s"  # text that begins with = or # stays text
    path = places.folder / "cases.xlsx"
    book.save(path)
    return path, {}


def as_pandas(columns: Columns, places: Places) -> Source:
    import pandas as pd

    return pd.DataFrame(columns), {}


def as_pandas_arrow(columns: Columns, places: Places) -> Source:
    import pandas as pd

    return as_arrow(columns, places)[0].to_pandas(types_mapper=pd.ArrowDtype), {}


def as_polars(columns: Columns, places: Places) -> Source:
    import polars as pl

    return pl.DataFrame(_moments(columns)), {}


def as_polars_lazy(columns: Columns, places: Places) -> Source:
    import polars as pl

    return pl.LazyFrame(_moments(columns)), {}


def _moments(columns: Columns) -> dict[str, Any]:
    """Times of numpy as arrays: Polars takes no lists of them."""
    return {name: np.array(x) if isinstance(x[0], np.datetime64) else x for name, x in columns.items()}


def as_dask(columns: Columns, places: Places) -> Source:
    import dask
    import dask.dataframe as dd
    import pandas as pd

    make: Any = dd.from_pandas
    with dask.config.set({"dataframe.convert-string": False}):  # which makes text of all that has no type
        return make(pd.DataFrame(columns), npartitions=3), {}


def as_relation(columns: Columns, places: Places) -> Source:
    import duckdb

    connection = duckdb.connect()
    places.closing.append(connection)
    connection.register("cases", as_arrow(columns, places)[0])
    return connection.sql("SELECT * FROM cases"), {}


def as_duckdb_connection(columns: Columns, places: Places) -> Source:
    import duckdb

    connection = duckdb.connect()
    places.closing.append(connection)
    connection.register("cases", as_arrow(columns, places)[0])
    return connection, {"table": "cases"}


def _kinds(columns: Columns, kinds: dict[type, str]) -> list[str]:
    found = []
    for values in columns.values():
        first = next((x for x in values if x is not None), "")
        wide = any(isinstance(x, int) and not -(2**63) <= x < 2**63 for x in values)
        zoned = isinstance(first, dt.datetime) and first.tzinfo is not None
        mixed = len({isinstance(x, str) for x in values if x is not None}) > 1
        found.append(kinds[object if mixed else Decimal if wide else dt.tzinfo if zoned else type(first)])
    return found


def _fill(connection: Any, columns: Columns, kinds: dict[type, str], mark: str) -> None:
    names = ", ".join(f'"{name}" {kind}' for name, kind in zip(columns, _kinds(columns, kinds), strict=True))
    cursor = connection.cursor()
    cursor.execute('DROP TABLE IF EXISTS "the cases"')
    cursor.execute(f'CREATE TABLE "the cases" ({names})')
    marks = ", ".join([mark] * len(columns))
    rows = list(zip(*columns.values(), strict=True))
    if rows:
        cursor.executemany(f'INSERT INTO "the cases" VALUES ({marks})', rows)
    connection.commit()


SQLITE: dict[type, str] = {str: "TEXT", int: "INTEGER", float: "REAL", bool: "BOOLEAN", bytes: "BLOB", object: ""}
POSTGRES: dict[type, str] = {
    str: "text",
    int: "bigint",
    float: "double precision",
    bool: "boolean",
    bytes: "bytea",
    Decimal: "numeric",
    dt.date: "date",
    dt.datetime: "timestamp",
    dt.tzinfo: "timestamp with time zone",
}


def as_sqlite(columns: Columns, places: Places) -> Source:
    path = places.folder / "cases.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        _fill(connection, columns, SQLITE, "?")
    return f"sqlite:///{path}", {"table": "the cases"}


def as_sqlite_connection(columns: Columns, places: Places) -> Source:
    connection = sqlite3.connect(":memory:")
    places.closing.append(connection)
    _fill(connection, columns, SQLITE, "?")
    return connection, {"query": 'SELECT * FROM "the cases" -- all of it;'}


def as_ibis(columns: Columns, places: Places) -> Source:
    import ibis

    as_sqlite(columns, places)
    connection = ibis.sqlite.connect(places.folder / "cases.db")
    places.closing.append(connection.con)
    return connection.table("the cases"), {}


def as_postgres(columns: Columns, places: Places) -> Source:
    import psycopg

    with psycopg.connect(places.postgres) as connection:
        _fill(connection, columns, POSTGRES, "%s")
    return places.postgres, {"table": "public.the cases"}


def _spark_frame(session: Any, columns: Columns, places: Places) -> Source:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Spark warns of new versions of pandas
        return session.createDataFrame(as_arrow(columns, places)[0]), {}


def as_spark(columns: Columns, places: Places) -> Source:
    return _spark_frame(places.spark, columns, places)


def as_spark_connect(columns: Columns, places: Places) -> Source:
    return _spark_frame(places.connect, columns, places)


TYPED: dict[str, Callable[[Columns, Places], Source]] = {
    "parquet": as_parquet,
    "shards": as_shards,
    "feather": as_feather,
    "fsspec": as_memory_url,
    "excel": as_excel,
    "pandas": as_pandas,
    "pandas with arrow": as_pandas_arrow,
    "polars": as_polars,
    "polars lazy": as_polars_lazy,
    "pyarrow": as_arrow,
    "dask": as_dask,
    "duckdb relation": as_relation,
    "duckdb connection": as_duckdb_connection,
    "sqlite": as_sqlite,
    "sqlite connection": as_sqlite_connection,
    "ibis": as_ibis,
    "postgres": as_postgres,
    "spark": as_spark,
    "spark connect": as_spark_connect,
}
EVERY = {**TEXT, **TYPED}
OF_SPARK = ("spark", "spark connect")  # tested in test_spark.py alone, so that one process has a Spark


# ---------------------------------------------------------------- servers


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port: int = s.getsockname()[1]
        return port


@contextlib.contextmanager
def postgres_server() -> Iterator[str]:
    """A PostgreSQL server of its own on the loopback, gone afterwards; gives its URL."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = [str(f) for f in folders] + [str(Path(shutil.which("initdb") or "").parent)]
    tool = next(Path(f) for f in found if (Path(f) / "initdb").exists())
    user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    home = Path(tempfile.mkdtemp(prefix="informed-postgres-"))
    password, port = secrets.token_hex(8), free_port()
    data = home / "data"
    (home / "password").write_text(password)
    if user:
        shutil.chown(home, "postgres")
        shutil.chown(home / "password", "postgres")

    def run(*command: object) -> None:
        with (home / "output").open("ab") as output:
            subprocess.run([*user, *map(str, command)], check=True, cwd="/", stdout=output, stderr=output)

    run(
        tool / "initdb", "-D", data, "-U", "tester", "-A", "scram-sha-256", "-E", "UTF8",
        "--locale=C.UTF-8", "--no-sync", f"--pwfile={home / 'password'}",
    )  # fmt: skip
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off"
    run(tool / "pg_ctl", "-D", data, "-w", "-l", home / "data" / "log", "-o", options, "start")
    try:
        yield f"postgresql://tester:{password}@127.0.0.1:{port}/postgres"
    finally:
        run(tool / "pg_ctl", "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(home, ignore_errors=True)


@contextlib.contextmanager
def spark_sessions() -> Iterator[tuple[Any, Any]]:
    """A real cluster whose executor is a process of its own; a classic session and a Connect session on it."""
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    brief = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # a run of seconds is not worth compiling well
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Spark's own imports warn
        from pyspark.sql import SparkSession
        from pyspark.sql.connect.session import SparkSession as ConnectSession

        port = free_port()
        spark = (
            SparkSession.builder.master("local-cluster[1,2,1024]")
            .appName("informed")
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.driver.extraJavaOptions", brief)
            .config("spark.executor.extraJavaOptions", brief)
            .config("spark.sql.codegen.wholeStage", "false")  # nor is a query of 40 rows; `test_many_rows` has both
            .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
            .config("spark.sql.adaptive.enabled", "false")
            .config("spark.sql.timestampType", "TIMESTAMP_NTZ")  # times without a zone stay so
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.executorEnv.PYTHONPATH", str(Path(informed.__file__).parents[1]))
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.plugins", "org.apache.spark.sql.connect.SparkConnectPlugin")
            .config("spark.connect.grpc.binding.port", str(port))
            .config("spark.connect.grpc.binding.address", "127.0.0.1")
            .getOrCreate()
        )
        spark.sparkContext.setLogLevel("OFF")
        connect = ConnectSession.builder.remote(f"sc://127.0.0.1:{port}").create()
    try:
        yield spark, connect
    finally:
        with contextlib.suppress(Exception):
            connect.client.set_retry_policies([])  # a server that is gone is not asked for minutes
            connect.stop()
        spark.stop()
