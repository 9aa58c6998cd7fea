"""What the server answers for battle alone."""
