"""Downloads whose implementation is imported when the first URL is opened."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Any, cast

from tablewright.bootstrap.loader import DOWNLOAD_LIMITS, DOWNLOADS, load
from tablewright.data.base import Download, Downloads


class LazyDownloads:
    """Implements `Downloads`; `limits` are the fields of `data.download.DownloadLimits`."""

    def __init__(self, **limits: Any) -> None:
        self._limits = limits
        self._downloads: Downloads | None = None

    def open(self, url: str) -> AbstractAsyncContextManager[Download]:
        if self._downloads is None:
            self._downloads = cast(Downloads, load(DOWNLOADS)(load(DOWNLOAD_LIMITS)(**self._limits)))
        return self._downloads.open(url)
