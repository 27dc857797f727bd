"""Structured queries: the request, and the response of a round."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, model_validator

from tablewright.api.schemas.native import Fault, Text

T = TypeVar("T")
Optional = Annotated[T | None, Field(exclude_if=lambda value: value is None)]
"""A field that is absent where it does not apply."""


class AgentQuery(BaseModel):
    """What is asked. Without `query`, a run that waits goes on, or the files are reported on."""

    model_config = ConfigDict(extra="ignore")

    @model_validator(mode="before")
    @classmethod
    def _null_is_absent(cls, asked: Any) -> Any:
        """Many clients write what they leave out as null."""
        if not isinstance(asked, dict):
            return asked
        return {name: value for name, value in cast("dict[str, Any]", asked).items() if value is not None}

    query: Text | None = None
    conversation_id: Annotated[str, Field(max_length=200)] | None = None
    files: Annotated[list[Annotated[str, Field(min_length=1, max_length=500)]], Field(max_length=100)] = []
    """Ids or names."""
    stream: bool = False
    step: bool = False


class ToolCallOut(BaseModel):
    """A call that the model asks for."""

    tool_name: str
    tool_call_id: str
    arguments: dict[str, Any]


class SavedCodeOut(BaseModel):
    """A block of code that was kept as a file."""

    code_id: str
    file_path: str
    description: str
    original_length: int


class RoundMetadata(BaseModel):
    """What a round is about. Fields that do not apply to it are absent."""

    content_type: Literal["text", "markdown", "html"]
    has_structured_response: bool = True
    action_type: Literal["tool_call", "complete"]
    current_round: int
    task_analysis: str
    execution_plan: str
    tool_calls: Optional[list[ToolCallOut]] = None
    status: Literal["processing", "complete"]
    contains_html: Optional[bool] = None
    recommended_questions: Optional[list[str]] = None
    download_links: Optional[list[str]] = None
    missing_links: Optional[list[str]] = None
    """The files that the report offers for download although there are none, as written."""
    saved_codes: Optional[list[SavedCodeOut]] = None
    unverified: Optional[list[str]] = None
    """The numbers of the report that no call has put out, as written."""
    rounds: Optional[list[RoundMetadata]] = None
    """The rounds before, in a response that is not streamed."""


class RoundData(BaseModel):
    """The response of a round: the report, or nothing while tools are called."""

    response: str
    conversation_id: str
    duration_ms: int
    tool_calls: list[Any] = []
    artifacts: list[Any] = []
    metadata: RoundMetadata


class QueryResponse(BaseModel):
    """A round."""

    success: Literal[True] = True
    data: RoundData


class QueryFault(BaseModel):
    """Why there is no response."""

    success: Literal[False] = False
    error: Fault
