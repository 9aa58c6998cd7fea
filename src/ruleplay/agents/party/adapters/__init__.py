"""Where the table's world comes from: files."""
