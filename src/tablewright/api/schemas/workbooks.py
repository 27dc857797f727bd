"""Workbooks over HTTP: heads, versions, edits."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from tablewright.api.schemas.native import WireModel
from tablewright.domain.cells import SheetChanges
from tablewright.domain.operations import AnyOperation
from tablewright.domain.outline import WorkbookOutline
from tablewright.domain.table import Table
from tablewright.domain.workbook import Author
from tablewright.workbook.views import SheetTab


class NoticeOut(WireModel):
    """Something to know, in the caller's language; `code` is stable."""

    code: str
    message: str


class VersionOut(WireModel):
    """A state of a workbook; `parent` is the one it was made from, `request_id` what undoes it."""

    number: int
    parent: int | None
    name: str
    size_bytes: int
    author: Author
    request_id: str
    created_at: datetime
    summary: str


class HeadOut(WireModel):
    """A workbook by its file's id: the version that it is at, of how many."""

    id: str
    name: str
    size_bytes: int
    version: int
    versions: int
    can_undo: bool
    can_redo: bool


class SheetsOut(HeadOut):
    """A workbook with the list of its sheets."""

    sheets: list[SheetTab]


class WorkbookOut(HeadOut):
    """A workbook with the outline of its sheets."""

    outline: WorkbookOutline


class Edits(WireModel):
    """Operations that are done together, on the version that they were made for."""

    operations: Annotated[list[AnyOperation], Field(min_length=1, max_length=500)]
    base_version: Annotated[int, Field(ge=1, le=10**9)]
    summary: Annotated[str, Field(max_length=500)] = ""


class UndoWanted(WireModel):
    """What is taken back: with `request_id`, that round or edit and all that was done after it; else what came last."""

    request_id: Annotated[str, Field(min_length=1, max_length=200)] | None = None


class EditedStep(WireModel):
    """What an operation came to; `result` is what one that only reads found."""

    function: str
    cells_changed: int
    result: Table | None
    notes: list[NoticeOut]


class EditedOut(WireModel):
    """The workbook after an edit: `changed` where there is a new version, and what changed in which cells."""

    workbook: HeadOut
    changed: bool
    steps: list[EditedStep]
    changes: list[SheetChanges]
    warnings: list[NoticeOut]
