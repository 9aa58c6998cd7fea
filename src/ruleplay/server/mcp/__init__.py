"""The Model Context Protocol: turns and agents' tools for the models of other programs."""
