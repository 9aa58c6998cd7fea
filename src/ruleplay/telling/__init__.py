"""Telling that is cited: tables of rows, tags that name them, and what a sentence may rest on."""
