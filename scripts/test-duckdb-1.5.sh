#!/bin/sh
# Run the specification of sources on DuckDB 1.5, beside the DuckDB that is installed.
set -eu
python="${PYTHON:-python}"
here="$(cd "$(dirname "$0")/.." && pwd)"
target="$here/build/duckdb-1.5"
[ -d "$target/duckdb" ] || "$python" -m pip install -qq --no-deps --target "$target" "duckdb>=1.5,<1.6"
export PYTHONPATH="$target${PYTHONPATH:+:$PYTHONPATH}"
"$python" -c "import duckdb; assert duckdb.__version__.startswith('1.5'), duckdb.__version__"
cd "$here"
exec "$python" -m pytest tests/test_sources.py -q \
    -k "not postgres and not spark and not dask and not ibis and not pandas and not polars and not million and not passwords and not pyarrow and not sqlite and not excel"
