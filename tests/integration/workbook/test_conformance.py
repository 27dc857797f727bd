"""The package editor does what every editor does: in process, in children, and on files that need the fallback."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

import pytest
from tests.support.patience import PATIENCE_S
from tests.support.workbooks import InlineWorker, write_prefixed, write_xlsx

from tablewright.data.base import OpenLimits
from tablewright.data.pool import WorkerPool
from tablewright.domain.table import Cell
from tablewright.workbook.conformance import (
    EditorConformance,
    FormulaConformance,
    MakingConformance,
    SheetNamesConformance,
)
from tablewright.workbook.conformance.editing import Make
from tablewright.workbook.package.editor import WARM, PackageEditor


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def made(sheets: Mapping[str, Sequence[Sequence[Cell]]]) -> Path:
        return write_xlsx(tmp_path / "source.xlsx", sheets)

    return made


class TestInProcess(EditorConformance, FormulaConformance, MakingConformance, SheetNamesConformance):
    @pytest.fixture
    def editor(self) -> PackageEditor:
        return PackageEditor(InlineWorker())


class TestOnTheFallback(EditorConformance, FormulaConformance, MakingConformance, SheetNamesConformance):
    @pytest.fixture
    def editor(self) -> PackageEditor:
        return PackageEditor(InlineWorker())

    @pytest.fixture
    def make(self, tmp_path: Path) -> Make:
        def made(sheets: Mapping[str, Sequence[Sequence[Cell]]]) -> Path:
            return write_prefixed(tmp_path / "source.xlsx", sheets)

        return made

    async def test_what_the_fallback_loses_is_named_before_the_first_write(
        self, editor: PackageEditor, make: Make
    ) -> None:
        found = await editor.losses(make({"S": [["a"]]}))
        assert [notice.code for notice in found] == ["loss_rewritten"]


class TestInChildren(EditorConformance, MakingConformance, SheetNamesConformance):
    @pytest.fixture
    async def editor(self) -> AsyncIterator[PackageEditor]:
        pool = WorkerPool(OpenLimits(timeout_s=PATIENCE_S), size=1, warm=WARM)
        await pool.start()
        yield PackageEditor(pool)
        await pool.stop()
