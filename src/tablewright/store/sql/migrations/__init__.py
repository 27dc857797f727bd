"""The migrations of the tables, step by step."""

HEAD = "0011"
"""The latest migration."""
