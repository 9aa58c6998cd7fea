"""Durable work on DBOS: turns and long jobs that a killed process goes on with when it is back."""
