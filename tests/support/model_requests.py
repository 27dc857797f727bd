"""Tasks, tables and requests as tests of models need them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from tablewright.domain.dataset import ColumnFacts, DatasetFacts, ReadOptions
from tablewright.domain.language import Language
from tablewright.domain.message import Message, Origin, TextPart
from tablewright.domain.table import Table
from tablewright.domain.task import AnalyzeTable
from tablewright.errors import ModelError
from tablewright.models.base import ModelRequest, ModelSettings, StreamPart, ToolChoice, ToolSpec
from tablewright.models.scripted import ScriptedModel
from tablewright.models.streams import closing


class Connected(ScriptedModel):
    """A model with connections."""

    closed = False

    async def aclose(self) -> None:
        self.closed = True


WEATHER_TOOL = ToolSpec(
    name="weather",
    description="Tell the weather.",
    parameters={
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["city"],
    },
)


def said(role: str, text: str, origin: Origin = "user") -> Message:
    """A message of one text part."""
    roles = {"system": "system", "user": "user", "assistant": "assistant"}
    return Message(role=roles[role], parts=(TextPart(text=text, origin=origin),))  # type: ignore[arg-type]


def sales(**changes: object) -> DatasetFacts:
    """A small table of sales, with `changes` to its facts."""
    facts: dict[str, object] = {
        "id": "d1",
        "name": "sales",
        "file_name": "sales.csv",
        "path": "/data/shared/sales.csv",
        "read": ReadOptions(kind="csv", quote='"', delimiter=","),
        "rows": 3,
        "columns": (
            ColumnFacts(name="region", kind="text", distinct=2, samples=("North", "South")),
            ColumnFacts(name="amount", kind="number", minimum=1.5, maximum=30, mean=12.3456789, missing=1),
        ),
        "sample": Table(columns=("region", "amount"), rows=(("North", 1.5), ("South", 30)), total_rows=3),
        "profile_ref": "0" * 64,
    }
    return DatasetFacts(**{**facts, **changes})  # type: ignore[arg-type]  # named by the test


def task(question: str = "Which region sells most?", language: Language = "en", **changes: object) -> AnalyzeTable:
    """A question about `sales`."""
    given: dict[str, object] = {"datasets": (sales(),), **changes}
    return AnalyzeTable(question=question, language=language, **given)  # type: ignore[arg-type]  # named by the test


def request(
    *messages: Message,
    tools: tuple[ToolSpec, ...] = (),
    tool_choice: ToolChoice = "auto",
    settings: ModelSettings | None = None,
) -> ModelRequest:
    """A call with `messages`, or with a greeting."""
    return ModelRequest(
        messages=messages or (said("user", "hello"),),
        task=task(),
        purpose="analyze",
        tools=tools,
        tool_choice=tool_choice,
        settings=settings or ModelSettings(),
    )


async def all_parts(stream: AsyncIterator[StreamPart]) -> Sequence[StreamPart]:
    """Read a stream to its end."""
    async with closing(stream) as parts:
        return [part async for part in parts]


async def until_error(stream: AsyncIterator[StreamPart]) -> tuple[list[StreamPart], ModelError]:
    """Read a stream that fails: what came before, and the error."""
    parts: list[StreamPart] = []
    try:
        async with closing(stream) as reading:
            async for part in reading:
                parts.append(part)  # noqa: PERF401 - what came before the error is kept
    except ModelError as error:
        return parts, error
    raise AssertionError(f"the stream did not fail: {parts}")
