"""The parts agent: finds out what is wrong and which part fits, without ever guessing."""
