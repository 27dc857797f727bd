"""Workflows: definitions read and validated, what is ready planned without I/O, and run by an agent from its log."""
