"""A step that ends with an error which no operation should end with."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest
from tests.support.workbooks import InlineWorker, write_rich

from tablewright.domain.operations.cells import SetValues
from tablewright.workbook.operations import HANDLERS
from tablewright.workbook.package.editor import PackageEditor


async def test_it_fails_alone_and_its_traceback_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(step: object, operation: object) -> None:
        raise TypeError("a cell of a kind that nobody knows")

    source = tmp_path / "book.xlsx"
    await asyncio.to_thread(write_rich, source)
    monkeypatch.setitem(HANDLERS, "set_values", broken)
    operation = SetValues(range="A1", values=(("x",),))
    with caplog.at_level(logging.ERROR, "tablewright.workbook"):
        applied = await PackageEditor(InlineWorker()).apply(source, tmp_path / "after.xlsx", [operation])
    (outcome,) = applied.steps
    assert outcome.error is not None
    assert (outcome.status, outcome.error.code, applied.written) == ("failed", "step_broke", False)
    (record,) = caplog.records
    assert "TypeError: a cell of a kind that nobody knows" in record.getMessage()
    assert "in broken" in record.getMessage()
