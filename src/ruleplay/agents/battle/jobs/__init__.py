"""The battle agent's long jobs for workers."""
