"""Downloads from the web that cannot be abused to reach anything but public machines.

A host name is resolved once, every resulting address must be public, and the connection uses a checked address, so that
a name which resolves differently a moment later gains nothing. Each redirect is checked in the same way.
"""

from __future__ import annotations

import asyncio
import re
import socket
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from email.message import Message
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from pathlib import PurePosixPath
from urllib.parse import unquote

import httpx2

from tablewright import __version__
from tablewright.data.base import Download
from tablewright.errors import DownloadFailed, DownloadRefused, FileTooLarge

Address = IPv4Address | IPv6Address
Admits = Callable[[Address, int], bool]
Resolve = Callable[[str, int], Awaitable[Sequence[Address]]]

PIECE_BYTES = 256 * 1024
UNICAST = IPv6Network("2000::/3")
TRANSLATED = IPv6Network("64:ff9b::/96")
"""IPv6 addresses that represent IPv4 ones (NAT64)."""
NOT_PUBLIC = tuple(map(IPv4Network, ("192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32")))
"""Addresses refused in addition to those that the standard library considers private: clouds serve metadata there."""
TYPES = {
    "text/csv": ".csv",
    "application/csv": ".csv",
    "text/tab-separated-values": ".tsv",
    "text/plain": ".txt",
    "application/json": ".json",
    "application/x-ndjson": ".jsonl",
    "application/jsonl": ".jsonl",
    "application/vnd.ms-excel": ".xls",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    "application/vnd.ms-excel.sheet.macroenabled.12": ".xlsm",
    "application/vnd.ms-excel.sheet.binary.macroenabled.12": ".xlsb",
    "application/vnd.oasis.opendocument.spreadsheet": ".ods",
    "application/vnd.apache.parquet": ".parquet",
    "application/x-parquet": ".parquet",
}
"""The accepted media types and the corresponding file suffixes."""
UNTYPED = frozenset({"", "application/octet-stream", "binary/octet-stream", "application/zip", "application/download"})
"""Media types without information: the file's name decides."""
EXTENDED_NAME = re.compile(r"filename\*\s*=\s*utf-8'[^']*'(?P<name>[^\s;]+)", re.IGNORECASE)
SPELLINGS = (".ndjson",)
"""Suffixes of tables that no media type stands for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DownloadLimits:
    """Limits on one download; `timeout_s` applies to the whole of it."""

    size_bytes: int = 512 * 1024**2
    timeout_s: float = 60.0
    connect_timeout_s: float = 10.0
    redirects: int = 5


def is_public(address: Address, port: int = 0) -> bool:  # noqa: ARG001  # the shape of `Admits`
    """Whether `address` is publicly reachable: not private, loopback, link-local, shared, metadata, multicast
    or tunnel."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if address in TRANSLATED:
            return is_public(IPv4Address(address.packed[-4:]))
        tunnel = address.sixtofour is not None or address.teredo is not None
        return address in UNICAST and address.is_global and not tunnel
    special = address.is_multicast or address.is_reserved or any(address in network for network in NOT_PUBLIC)
    return address.is_global and not special


async def resolve(host: str, port: int) -> Sequence[Address]:
    """Return the distinct addresses of `host`. A number in any notation is interpreted as the system would."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(ip_address(str(entry[4][0]).partition("%")[0]) for entry in found))


class GuardedDownloads:
    """Implements `Downloads`. `types` are the accepted media types with their suffixes.

    `admits` decides which addresses may be reached, `resolve` resolves host names.
    """

    def __init__(
        self,
        limits: DownloadLimits | None = None,
        *,
        types: Mapping[str, str] = TYPES,
        admits: Admits = is_public,
        resolve: Resolve = resolve,
    ) -> None:
        self._limits = limits or DownloadLimits()
        self._types = types
        self._admits = admits
        self._resolve = resolve

    @asynccontextmanager
    async def open(self, url: str) -> AsyncIterator[Download]:
        """Fetch `url`; within this context, provide its name, type and content in pieces.

        Raises `DownloadRefused` or `DownloadFailed`, and `FileTooLarge` while the content is read.
        """
        shown = shown_url(url)
        timeout = asyncio.timeout(self._limits.timeout_s)
        try:
            async with timeout, self._client() as client, self._sent(client, url, shown) as response:
                yield self._download(response, shown)
        except TimeoutError as error:
            if not timeout.expired():
                raise
            raise DownloadFailed("download_slow", url=shown, limit_s=self._limits.timeout_s) from error
        except (httpx2.UnsupportedProtocol, httpx2.InvalidURL) as error:
            raise DownloadRefused("download_scheme", url=shown) from error
        except httpx2.HTTPError as error:
            raise DownloadFailed("download_unreachable", url=shown) from error

    @asynccontextmanager
    async def _sent(self, client: httpx2.AsyncClient, url: str, shown: str) -> AsyncIterator[httpx2.Response]:
        """Send the request and follow redirects to the final response; bodies of redirects are never read."""
        request: httpx2.Request | None = client.build_request("GET", url)
        for _ in range(self._limits.redirects + 1):
            assert request is not None
            response = await client.send(request, stream=True)
            try:
                if not response.has_redirect_location:
                    yield response
                    return
                request = response.next_request
            finally:
                await response.aclose()
        raise DownloadRefused("download_redirects", url=shown, limit=self._limits.redirects)

    def _client(self) -> httpx2.AsyncClient:
        limits = self._limits
        inner = httpx2.AsyncHTTPTransport(trust_env=False, limits=httpx2.Limits(max_keepalive_connections=0))
        return httpx2.AsyncClient(
            transport=GuardedTransport(inner, self._admits, self._resolve),
            timeout=httpx2.Timeout(limits.timeout_s, connect=limits.connect_timeout_s),
            trust_env=False,
            headers={
                "user-agent": f"tablewright/{__version__}",
                "accept": ", ".join((*self._types, "*/*;q=0.1")),
                "accept-encoding": "identity",
            },
        )

    def _download(self, response: httpx2.Response, shown: str) -> Download:
        if response.status_code != 200:
            raise DownloadFailed("download_status", url=shown, status=response.status_code)
        mime = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        name = _name(response, mime, self._types)
        if name is None:
            raise DownloadRefused("download_type", url=shown, type=mime or "?")
        length = response.headers.get("content-length", "")
        if length.isdecimal() and int(length) > self._limits.size_bytes:
            raise FileTooLarge(name=name, limit_bytes=self._limits.size_bytes)
        content = self._bounded(decoded(response, shown), name)
        return Download(name=name, mime=mime, content=content, url=str(response.url))

    async def _bounded(self, pieces: AsyncIterator[bytes], name: str) -> AsyncIterator[bytes]:
        seen = 0
        async for piece in pieces:
            seen += len(piece)
            if seen > self._limits.size_bytes:
                raise FileTooLarge(name=name, limit_bytes=self._limits.size_bytes)
            yield piece


class GuardedTransport(httpx2.AsyncBaseTransport):
    """Sends each request, including redirected ones, to a checked address."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, admits: Admits, resolve: Resolve) -> None:
        self._inner = inner
        self._admits = admits
        self._resolve = resolve

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url
        shown = shown_url(str(url))
        if url.scheme not in {"http", "https"} or not url.host:
            raise DownloadRefused("download_scheme", url=shown)
        if url.userinfo:
            raise DownloadRefused("download_credentials", url=shown)
        host = url.raw_host.decode("ascii")
        addresses = await self._checked(host, url.port or (443 if url.scheme == "https" else 80), shown)
        for address in addresses[:-1]:
            try:
                return await self._inner.handle_async_request(_pinned(request, address, host))
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                continue
        return await self._inner.handle_async_request(_pinned(request, addresses[-1], host))

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def _checked(self, host: str, port: int, shown: str) -> Sequence[Address]:
        try:
            addresses = await self._resolve(host.strip("[]"), port)
        except (OSError, UnicodeError) as error:
            raise DownloadFailed("download_unreachable", url=shown) from error
        if not addresses:
            raise DownloadFailed("download_unreachable", url=shown)
        if not all(self._admits(address, port) for address in addresses):
            raise DownloadRefused("download_address", url=shown)
        return addresses


def _pinned(request: httpx2.Request, address: Address, host: str) -> httpx2.Request:
    """Return the request directed to `address`, still with `host` in its Host header and for certificate validation."""
    return httpx2.Request(
        request.method,
        request.url.copy_with(host=str(address)),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": host.strip("[]")},
    )


async def decoded(response: httpx2.Response, shown: str) -> AsyncIterator[bytes]:
    """Yield the body in bounded pieces.

    An uncompressed body was requested. If it is compressed anyway, exactly one layer is decompressed.
    """
    coding = response.headers.get("content-encoding", "identity").strip().lower()
    if coding in {"", "identity"}:
        async for piece in response.aiter_raw(PIECE_BYTES):
            yield piece
        return
    if coding not in {"gzip", "x-gzip", "deflate"}:
        raise DownloadRefused("download_encoding", url=shown, encoding=coding[:40])
    inflating = zlib.decompressobj(zlib.MAX_WBITS | 32)
    try:
        async for piece in response.aiter_raw(PIECE_BYTES):
            while piece:
                yield inflating.decompress(piece, PIECE_BYTES)
                piece = inflating.unconsumed_tail
    except zlib.error as error:
        raise DownloadFailed("download_damaged", url=shown) from error
    if not inflating.eof or inflating.unused_data:
        raise DownloadFailed("download_damaged", url=shown)


def _name(response: httpx2.Response, mime: str, types: Mapping[str, str]) -> str | None:
    """Return the file's name: from the server, else from the URL. None if neither name nor type is one of `types`."""
    last = _given_name(response.headers.get("content-disposition", "")) or PurePosixPath(response.url.path).name
    path = PurePosixPath(last.replace("\\", "/")) if last else PurePosixPath("download")
    known = path.suffix.lower() in {*types.values(), *(SPELLINGS if types is TYPES else ())}
    if mime in UNTYPED:
        return path.name if known else None
    if mime not in types:
        return None
    return path.name if known else (path.stem or "download") + types[mime]


def _given_name(disposition: str) -> str:
    """Return the file name in a Content-Disposition, preferably the Unicode one (RFC 6266); may be empty."""
    if extended := EXTENDED_NAME.search(disposition):
        return unquote(extended["name"])
    said = Message()
    said["content-disposition"] = disposition
    return said.get_filename("")


def shown_url(url: str) -> str:
    """Return the URL for display and logging, without the parts that might be secret."""
    try:
        parts = httpx2.URL(url)
    except (httpx2.InvalidURL, ValueError, TypeError):
        return url[:20]
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.host}{port}{parts.path}"[:200]
