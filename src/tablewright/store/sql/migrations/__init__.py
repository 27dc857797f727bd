"""The migrations of the tables, step by step."""

HEAD = "0016"
"""The latest migration."""
