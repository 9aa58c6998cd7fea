"""Appliance parts: what is wrong, which part, does it fit, how to install it. Never a guess."""
