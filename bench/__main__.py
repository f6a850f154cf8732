"""Runs the benchmarks: each is a `bench/bench_*.py` whose `main()` prints a table in Markdown."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

NAMES = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))


def main() -> None:
    """Run the benchmarks that are asked for, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of: {', '.join(NAMES) or 'none yet'}")
    parser.add_argument("--list", action="store_true", help="print the names and stop")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in NAMES]
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}; known are {', '.join(NAMES) or 'none yet'}")
    for name in options.names or NAMES:
        if options.list:
            print(name)
            continue
        bench = import_module(f"bench.bench_{name}")
        print(f"## {(bench.__doc__ or name).strip().splitlines()[0]}\n\n`python -m bench {name}`\n")
        bench.main()
        print()


if __name__ == "__main__":
    main()
