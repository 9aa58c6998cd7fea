"""What the battle agent's guesses are worth, measured on real battles."""
