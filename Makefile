# `make demo` and `make test` need Python 3.11 or newer with venv and pip, and nothing else: everything goes into .venv.

PYTHON ?= python3
WORKSPACE ?= demo-workspace
PYTEST_WORKERS ?= -n logical --maxprocesses 8
# A test that hangs is named, with where it hangs, instead of hanging the whole.
HANGS = -o faulthandler_exit_on_timeout=true -o faulthandler_timeout=

VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV PIP_USER

# What is installed is named after the contents of the lock files and of pyproject.toml: nothing is installed twice, and
# a changed lock is noticed whatever the files' dates say.
KEY := $(shell cat requirements/ocr.txt requirements/dev.txt pyproject.toml | cksum | cut -d ' ' -f 1)
PLACE := $(shell pwd | cksum | cut -d ' ' -f 1)
READY := $(VENV)/made-in-$(PLACE)
DEMO := $(VENV)/installed-demo-$(PLACE)-$(KEY)
DEV := $(VENV)/installed-dev-$(PLACE)-$(KEY)

TORCH ?= 2.13.0
TRAIN := .venv-train/installed

# Snellen itself is built by the pinned hatchling from the lock, without the isolated environment that would fetch another.
INSTALL = rm -f $(VENV)/installed-* && \
	$(BIN)/python -m pip install --quiet --require-hashes -r $(1) && \
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .

.PHONY: help demo test test-rest test-all test-train lint docs cli-docs lock clean

help:
	@echo "make demo       set up, then run the demo on models that need no server: a table and an HTML report"
	@echo "make test       set up, then run the tests and check style and types"
	@echo "make test-all   the same, and the slow and browser tests (the latter need chromium)"
	@echo "make test-train what needs torch, in an environment of its own (.venv-train)"
	@echo "make lint       style and types only"
	@echo "make docs       build the documentation into site/"
	@echo "make cli-docs   write docs/cli.md again from the command line's own help"
	@echo "make lock       resolve the pinned requirements again"
	@echo "make clean      remove .venv, caches, site/ and the demo's workspace"

demo: $(DEMO)
	$(BIN)/snellen --workspace "$(WORKSPACE)" demo

test: $(DEV)
	$(BIN)/pytest $(PYTEST_WORKERS) $(HANGS)120
	$(MAKE) lint

# What `make test` skips. Not side by side: some of these tests measure, and a browser wants its memory.
test-rest: $(DEV)
	$(BIN)/pytest -m "slow or browser" $(HANGS)1200

# What needs torch has an environment of its own, beside which the others stay light. torch is in no lock file. A server
# that is not ours (transformers serve) runs there too; what it needs is pinned in requirements/train.txt.
$(TRAIN): pyproject.toml requirements/dev.txt requirements/train.txt
	test -x .venv-train/bin/python || $(PYTHON) -m venv .venv-train
	.venv-train/bin/python -m pip install --quiet --require-hashes -r requirements/dev.txt
	.venv-train/bin/python -m pip install --quiet torch==$(TORCH)
	.venv-train/bin/python -m pip install --quiet -r requirements/train.txt -e '.[style,adversarial,sentence-transformers]'
	touch $@

test-train: $(TRAIN)
	.venv-train/bin/pytest --run-train -m train $(HANGS)600 tests/perturbations tests/models tests/pipeline
	.venv-train/bin/pytest $(HANGS)120 tests/perturbations/test_style_transfer.py

# One after the other whatever -j says, so that the cheap failures come first.
test-all:
	$(MAKE) test
	$(MAKE) test-rest

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/mypy src tests $(if $(wildcard perf/*.py),perf)

docs: $(DEV)
	$(BIN)/mkdocs build --strict

cli-docs: $(DEV)
	$(BIN)/python docs/make_cli.py

# A mirror that pip is configured to use is used, and not written down.
COMPILE = CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/pip-compile --quiet --generate-hashes --strip-extras --allow-unsafe \
	--annotation-style=line -c requirements/constraints.txt --no-emit-options --no-emit-index-url --no-emit-trusted-host --no-emit-find-links $(UPGRADE)
DEV_GROUP = import pathlib, tomllib; project = tomllib.loads(pathlib.Path("pyproject.toml").read_text()); \
	print(*project["dependency-groups"]["dev"], sep="\n")

lock: $(DEV)
	$(COMPILE) --build-deps-for editable -o requirements/run.txt pyproject.toml
	$(COMPILE) --build-deps-for editable --extra ocr -c requirements/run.txt -o requirements/ocr.txt pyproject.toml
	$(BIN)/python -c '$(DEV_GROUP)' | $(COMPILE) -o requirements/dev.txt requirements/ocr.txt -

clean:
	rm -rf $(VENV) .venv-train site .pytest_cache .mypy_cache .ruff_cache .hypothesis
	rm -rf "$(WORKSPACE)"

# A virtual environment that was made elsewhere (the folder was moved or copied) does not work here: it is made again.
$(READY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Snellen needs Python 3.11 or newer, not " \
		+ sys.version.split()[0] + ": make PYTHON=/path/to/python3.12 ...")'
	grep -qsF "$(CURDIR)/$(VENV)/" $(BIN)/pip || $(PYTHON) -m venv --clear $(VENV)
	touch $@

$(DEMO): | $(READY)
	@test -e $(DEV) || echo "installing pinned requirements into $(VENV): a minute or two"
	test -e $(DEV) || { $(call INSTALL,requirements/ocr.txt); }
	touch $@

$(DEV): | $(READY)
	$(call INSTALL,requirements/dev.txt)
	touch $@
