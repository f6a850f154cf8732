"""The tables. Whoever changes them adds a file to `migrations/versions`; a test compares the two."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()

matches = sa.Table(
    "matches",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("created_at", sa.String(40), nullable=False),
)

log = sa.Table(
    "log",
    metadata,
    sa.Column("match_id", sa.String(64), sa.ForeignKey("matches.id"), nullable=False),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("line", sa.Text, nullable=False),
    sa.Column("at", sa.String(40), nullable=False),
    sa.Column("by", sa.Text, nullable=False),
    sa.Column("device", sa.Text, nullable=False),
    sa.Column("command_id", sa.String(128)),
    sa.UniqueConstraint("match_id", "seq", name="log_match_seq"),
    sa.UniqueConstraint("command_id", name="log_command"),
)
"""A command may write several lines (the head of a match); its id stands at the first of them."""

scores = sa.Table(
    "scores",
    metadata,
    sa.Column("match_id", sa.String(64), sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("phase", sa.String(16), nullable=False),
    sa.Column("a", sa.Integer, nullable=False),
    sa.Column("b", sa.Integer, nullable=False),
    sa.Column("sets_a", sa.Integer, nullable=False),
    sa.Column("sets_b", sa.Integer, nullable=False),
)
"""A read table: a cache of what the log comes to, to be thrown away at will."""
