"""What the parts assistant is measured by."""
