# Two commands do it all: `make check` checks a real engine, `make test` runs the tests
# (`make quick` the fast ones). Each makes the virtual environment first, if it is not there.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
SITE_READY := $(VENV)/site-ready
NPM_READY := build/npm/ready
BROWSER_READY := $(VENV)/browser-ready
BUNDLED := reference pickomino-env

# One word is a bundled engine or module:attribute, as the command line has it;
# anything else is a command.
ENGINE ?= pickomino-env
ifneq ($(word 2,$(ENGINE)),)
  TARGET = -- $(ENGINE)
else ifneq ($(filter $(BUNDLED),$(ENGINE))$(findstring :,$(ENGINE)),)
  TARGET = $(ENGINE)
else
  TARGET = -- $(ENGINE)
endif

.PHONY: check quick test lint trace bench faults elsewhere fingerprints samples clean
.PHONY: shown verdicts
.PHONY: site site-serve site-zensical site-test screenshots

# The bundled engine must depart where it is known to, and nowhere else. Of any other engine it is
# enough that it could be judged: it conforms (0) or departs (1).
check: $(READY)
ifeq ($(ENGINE),pickomino-env)
	@$(BIN)/pickomino check --known-failures engines/pickomino-env/known-failures.toml \
	  $(CHECK) $(TARGET)
else
	@$(BIN)/pickomino check $(CHECK) $(TARGET); status=$$?; \
	if [ $$status -le 1 ]; then exit 0; else exit $$status; fi
endif

# While working: the tests that start no process.
quick: $(READY)
	$(BIN)/python -m pytest tests/unit --numprocesses auto --dist worksteal

# All but the browser, on all cores. Whoever has nothing left to run takes over from the others.
test: $(READY)
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# What bears each rule's id, and every gap.
trace: $(READY)
	$(BIN)/python tests/rule_trace.py

# The sample engines in other languages, each if its language is installed.
samples: $(READY)
	@if command -v node >/dev/null; then \
	  $(BIN)/pickomino check -- node engines/sample-node/engine.js; \
	else echo "node is not installed: its sample is not checked"; fi

bench: $(READY)
	$(BIN)/python tests/bench

# Every fault of the catalogue over the pipe: is it found, and named? Takes two minutes.
faults: $(READY)
	$(BIN)/python tests/bench/faults.py

# The wheel in a new environment, in somebody else's project.
elsewhere: $(READY)
	$(BIN)/python -m pytest -q tests/elsewhere.py

# Only after a rule has changed on purpose.
fingerprints: $(READY)
	$(BIN)/python tests/exhaustive/make_fingerprints.py

# The rules site, in all languages, into site/.
site: $(SITE_READY) $(NPM_READY)
	@PYTHONPATH=docs $(BIN)/python -m generator build

# What the pages show of real runs: commands with what they print, and the table of verdicts.
# Both take a few minutes; `make test` tells when they are no longer true.
shown: $(SITE_READY)
	@PYTHONPATH=docs $(BIN)/python -m generator shown

verdicts: $(SITE_READY)
	@PYTHONPATH=docs $(BIN)/python -m generator verdicts

# PORT=8000 unless said otherwise.
site-serve: $(READY)
	@PYTHONPATH=docs $(BIN)/python -m generator serve $(PORT)

# The site in a real browser: Debian's Chromium, which is installed if it is missing.
site-test: site $(BROWSER_READY)
	$(BIN)/python -m pytest tests/site/browser --numprocesses auto --dist worksteal

# Pictures of the main pages, to be looked at before a release, into build/screenshots/.
screenshots: site $(BROWSER_READY)
	@PYTHONPATH=docs $(BIN)/python tests/site/browser/screenshots.py

# How far the theme's successor gets with the same pages; it never fails.
site-zensical: $(SITE_READY)
	-@PYTHONPATH=docs $(BIN)/python -m generator pages && \
	  $(PYTHON) -m venv build/zensical && \
	  build/zensical/bin/python -m pip install --quiet --disable-pip-version-check zensical && \
	  build/zensical/bin/zensical build --config-file mkdocs.yml

clean:
	rm -rf $(VENV) build dist site .cache .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[pickomino-env,test]'
	@touch $@

$(SITE_READY): pyproject.toml $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[site]'
	@touch $@

$(NPM_READY): docs/package.json
	@command -v npm >/dev/null || \
	  { echo "npm is not installed; it comes with Node, and fetches Python for the referee page."; \
	    exit 1; }
	mkdir -p build/npm
	cp docs/package.json build/npm/
	npm install --prefix build/npm --no-package-lock --no-audit --no-fund --ignore-scripts
	@touch $@

$(BROWSER_READY): pyproject.toml $(READY) tests/site/browser/install-browser
	tests/site/browser/install-browser
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[site-test]'
	@touch $@
