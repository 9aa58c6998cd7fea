"""Benchmarks of the table."""
