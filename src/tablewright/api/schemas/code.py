"""Kept code on the wire."""

from __future__ import annotations

from typing import Self

from tablewright.api.schemas.native import Id, WireModel
from tablewright.service.saved_code import SavedCode


class CodeLine(WireModel):
    """Kept code in a list; `original_length` is in characters."""

    code_id: str
    file_id: str
    file_path: str
    description: str
    original_length: int
    run_id: str | None = None

    @classmethod
    def of(cls, code: SavedCode) -> Self:
        """Return the entry of kept code."""
        return cls(
            code_id=code.code_id,
            file_id=code.file_id,
            file_path=code.file_path,
            description=code.description,
            original_length=len(code.content),
            run_id=code.run_id,
        )


class CodeOut(WireModel):
    """Kept code with its content."""

    code_id: str
    file_id: str
    file_path: str
    description: str
    content: str
    run_id: str | None = None


class CodeToRun(WireModel):
    """The conversation in whose session, and with whose files, code is run; without it the code's own."""

    conversation_id: Id | None = None
