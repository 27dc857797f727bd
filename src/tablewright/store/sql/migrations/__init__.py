"""The migrations of the tables, step by step."""

HEAD = "0010"
"""The latest migration."""
