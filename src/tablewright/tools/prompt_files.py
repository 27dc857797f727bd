"""The prompts of tools, in `prompts/<language>/`: a description per tool, and the short phrases of their results."""

from __future__ import annotations

from tablewright.models.prompt_files import PromptFiles

_OURS = PromptFiles("tablewright.tools")
prompt = _OURS.prompt
phrase = _OURS.phrase
