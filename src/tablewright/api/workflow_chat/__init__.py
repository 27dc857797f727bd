"""Workflows inside a chat, over their own wire: the frames made of a run's events."""
