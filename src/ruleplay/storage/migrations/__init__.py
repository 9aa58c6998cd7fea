"""The schema's history, run by Alembic when a store is opened."""
