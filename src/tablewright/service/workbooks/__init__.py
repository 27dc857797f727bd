"""Workbooks: versions, edits, and the batches of rounds that are executed on them."""
