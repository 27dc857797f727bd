"""What the rows of a table are called, from its name: `visits` of `clinic_visits_2024`, 维修单 of 维修单明细."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from tablewright.domain.dataset import DatasetFacts

_LATIN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_HAN = re.compile(r"[㐀-鿿]+")
_PERIOD = re.compile(r"\d+\s*[年月日季度份期号]*")
CONTAINERS = frozenset({"data", "dataset", "export", "list", "log", "report", "sheet", "summary", "table", "tab"})
"""Words for what holds rows, which say nothing of the rows."""
_HAN_CONTAINERS = (
    "一览表", "登记表", "统计表", "汇总表", "明细表", "总表", "报表", "工作表", "数据", "明细", "清单", "列表", "汇总",
    "统计", "台账", "记录", "表",
)  # fmt: skip
_SINGULAR_ENDINGS = ("ss", "us", "is", "ics")
_SHORTEST = 4
_LONGEST_HAN = 8


def row_noun(table: DatasetFacts) -> str | None:
    """Return the noun for several rows of a table, or None if neither the table nor its file is called after them."""
    return _noun(table.name) or _noun(PurePosixPath(table.file_name).stem)


def _noun(name: str) -> str | None:
    if runs := _HAN.findall(_PERIOD.sub(" ", name)):
        return _of_han(runs[-1])
    words = [word.lower() for word in _LATIN.findall(name)]
    while words and words[-1] in CONTAINERS:
        words.pop()
    if not words:
        return None
    last = words[-1]
    plural = len(last) >= _SHORTEST and last.endswith("s") and not last.endswith(_SINGULAR_ENDINGS)
    return last if plural else None


def _of_han(run: str) -> str | None:
    while ending := next((one for one in _HAN_CONTAINERS if run.endswith(one)), None):
        run = run.removesuffix(ending)
    return run if 2 <= len(run) <= _LONGEST_HAN else None
