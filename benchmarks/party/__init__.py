"""Measurements of a party."""
