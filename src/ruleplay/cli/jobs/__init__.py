"""Long jobs on the command line, and the kinds of jobs."""
