"""The rules of the saga: pure, no foundation, no network."""
