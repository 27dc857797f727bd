"""The migrations of the tables, step by step."""

HEAD = "0013"
"""The latest migration."""
