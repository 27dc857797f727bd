"""The list of files as a person and as a program reads it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tablewright.cli import files
from tablewright.cli.main import run
from tablewright.domain.dataset import StoredFile

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
LONG = "二〇二四年度各门店销售明细与目标完成情况汇总表（财务部定稿，含退货）.xlsx"


class OneFile:
    async def files(self) -> tuple[StoredFile, ...]:
        return (StoredFile(id="f-1", name=LONG, mime=XLSX, kind="xlsx", size_bytes=12345, sha256="0" * 64),)


@pytest.mark.parametrize(("language", "heading"), [("zh_CN.UTF-8", "名称"), ("en_GB.UTF-8", "Name")])
def test_files_are_listed_with_whole_names_under_headings_of_the_language(
    language: str, heading: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @asynccontextmanager
    async def client(*_: object, **__: object) -> AsyncIterator[OneFile]:
        yield OneFile()

    monkeypatch.setenv("LC_ALL", language)
    monkeypatch.setattr(files, "client", client)
    assert run(["files", "list"]) == 0
    shown = capsys.readouterr().out
    assert LONG in shown
    assert heading in shown
    assert "12,345" in shown
