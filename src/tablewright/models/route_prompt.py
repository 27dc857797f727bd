"""What a model is asked to choose which agent a request is for. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.domain.language import Language
from tablewright.models.prompt_files import phrase


def route_order(question: str, files: Sequence[str], language: Language) -> str:
    """Return the order: the agents, the names of the files at hand, and the request."""
    names = ", ".join(files) or phrase("no_files", language)
    return phrase("route_order", language, question=question, files=names)
