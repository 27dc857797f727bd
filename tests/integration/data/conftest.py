"""Real children that open real files, and the sandbox's interpreter that loads them with pandas."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import xlsxwriter

from tablewright.data.base import DatasetProfile, FileProfile
from tablewright.data.files.tables import FileTables

Writer = Callable[[Any], None]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def tables() -> AsyncIterator[FileTables]:
    """One pool for the tests of a module, which run in its loop."""
    opened = FileTables()
    await opened.start()
    yield opened
    await opened.stop()


@pytest.fixture
def workbook(tmp_path: Path) -> Callable[[Writer], Path]:
    """Build an xlsx file by what the function given does to an open workbook."""

    def build(write: Writer) -> Path:
        path = tmp_path / "book.xlsx"
        with xlsxwriter.Workbook(str(path)) as book:
            write(book)
        return path

    return build


def only(profile: FileProfile) -> DatasetProfile:
    """Return the one table of a file."""
    assert len(profile.datasets) == 1, [dataset.facts.id for dataset in profile.datasets]
    return profile.datasets[0]
