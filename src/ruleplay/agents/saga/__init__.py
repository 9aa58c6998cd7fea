"""A story that turns into d100 combat and back, in French and English."""
