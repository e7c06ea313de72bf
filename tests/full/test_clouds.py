"""Files in S3 and Google Cloud Storage, from servers on loopback that speak their protocols."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest

import informed
from informed.errors import SourceError

ROWS = b"y,p\n" + b"1,1\n" * 50 + b"0,0\n" * 30 + b"1,0\n" * 7
EXPECTED = [[30, 7], [0, 50]]


@pytest.fixture(scope="module")
def amazon() -> Iterator[Any]:
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    os.environ.update(
        AWS_ACCESS_KEY_ID="none",
        AWS_SECRET_ACCESS_KEY="none",
        AWS_DEFAULT_REGION="us-east-1",
        AWS_ENDPOINT_URL=f"http://{host}:{port}",
    )
    system = fsspec.filesystem("s3")
    system.mkdir("bucket")
    yield system
    server.stop()


@pytest.fixture(scope="module")
def google() -> Iterator[Any]:
    from gcp_storage_emulator.server import create_server

    server = create_server("127.0.0.1", 9023, in_memory=True)
    server.start()
    os.environ["STORAGE_EMULATOR_HOST"] = "http://127.0.0.1:9023"
    os.environ["GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT"] = "false"  # the server does not speak gRPC
    system = fsspec.filesystem("gs", token="anon", project="none")
    system.mkdir("bucket")
    yield system
    server.stop()


@pytest.mark.filterwarnings("ignore")  # of the servers and their clients, none of them ours
@pytest.mark.parametrize(("cloud", "protocol"), [("amazon", "s3"), ("google", "gs")])
def test_files_patterns_and_folders(cloud: str, protocol: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    import duckdb

    system = request.getfixturevalue(cloud)
    system.pipe("bucket/cases.csv", ROWS)
    (tmp_path / "cases.csv").write_bytes(ROWS)
    copy = f"COPY (FROM '{tmp_path}/cases.csv') TO '{tmp_path}/part.parquet' (FORMAT parquet)"
    duckdb.connect().execute(copy)
    system.pipe("bucket/parts/part-0.parquet", (tmp_path / "part.parquet").read_bytes())
    for url in ("cases.csv", "parts/*.parquet", "parts"):
        t = informed.read(f"{protocol}://bucket/{url}", real="y", predicted="p")
        assert t.counts.tolist() == EXPECTED
    with pytest.raises(SourceError, match=f"There is no file {protocol}://bucket/none.csv"):
        informed.read(f"{protocol}://bucket/none.csv", real="y", predicted="p")
