"""The battle agent's HTTP routes."""
