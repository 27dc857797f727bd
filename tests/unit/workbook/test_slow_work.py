"""Work on a workbook that meets its limit of time says which work it was."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tablewright.domain.language import Language
from tablewright.errors import FileUnreadable, WorkbookSlow
from tablewright.texts.errors import describe
from tablewright.workbook.package.editor import PackageEditor


class SlowWorker:
    """Ends every call with what a pool says of one that took too long, or of a damaged file."""

    def __init__(self, detail: str = "file_too_slow") -> None:
        self.detail = detail

    async def call(self, _operation: str, _path: Path, arguments: Mapping[str, Any]) -> bytes:
        raise FileUnreadable(self.detail, name=arguments["name"], limit_s=60.0)


@pytest.mark.parametrize(("language", "words"), [("en", "checking the plan"), ("zh", "检查计划")])
async def test_a_check_that_takes_too_long_is_told_as_a_check(language: Language, words: str) -> None:
    with pytest.raises(WorkbookSlow) as slow:
        await PackageEditor(SlowWorker()).validate(Path("b.xlsx"), [])
    said = describe(slow.value, language)
    assert words in said
    assert "60" in said
    assert "b.xlsx" in said


async def test_each_kind_of_work_has_its_words() -> None:
    editor = PackageEditor(SlowWorker())
    path = Path("b.xlsx")
    said: set[str] = set()
    for work in (
        editor.apply(path, path, []),
        editor.validate(path, []),
        editor.outline(path),
        editor.compute(path, path),
    ):
        with pytest.raises(WorkbookSlow) as slow:
            await work
        said.add(describe(slow.value, "en"))
    assert len(said) == 4


async def test_a_damaged_file_stays_one() -> None:
    with pytest.raises(FileUnreadable) as damaged:
        await PackageEditor(SlowWorker("file_damaged")).validate(Path("b.xlsx"), [])
    assert damaged.value.code == "file_unreadable"
