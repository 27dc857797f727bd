"""Readers of users' files, run in a child process."""
