"""Turns executed results into a short answer in the question's language."""

from tablewright.analyst.answering.conclusion import conclude

__all__ = ["conclude"]
