"""The text of web pages."""
