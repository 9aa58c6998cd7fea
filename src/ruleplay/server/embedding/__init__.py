"""An agent on other people's pages: a script, the page in its frame, and guests' tokens."""
