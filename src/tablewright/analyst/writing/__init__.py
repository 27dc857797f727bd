"""Turns a logical plan into pandas code as a person would write it, in `# @step:` segments."""

from tablewright.analyst.writing.writer import write_code, write_steps

__all__ = ["write_code", "write_steps"]
