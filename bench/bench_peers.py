"""The same strokes here and in pooltool 0.6.0, as ratios.

Runs `bench/peers/pooltool.py`, which installs the peer in an environment of its own.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main() -> None:
    """Run the comparison in a process of its own: its peer's clock must not see our other benches."""
    script = Path(__file__).with_name("peers") / "pooltool.py"
    sys.stdout.flush()
    subprocess.run([sys.executable, str(script)], check=True)


if __name__ == "__main__":
    main()
