"""Blobs as files on disk."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tablewright.domain.ids import SystemClock
from tablewright.domain.scope import Scope
from tablewright.store.blobs import BlobFolder
from tablewright.store.conformance import BlobsConformance


class TestBlobFolder(BlobsConformance):
    @pytest.fixture
    def blobs(self, tmp_path: Path) -> BlobFolder:
        return BlobFolder(tmp_path / "blobs", SystemClock())


@pytest.mark.requirement("store-files-are-private")
async def test_blobs_are_for_their_user_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        await BlobFolder(tmp_path / "blobs", SystemClock()).put(Scope(), b"secret")
    finally:
        os.umask(before)
    assert (tmp_path / "blobs").stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "blobs").glob("*/??/*")} == {0o600}
