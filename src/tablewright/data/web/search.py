"""Search engines over plain HTTP: SearXNG and Tavily.

Their addresses come from the settings, so that they may also be private ones.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import httpx2

from tablewright import __version__
from tablewright.data.base import SearchHit
from tablewright.errors import SearchFailed

TAVILY_URL = "https://api.tavily.com"
TIMEOUT_S = 20.0
ANSWER_BYTES = 4 * 1024**2
TITLE_CHARS = 300
SNIPPET_CHARS = 1_000
URL_CHARS = 2_000


class SearxNG:
    """Implements `SearchProvider` for an instance of SearXNG whose settings allow the format `json`."""

    def __init__(self, url: str, key: str = "", *, timeout_s: float = TIMEOUT_S) -> None:
        self._url = f"{url.rstrip('/')}/search"
        self._headers = {"authorization": f"Bearer {key}"} if key else {}
        self._timeout_s = timeout_s

    async def search(self, query: str, count: int) -> tuple[SearchHit, ...]:
        params = {"q": query, "format": "json"}
        request = httpx2.Request("GET", self._url, params=params, headers=self._headers)
        return hits_of(await _answer("searxng", request, self._timeout_s), count)


class Tavily:
    """Implements `SearchProvider` for Tavily."""

    def __init__(self, url: str = TAVILY_URL, key: str = "", *, timeout_s: float = TIMEOUT_S) -> None:
        self._url = f"{(url or TAVILY_URL).rstrip('/')}/search"
        self._key = key
        self._timeout_s = timeout_s

    async def search(self, query: str, count: int) -> tuple[SearchHit, ...]:
        asked = {"query": query, "max_results": min(count, 20)}
        headers = {"authorization": f"Bearer {self._key}"}
        request = httpx2.Request("POST", self._url, json=asked, headers=headers)
        return hits_of(await _answer("tavily", request, self._timeout_s), count)


def hits_of(answer: Mapping[str, Any], count: int) -> tuple[SearchHit, ...]:
    """Return the pages of an answer `{results: [{title, url, content}]}`, each address once, on one line each."""
    hits: dict[str, SearchHit] = {}
    results = answer.get("results")
    for found in results if isinstance(results, list) else ():
        if not isinstance(found, dict) or not isinstance(url := found.get("url"), str):
            continue
        if not url.lower().startswith(("http://", "https://")) or len(url) > URL_CHARS or any(map(str.isspace, url)):
            continue
        title, snippet = _line(found.get("title"), TITLE_CHARS), _line(found.get("content"), SNIPPET_CHARS)
        hits.setdefault(url, SearchHit(title=title or url, url=url, snippet=snippet))
    return tuple(hits.values())[:count]


async def _answer(provider: str, request: httpx2.Request, timeout_s: float) -> Mapping[str, Any]:
    request.headers.update({"user-agent": f"tablewright/{__version__}", "accept": "application/json"})
    transport = httpx2.AsyncHTTPTransport(trust_env=False)
    try:
        async with httpx2.AsyncClient(transport=transport, timeout=timeout_s, trust_env=False) as client:
            return await _within(provider, client, request, timeout_s)
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError, TimeoutError) as error:
        raise SearchFailed("search_unreachable", provider=provider) from error


async def _within(
    provider: str, client: httpx2.AsyncClient, request: httpx2.Request, timeout_s: float
) -> Mapping[str, Any]:
    async with asyncio.timeout(timeout_s):
        response = await client.send(request, stream=True)
        try:
            if response.status_code != 200:
                detail = "search_json_off" if (provider, response.status_code) == ("searxng", 403) else "search_status"
                raise SearchFailed(detail, provider=provider, status=response.status_code)
            body = bytearray()
            async for piece in response.aiter_bytes():
                body += piece
                if len(body) > ANSWER_BYTES:
                    raise SearchFailed("search_unreadable", provider=provider)
        finally:
            await response.aclose()
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise SearchFailed("search_unreadable", provider=provider) from error
    if not isinstance(answer, dict):
        raise SearchFailed("search_unreadable", provider=provider)
    return answer


def _line(value: object, most: int) -> str:
    return " ".join(value.split())[:most] if isinstance(value, str) else ""
