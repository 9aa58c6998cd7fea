"""Durable turns and long jobs on DBOS, which are resumed when their process was killed."""
