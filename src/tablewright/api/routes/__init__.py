"""The paths of each face."""
