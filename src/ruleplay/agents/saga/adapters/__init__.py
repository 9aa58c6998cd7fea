"""Where the saga's world comes from: files."""
