"""The fake viewer shows what every viewer shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tablewright.domain.table import Cell
from tablewright.workbook.conformance import ViewingConformance
from tablewright.workbook.conformance.editing import Make
from tablewright.workbook.memory import write_workbook
from tablewright.workbook.memory_viewer import MemoryViewer


class TestMemoryViewer(ViewingConformance):
    @pytest.fixture
    def viewer(self) -> MemoryViewer:
        return MemoryViewer()

    @pytest.fixture
    def make(self, tmp_path: Path) -> Make:
        def made(sheets: Mapping[str, Sequence[Sequence[Cell]]]) -> Path:
            write_workbook(tmp_path / "source.json", sheets)
            return tmp_path / "source.json"

        return made
