"""A D&D table: a DM and characters take turns in rounds, humans sit down at any seat."""
