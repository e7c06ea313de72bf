#!/usr/bin/env bash
# What the tests need beside Python packages: a PostgreSQL server, a browser, axe-core; with "full" TeX and MariaDB, too.
# Installs only what is not there (Debian's packages, and npm's).
set -euo pipefail
cd "$(dirname "$0")/.."

missing=()
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing+=(postgresql)
command -v chromium >/dev/null || missing+=(chromium fonts-dejavu-core)
[ "${1:-}" != full ] || command -v pdflatex >/dev/null || missing+=(texlive-latex-recommended)
[ "${1:-}" != full ] || [ -x /usr/sbin/mariadbd ] || missing+=(mariadb-server)
if [ ${#missing[@]} -gt 0 ]; then
    as_root=""
    [ "$(id -u)" -eq 0 ] || as_root="sudo"
    $as_root apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -qq -y --no-install-recommends \
        "${missing[@]}" >/dev/null
fi

[ -d tests/browser/node_modules/axe-core ] || npm ci --silent --no-audit --no-fund --prefix tests/browser
