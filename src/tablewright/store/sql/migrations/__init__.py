"""The migrations of the tables, step by step."""

HEAD = "0006"
"""The latest migration."""
