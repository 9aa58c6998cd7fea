"""What the server answers for parts alone."""
