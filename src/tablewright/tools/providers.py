"""Where agents get their tools from: our own ones, and several sources together."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.data.base import SearchProvider, WebPage, WebPages
from tablewright.errors import DownloadFailed
from tablewright.models.base import ToolSpec
from tablewright.tools.base import Tool, ToolProvider
from tablewright.tools.code_interpreter import CodeInterpreter
from tablewright.tools.deep_search.tool import DeepSearchTool
from tablewright.tools.file import FileTool
from tablewright.tools.file_reader import FileReader
from tablewright.tools.python_imports import IMPORTS
from tablewright.tools.query_database import QueryDatabase
from tablewright.tools.remember import Remember
from tablewright.tools.report import ReportTool
from tablewright.tools.run_python import NAME as RUN_PYTHON
from tablewright.tools.run_python import RunPython
from tablewright.tools.web_reader import WebReader
from tablewright.tools.web_search import WebSearch


class BuiltinTools:
    """Implements `ToolProvider`: our own tools, made anew for each run, and `more`, which runs share."""

    def __init__(
        self,
        pages: WebPages,
        *,
        search: SearchProvider | None = None,
        imports: Sequence[str] = IMPORTS,
        more: Sequence[Tool] = (),
    ) -> None:
        self._pages = pages
        self._search = search
        self._imports = tuple(imports)
        self._more = tuple(more)

    async def tools(self) -> tuple[Tool, ...]:
        return (
            RunPython(self._imports),
            FileReader(),
            QueryDatabase(),
            *self._more,
            WebSearch(self._search),
            WebReader(self._pages),
        )


class NoPages:
    """Implements `WebPages` where the web is not to be reached."""

    async def read(self, url: str) -> WebPage:
        raise DownloadFailed("download_unreachable", url=url)


BUILTIN_SPECS: tuple[ToolSpec, ...] = tuple(
    tool.spec for tool in (RunPython(), FileReader(), QueryDatabase(), WebSearch(), WebReader(NoPages()))
)
"""The descriptions of our own tools."""


class AgentTools:
    """Implements `ToolProvider`: the tools of `others`, and those that only agents with tools have, as they call the
    model of their run, ask its person or keep files; of tools with one name, that of `others`."""

    def __init__(self, others: ToolProvider, search: SearchProvider | None, pages: WebPages | None) -> None:
        self._others = others
        self._search = search
        self._pages = pages

    async def tools(self) -> tuple[Tool, ...]:
        named = {tool.spec.name: tool for tool in await self._others.tools()}
        own: list[Tool] = [DeepSearchTool(self._search, self._pages), ReportTool(), FileTool(), Remember()]
        if (run := named.get(RUN_PYTHON)) is not None:
            own.append(CodeInterpreter(run))
        return tuple((named | {tool.spec.name: tool for tool in own} | named).values())


DATA_TOOLS = frozenset({"run_python", "code_interpreter", "file_reader", "query_database", "report", "file"})
"""The tools that analyse data and write reports."""


class DataTools:
    """Implements `ToolProvider`: of the tools of `others` those that analyse data and write reports."""

    def __init__(self, others: ToolProvider) -> None:
        self._others = others

    async def tools(self) -> tuple[Tool, ...]:
        return tuple(tool for tool in await self._others.tools() if tool.spec.name in DATA_TOOLS)


class SeveralProviders:
    """Implements `ToolProvider` over several; of tools with one name, that of the first."""

    def __init__(self, *providers: ToolProvider) -> None:
        self._providers = providers

    async def tools(self) -> tuple[Tool, ...]:
        named: dict[str, Tool] = {}
        for provider in self._providers:
            for tool in await provider.tools():
                named.setdefault(tool.spec.name, tool)
        return tuple(named.values())
