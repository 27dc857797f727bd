"""How the tables came to be what they are, step by step."""

HEAD = "0006"
"""The last step."""
