"""Tools that read texts answer a question about the whole of a long one."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.agent_bench import MemoryArtifacts

from tablewright.data.base import FileContent, WebPage
from tablewright.data.web.memory import MemoryPages
from tablewright.domain.events import EventBody, ProgressReported
from tablewright.domain.ids import CountingIds, SystemClock
from tablewright.domain.table import Table
from tablewright.models.base import Model, ModelRequest, input_tokens_of
from tablewright.models.scripted import ScriptedModel
from tablewright.models.wrappers import RetryingModel, TimeLimitedModel
from tablewright.tools.base import ToolContext, ToolResult
from tablewright.tools.file_reader import FileReader
from tablewright.tools.memory import MemoryFiles
from tablewright.tools.toolset import Toolset
from tablewright.tools.web_reader import WebReader

LONG = "".join(f"row {number}: {number * 7}\n" for number in range(9_000))
TABLE = Table(columns=("a",), rows=((1,),), total_rows=1)
FILES = MemoryFiles(
    {
        "long.txt": FileContent(format="text", text=LONG, chars=len(LONG) + 5, lines=9_000),
        "short.txt": FileContent(format="text", text="Tea rose.", chars=9, lines=1),
        "a.csv": FileContent(format="csv", table=TABLE),
    }
)
PAGES = MemoryPages({"https://example.org/": WebPage(url="https://example.org/", title="Rows", text=LONG)})


class Small:
    """A model with a small window, which finds one row."""

    name = "small"
    input_tokens = 4_000

    def __init__(self) -> None:
        self.model = ScriptedModel(self.said)
        self.stream = self.model.stream

    def said(self, request: ModelRequest) -> str:
        materials = request.task.materials  # type: ignore[union-attr]
        return "It is 56000." if any("row 8000:" in words for _, words in materials) else "nothing"


async def called(tool: str, model: Model | None, **arguments: Any) -> tuple[list[EventBody], ToolResult]:
    context = ToolContext(
        run_id="r", language="en", artifacts=MemoryArtifacts(), clock=SystemClock(), ids=CountingIds("id"),
        files=FILES, model=model,
    )  # fmt: skip
    events: list[EventBody] = []
    tools = Toolset([FileReader(), WebReader(PAGES)], text_chars=100_000)
    return events, await tools.call(tool, arguments, context, events.append)


async def test_the_whole_of_a_long_file_is_read_for_a_question_within_the_window_of_the_model() -> None:
    small = Small()
    model = RetryingModel(TimeLimitedModel(small))
    assert input_tokens_of(model) == 4_000
    events, result = await called("file_reader", model, path="long.txt", question="What stands in row 8000?")
    assert not result.failed
    assert "It is 56000." in result.text
    assert "Of the" in result.text
    assert len(small.model.requests) > 10
    assert any(isinstance(event, ProgressReported) for event in events)


async def test_a_long_page_is_read_so_too_and_what_it_says_stays_marked() -> None:
    _, result = await called("web_reader", Small(), url="https://example.org/", question="What stands in row 8000?")
    assert "It is 56000." in result.text
    assert result.text.endswith("[end id-0001]")
    assert "[end id-0001]" not in (result.shown or "")


async def test_a_short_text_is_told_as_it_is_without_a_model() -> None:
    _, result = await called("file_reader", None, path="short.txt", question="What of tea?")
    assert result.text.endswith("Tea rose.")


@pytest.mark.parametrize("model", [None, ScriptedModel([])])
async def test_where_no_model_reads_the_beginning_is_told_and_why(model: Model | None) -> None:
    _, result = await called("file_reader", model, path="long.txt", question="What stands in row 8000?")
    assert "No part of the text could be read by the model (" in result.text
    assert "row 3: 21" in result.text


async def test_a_table_is_shown_and_the_way_to_its_answers_is_told() -> None:
    _, result = await called("file_reader", Small(), path="a.csv", question="How many?")
    assert "1 rows × 1 columns" in result.text
    assert "run_python" in result.text
