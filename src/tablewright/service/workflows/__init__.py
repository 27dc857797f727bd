"""Workflows that are kept: their drafts and versions, runs of them, and who answers when nothing else is chosen."""
