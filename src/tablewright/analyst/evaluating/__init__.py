"""Executes logical plans on the stored tables, so that readings of a question can be compared by their results."""
