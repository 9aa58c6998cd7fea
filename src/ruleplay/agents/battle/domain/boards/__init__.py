"""The lean model of a battle that the lookahead plays on, from its board to its moves."""
