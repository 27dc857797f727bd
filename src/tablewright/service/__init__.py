"""Use cases, one noun per file."""
