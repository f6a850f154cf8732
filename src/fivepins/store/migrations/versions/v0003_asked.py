"""Clocks that a process found running, and asks the others about."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column."""
    op.add_column("clocks", sa.Column("asked", sa.Boolean, nullable=False, server_default=sa.false()))
