"""Raid: ask a combat log why the raid wiped, and get numbers that lead back to its lines."""
