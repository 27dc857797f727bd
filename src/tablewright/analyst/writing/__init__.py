"""Logical plan → pandas code that a person would write, in `# @step:` segments."""

from tablewright.analyst.writing.writer import write_code, write_steps

__all__ = ["write_code", "write_steps"]
