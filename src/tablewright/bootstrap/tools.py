"""The tools of agents, as the settings describe them: our own, and those of the MCP servers that are named there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, cast

from tablewright.bootstrap.loader import (
    AGENT_TOOLS,
    BUILTIN_TOOLS,
    DATA_TOOLS,
    DOWNLOAD_LIMITS,
    DOWNLOADS,
    PAGE_TYPES,
    SEARXNG,
    SEVERAL_PROVIDERS,
    TAVILY,
    WEB_PAGES,
    load,
)
from tablewright.bootstrap.registry import RegisteredTools
from tablewright.data.base import OpenLimits, SearchHit, SearchProvider, WebPage, WebPages
from tablewright.errors import SettingsInvalid
from tablewright.settings.tree import Settings, WebSearchSettings
from tablewright.tools.base import Tool, ToolProvider

if TYPE_CHECKING:
    from tablewright.data.pool import WorkerPool

SEARCH_ENTRY_POINTS = "tablewright.search"
"""The group of entry points that name search engines: callables that take `url`, `key` and `timeout_s`, and return a
`SearchProvider`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provided:
    """The tools of this installation: our own ones, those of other servers, and both together; what reads pages and
    finds them."""

    builtin: ToolProvider
    servers: ToolProvider | None
    every: ToolProvider
    pages: WebPages
    search: SearchProvider | None


def provided_tools(settings: Settings, pool: WorkerPool, servers: ToolProvider | None) -> Provided:
    """Return the tools that `settings` describe; pages are read in the children of `pool`.

    Raises `SettingsInvalid` for a search engine that is not known or lacks its address or key. Nothing is imported
    for the web before a tool needs it.
    """
    pages = LazyPages(lambda: _pages(settings, pool))
    search, imports = _search(settings.web_search), settings.run_python.imports
    builtin = LazyTools(lambda: load(BUILTIN_TOOLS)(pages, search=search, imports=imports))
    others = RegisteredTools()
    further = tuple(one for one in (servers, others or None) if one is not None)
    every = together(builtin, *further) if further else builtin
    return Provided(builtin=builtin, servers=servers, every=every, pages=pages, search=search)


def together(*providers: ToolProvider) -> ToolProvider:
    """Return the tools of several; of tools with one name, that of the first."""
    return LazyTools(lambda: load(SEVERAL_PROVIDERS)(*providers))


def agent_tools(others: ToolProvider, search: SearchProvider | None, pages: WebPages | None) -> ToolProvider:
    """Return the tools of `others` and those that only agents with tools have."""
    return LazyTools(lambda: load(AGENT_TOOLS)(others, search, pages))


def data_tools(others: ToolProvider) -> ToolProvider:
    """Return of the tools of `others` those that analyse data and write reports."""
    return LazyTools(lambda: load(DATA_TOOLS)(others))


class LazyTools:
    """Implements `ToolProvider`, imported and made when it is first asked for tools."""

    def __init__(self, make: Callable[[], ToolProvider]) -> None:
        self._made = cache(make)

    async def tools(self) -> tuple[Tool, ...]:
        return await self._made().tools()


class LazyPages:
    """Implements `WebPages`, made with the first page."""

    def __init__(self, make: Callable[[], WebPages]) -> None:
        self._make = make
        self._pages: WebPages | None = None

    async def read(self, url: str) -> WebPage:
        if self._pages is None:
            self._pages = self._make()
        return await self._pages.read(url)


class LazySearch:
    """Implements `SearchProvider`, made with the first search."""

    def __init__(self, make: Callable[[], SearchProvider]) -> None:
        self._make = make
        self._provider: SearchProvider | None = None

    async def search(self, query: str, count: int) -> tuple[SearchHit, ...]:
        if self._provider is None:
            self._provider = self._make()
        return await self._provider.search(query, count)


def _pages(settings: Settings, pool: WorkerPool) -> WebPages:
    given = settings.web_reader
    fetching = load(DOWNLOAD_LIMITS)(
        size_bytes=given.max_size, timeout_s=given.timeout, redirects=given.max_redirects
    )  # fmt: skip
    downloads = load(DOWNLOADS)(fetching, types=load(PAGE_TYPES))
    reading = OpenLimits(memory_bytes=settings.files.open_memory, timeout_s=settings.files.open_timeout)
    return cast(WebPages, load(WEB_PAGES)(downloads, pool, reading))


def _search(settings: WebSearchSettings) -> SearchProvider | None:
    name = settings.provider
    if name is None:
        return None
    make = _engine(name)
    if name == "searxng" and not settings.url:
        raise SettingsInvalid("search_url_missing", source="web_search", setting="web_search.url")
    if name == "tavily" and settings.key is None:
        raise SettingsInvalid("search_key_missing", source="web_search", setting="web_search.key")
    key = "" if settings.key is None else settings.key.get_secret_value()
    return LazySearch(lambda: make()(url=settings.url or "", key=key, timeout_s=settings.timeout))


def _engine(name: str) -> Callable[[], Any]:
    """Return what loads the search engine `name`."""
    if name in {"searxng", "tavily"}:
        return lambda: load(SEARXNG if name == "searxng" else TAVILY)
    found = tuple(entry_points(group=SEARCH_ENTRY_POINTS, name=name))
    if not found:
        raise SettingsInvalid("search_unknown", source="web_search", setting="web_search.provider", provider=name)
    return found[0].load
