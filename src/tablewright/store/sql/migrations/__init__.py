"""The migrations of the tables, step by step."""

HEAD = "0012"
"""The latest migration."""
