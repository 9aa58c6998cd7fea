"""Simulations of adventures, for `ruleplay party odds`."""
