"""The migrations of the tables, step by step."""

HEAD = "0014"
"""The latest migration."""
