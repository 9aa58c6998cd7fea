"""Sessions and turns in SQLite or PostgreSQL, and the coordination of processes through it."""
