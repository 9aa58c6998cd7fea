"""Exploring: what may be done on the way, the rules of it, and how far a party has come."""
