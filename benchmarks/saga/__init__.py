"""Measurements of the saga."""
