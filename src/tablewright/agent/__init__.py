"""Agents turn a question into steps and an answer. An agent is an async iterator and stores nothing."""
