"""Understands questions: several readings of each, what they give, and how far they can be trusted."""

from tablewright.analyst.understanding.understanding import understand

__all__ = ["understand"]
