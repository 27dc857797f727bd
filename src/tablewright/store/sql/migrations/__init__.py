"""The migrations of the tables, step by step."""

HEAD = "0008"
"""The latest migration."""
