"""The rules of the table: pure, no foundation, no network."""
