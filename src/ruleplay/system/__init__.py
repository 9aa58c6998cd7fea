"""This machine: its addresses, its processes, its logs, and what is found wrong with a set-up."""
