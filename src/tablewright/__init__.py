"""Tablewright: a self-hosted analyst for tables."""

__version__ = "0.1.0"
