"""Families of questions, one kind per module: each offers a plan for a parsed question, or None."""
