"""What readers see of a raid: the conversation's screen, tables, charts, the page of a night."""
