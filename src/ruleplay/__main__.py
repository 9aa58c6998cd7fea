"""Runs the command as a module: `python -m ruleplay`."""

from ruleplay.cli.main import main

if __name__ == "__main__":
    main()
