"""Requests to the web, under the guard of downloads: whatever they ask for, and wherever they are redirected to."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2

from tablewright import __version__
from tablewright.data.base import READING, WebRequest, WebResponse
from tablewright.data.download import Admits, DownloadLimits, GuardedTransport, Resolve, decoded, is_public, shown_url
from tablewright.data.download import resolve as resolved
from tablewright.errors import DownloadFailed, DownloadRefused, FileTooLarge

OURS = frozenset(
    {"host", "content-length", "transfer-encoding", "connection", "te", "trailer", "upgrade", "expect", "keep-alive",
     "proxy-authorization", "proxy-connection", "accept-encoding"}
)  # fmt: skip
"""Headers that belong to the connection, which no request may set."""
_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
_TEXTS = re.compile(r"text/.*|application/(.*\+)?(json|xml|yaml|x-ndjson|javascript|x-www-form-urlencoded)")


class GuardedRequests:
    """Implements `WebRequests`. `admits` decides which addresses may be reached, `resolve` resolves host names."""

    def __init__(
        self, limits: DownloadLimits | None = None, *, admits: Admits = is_public, resolve: Resolve = resolved
    ) -> None:
        self._limits = limits or DownloadLimits(size_bytes=3 * 1024**2, timeout_s=30.0)
        self._admits = admits
        self._resolve = resolve

    async def send(self, request: WebRequest) -> WebResponse:
        shown = shown_url(request.url)
        timeout = asyncio.timeout(self._limits.timeout_s)
        try:
            async with timeout, self._client() as client, self._sent(client, request, shown) as response:
                return await self._read(response, shown) if request.content_wanted else _status(response)
        except TimeoutError as error:
            if not timeout.expired():
                raise
            raise DownloadFailed("download_slow", url=shown, limit_s=self._limits.timeout_s) from error
        except (httpx2.UnsupportedProtocol, httpx2.InvalidURL) as error:
            raise DownloadRefused("download_scheme", url=shown) from error
        except httpx2.HTTPError as error:
            raise DownloadFailed("download_unreachable", url=shown) from error

    def _client(self) -> httpx2.AsyncClient:
        inner = httpx2.AsyncHTTPTransport(trust_env=False, limits=httpx2.Limits(max_keepalive_connections=0))
        return httpx2.AsyncClient(
            transport=GuardedTransport(inner, self._admits, self._resolve),
            timeout=httpx2.Timeout(self._limits.timeout_s, connect=self._limits.connect_timeout_s),
            trust_env=False,
            headers={
                "user-agent": f"tablewright/{__version__}",
                "accept": "application/json, text/*;q=0.9, */*;q=0.1",
                "accept-encoding": "identity",
            },
        )

    @asynccontextmanager
    async def _sent(self, client: httpx2.AsyncClient, wanted: WebRequest, shown: str) -> AsyncIterator[httpx2.Response]:
        request: httpx2.Request | None = _request(client, wanted, shown)
        for _ in range(self._limits.redirects + 1):
            assert request is not None
            response = await client.send(request, stream=True)
            try:
                if wanted.method not in READING or not response.has_redirect_location:
                    yield response
                    return
                request = _redirected(client, request, response, wanted)
            finally:
                await response.aclose()
        raise DownloadRefused("download_redirects", url=shown, limit=self._limits.redirects)

    async def _read(self, response: httpx2.Response, shown: str) -> WebResponse:
        headers = {name.lower(): value for name, value in response.headers.items()}
        mime = headers.get("content-type", "").partition(";")[0].strip().lower()
        content = bytearray()
        if response.request.method != "HEAD":
            async for piece in decoded(response, shown):
                content += piece
                if len(content) > self._limits.size_bytes:
                    raise FileTooLarge(name=shown, limit_bytes=self._limits.size_bytes)
        if content and mime and not _TEXTS.fullmatch(mime):
            raise DownloadRefused("page_type", url=shown, type=mime[:60])
        text = content.decode(_charset(response), errors="replace").replace("\0", "\ufffd")
        return WebResponse(url=str(response.url), status=response.status_code, headers=headers, text=text)


def _request(client: httpx2.AsyncClient, wanted: WebRequest, shown: str) -> httpx2.Request:
    """Raises `DownloadRefused` for headers that a request may not have."""
    for name, value in wanted.headers.items():
        wrong = not _NAME.fullmatch(name) or name.lower() in OURS
        if wrong or any(ord(char) < 32 and char != "\t" for char in value) or not value.isascii():
            raise DownloadRefused("request_header", url=shown, name=name[:60])
    url = httpx2.URL(wanted.url)
    url = url.copy_merge_params(dict(wanted.query)) if wanted.query else url
    return client.build_request(wanted.method, url, headers=dict(wanted.headers), content=wanted.body)


def _status(response: httpx2.Response) -> WebResponse:
    return WebResponse(url=str(response.url), status=response.status_code, headers={}, text="")


def _redirected(
    client: httpx2.AsyncClient, request: httpx2.Request, response: httpx2.Response, wanted: WebRequest
) -> httpx2.Request | None:
    """Return the next request; to another origin it goes without the headers of the first."""
    following = response.next_request
    if following is None or _origin(following.url) == _origin(request.url):
        return following
    return client.build_request(wanted.method, following.url)


def _origin(url: httpx2.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port


def _charset(response: httpx2.Response) -> str:
    named = response.charset_encoding or "utf-8"
    try:
        b"".decode(named)
    except LookupError:
        return "utf-8"
    return named
