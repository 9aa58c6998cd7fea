"""Alembic migrations of the schema, run when a store is opened."""
