"""The history of the schema, a file a step, for Alembic."""
