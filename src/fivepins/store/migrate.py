"""Bringing a database to the schema of this program; a newer one is refused."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from fivepins.errors import StoreError
from fivepins.message import Message
from fivepins.store.dialect import writing


def migrate(engine: sa.Engine) -> None:
    """Make the tables where there are none, and bring older ones up to date, in one transaction."""
    config = Config()
    config.set_main_option("script_location", "fivepins.store:migrations")
    config.set_main_option("path_separator", "os")
    scripts = ScriptDirectory.from_config(config)
    newest = scripts.get_current_head()
    with engine.connect() as connection:
        if _version(connection, scripts) == newest:
            return  # nothing to write: also a database that cannot be written is read
    with writing(engine).begin() as connection:
        if _version(connection, scripts) != newest:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")


def _version(connection: sa.Connection, scripts: ScriptDirectory) -> str | None:
    """The version of the schema, None in an empty database."""
    found = MigrationContext.configure(connection).get_current_revision()
    known = [script.revision for script in scripts.walk_revisions()]
    if found is None and sa.inspect(connection).get_table_names():
        raise StoreError("this database belongs to another program", hint="name an empty or a new one")
    if found is not None and found not in known:
        raise StoreError(
            Message(
                "the database has schema {found}, this program knows {known} and older",
                found=found,
                known=known[0],
            ),
            hint="a newer program is needed; the database was left as it is",
        )
    return found
