#!/usr/bin/env bash
# test-in.sh NAME PYTHON [CONSTRAINTS]: the whole suite in an environment of its own, .venv-NAME. With constraints
# (old versions beside new ones) what packages warn of each other is no failure.
set -euo pipefail
cd "$(dirname "$0")/.."
name=$1 python=$2 constraints=${3:-}

# A shim of pyenv starts only where its version is chosen.
"$python" -c "" 2>/dev/null || export PYENV_VERSION="$(pyenv whence "$python" 2>/dev/null | tail -n 1)"
"$python" -c "" 2>/dev/null || { echo "$python is not on this machine"; exit 1; }

[ -x ".venv-$name/bin/python" ] || "$python" -m venv ".venv-$name"
bin=$PWD/.venv-$name/bin

echo "installing into .venv-$name ..."
printf '%s\n' "$constraints" > ".venv-$name/constraints.txt"
"$bin/python" -m pip install -qq --disable-pip-version-check --upgrade "pip>=25.1"
"$bin/python" -m pip install -qq -c ".venv-$name/constraints.txt" ".[all,parallel,spark,dask]" --group test
bash scripts/install-test-tools.sh

"$bin/python" -c "import sys, numpy, scipy, duckdb; print('Python', sys.version.split()[0], *(f'{m.__name__} {m.__version__}' for m in (numpy, scipy, duckdb)))"
[ -z "$constraints" ] || quiet="-W ignore::DeprecationWarning"
exec "$bin/python" -m pytest ${quiet:-} -n 2 --dist loadfile --no-loadscope-reorder -p no:cacheprovider
