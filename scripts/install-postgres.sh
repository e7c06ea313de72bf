#!/bin/sh
# Install the PostgreSQL server that tests/test_sources.py starts, where it is missing (Debian).
set -eu
if ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null 2>&1; then
    exit 0
fi
as_root=""
[ "$(id -u)" = 0 ] || as_root=sudo
$as_root apt-get update -q
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -q --no-install-recommends postgresql
