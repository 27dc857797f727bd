"""The main backend: edits the parts of an Office Open XML package in place, and large parts as bytes."""
