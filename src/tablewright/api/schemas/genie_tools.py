"""Requests and replies of the tool services; what a request has beyond this is passed over."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from tablewright.api.schemas.genie import GenieWire, Key

Words = Annotated[str, Field(max_length=100_000)]
Name = Annotated[str, Field(min_length=1, max_length=500)]
Place = Annotated[str, Field(min_length=1, max_length=3_000)]
Places = Annotated[list[Place], Field(max_length=50)]


STEPS, LOOPS = 10, 1
"""What an analysis and a search may do where nothing is said of it, or null; `stream` is then true."""


class StreamMode(GenieWire):
    """How often what is written is sent: each piece, every `token` pieces, or every `time` seconds."""

    mode: Literal["general", "token", "time"] = "general"
    token: Annotated[int, Field(ge=1, le=10_000)] = 5
    time: Annotated[float, Field(ge=0, le=600)] = 5.0


class ToolTask(GenieWire):
    """What is to be done with files, which are names of the session's files or addresses."""

    request_id: Key
    task: Annotated[Words, Field(min_length=1)]
    file_names: Places | None = None
    file_name: Annotated[str, Field(max_length=500)] | None = None
    file_description: Words | None = None
    origin_file_names: list[object] | None = None
    stream: bool | None = None
    stream_mode: StreamMode | None = None


class ReportTask(ToolTask):
    """What a report is to say, and as what it is written."""

    file_type: Literal["html", "markdown", "ppt"] = "html"
    template_type: str | None = None


class AnalysisTask(BaseModel):
    """What is to be found out in the tables that `allModels` lists."""

    model_config = ConfigDict(populate_by_name=True, extra="ignore")
    request_id: Key
    task: Annotated[Words, Field(min_length=1)]
    models: Annotated[Places | None, Field(alias="modelCodeList")] = None
    knowledge: Annotated[Words | None, Field(alias="businessKnowledge")] = None
    max_steps: Annotated[int | None, Field(ge=1, le=100)] = None
    stream: bool | None = None


class SearchTask(BaseModel):
    """What is to be looked for, in at most `maxLoop` rounds of searches."""

    model_config = ConfigDict(populate_by_name=True, extra="ignore")
    request_id: Key
    query: Annotated[Words, Field(min_length=1)]
    max_loop: Annotated[int | None, Field(alias="maxLoop", ge=1, le=5)] = None
    search_engines: Annotated[list[str] | None, Field(max_length=20)] = None
    stream: bool | None = None
    stream_mode: Annotated[StreamMode | None, Field(alias="streamMode")] = None


class FileUpload(GenieWire):
    """A text as a file of a session."""

    request_id: Key
    file_name: Name
    description: Words | None = None
    content: Annotated[str, Field(max_length=30_000_000)]


class FileWanted(GenieWire):
    """A file of a session, by name."""

    request_id: Key
    file_name: Name


class FileFilter(GenieWire):
    """The name of a file; without a session, of the one that is asked for."""

    request_id: Key | None = None
    file_name: Name


class FilesWanted(GenieWire):
    """A page of a session's files, those of `filters` where there are any."""

    request_id: Key
    filters: Annotated[list[FileFilter], Field(max_length=100)] | None = None
    page: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    page_size: Annotated[int, Field(ge=1, le=1_000)] = 10


class FileSaved(GenieWire):
    """Where a file is that was uploaded."""

    oss_url: str
    download_url: str
    domain_url: str
    file_size: int


class FileDataSaved(GenieWire):
    """Where a file is that was uploaded as a form."""

    download_url: str
    domain_url: str
    file_size: int


class FileFound(GenieWire):
    """Where a file is."""

    oss_url: str
    download_url: str
    domain_url: str
    request_id: str
    file_name: str


class FilesFound(GenieWire):
    """A page of files, of `totalSize`."""

    results: list[FileFound]
    total_size: int
