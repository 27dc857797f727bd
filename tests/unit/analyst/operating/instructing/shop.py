"""A table of a bicycle workshop in English and one of a library in Chinese, and the reading of instructions on them."""

from __future__ import annotations

import asyncio

from tablewright.analyst.operating.instructing import Reading, read
from tablewright.analyst.operating.scene import Place, Scene
from tablewright.domain.dataset import ColumnFacts, DatasetFacts, DistinctValues, ReadOptions
from tablewright.domain.language import language_of
from tablewright.domain.outline import RegionOutline, SheetOutline, WorkbookOutline
from tablewright.domain.table import Table
from tablewright.workbook.areas import letters

_CELLS = {
    "Mechanic": ("Ada", "Tom", "Lee"), "State": ("open", "closed", "waiting"), "Bike": ("tandem", "racer"),
    "读者": ("李雷", "韩梅"), "类别": ("小说", "诗歌"), "备注": ("破损",),
}  # fmt: skip
_REPAIRS = (
    ColumnFacts(name="Mechanic", kind="text", distinct=3), ColumnFacts(name="Bike", kind="text", distinct=2),
    ColumnFacts(name="State", kind="text", distinct=3),
    ColumnFacts(name="Price", kind="number", minimum=5, maximum=900, distinct=30),
    ColumnFacts(name="Cost", kind="number", minimum=1, maximum=500, distinct=30),
    ColumnFacts(name="Arrived", kind="date", minimum="2024-01-02", maximum="2024-12-30", distinct=30),
)  # fmt: skip
_LOANS = (
    ColumnFacts(name="读者", kind="text", distinct=2), ColumnFacts(name="类别", kind="text", distinct=2),
    ColumnFacts(name="押金", kind="number", minimum=10, maximum=90, distinct=9),
    ColumnFacts(name="罚款", kind="number", minimum=0, maximum=50, distinct=9),
    ColumnFacts(name="借出日期", kind="date", minimum="2024-01-02", maximum="2024-12-30", distinct=20),
    ColumnFacts(name="备注", kind="text", distinct=1, missing=20),
)  # fmt: skip


class _Cells:
    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        found = _CELLS.get(column)
        return None if found is None else DistinctValues(values=found, counts=(1,) * len(found), complete=True)


def _place(sheet: str, columns: tuple[ColumnFacts, ...]) -> Place:
    last = letters(len(columns))
    facts = DatasetFacts(
        id=sheet, name=sheet, file_name="", path="", read=ReadOptions(kind="xlsx", sheet=sheet), rows=30,
        columns=columns, sample=Table(columns=(), rows=(), total_rows=30), profile_ref="a" * 64,
    )  # fmt: skip
    region = RegionOutline(range=f"A1:{last}31", header_rows=(1, 1), data_rows=(2, 31), columns=())
    named = {column.name: letters(at) for at, column in enumerate(columns, 1)}
    return Place(sheet=sheet, region=region, facts=facts, letters=named)


_PHONES = (ColumnFacts(name="Mechanic", kind="text", distinct=3), ColumnFacts(name="Phone", kind="text", distinct=3))
_READERS = (ColumnFacts(name="读者", kind="text", distinct=2), ColumnFacts(name="电话", kind="text", distinct=2))


CELLS = _Cells()


def scene_of_text(text: str, *, two_sheets: bool = False) -> Scene:
    """Return the workbook that a text is about: that of the workshop if it is English, of the library otherwise; with a
    second sheet of phone numbers if `two_sheets`."""
    language = language_of(text)
    place = _place("Repairs", _REPAIRS) if language == "en" else _place("借阅", _LOANS)
    second = _place("Phones", _PHONES) if language == "en" else _place("通讯录", _READERS)
    places = (place, second) if two_sheets else (place,)
    sheets = tuple(
        SheetOutline(
            name=one.sheet, state="visible", kind="worksheet", used=one.region.range, regions=(one.region,)
        )
        for one in places
    )  # fmt: skip
    return Scene(outline=WorkbookOutline(sheets=sheets), places=places, language=language)


def reading(text: str, *, two_sheets: bool = False) -> Reading | None:
    """Return how an instruction is read, on the workbook that `scene_of_text` gives."""
    return asyncio.run(read(text, scene_of_text(text, two_sheets=two_sheets), CELLS))
