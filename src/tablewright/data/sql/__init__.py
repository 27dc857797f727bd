"""Databases that questions are asked of, and nothing else is done to."""
