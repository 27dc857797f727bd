"""The results of the tools in the wire format. The docstrings of the models are published in the tools' schemas."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field


class DataFrameOut(BaseModel):
    """A table in line."""

    type: Literal["dataframe"] = "dataframe"
    title: str | None = None
    markdown: str = Field(description="The first rows, to be shown.")
    data: dict[str, dict[str, Any]] = Field(description="{column: {row: value}} of the first 100 rows.")
    shape: tuple[int, int] = Field(description="Rows and columns of the whole table.")


class TableFileOut(BaseModel):
    """A table too large to stand in line."""

    type: Literal["file"] = "file"
    title: str | None = None
    file_path: str
    shape: tuple[int, int]


class ToolStepOut(BaseModel):
    """A step as it ran."""

    name: str
    status: Literal["ok", "error", "interrupted", "dropped"]
    code: str = ""
    output: str = Field(default="", description="What it printed, cut where it is very long.")


class ImageOut(BaseModel):
    """A figure: its base64 in `data`, or where it lies."""

    type: Literal["image", "file"]
    name: str
    mime: str
    data: str | None = None
    file_path: str | None = None


class ToolFileOut(BaseModel):
    """A file that the run made."""

    name: str
    mime: str
    size_bytes: int
    file_path: str


class AnalysisOut(BaseModel):
    """An answer with how it came about."""

    answer: str = Field(description="The answer in words (Markdown).")
    steps: list[ToolStepOut]
    tables: list[Annotated[DataFrameOut | TableFileOut, Field(discriminator="type")]]
    images: list[ImageOut]
    files: list[ToolFileOut]


class PreviewOut(BaseModel):
    """What a table looks like."""

    columns: list[str]
    types: dict[str, str] = Field(
        description="Per column: integer, number, text, boolean, date, datetime, mixed, empty."
    )
    shape: tuple[int, int] = Field(description="Rows and columns of the whole table.")
    sample: list[dict[str, Any]] = Field(description="The first rows.")
    sheet: str | None = None
