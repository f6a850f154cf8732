"""`python -m fivepins` is `fivepins`."""

from __future__ import annotations

from fivepins.cli import main

if __name__ == "__main__":
    main()
