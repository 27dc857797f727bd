"""How the tables came to be what they are, step by step."""

HEAD = "0005"
"""The last step."""
