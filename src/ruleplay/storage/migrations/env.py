"""Alembic's entry: it runs on the connection that `upgrade` hands it."""

from alembic import context

from ruleplay.storage.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
