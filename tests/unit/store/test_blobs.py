"""Blobs as files on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablewright.domain.ids import SystemClock
from tablewright.store.blobs import BlobFolder
from tablewright.store.conformance import BlobsConformance


class TestBlobFolder(BlobsConformance):
    @pytest.fixture
    def blobs(self, tmp_path: Path) -> BlobFolder:
        return BlobFolder(tmp_path / "blobs", SystemClock())
