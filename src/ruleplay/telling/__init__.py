"""Checks what a model may tell: sentences cite rows of tables by tags, and code verifies them."""
