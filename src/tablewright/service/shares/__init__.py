"""Conversations that are read by a link."""
