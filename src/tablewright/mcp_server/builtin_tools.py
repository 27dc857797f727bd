"""Our own tools for other programs: the same arguments, limits and fences as agents have, files named by place."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from typing import Any

from fastmcp.exceptions import ToolError
from fastmcp.tools.base import Tool as OfferedTool
from fastmcp.tools.base import ToolResult as Told
from mcp.types import ContentBlock, ImageContent, TextContent, ToolAnnotations
from pydantic import PrivateAttr

from tablewright.data.sql.base import SourceFile
from tablewright.domain.ids import Uuid7Ids
from tablewright.domain.scope import acting_for
from tablewright.mcp_server.call_files import CallArtifacts, PlaceFiles
from tablewright.mcp_server.tools import Speaker, called
from tablewright.models.base import ToolSpec
from tablewright.sandbox.base import Input
from tablewright.service.app import App
from tablewright.tools.arguments import checked
from tablewright.tools.base import ToolContext, ToolFile
from tablewright.tools.prompt_files import phrase
from tablewright.tools.toolset import Toolset

INPUTS = "input_paths"
READER = "file_reader"
PYTHON = "run_python"
QUERY = "query_database"


class BuiltinTool(OfferedTool):
    """One of our tools, called on behalf of whoever speaks. Each call of `run_python` has a session of its own."""

    _app: Callable[[], App] = PrivateAttr()
    _speaker: Callable[[], Speaker] = PrivateAttr()

    @classmethod
    def offered(cls, spec: ToolSpec, app: Callable[[], App], speaker: Callable[[], Speaker]) -> BuiltinTool:
        """Return the tool that `spec` describes."""
        outside = spec.name.startswith("web_")
        tool = cls(
            name=spec.name,
            description=spec.description,
            parameters=_with_places(spec),
            annotations=ToolAnnotations(read_only_hint=True, open_world_hint=outside),
        )
        tool._app, tool._speaker = app, speaker
        return tool

    async def run(self, arguments: dict[str, Any]) -> Told:
        """Call the tool. Raises ToolError with its words where it failed."""
        speaker = self._speaker()
        return await called(self._work(speaker, arguments), speaker, speaker.language)

    async def _work(self, speaker: Speaker, arguments: Mapping[str, Any]) -> Told:
        language = speaker.language
        if problems := checked(self.parameters, arguments, language).problems:
            words = phrase("problem_semicolon", language).join(problems)
            raise ToolError(phrase("arguments_refused", language, tool=self.name, problems=words))
        with acting_for(speaker.caller.scope):
            return await _told(self._app(), speaker, self.name, dict(arguments))


def _with_places(spec: ToolSpec) -> dict[str, Any]:
    """Return the schema of a tool's arguments: files are named by their places, those of code apart."""
    properties = dict(spec.parameters["properties"])
    if spec.name == READER:
        properties["path"] = {**properties["path"], "description": phrase("mcp_place", "en")}
    if spec.name in {PYTHON, QUERY}:
        items = {"type": "string", "minLength": 1}
        described = phrase("mcp_places", "en")
        properties[INPUTS] = {"type": "array", "items": items, "default": [], "description": described}
    return {**spec.parameters, "properties": properties}


async def _told(app: App, speaker: Speaker, name: str, arguments: dict[str, Any]) -> Told:
    ids = Uuid7Ids()
    call_id = ids.new()
    artifacts = CallArtifacts(app=app, caller=speaker.caller, call_id=call_id)
    async with AsyncExitStack() as stack:
        places = [str(place) for place in arguments.pop(INPUTS, ())]
        opened = [await stack.enter_async_context(app.sources.opened(speaker.caller, place)) for place in places]
        inputs = tuple(Input(path=each.path, name=each.name) for each in opened)
        files = None
        if name == READER:
            found = await stack.enter_async_context(app.sources.opened(speaker.caller, str(arguments["path"])))
            files = PlaceFiles(app.readers, ToolFile(name=found.name, path=found.path))
        if name == PYTHON:
            await app.sandbox.ready()
        databases = None
        if name == QUERY:
            sources = [SourceFile(path=each.path, name=each.name) for each in opened]
            databases = app.connections.for_run(speaker.caller.scope, sources)
            stack.push_async_callback(databases.close)
        toolset = Toolset(await app.tools.tools() if app.tools is not None else (), language=speaker.language)
        stack.push_async_callback(toolset.close)
        context = ToolContext(
            run_id=call_id,
            language=speaker.language,
            artifacts=artifacts,
            clock=app.clock,
            ids=ids,
            sandbox=app.sandbox,
            inputs=inputs,
            files=files,
            databases=databases,
        )
        result = await toolset.call(name, arguments, context)
    if result.failed:
        raise ToolError(result.text)
    words = "\n".join((result.text, *artifacts.places.values()))
    images = artifacts.images.values()
    content: list[ContentBlock] = [TextContent(type="text", text=words)]
    content += [
        ImageContent(type="image", data=base64.b64encode(data).decode(), mime_type=mime) for mime, data in images
    ]
    return Told(content=content)
