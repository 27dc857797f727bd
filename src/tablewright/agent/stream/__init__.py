"""Reads a model's turn while it is being written: prose, announced steps, code."""
