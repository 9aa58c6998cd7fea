"""Saga's own HTTP routes."""
