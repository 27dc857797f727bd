"""Configuration: one frozen tree, and where each of its values came from."""
