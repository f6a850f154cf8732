# Every target sets itself up: scripts/bootstrap finds or fetches uv, and uv makes .venv from uv.lock.
# It uses a Python of this machine and never downloads one.

export UV_PYTHON_PREFERENCE ?= system
export UV_PYTHON_DOWNLOADS ?= never

RUN = "$(shell sh scripts/bootstrap)" run --locked

.DEFAULT_GOAL := help
.PHONY: help setup run test check bench catalogues golden transcripts clean

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile

setup:  ## everything the other targets need, into .venv
	@uv="$$(sh scripts/bootstrap)" && "$$uv" sync --locked --quiet

run: setup  ## replay the example matches
	@$(RUN) fivepins score examples/*.fpn

check: setup  ## the fast half: lint, format, types, layers
	$(RUN) ruff check
	$(RUN) ruff format --check
	$(RUN) mypy
	$(RUN) pytest --quiet tests/test_layers.py

test: check  ## everything: check, the tests, and the examples in docstrings and documents
	$(RUN) pytest --doctest-modules src tests

bench: setup  ## the figures, or some of them: make bench ONLY="core physics"
	@$(RUN) --group bench python -m bench $(ONLY)

catalogues: setup  ## the texts of the source into every language's catalogue, and the catalogues compiled
	@sh scripts/catalogues

golden: setup  ## the golden tables of tests/golden, counted anew
	@sh scripts/golden

transcripts: setup  ## the transcripts of tests/playthroughs, written anew
	@sh scripts/transcripts

clean:  ## back to a fresh clone
	rm -rf .venv .tools .mypy_cache .pytest_cache .ruff_cache .hypothesis dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
