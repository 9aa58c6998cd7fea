"""What the table does and says when no model speaks: choices, templates, facts and claims."""
