"""What Alembic runs: the steps, on the connection that `migrate` has opened."""

from __future__ import annotations

from alembic import context

from fivepins.store.schema import metadata


def run() -> None:
    """Run the steps within the transaction of the caller."""
    context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
    with context.begin_transaction():
        context.run_migrations()


if __name__ == "env_py":  # the name under which Alembic loads it; anybody else only looks
    run()
