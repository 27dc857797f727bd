"""Reads pages of the web: fetched under guard, their main text found in a child process that may be killed."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from tablewright.data.base import Downloads, OpenLimits, WebPage
from tablewright.data.download import shown_url
from tablewright.data.pool import WorkerPool
from tablewright.domain.codec import from_json
from tablewright.errors import DownloadRefused, FileTooLarge, FileUnreadable

TYPES = {
    "text/html": ".html",
    "application/xhtml+xml": ".xhtml",
    "text/plain": ".txt",
    "text/markdown": ".md",
    "text/csv": ".csv",
    "application/json": ".json",
}
"""The media types of pages, and the suffixes that their files have."""
_EXTRACT = "tablewright.data.web.extraction:extract"


class WebPageReader:
    """Implements `WebPages` over guarded downloads and the children that open files."""

    def __init__(self, downloads: Downloads, pool: WorkerPool, limits: OpenLimits) -> None:
        self._downloads = downloads
        self._pool = pool
        self._limits = limits

    async def read(self, url: str) -> WebPage:
        with tempfile.TemporaryDirectory(prefix="tablewright-") as folder:
            path = Path(folder) / "page"
            try:
                async with self._downloads.open(url) as download:
                    with await asyncio.to_thread(path.open, "wb") as file:
                        async for piece in download.content:
                            await asyncio.to_thread(file.write, piece)
            except DownloadRefused as error:
                if error.detail != "download_type":
                    raise
                raise DownloadRefused("page_type", url=error.params["url"], type=error.params["type"]) from error
            except FileTooLarge as error:
                limit = error.params["limit_bytes"]
                raise DownloadRefused("page_too_large", url=shown_url(url), limit_bytes=limit) from error
            arguments = {"name": download.name, "url": download.url or url}
            try:
                return from_json(WebPage, await self._pool.call(_EXTRACT, path, arguments, self._limits))
            except FileUnreadable as error:
                raise DownloadRefused("page_unreadable", url=shown_url(url)) from error
