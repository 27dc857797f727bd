"""Which agent takes a question."""
