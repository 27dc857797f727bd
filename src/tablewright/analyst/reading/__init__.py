"""A question becomes a logical plan, or a reasoned refusal."""

from tablewright.analyst.reading.reader import read

__all__ = ["read"]
