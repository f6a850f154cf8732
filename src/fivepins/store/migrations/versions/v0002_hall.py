"""The hall beside the log: clocks, desks, grants, settings; and where a match is played."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the tables of the hall; the read table is begun anew, and filled when the store is opened."""
    op.add_column("matches", sa.Column("number", sa.Integer, nullable=False, server_default="0"))
    op.execute(
        "UPDATE matches SET number = (SELECT count(*) FROM matches AS one WHERE one.created_at < "
        "matches.created_at OR (one.created_at = matches.created_at AND one.id <= matches.id))"
    )
    op.create_index("matches_number", "matches", ["number"], unique=True)
    op.drop_table("scores")
    op.create_table(
        "scores",
        sa.Column("match_id", sa.String(64), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("phase", sa.String(16), nullable=False),
        sa.Column("a", sa.Integer, nullable=False),
        sa.Column("b", sa.Integer, nullable=False),
        sa.Column("sets_a", sa.Integer, nullable=False),
        sa.Column("sets_b", sa.Integer, nullable=False),
        sa.Column("place", sa.String(16), nullable=False),
        sa.Column("closed", sa.Boolean, nullable=False),
    )
    op.create_table(
        "clocks",
        sa.Column("match_id", sa.String(64), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("command_id", sa.String(128), nullable=False),
        sa.Column("running", sa.Boolean, nullable=False),
        sa.Column("held", sa.Float, nullable=False),
        sa.Column("begun", sa.Float, nullable=False),
    )
    op.create_table(
        "desks",
        sa.Column("match_id", sa.String(64), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("device", sa.String(64), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("since", sa.String(40), nullable=False),
    )
    op.create_table(
        "grants",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("scope", sa.String(80), nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("created_at", sa.String(40), nullable=False),
        sa.Column("expires_at", sa.String(40)),
        sa.Column("revoked_at", sa.String(40)),
        sa.Column("secret", sa.Text, nullable=False),
    )
    op.create_table(
        "settings",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
