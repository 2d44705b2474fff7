# `make demo` and `make test` set up everything they need in .venv; nothing is installed outside it.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: help demo test check bench clean

help:  ## this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

demo: $(VENV)/.installed  ## a short story: observe, ask, see why
	@$(BIN)/python examples/demo.py

test: check  ## lint, types and all tests
	$(BIN)/python -m pytest

check: $(VENV)/.developing  ## lint and types alone, in seconds
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.installed  ## speed and size at 1k, 10k and 100k memories
	$(BIN)/python bench/speed.py

$(VENV)/.installed: pyproject.toml models/minilm/pyproject.toml
	$(PYTHON) -m venv $(VENV)
	@echo "Installing Omoide and its offline embedder into $(VENV) …"
	$(PIP) ./models/minilm -e ".[minilm]"
	@touch $@

$(VENV)/.developing: $(VENV)/.installed
	$(PIP) -e ".[minilm,dev]"
	@touch $@

clean:  ## remove what was installed and built
	rm -rf $(VENV) build dist
