"""Long jobs on the command line, and the kinds there are."""
