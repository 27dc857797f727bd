"""How the tables came to be what they are, step by step."""

HEAD = "0002"
"""The last step."""
