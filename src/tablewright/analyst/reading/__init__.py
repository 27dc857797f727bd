"""Turns a question into a logical plan, or into a refusal with its reason."""

from tablewright.analyst.reading.clean import read_clean as read

__all__ = ["read"]
