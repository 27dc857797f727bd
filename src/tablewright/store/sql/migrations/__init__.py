"""How the tables came to be what they are, step by step."""

HEAD = "0003"
"""The last step."""
