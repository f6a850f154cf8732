"""All tests. Those of tests/asleep wait for minutes and hardly work, so they run beside the others.

What they print comes at the end, with the times they measured. Both runs hear Ctrl-C: a shell would hide it
from the one in the background, which would leave its browsers behind.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from typing import Final

PYTEST: Final = (sys.executable, "-m", "pytest")
ASLEEP: Final = (*PYTEST, "-n", "4", "-rP", "tests/asleep")
AWAKE: Final = (
    *PYTEST, "-n", "2", "--dist", "loadfile", "--ignore", "tests/asleep", "--doctest-modules", "src", "tests",
)  # fmt: skip


def main() -> int:
    """Run both; the exit code of the first that failed."""
    with tempfile.TemporaryFile() as said:
        asleep = subprocess.Popen(ASLEEP, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT)
        awake = subprocess.Popen(AWAKE)
        codes: list[int] = []
        while len(codes) < 2:
            try:
                codes = [awake.wait(), asleep.wait()]
            except KeyboardInterrupt:
                continue  # both of them heard it too: they tidy up and end
        said.seek(0)
        print("\nAsleep beside them:", said.read().decode(), sep="\n")
    return max(codes, key=abs)


if __name__ == "__main__":
    sys.exit(main())
