"""Agents: how a question becomes steps and an answer. An agent is an async iterator; it stores nothing."""
