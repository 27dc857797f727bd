"""Turns a question into a logical plan, or into a refusal with its reason."""

from tablewright.analyst.reading.reader import read

__all__ = ["read"]
