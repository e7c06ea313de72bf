# Everything installs itself into .venv; a second run finds it there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
FILE := examples/breast-cancer.csv --real diagnosis --predicted tree --positive malignant

.PHONY: demo test lint docs study studies bench fuzz mutations test-full test-lowest test-pythons release clean
.DEFAULT_GOAL := demo

demo: $(VENV)/.installed  ## the main job on real data: a report as text and as a page
	@$(BIN)/informed report $(FILE)
	@$(BIN)/informed report $(FILE) --output informed-report.html

test: $(VENV)/.tools lint  ## everything that CI runs
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder
	$(BIN)/python tests/mutations.py
	PYTHON=$(BIN)/python scripts/test-duckdb-1.5.sh

lint: $(VENV)/.tools
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy

docs: $(VENV)/.docs  ## the site in site/: generated pages, no broken link, no silent name
	$(BIN)/python docs/make_stub.py
	$(BIN)/python docs/make_catalogue.py
	$(BIN)/python docs/make_comparisons.py
	$(BIN)/python docs/make_reference.py
	$(BIN)/python docs/make_pictures.py
	$(BIN)/python docs/make_gallery.py
	@rm -rf site
	$(BIN)/sphinx-build -q -W --keep-going -E -d $(VENV)/.doctrees docs site
	$(BIN)/python docs/make_gallery.py site/samples
	$(BIN)/python docs/check.py site
	@echo "site/index.html is ready"

study: $(VENV)/.tools  ## how often each test rejects a true null: half an hour, or what of it is not measured yet
	$(BIN)/python docs/make_sizes.py

studies: $(VENV)/.tools  ## how often intervals hold the truth, for the pages: about an hour
	for script in $$(grep -l "^STUDY = " benchmarks/studies/*.py); do $(BIN)/python $$script --write || exit 1; done

bench: $(VENV)/.tools  ## each benchmark prints its ratio against a peer
	for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

mutations: $(VENV)/.tools  ## deliberate mistakes that the tests must catch
	$(BIN)/python tests/mutations.py

fuzz: $(VENV)-fuzz/.installed  ## every reader on changed files, guided by the code they reach: 15 minutes
	PYTHONPATH=tests $(VENV)-fuzz/bin/python tests/fuzz_readers.py
	PYTHONPATH=src $(VENV)-fuzz/bin/python docs/make_reliability.py

test-full: $(VENV)/.tools  ## what needs gigabytes: torch, Ray, TeX, clouds, MariaDB, the tools whose logs are read
	$(BIN)/python -m pip install -qq "torch==2.13.0" torchmetrics ray
	$(BIN)/python -m pip install -qq s3fs gcsfs "moto[server]" gcp-storage-emulator pymysql mysql-connector-python
	bash scripts/install-test-tools.sh full
	test -x $(VENV)-tools/bin/python || $(PYTHON) -m venv $(VENV)-tools
	$(VENV)-tools/bin/python -m pip install -qq --disable-pip-version-check --upgrade "pip>=25.1"
	$(VENV)-tools/bin/python -m pip install -qq "torch==2.13.0" --group logs
	$(VENV)-tools/bin/python -m pip install -qq --editable .
	npm install --silent --no-audit --no-fund --prefix $(VENV)-tools/node node@22 promptfoo@0.123.1
	TOOLS=$(CURDIR)/$(VENV)-tools $(BIN)/python -m pytest tests/full

test-lowest:  ## the suite at the lowest versions that pyproject.toml claims
	bash scripts/test-in.sh lowest $(PYTHON) "$$($(PYTHON) scripts/lowest.py)"

test-pythons:  ## the suite on the other Pythons that pyproject.toml claims
	for python in python3.12 python3.13; do bash scripts/test-in.sh $$python $$python || exit 1; done

release:  ## a wheel and an sdist, checked and tested from outside the clone, and how to publish them
	bash scripts/release.sh $(PYTHON)

$(VENV)/.installed: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing informed into $(VENV) ..."
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --upgrade "pip>=25.1"
	@$(BIN)/python -m pip install -qq --editable .
	@$(BIN)/python -m compileall -q src
	@touch $@

$(VENV)/.tools: $(VENV)/.installed pyproject.toml scripts/install-test-tools.sh
	@echo "installing what the tests need ..."
	@$(BIN)/python -m pip install -qq --editable ".[all,parallel]" --group test --group lint
	@bash scripts/install-test-tools.sh
	@touch $@

$(VENV)/.docs: $(VENV)/.installed pyproject.toml
	@echo "installing what the site needs ..."
	@$(BIN)/python -m pip install -qq --group docs
	@touch $@

$(VENV)-fuzz/.installed: pyproject.toml
	@test -x $(VENV)-fuzz/bin/python || $(PYTHON) -m venv $(VENV)-fuzz
	@$(VENV)-fuzz/bin/python -m pip install -qq --disable-pip-version-check --upgrade "pip>=25.1"
	@$(VENV)-fuzz/bin/python -m pip install -qq --editable ".[all]" --group test "atheris>=3"
	@touch $@

clean:
	rm -rf $(VENV) $(VENV)-fuzz site .pytest_cache .mypy_cache .ruff_cache .hypothesis informed-report.html
