"""Joins of two whole tables: `join orders and managers on City`, `把两个表按城市合并`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from pathlib import PurePath
from typing import Literal

from tablewright.analyst.plan import Join, Part, Plan, Source
from tablewright.domain.dataset import DatasetFacts

How = Literal["inner", "left", "outer"]

_EN = re.compile(
    r"(?:please )?(?:(?P<how>inner|left|outer|full|full outer)[ -])?(?:join|merge|combine|match)"
    r"(?: (?:the |these |both )*(?:two )?(?:tables|files|sheets)| (?P<one>.+?) (?:and|with|to) (?P<other>.+?))"
    r"(?: (?:together|into one(?: table)?))*(?: (?:on|by|using"
    r"|via) (?:the )?(?:column )?(?P<key>.+?)(?: column)?)?[.!]?"
)
_ZH = re.compile(
    r"(?:请|帮我)*(?:把|将)?(?:(?:这|这里的)?(?:两|2)(?:个|张|份)?(?:表格?|文件|工作表)|(?P<one>.+?)(?:和|与"
    r"|跟)(?P<other>.+?))?"
    r"(?:(?:按照?|根据|通过|用|以)(?P<key>.+?)(?:列|字段)?(?:为键|来)?)?(?:进行)?(?P<how>内|左|外|全)?(?:合并|关联"
    r"|连接|拼接)"
    r"(?:起来|到一起|在一起|成一张表|成一个表|(?:这)?两(?:个|张)表格?)?[。！]?"
)
_HOW: dict[str | None, How] = {"left": "left", "左": "left", "outer": "outer", "full": "outer", "full outer": "outer"}
_HOW |= {"外": "outer", "全": "outer"}


def joined_whole(question: str, datasets: Sequence[DatasetFacts]) -> Plan | None:
    """Return the plan that joins two tables, if the question asks for nothing else. The key is the column named, or
    the only one common to both. None if the question says something else."""
    if len(datasets) != 2:
        return None
    said = _folded(question)
    found = _EN.fullmatch(said) or _ZH.fullmatch(said)
    if found is None:
        return None
    tables = _ordered(found["one"], found["other"], datasets)
    key = None if tables is None else _key(found["key"], *tables)
    if tables is None or key is None:
        return None
    left, right = (Source(dataset_id=facts.id) for facts in tables)
    join = Join(left=left, right=right, on=(key,), how=_HOW.get(found["how"], "inner"))
    return Plan(parts=(Part(relation=join),))


def _ordered(
    one: str | None, other: str | None, datasets: Sequence[DatasetFacts]
) -> tuple[DatasetFacts, DatasetFacts] | None:
    """Return the tables in the order in which they are named; None if a name fits neither."""
    first, second = datasets
    if one is None or other is None:
        return first, second
    for left, right in ((first, second), (second, first)):
        if _bare(one) in _names(left) and _bare(other) in _names(right):
            return left, right
    return None


def _names(facts: DatasetFacts) -> set[str]:
    return {_folded(name) for name in (facts.name, facts.file_name, PurePath(facts.file_name).stem)}


def _bare(name: str) -> str:
    return re.sub(r"^the |(?: table| file| sheet|表格?)$", "", name).strip(" \"'“”")


def _key(said: str | None, left: DatasetFacts, right: DatasetFacts) -> tuple[str, str] | None:
    names = [{_folded(column.name): column.name for column in facts.columns} for facts in (left, right)]
    common = [name for name in names[0] if name in names[1]]
    wanted = common if said is None else [name for name in common if name == said.strip(" \"'“”")]
    return (names[0][wanted[0]], names[1][wanted[0]]) if len(wanted) == 1 else None


def _folded(words: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", words).lower().split())
