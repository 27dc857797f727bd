"""Exports of a run: a notebook, a script, a document."""
