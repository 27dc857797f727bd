"""Structured queries over their own wire: requests, and the responses made of a run's events."""
