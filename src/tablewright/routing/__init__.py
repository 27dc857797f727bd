"""Routing: which agent takes a question."""
