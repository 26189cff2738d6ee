# Needs GNU make and Python 3.11 or newer; everything else goes into .venv.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

# The other Pythons of this machine that can run the program, the newest of each minor version: those on the PATH, and
# pyenv's, whose names on the PATH work only while they are selected.
OTHERS = $(shell $(BIN)/python tests/pythons.py)

# pip reads the first name; from 25.3 on it reads the second for isolated builds. Both pin the build dependencies.
PIP_INSTALL := PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt \
	$(BIN)/python -m pip install --quiet --no-input --disable-pip-version-check
# A virtual environment made by uv has no pip.
ENSURE_PIP := $(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip

PYTEST := -m pytest -n auto --dist worksteal
IN_MEMORY := sh tests/in_memory.sh

# Without cached bytecode pytest rewrites the asserts of all tests each time, and `mam` is compiled at each start.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help demo test test-all lint pages fuzz bench rules manual recorded format clean

help: ## List these targets.
	@sed -n 's/^\([a-z-]*\):.*## /make \1	/p' Makefile | expand -t 15

demo: $(VENV)/.runtime ## Play the printed fight, undo its last ruling and redo it.
	@MAM="$(CURDIR)/$(BIN)/mam" bash examples/demo.sh

test: lint ## Check format, lint and types, then run every test that is not slow.
	$(IN_MEMORY) $(BIN)/python $(PYTEST)

# The others look for what differs between Pythons: few examples show it, and the allocator that looks for faults of C
# code would double the time.
test-all: lint ## Run all tests, also the slow ones, then the others on each other Python of this machine.
	MAM_EXAMPLES=$${MAM_EXAMPLES:-50} $(IN_MEMORY) $(BIN)/python $(PYTEST) -m ""
	@set -e; for python in $(OTHERS); do \
		version=$$("$$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
		echo "Python $$version …"; \
		$(MAKE) --no-print-directory "PYTHON=$$python" "VENV=.venv/$$version" .venv/$$version/.dev; \
		PYTHONDEVMODE=1 PYTHONMALLOC=pymalloc MAM_LONG= MAM_EXAMPLES=10 $(IN_MEMORY) .venv/$$version/bin/python $(PYTEST) --hypothesis-seed=0; \
	done

fuzz: $(VENV)/.dev ## Try thousands of examples of each property, for some hours.
	MAM_FUZZ=1 MAM_EXAMPLES=$${MAM_EXAMPLES:-5000} $(IN_MEMORY) $(BIN)/python $(PYTEST) -m "" --timeout=14400

lint: $(VENV)/.dev ## Check format, lint and types, also of the pages if Node is installed.
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory pages; \
	else echo "There is no Node here: the pages are not checked."; fi

pages: web/node_modules/.stamp ## Check format, lint and types of the pages.
	cd web && npm run --silent check

bench: $(VENV)/.dev ## Measure the speed of the log against its limits and print the table.
	$(BIN)/python -m benchmarks

rules: $(VENV)/.runtime ## Compile the TOML data of the rules into the file that `mam` reads at its start.
	$(BIN)/python -m mam_events.rules.build_data

recorded: $(VENV)/.runtime ## Record the fights of examples/ again, each as an export in tests/recorded/.
	rm -rf tests/recorded/*.ndjson build/recorded && mkdir -p build/recorded
	for fight in $$(grep -l "^encounter" examples/*.toml); do $(BIN)/mam play $$fight -q --store build/recorded/mam.db > build/recorded/played || exit 1; done
	$(BIN)/mam export --all -o tests/recorded --store build/recorded/mam.db

manual: $(VENV)/.runtime ## Generate the command registry, docs/commands.md, the table of rights and docs/refusals.md.
	$(BIN)/python -m cli.docgen.registry
	$(BIN)/python -m cli.docgen.commands
	$(BIN)/python -m cli.docgen.permissions
	$(BIN)/python -m cli.docgen.refusals

format: $(VENV)/.dev ## Format the code, and fix what the linter can fix.
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory web/node_modules/.stamp && cd web && npm run --silent format; fi

clean: ## Remove .venv and every cache.
	rm -rf .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache dist web/node_modules
	find . -type d -name __pycache__ -prune -exec rm -rf {} +

# Two stamps, so that `make demo` does not install the development tools.
$(VENV)/.runtime: $(BIN)/python pyproject.toml constraints.txt
	@echo "Installing the program into $(VENV) …"
	@$(ENSURE_PIP)
	@$(PIP_INSTALL) --editable '.[web]'
	@touch $@

$(VENV)/.dev: $(BIN)/python pyproject.toml constraints.txt
	@echo "Installing the program and its development tools into $(VENV) …"
	@$(ENSURE_PIP)
	@$(PIP_INSTALL) --editable '.[dev]'
	@touch $(VENV)/.runtime $@

web/node_modules/.stamp: web/package.json
	@echo "Installing the tools that check the pages …"
	@cd web && npm install --no-package-lock --no-audit --no-fund --silent
	@touch $@

$(BIN)/python:
	@command -v "$(PYTHON)" >/dev/null || { \
		echo "mam-events needs Python 3.11 or newer, and there is no $(PYTHON) here." >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "mam-events needs Python 3.11 or newer, and $(PYTHON) is $$("$(PYTHON)" -V 2>&1): name another, as in make $(MAKECMDGOALS) PYTHON=python3.12." >&2; \
		exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) cannot make a virtual environment: on Debian and Ubuntu, apt-get install python3-venv mends that." >&2; \
		exit 1; }
	@"$(PYTHON)" -m venv --clear "$(VENV)"
