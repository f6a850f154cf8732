"""The tables. Whoever changes them adds a file to `migrations/versions`; a test compares the two."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()

matches = sa.Table(
    "matches",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("created_at", sa.String(40), nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Index("matches_number", "number", unique=True),
)
"""`number` counts the matches: their order must not hang on a clock that somebody sets."""

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
    sa.Column("place", sa.String(16), nullable=False),
    sa.Column("closed", sa.Boolean, nullable=False),
)
"""A read table: a cache of what the log comes to, to be thrown away at will.
`place` is the table played at."""

clocks = sa.Table(
    "clocks",
    metadata,
    sa.Column("match_id", sa.String(64), sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("command_id", sa.String(128), nullable=False),
    sa.Column("running", sa.Boolean, nullable=False),
    sa.Column("held", sa.Float, nullable=False),
    sa.Column("begun", sa.Float, nullable=False),
    sa.Column("asked", sa.Boolean, nullable=False, server_default=sa.false()),
)
"""The clock of the stroke that is awaited, beside the log: a start is worth keeping, not writing down."""

moves = sa.Table(
    "moves",
    metadata,
    sa.Column("command_id", sa.String(128), primary_key=True),
    sa.Column("match_id", sa.String(64), sa.ForeignKey("matches.id"), nullable=False),
    sa.Column("action", sa.String(16), nullable=False),
)
"""What was done to clocks, by its command, so that a command that comes again does nothing more."""

desks = sa.Table(
    "desks",
    metadata,
    sa.Column("match_id", sa.String(64), sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("device", sa.String(64), nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("by", sa.Text, nullable=False),
    sa.Column("since", sa.String(40), nullable=False),
)
"""Which device writes a match."""

grants = sa.Table(
    "grants",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("role", sa.String(16), nullable=False),
    sa.Column("scope", sa.String(80), nullable=False),
    sa.Column("label", sa.Text, nullable=False),
    sa.Column("created_at", sa.String(40), nullable=False),
    sa.Column("expires_at", sa.String(40)),
    sa.Column("revoked_at", sa.String(40)),
    sa.Column("secret", sa.Text, nullable=False),
)
"""Rights that were given; `secret` is the hash of a PIN or password, empty without one."""

settings = sa.Table(
    "settings",
    metadata,
    sa.Column("key", sa.String(64), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
