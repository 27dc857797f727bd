# `make run` serves the product with sample data; `make test` runs every check and test. Both set up what they need.

HOST ?= 127.0.0.1
PORT ?= 8787
STRICT ?=
export STRICT
export TEST_CACHE_DIR ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/tablewright
BIN := .venv/bin
BESIDE := $(MAKE) --no-print-directory --jobs=2 --output-sync=target
LOCK := $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --quiet

.DEFAULT_GOAL := help
.PHONY: help run setup setup-dev train test test-long test-unit check types rules format locks samples packages bench

help:  ## show the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup:
	@scripts/environment.sh run
	@scripts/page.sh

setup-dev:
	@scripts/environment.sh dev
	@scripts/page.sh

packages:
	@scripts/packages.sh
	@scripts/node_modules.sh

run: setup  ## serve on http://127.0.0.1:8787 with sample data (HOST=, PORT=)
	@exec $(BIN)/tablewright serve --host $(HOST) --port $(PORT) --demo

check: setup-dev  ## style, types, import rules, sizes
	@$(BESIDE) types rules

types:
	@$(BIN)/mypy

rules:
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet . || { echo "run: make format"; exit 1; }
	@$(BIN)/lint-imports --no-logo --no-cache
	@$(BIN)/python checks/packages.py
	@$(BIN)/python checks/vendors.py
	@$(BIN)/python checks/sizes.py
	@$(BIN)/python checks/texts.py
	@$(BIN)/python checks/error_codes.py
	@$(BIN)/python checks/addresses.py

test: setup-dev  ## every check and test (STRICT=1: a skipped test fails)
	@$(BESIDE) packages types rules
	@scripts/run_tests.sh short $(if $(STRICT),--strict-skips)

test-long: setup-dev packages  ## the tests that take minutes each, which `test` leaves out
	-@scripts/environment.sh model
	@scripts/run_tests.sh long $(if $(STRICT),--strict-skips)

test-unit: setup-dev  ## the unit rung alone; installs no system package
	@$(BIN)/python -m pytest tests/unit

train: setup-dev  ## learn the grammar's weights and its trust anew (BENCH= suites, WORK= a folder for what is computed)
	@$(BIN)/python -m benchmarks.grammar.train $(BENCH) $(WORK) --write

format: setup-dev  ## rewrite the sources in the house style
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format --quiet .

locks: setup-dev  ## compile the lock files anew (hashes only, no addresses)
	@$(LOCK) requirements/tools.in -o requirements/tools.lock
	@$(LOCK) pyproject.toml -c requirements/runtime.constraints -o requirements/runtime.lock
	@$(LOCK) pyproject.toml --group dev -c requirements/runtime.lock -o requirements/dev.lock
	@$(LOCK) --group sandbox --excludes requirements/sandbox.excludes -o src/tablewright/sandbox/sandbox.lock
	@$(LOCK) --no-deps requirements/node.in -o requirements/node.lock
	@$(LOCK) --no-deps requirements/real-model.in -o requirements/real-model.lock
	@$(LOCK) --group bench -c src/tablewright/sandbox/sandbox.lock -o requirements/bench.lock

bench: setup-dev  ## what the sandbox costs, beside ipykernel and smolagents (minutes)
	@scripts/environment.sh bench
	@$(BIN)/python benchmarks/sandbox.py

samples: setup-dev  ## make the sample files anew
	@$(BIN)/python scripts/make_samples.py
