"""Paths whose last part is the permission."""

READ = "/api/v1/shared/"
"""What the path of a shared conversation begins with; it is read without a key."""
PAGE = "/shared/"
"""The same for its page, which is none of the API's."""
