"""Tools for which the run's model writes: reports and code; and the conversation's files as a tool."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from tablewright.data.base import FileContent
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.events import ArtifactCreated, CodeFinished, EventBody, OutputText, UsageReported
from tablewright.domain.ids import CountingIds, ManualClock
from tablewright.domain.language import Language
from tablewright.domain.task import Chat
from tablewright.models.base import Model, ToolSpec, UsageSeen
from tablewright.models.scripted import Reply, ScriptedModel
from tablewright.tools.base import Tool, ToolContext, ToolResult
from tablewright.tools.code_interpreter import CodeInterpreter
from tablewright.tools.file import FileTool
from tablewright.tools.memory import MemoryFiles
from tablewright.tools.providers import AgentTools, BuiltinTools, DataTools, NoPages
from tablewright.tools.report import ReportTool
from tablewright.tools.toolset import Toolset
from tablewright.tools.untrusted import inside, untrusted

FILES = {"tea.md": FileContent(format="text", text="Tea rose by 12.", chars=15, lines=1)}
REPORT = "# Tea\n\nTea rose by **12**.\n\n## Next\n\n- more\n"


@dataclass(slots=True)
class Kept:
    """An `ArtifactSink` that keeps what it is given."""

    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    types: dict[str, str] = field(default_factory=dict[str, str])

    async def put(self, name: str, mime: str, content: bytes | AsyncIterator[bytes]) -> ArtifactRef:
        assert isinstance(content, bytes)
        self.files[name], self.types[name] = content, mime
        return ArtifactRef(id=f"f-{len(self.files)}", name=name, mime=mime, size_bytes=len(content))


@dataclass(slots=True)
class Runs:
    """A tool in the place of `run_python`: each call takes the next result."""

    results: list[ToolResult]
    codes: list[str] = field(default_factory=list[str])

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(name="run_python", description="Runs it with pandas.", parameters={"type": "object"})

    async def call(self, arguments: Mapping[str, Any], context: ToolContext) -> AsyncGenerator[EventBody | ToolResult]:
        self.codes.append(str(arguments["code"]))
        yield CodeFinished(code=str(arguments["code"]), step_id=f"s-{len(self.codes)}")
        if not self.results[0].failed:
            made = ArtifactRef(id="f", name="sums.csv", mime="text/csv", size_bytes=1)
            yield ArtifactCreated(artifact=made, step_id=f"s-{len(self.codes)}")
        yield self.results.pop(0)


def context(model: Model | None, kept: Kept | None = None, language: Language = "en") -> ToolContext:
    return ToolContext(
        run_id="r",
        language=language,
        artifacts=kept or Kept(),
        clock=ManualClock(),
        ids=CountingIds(),
        model=model,
        files=MemoryFiles(FILES),
    )


async def called(tool: Tool, given: ToolContext, **arguments: Any) -> tuple[list[EventBody], ToolResult]:
    events: list[EventBody] = []
    result = await Toolset([tool]).call(tool.spec.name, arguments, given, events.append)
    return events, result


@pytest.mark.parametrize(
    ("file_type", "name", "mime"),
    [("markdown", "tea.md", "text/markdown"), ("html", "tea.html", "text/html"), ("ppt", "tea.html", "text/html")],
)
async def test_a_report_is_written_from_material_and_files_and_kept(file_type: str, name: str, mime: str) -> None:
    usage = UsageSeen(input_tokens=5, output_tokens=7)
    model, kept = ScriptedModel([Reply.of(*REPORT, usage)]), Kept()
    events, result = await called(
        ReportTool(),
        context(model, kept),
        task="Tell of tea",
        file_type=file_type,
        file_name="../x/tea",
        material="12 of 100",
        files=["tea.md"],
    )
    assert not result.failed, result.text
    assert kept.types == {name: mime}
    content = kept.files[name].decode()
    assert content == REPORT if file_type == "markdown" else "<strong>12</strong>" in content
    assert (content.count("<section") > 1) == (file_type == "ppt")
    assert "".join(event.text for event in events if isinstance(event, OutputText)) == REPORT
    assert [event.artifact.name for event in events if isinstance(event, ArtifactCreated)] == [name]
    assert [event.output_tokens for event in events if isinstance(event, UsageReported)] == [7]
    task = model.requests[0].task
    assert isinstance(task, Chat)
    assert "Tell of tea" in task.question
    assert "12 of 100" in task.materials[0][1]
    assert "Tea rose by 12." in task.materials[1][1]
    assert name in result.text


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_a_report_that_nobody_writes_is_a_failed_call(language: Language) -> None:
    for model in (None, ScriptedModel([" \n"])):
        _, result = await called(ReportTool(), context(model, language=language), task="Tell")
        assert result.failed
        assert result.text


async def test_a_report_on_a_file_that_is_not_there_is_told_which_there_are() -> None:
    _, result = await called(ReportTool(), context(ScriptedModel([REPORT])), task="Tell", files=["te.md"])
    assert result.failed
    assert "tea.md" in result.text


async def test_code_is_written_for_a_task_executed_and_mended_where_it_fails() -> None:
    model = ScriptedModel(["Here:\n```python\nprint(x)\n```\nThat is it.", "print(12)"])
    runs = Runs([ToolResult(text="NameError: x", failed=True), ToolResult(text="12")])
    events, result = await called(CodeInterpreter(runs), context(model), task="Add it up")
    assert runs.codes == ["print(x)", "print(12)"]
    assert not result.failed
    assert result.text == "```python\nprint(12)\n```\n12\nFiles made: sums.csv"
    assert [event.code for event in events if isinstance(event, CodeFinished)] == runs.codes
    first, second = (request.task for request in model.requests)
    assert isinstance(first, Chat)
    assert isinstance(second, Chat)
    assert "Runs it with pandas." in first.question
    assert [name for name, _ in first.materials] == ["tea.md"]
    assert "NameError: x" in second.materials[-1][1]


async def test_code_that_fails_each_time_is_a_failed_call_after_three_tries() -> None:
    model = ScriptedModel(["print(x)"] * 9)
    runs = Runs([ToolResult(text=f"NameError {number}", failed=True) for number in range(9)])
    _, result = await called(CodeInterpreter(runs), context(model), task="Add", files=[])
    assert len(runs.codes) == 3
    assert result.failed
    assert "NameError 2" in result.text


async def test_the_files_are_listed_looked_at_and_kept() -> None:
    kept = Kept()
    given = context(None, kept)
    assert (await called(FileTool(), given, command="list"))[1].text == "tea.md"
    assert (await called(FileTool(), given, command="get", name="tea.md"))[1].text == "tea.md"
    for command in ("preview", "download"):
        assert "Tea rose by 12." in (await called(FileTool(), given, command=command, name="data/tea.md"))[1].text
    events, result = await called(FileTool(), given, command="upload", name="../notes.txt", content="Buy tea.")
    assert kept.files == {"notes.txt": b"Buy tea."}
    assert [event.artifact.name for event in events if isinstance(event, ArtifactCreated)] == ["notes.txt"]
    assert "notes.txt" in result.text
    assert (await called(FileTool(), given, command="preview"))[1].failed
    missing = (await called(FileTool(), given, command="get", name="none.csv"))[1]
    assert missing.failed
    assert "tea.md" in missing.text


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_agents_with_tools_have_all_of_them_in_the_language_of_the_run(language: Language) -> None:
    tools = await AgentTools(BuiltinTools(NoPages()), None, None).tools()
    specs = Toolset(tools, language=language).specs
    names = [spec.name for spec in specs]
    assert len(set(names)) == len(names)
    assert {"run_python", "deep_search", "report", "file", "code_interpreter", "remember"} <= set(names)
    for spec in specs:
        assert any("\u4e00" <= letter <= "\u9fff" for letter in spec.description) == (language == "zh")


async def test_of_all_tools_some_analyse_data_and_write_reports() -> None:
    tools = await DataTools(AgentTools(BuiltinTools(NoPages()), None, None)).tools()
    names = {tool.spec.name for tool in tools}
    assert names == {"run_python", "code_interpreter", "file_reader", "query_database", "report", "file"}


async def test_a_tool_of_the_same_name_from_elsewhere_is_taken_before_ours() -> None:
    class Others:
        async def tools(self) -> tuple[Tool, ...]:
            return (named,)

    @dataclass(frozen=True, slots=True)
    class Named:
        spec: ToolSpec

        async def call(
            self, arguments: Mapping[str, Any], context: ToolContext
        ) -> AsyncGenerator[EventBody | ToolResult]:
            yield ToolResult(text="theirs")

    named = Named(ToolSpec(name="report", description="theirs", parameters={"type": "object"}))
    found = {tool.spec.name: tool for tool in await AgentTools(Others(), None, None).tools()}
    assert found["report"] is named
    assert "code_interpreter" not in found


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_stands_between_the_marks_can_be_taken_out_again(language: Language) -> None:
    ids = CountingIds("abcdefghij")
    assert inside(untrusted("It is 7.\nReally.", "deep_search", language, ids)) == "It is 7.\nReally."
    assert inside("No marks.\nAt all.") == "No marks.\nAt all."
