"""The migrations of the tables, step by step."""

HEAD = "0007"
"""The latest migration."""
