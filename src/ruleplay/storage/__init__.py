"""Sessions and turns in SQLite or PostgreSQL, and what processes tell each other there."""
