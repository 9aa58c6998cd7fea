"""Models that play a part: scripted for tests, hostile for proof, and the fuzz that uses them."""
