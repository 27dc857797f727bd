"""Readers of wishes, one family of operations per file."""

from __future__ import annotations

from collections.abc import Callable

from tablewright.analyst.operating.families import (
    across_tables,
    adding,
    analysis,
    charts,
    columns,
    copying,
    filling,
    formulas,
    highlighting,
    looks,
    reshaping,
    rows,
    rules,
    sheets,
    sizes,
    sorting,
    summaries,
    tables,
    values,
)
from tablewright.analyst.operating.wish import Read, Wish

Reader = Callable[[Wish], Read]

READERS: tuple[Reader, ...] = (
    rules.comment,
    rules.validation,
    rules.conditional,
    charts.chart_parts,
    sizes.freeze,
    copying.copied,
    sheets.sheet_changes,
    columns.rename,
    tables.define_name,
    charts.chart,
    tables.create_table,
    reshaping.transpose,
    reshaping.unmerge,
    reshaping.split,
    reshaping.join,
    reshaping.merge,
    across_tables.into_table,
    across_tables.beside,
    adding.lookup,
    tables.remove_duplicates,
    filling.fill_missing,
    filling.fill_down,
    adding.totals,
    values.conditional_values,
    formulas.written,
    formulas.aggregate_cell,
    columns.formatted,
    summaries.summary,
    sorting.sort,
    values.replace_text,
    sizes.size,
    adding.add_column,
    columns.stripped,
    columns.delete,
    rows.insert,
    rows.delete,
    rows.filtered,
    sizes.hide,
    values.clear,
    highlighting.highlight,
    looks.look,
    values.set_values,
    columns.copied,
    rows.looked_for,
    analysis.read_only,
)
"""Readers in the order in which they are tried; the first that applies reads the part."""

_HEAD = r"^\W*(?:please |also |then |now |first |finally )*"
HEADS: tuple[tuple[str, Reader], ...] = (
    (rf"{_HEAD}(?:re-?)?(?:sort|order|arrange)\b", sorting.sort),
    (rf"{_HEAD}filter\b", rows.filtered),
    (rf"{_HEAD}(?:highlight|mark|shade|colou?r)\b(?=.*\btotals\b)", highlighting.group_totals),
    (r"^\W*(?:新增|增加|添加|加上?|插入)[^，。]{0,4}列[^，。]{0,3}(?:排名|名次)", adding.add_column),
)
"""Readers chosen by the first words of a part, before all others."""
