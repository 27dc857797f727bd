"""The migrations of the tables, step by step."""

HEAD = "0009"
"""The latest migration."""
