"""What the server answers for raid alone."""
