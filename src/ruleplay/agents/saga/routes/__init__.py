"""What the server answers for saga alone."""
