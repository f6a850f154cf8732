"""The whole server killed while tablets write: what it acknowledged is there, the rest is sent again."""

from __future__ import annotations

import random
from pathlib import Path

from killing import Tablets
from serving import Served


def test_b37_a_server_that_is_killed_keeps_what_it_acknowledged(tmp_path: Path) -> None:
    """Five kills with SIGKILL at random moments; each start succeeds, and a lost command is stored once."""
    served = Served(tmp_path / "hall")
    try:
        tablets, chance = Tablets(served, 3), random.Random(37)
        acknowledged = sum(tablets.killed(chance) for _ in range(5))
        assert acknowledged >= 5 * 3, "it was killed while all of them wrote"
        assert served.stop() == 0
        assert served.errors == ""
    finally:
        served.kill()
