"""What a column is to the grammar: its kind, whether its values add up, whether it names things."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablewright.analyst.linking.columns import ColumnName
from tablewright.analyst.linking.lexicon import additivity
from tablewright.analyst.linking.text import BRACKETS, is_han
from tablewright.analyst.linking.tokens import lemmas
from tablewright.domain.dataset import ColumnFacts, DatasetFacts

Role = Literal["number", "date", "text", "flag"]
_IDS = frozenset({"id", "no", "code", "key", "uuid", "sku", "编号", "号", "编码", "工号", "学号", "单号"})
_LABELS = frozenset("栋幢座号楼层室班组队排期级届区")
"""Units of numbers that tell things apart and count nothing: `3栋` is a building."""
_NAMES = frozenset({"name", "title", "player", "person", "employee", "member", "姓名", "名称", "名字", "品名", "称"})
_YEARS = frozenset({"year", "yr", "season", "年"})
_FEW = 4
"""Rows of so few that whole numbers may count up by chance."""
_FIRST_YEAR, _LAST_YEAR = 1500, 2200
_AFFIRMED = frozenset({"yes", "y", "true", "x", "v", "√", "✓", "✔", "●", "是", "有"})
_DENIED = frozenset({"no", "n", "false", "-", "×", "✗", "否", "无", "没有"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnView:
    """A column as the grammar sees it. `adds` is True for amounts, False for levels, None if unknown; `yes` are
    the values that affirm in a column of yes and no; `naming` says how well the column names the thing of a row."""

    name: str
    place: int
    role: Role
    adds: bool | None
    identifies: bool
    unique: bool
    year: bool
    naming: float
    concepts: frozenset[str]
    yes: tuple[str | bool, ...] = ()
    distinct: int = 0
    missing: int = 0
    clock: bool = False
    """Whether the column holds times of day."""
    only_year: int | None = None
    """The year in which all of its dates lie, if there is one."""


def view(facts: DatasetFacts, place: int, said: ColumnName, values: tuple[str, ...]) -> ColumnView:
    """Return what the column at `place` is; `values` are its known distinct texts."""
    column = facts.columns[place]
    role = _role(column)
    yes = _yes(column, values)
    words = said.plain
    identifies = bool(set(words[-1:]) & _IDS) or any("".join(words).endswith(end) for end in ("编号", "号", "编码"))
    identifies = identifies or (column.unit or " ")[0] in _LABELS or _counts_up(column, facts.rows)
    year = column.kind in {"integer", "number"} and _yearly(column, words)
    filled = max(1, facts.rows - column.missing)
    distinct = column.distinct or 0
    return ColumnView(
        name=column.name,
        place=place,
        role="flag" if yes else role,
        adds=None if role != "number" else False if identifies or year else _adds(column, words),
        identifies=identifies,
        unique=distinct == filled and distinct > 1,
        year=year,
        naming=_naming(words, distinct / filled, place, identifies=identifies) if role == "text" else 0.0,
        concepts=said.concepts,
        yes=yes,
        distinct=distinct,
        missing=column.missing,
        clock=column.kind == "time",
        only_year=_only_year(column) if role == "date" else None,
    )


def _counts_up(column: ColumnFacts, rows: int) -> bool:
    """Return whether a column numbers the rows: whole numbers, each once, without one left out."""
    low, high = column.minimum, column.maximum
    if column.kind != "integer" or not isinstance(low, int | float) or not isinstance(high, int | float):
        return False
    return rows > _FEW and column.distinct == rows == high - low + 1


def _only_year(column: ColumnFacts) -> int | None:
    first, last = str(column.minimum or "")[:4], str(column.maximum or "")[:4]
    return int(first) if first == last and first.isdecimal() else None


def _role(column: ColumnFacts) -> Role:
    if column.kind in {"number", "integer"}:
        return "number"
    return "date" if column.kind in {"date", "datetime"} else "text"


def _yes(column: ColumnFacts, values: tuple[str, ...]) -> tuple[str | bool, ...]:
    """Return the values that affirm, where a column holds nothing but marks for yes and for no, or leaves no empty."""
    if column.kind == "boolean":
        return (True,)
    marks = {value.strip().lower() for value in values}
    found = tuple(value for value in values if value.strip().lower() in _AFFIRMED)
    told = marks <= _AFFIRMED | _DENIED and (not marks <= _AFFIRMED or column.missing > 0)
    return found if told else ()


def _yearly(column: ColumnFacts, words: tuple[str, ...]) -> bool:
    low, high = column.minimum, column.maximum
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return False
    if not _FIRST_YEAR <= low <= high <= _LAST_YEAR:
        return False
    return bool(set(words) & _YEARS) or (column.kind == "integer" and column.notation == "plain")


def _naming(words: tuple[str, ...], share: float, place: int, *, identifies: bool) -> float:
    said = "".join(words)
    named = bool(set(words) & _NAMES) or any(said.endswith(end) for end in _NAMES if is_han(end[0]))
    return share + 0.6 * named - 0.5 * identifies - 0.04 * place


def _adds(column: ColumnFacts, words: tuple[str, ...]) -> bool | None:
    if column.notation == "percent":
        return False
    lexicon = additivity()
    if not words:
        return None
    if is_han(words[0][0]):
        return _han_adds("".join(words))
    if set(words) & lexicon.forces_level:
        return False
    for word in reversed(lemmas(BRACKETS.sub(" ", column.name)) or words):
        if word in lexicon.sums:
            return True
        if word in lexicon.levels:
            return False
    return True if column.notation == "currency" else None


def _han_adds(name: str) -> bool | None:
    lexicon = additivity()
    if any(word in name for word in lexicon.forces_level if is_han(word[0])):
        return False
    for start in range(len(name)):
        if name[start:] in lexicon.sums:
            return True
        if name[start:] in lexicon.levels:
            return False
    return None
