"""The page offers to choose the files that uploads take."""

from __future__ import annotations

import re
from pathlib import Path

from tablewright.data.files.kinds import SUPPORTED
from tablewright.service.files.texts import SUFFIXES

COMPOSER = Path(__file__).parents[4] / "web" / "src" / "chat" / "Composer.tsx"


def test_the_page_offers_what_uploads_take() -> None:
    offered = re.search(r'KINDS = "([^"]+)"', COMPOSER.read_text("utf-8"))
    assert offered is not None
    taken = {f".{ending}" for ending in SUPPORTED.split(", ")} | SUFFIXES
    assert set(offered[1].split(",")) == taken
