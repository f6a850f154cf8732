# Every target sets itself up: scripts/bootstrap finds or fetches uv, and uv makes .venv from uv.lock.
# It uses a Python of this machine and never downloads one.

export UV_PYTHON_PREFERENCE ?= system
export UV_PYTHON_DOWNLOADS ?= never

RUN = "$(shell sh scripts/bootstrap)" run --locked

.DEFAULT_GOAL := help
.PHONY: help setup browser run test check bench soak catalogues golden transcripts clean

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile

setup:  ## everything the other targets need, into .venv
	@test -d .venv || echo 'Setting up in .venv, once: this takes a minute or two.' >&2
	@uv="$$(sh scripts/bootstrap)" && "$$uv" sync --locked --quiet

browser:  ## the Chromium for the tests of the pages: found, or installed where that may be
	@sh scripts/chromium

run: setup  ## a demo hall: prints its addresses and serves it until Ctrl-C
	@$(RUN) fivepins serve --demo --data .demo

check: setup  ## the fast half: lint, format, types, page scripts, layers
	$(RUN) ruff check
	$(RUN) ruff format --check
	$(RUN) mypy
	sh scripts/types
	$(RUN) pytest --quiet tests/test_layers.py

test: browser check  ## everything: check, the tests, and the examples in docstrings and documents
	$(RUN) python tests/everything.py

bench: setup  ## the figures, or some of them: make bench ONLY="core physics"
	@$(RUN) --group bench python -m bench $(ONLY)

soak: setup  ## an hour of a hall, for leaks and stale displays; no part of bench
	@$(RUN) python -m bench.soak

catalogues: setup  ## the texts of the source into every language's catalogue, and the catalogues compiled
	@sh scripts/catalogues

golden: setup  ## the golden tables of tests/golden, counted anew
	@sh scripts/golden

transcripts: setup  ## the transcripts of tests/playthroughs, written anew
	@sh scripts/transcripts

clean:  ## back to a fresh clone
	rm -rf .demo .venv .tools node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
