# Everything one does with this repository. `make` alone lists it.
#
# Needs python3 (3.11 or newer, with venv), make and git. The environment is made on first use and
# again whenever pyproject.toml or a lock changes; nothing is installed outside .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# More processes than there are cores, one for tests and two for proofs: tests wait for browsers,
# servers and commands, and proofs for disks as well. A file stays in one process; long ones come
# first, as conftest.py and the folders in pyproject.toml list them.
CORES := $(shell getconf _NPROCESSORS_ONLN)
PYTEST := $(BIN)/python -m pytest --dist loadfile --no-loadscope-reorder
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# Tests start hundreds of Pythons: each would compile all modules anew where a shell forbids to keep
# what was compiled.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help venv demo test prove clusters load year components check fix bench web lock clean

help: ## List what make can do
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 10

# Two stamps, so that the first estimate waits for the server's dependencies alone. The server comes
# last: pip takes away the command of an older tossup, which had it, after installing both.
$(VENV)/server: pyproject.toml server/pyproject.toml requirements-server.lock
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --require-hashes -r requirements-server.lock
	$(PIP) install --no-deps --no-build-isolation -e .
	$(PIP) install --no-deps --no-build-isolation -e ./server
	@touch $@

$(VENV)/dev: $(VENV)/server requirements.lock
	$(PIP) install --require-hashes -r requirements.lock
	@touch $@

# axe-core, which looks for barriers in the pages, and what the examples are written for; the lock
# names no address, so any mirror will do.
build/web/stamp: tests/web/package.json tests/web/package-lock.json
	@command -v npm >/dev/null || { echo "make test needs: apt-get install chromium chromium-headless-shell nodejs npm"; exit 1; }
	@mkdir -p build/web
	cp tests/web/package.json tests/web/package-lock.json build/web
	npm ci --prefix build/web --ignore-scripts --no-audit --no-fund --silent
	@touch $@

# TypeScript and esbuild, which build the browser SDK; no page and no package needs them.
client/web/node_modules/.package-lock.json: client/web/package.json client/web/package-lock.json
	@command -v npm >/dev/null || { echo "make web needs: apt-get install nodejs npm"; exit 1; }
	npm ci --prefix client/web --ignore-scripts --no-audit --no-fund --silent
	@touch $@

components: $(VENV)/dev ## Show every part of the pages on one page, for who changes them
	PYTHONPATH=tests/support $(BIN)/python -m components

web: client/web/node_modules/.package-lock.json ## Build the browser SDK into the server's static files
	node client/web/build.mjs

venv: $(VENV)/dev ## Make or update the development environment in .venv

# `make demo -- --serve` hands on what stands behind the two dashes.
ifeq (demo,$(firstword $(MAKECMDGOALS)))
ifneq (,$(filter --%,$(MAKECMDGOALS)))
HANDED := $(wordlist 2,$(words $(MAKECMDGOALS)),$(MAKECMDGOALS))
ARGS += $(HANDED)
.PHONY: $(HANDED)
$(HANDED): ;@:
endif
endif

demo: $(VENV)/server ## Run a survey of 1,000 simulated respondents over the real road
	$(BIN)/tossup demo $(ARGS)

test: $(VENV)/dev build/web/stamp client/web/node_modules/.package-lock.json ## Run every test but the long proofs; about 4 minutes
	$(PYTEST) -n $$(expr $(CORES) + 1) -m "not prove and not clusters and not load" $(ARGS)

prove: $(VENV)/dev build/web/stamp client/web/node_modules/.package-lock.json ## Run the long proofs; about 9 minutes more
	$(PYTEST) -n $$(expr $(CORES) + 2) -m prove $(ARGS)

clusters: $(VENV)/dev ## Install Spark and Ray (a gigabyte) and count archives with them; needs a Java
	$(PIP) install --require-hashes -r requirements-clusters.lock
	$(BIN)/python -m pytest -m clusters $(ARGS)

load: $(VENV)/dev ## Load servers until they refuse, and kill them under load; about 15 minutes
	$(PIP) install --require-hashes -r requirements-load.lock
	$(BIN)/python -m pytest -m load -s $(ARGS)

year: $(VENV)/dev ## Store a year of 100 million reports, and start on them; minutes on an idle machine, and 3 GB
	PYTHONPATH=tests/support:tests/benchmarks $(BIN)/python tests/system/load/year.py $(ARGS)

check: $(VENV)/dev ## Check format, lint, types and import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fix: $(VENV)/dev ## Format the code, fix what can be fixed, renew references
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/python docs/reference/make_cli.py
	$(BIN)/python docs/reference/make_python.py
	$(BIN)/python docs/reference/make_roles.py
	$(BIN)/python docs/explanation/make_architecture.py

bench: $(VENV)/dev ## Measure against peers and limits; writes build/bench.json and a page
	$(BIN)/python docs/reference/make_coverage.py
	PYTHONPATH=tests/support $(BIN)/python tests/benchmarks/run.py $(ARGS)

lock: ## Pin every dependency anew, with hashes and without addresses
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip --disable-pip-version-check --quiet install pip-tools
	PIP_CONFIG_FILE=/dev/null build/lock/bin/python .ci/lock.py

clean: ## Remove the environment and everything built
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
