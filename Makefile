# Two commands do all: `make check` checks a real engine, `make test` passes the tests.
# Both make the virtual environment first; a second run finds it ready.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
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

.PHONY: check test lint trace bench fingerprints samples clean

# Succeeds if the engine could be judged: it conforms (0) or departs (1).
check: $(READY)
	@$(BIN)/pickomino check $(CHECK) $(TARGET); status=$$?; \
	if [ $$status -le 1 ]; then exit 0; else exit $$status; fi

test: $(READY)
	$(BIN)/python -m pytest

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# What bears each rule's id, and every gap.
trace: $(READY)
	$(BIN)/python -m pickomino_conformance.trace

# The sample engines in other languages, each if its language is installed.
samples: $(READY)
	@if command -v node >/dev/null; then \
	  $(BIN)/pickomino check -- node engines/sample-node/engine.js; \
	else echo "node is not installed: its sample is not checked"; fi

bench: $(READY)
	$(BIN)/python tests/bench

# Only after a rule has changed on purpose.
fingerprints: $(READY)
	$(BIN)/python tests/make_fingerprints.py

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[pickomino-env,test]'
	@touch $@
