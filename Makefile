# Every target makes the environment that it needs: in a fresh clone `make demo` and `make test` work with nothing but
# Python 3.11 or newer and pip. Another interpreter: make PYTHON=python3.13. What tests need besides `dev`: TEST_EXTRAS.
PYTHON ?= python3
TEST_EXTRAS := dev,report,serve,train
ALL_EXTRAS := train,serve,report,distributed,dev
# What `make constraints` does not take the newest of; onnxruntime has since grown by 13 MB.
HELD := torch==2.13.0 onnxruntime==1.26.0
EXAMPLE := docqn/examples/handbook.md
QUESTIONS := "How many working days of leave does the other parent get?" "When was the company founded?" \
	"What does the company pay for glasses?"

RUN := .venv/bin/python -m
# Only errors are shown. Bytecode is written when a module is first used, not for all of every package: a fifth of the disk, and
# sooner done.
PIP_INSTALL := -m pip install --quiet --quiet --disable-pip-version-check --no-compile --only-binary :all:

.DEFAULT_GOAL := help
.PHONY: help install demo test check format bench size constraints clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

install: .venv/installed ## docqn without extras, in .venv

demo: .venv/installed ## ask a long document three questions
	@for question in $(QUESTIONS); do printf '\n> %s\n\n' "$$question"; .venv/bin/docqn ask $(EXAMPLE) "$$question"; done

test: .venv/installed-dev ## all tests; ARGS="-k html -x" is handed to pytest
	@$(RUN) pytest $(ARGS)

check: .venv/installed-dev ## formatting, lint and types
	@$(RUN) ruff format --check .
	@$(RUN) ruff check .
	@$(RUN) mypy

format: .venv/installed-dev ## format the code and mend what lint can mend
	@$(RUN) ruff format .
	@$(RUN) ruff check --fix .

bench: .venv/installed-dev ## speed beside that of others; ONLY=pdf for benchmarks/bench_pdf.py alone
	@$(RUN) benchmarks $(ONLY)

size: ## megabytes that an install without extras takes
	@rm -rf build/size
	$(call environment,build/size)
	@before=$$(du -sk build/size | cut -f1); \
	build/size/bin/python $(PIP_INSTALL) --constraint constraints.txt . && \
	after=$$(du -sk build/size | cut -f1); \
	rm -rf build/size; \
	echo "$$(( (after - before) / 1024 )) MB"

constraints: ## choose the newest versions of all packages and write them to constraints.txt
	@rm -rf build/all
	$(call environment,build/all)
	build/all/bin/python $(PIP_INSTALL) '.[$(ALL_EXTRAS)]' $(HELD)
	@echo '# The exact version of every package, extras included. Written by `make constraints`.' > build/constraints.txt
	@build/all/bin/python -m pip freeze --exclude docqn > build/frozen.txt
	@sed 's/+.*//' build/frozen.txt >> build/constraints.txt  # without the build of torch (+cpu)
	@mv build/constraints.txt constraints.txt && rm -rf build/all build/frozen.txt

clean: ## remove caches and what was built; .venv stays
	@rm -rf build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find . -path ./.venv -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

# $(1): where the environment goes
define environment
@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	echo 'docqn needs Python 3.11 or newer, and "$(PYTHON)" is not. Name another: make PYTHON=/path/to/python3.11' >&2; exit 1; }
@"$(PYTHON)" -m venv $(1)
endef

.venv/bin/pip:
	$(call environment,.venv)

# What is installed is as old as the files that say what to install.
.venv/installed: pyproject.toml constraints.txt | .venv/bin/pip
	@echo 'Installing docqn into .venv …'
	@.venv/bin/python $(PIP_INSTALL) --constraint constraints.txt --editable .
	@touch $@

.venv/installed-dev: pyproject.toml constraints.txt | .venv/bin/pip
	@echo 'Installing docqn[$(TEST_EXTRAS)] into .venv …'
	@.venv/bin/python $(PIP_INSTALL) --constraint constraints.txt --editable '.[$(TEST_EXTRAS)]'
	@touch .venv/installed $@
