"""The first rows of a file that is not kept are shown even where no more than these can be read in time."""

from __future__ import annotations

from pathlib import Path

from tests.support.parts import CsvTables

from tablewright.errors import FileUnreadable
from tablewright.service.files.profiles import Previews
from tablewright.workbook.memory import MemoryEditor


class SlowToSearch(CsvTables):
    """Reads the first rows of a file, and takes too long to search the rest."""

    async def uncomputed(self, path: Path, name: str) -> bool:
        raise FileUnreadable("file_too_slow", name=name, limit_s=1)


async def test_a_file_too_large_to_be_searched_for_formulas_is_shown_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    path.write_text("a,b\n1,\n", encoding="utf-8")
    shown = await Previews(SlowToSearch(), MemoryEditor()).of(path, "large.csv")
    assert shown.columns == ("a", "b")
    assert len(shown.rows) == 1
