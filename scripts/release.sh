#!/usr/bin/env bash
# A wheel and an sdist: built, checked, and tested where nothing of this clone can be seen.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$(command -v "${1:-python3}")
dist=$PWD/dist
outside=$(mktemp -d)
trap 'chmod -R u+w "$outside"; rm -rf "$outside"' EXIT

[ -x .venv-release/bin/python ] || "$python" -m venv .venv-release
.venv-release/bin/python -m pip install -qq --disable-pip-version-check --upgrade build twine
rm -rf "$dist"
.venv-release/bin/python -m build --outdir "$dist" . >/dev/null
.venv-release/bin/python -m twine check --strict "$dist"/*

# The wheel without extras, in an empty folder: no terminal, no colours, the locale C, a home that cannot be written.
cd "$outside"
"$python" -m venv bare
bare/bin/python -m pip install -qq --disable-pip-version-check "$dist"/*.whl
mkdir home work && chmod a-w home && cd work
printf 'truth,answer,score\nyes,yes,.9\nyes,no,.4\nno,no,.1\nno,no,.2\nyes,yes,.8\nno,yes,.6\n' > few.csv
bare() { env -i PATH="$outside/bare/bin:/usr/bin:/bin" HOME="$outside/home" LANG=C NO_COLOR=1 informed "$@" </dev/null; }
bare --version
bare --help >/dev/null
bare report few.csv --real truth --predicted answer > report.txt
bare report few.csv --real truth --predicted answer -o report.html
bare roc few.csv --real truth --score score -o roc.json
bare table 30 12 / 30 28 --format markdown > table.md
bare simulate --k 2 --n 64 --replicates 100 --seed 1 > simulate.txt
for file in report.txt report.html roc.json table.md simulate.txt; do test -s "$file" || { echo "$file is empty"; exit 1; }; done
"$outside/bare/bin/python" -c 'import informed; [getattr(informed, name) for name in informed.__all__ + dir(informed)]'

# The suite of the sdist against the wheel: its own source is there to be read, and is not what is imported.
cd "$outside"
tar xzf "$dist"/*.tar.gz && mv informed-* sdist && cd sdist
"$python" -m venv .venv
.venv/bin/python -m pip install -qq --disable-pip-version-check --upgrade "pip>=25.1"
.venv/bin/python -m pip install -qq "$(ls "$dist"/*.whl)[all,parallel]" --group test
bash scripts/install-test-tools.sh
.venv/bin/python -c 'import informed; assert "site-packages" in informed.__file__, informed.__file__'
.venv/bin/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -p no:cacheprovider -o pythonpath=tests tests docs README.md examples/README.md

cd "$dist"
echo
echo "Checked and tested:"; ls -l -- *
cat <<END

To publish (once; a version cannot be uploaded twice):
  1. The version in src/informed/__init__.py and pyproject.toml, and its date in CHANGELOG.md and CITATION.cff, are those of this release; commit and tag it: git tag v\$VERSION
  2. .venv-release/bin/python -m twine upload dist/*          (asks for an API token of the package index)
  3. In an empty folder: uvx informed report FILE, and pip install informed && informed --version
  4. git push origin main v\$VERSION
END
