"""Wordings and the labels they were given; `python -m training AGENT` learns from them."""
