"""What every agent stands on: turns, proposals, the gate, the store."""
