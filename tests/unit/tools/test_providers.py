"""Which tools there are, and what they say of themselves."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import Any, cast

import pytest

from tablewright.bootstrap.tools import provided_tools
from tablewright.domain.events import EventBody
from tablewright.domain.language import Language
from tablewright.errors import SettingsInvalid
from tablewright.models.base import ToolSpec
from tablewright.settings.tree import RunPythonSettings, Settings, WebSearchSettings
from tablewright.tools.base import Tool, ToolContext, ToolResult
from tablewright.tools.providers import BUILTIN_SPECS, BuiltinTools, NoPages, SeveralProviders
from tablewright.tools.python_imports import IMPORTS, refused_import
from tablewright.tools.toolset import Toolset

NAMES = ["run_python", "file_reader", "query_database", "web_search", "web_reader"]


class Other:
    """A provider of one tool."""

    def __init__(self, name: str) -> None:
        self.spec = ToolSpec(name=name, description="other", parameters={"type": "object"})

    async def tools(self) -> tuple[Tool, ...]:
        return (self,)

    async def call(self, arguments: Mapping[str, Any], context: ToolContext) -> AsyncGenerator[EventBody | ToolResult]:
        yield ToolResult(text="other")


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_every_tool_describes_itself_in_the_language_of_the_run(language: Language) -> None:
    specs = Toolset(await BuiltinTools(NoPages()).tools(), language=language).specs
    assert [spec.name for spec in specs] == NAMES
    for spec in specs:
        assert any("\u4e00" <= letter <= "\u9fff" for letter in spec.description) == (language == "zh")
        assert spec.parameters["properties"]["response_format"]["default"] == "standard"
        assert spec.parameters["additionalProperties"] is False
        assert all(part["description"] for part in spec.parameters["properties"].values())


def test_what_is_offered_to_other_programs_is_what_agents_have() -> None:
    assert [spec.name for spec in BUILTIN_SPECS] == NAMES


async def test_of_tools_with_one_name_the_first_is_taken() -> None:
    provider = SeveralProviders(BuiltinTools(NoPages()), Other("web_reader"), Other("x__y"))
    tools = await provider.tools()
    assert [tool.spec.name for tool in tools] == [*NAMES, "x__y"]
    assert tools[4].spec.description != "other"


async def test_each_run_has_its_own_session() -> None:
    provider = BuiltinTools(NoPages())
    assert (await provider.tools())[0] is not (await provider.tools())[0]


def test_the_default_imports_are_those_of_the_settings() -> None:
    assert Settings().run_python.imports == IMPORTS


@pytest.mark.parametrize(
    ("code", "refused"),
    [
        ("import os", "os"),
        ("import pandas as pd, requests.sessions", "requests"),
        ("from subprocess import run", "subprocess"),
        ("def f():\n    import socket", "socket"),
        ("import matplotlib.pyplot\nfrom scipy import stats\nfrom tw import chart", None),
        ("this is no code", None),
        ("(" * 10_000, None),
    ],
)
def test_the_first_import_that_is_not_allowed_is_named(code: str, refused: str | None) -> None:
    assert refused_import(code, IMPORTS) == refused


@pytest.mark.parametrize(
    ("settings", "detail"),
    [
        (WebSearchSettings(provider="altavista"), "search_unknown"),
        (WebSearchSettings(provider="searxng"), "search_url_missing"),
        (WebSearchSettings(provider="tavily"), "search_key_missing"),
    ],
)
def test_a_search_engine_that_cannot_work_is_told_at_the_start(settings: WebSearchSettings, detail: str) -> None:
    with pytest.raises(SettingsInvalid) as raised:
        provided_tools(Settings(web_search=settings), cast(Any, None), None)
    assert raised.value.detail == detail


async def test_the_settings_reach_the_tools() -> None:
    settings = Settings(run_python=RunPythonSettings(imports=("polars",)))
    provided = provided_tools(settings, cast(Any, None), Other("x__y"))
    assert [tool.spec.name for tool in await provided.every.tools()] == [*NAMES, "x__y"]
    assert "Importable: polars." in (await provided.builtin.tools())[0].spec.description


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_models_are_told_how_to_write_csv_without_formulas(language: Language) -> None:
    specs = Toolset(await BuiltinTools(NoPages()).tools(), language=language).specs
    assert "tw.guard(df).to_csv(" in next(spec.description for spec in specs if spec.name == "run_python")
