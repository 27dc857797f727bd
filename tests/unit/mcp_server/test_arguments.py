"""What a caller is told whose arguments do not fit a tool."""

from __future__ import annotations

from typing import Any

import pytest
from fastmcp import Client
from mcp.types import TextContent

from tablewright.domain.language import Language
from tablewright.domain.scope import Scope
from tablewright.mcp_server.server import create_server
from tablewright.mcp_server.tools import Speaker
from tablewright.service.app import App
from tablewright.service.files.sources import Caller


def no_app() -> App:
    raise AssertionError("nothing may be asked of the application")


async def told(language: Language, tool: str, arguments: dict[str, Any]) -> str:
    speaker = Speaker(caller=Caller(scope=Scope(tenant="t", owner="o")), language=language)
    async with Client(create_server(no_app, lambda: speaker)) as client:
        result = await client.call_tool(tool, arguments, raise_on_error=False)
    assert result.is_error
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


@pytest.mark.parametrize(
    ("language", "tool", "arguments", "words"),
    [
        ("en", "get_preview_data", {"path_or_url": "a.csv", "nrows": -1}, ["nrows", "it must be at least 0"]),
        ("zh", "get_preview_data", {"path_or_url": "a.csv", "nrows": -1}, ["nrows", "不能小于 0"]),
        ("en", "analyze_data", {"path_or_url": "a.csv"}, ["question", "it must be given"]),
        ("zh", "analyze_data", {"question": "", "path_or_url": "a.csv"}, ["question", "至少要有 1 个字符"]),
        ("en", "table_operation", {"instruction": "sort", "input_paths": [], "output_path": "b.csv"}, ["input_paths"]),
        ("en", "analyze_data", {"question": "x", "path_or_url": "a.csv", "sheet": 1}, ["sheet", "no such"]),
    ],
)
async def test_the_argument_that_does_not_fit_is_named_in_the_language_of_the_caller(
    language: Language, tool: str, arguments: dict[str, Any], words: list[str]
) -> None:
    said = await told(language, tool, arguments)
    assert all(word in said for word in words), said
    assert "pydantic" not in said
