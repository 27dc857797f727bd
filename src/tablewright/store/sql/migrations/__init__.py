"""The migrations of the tables, step by step."""

HEAD = "0015"
"""The latest migration."""
