"""The simple battle model that the lookahead searches with, from the board to moves."""
