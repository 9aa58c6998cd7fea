"""Where reports come from and where they are kept."""
