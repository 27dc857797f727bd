"""The use cases, one noun per file."""
