"""The fake does what every editor does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tablewright.domain.table import Cell
from tablewright.workbook.conformance import EditorConformance, MakingConformance, SheetNamesConformance
from tablewright.workbook.conformance.editing import Make
from tablewright.workbook.memory import MemoryEditor, write_workbook


class TestMemoryEditor(EditorConformance, MakingConformance, SheetNamesConformance):
    @pytest.fixture
    def editor(self) -> MemoryEditor:
        return MemoryEditor()

    @pytest.fixture
    def make(self, tmp_path: Path) -> Make:
        def made(sheets: Mapping[str, Sequence[Sequence[Cell]]]) -> Path:
            path = tmp_path / "source.json"
            write_workbook(path, sheets)
            return path

        return made
