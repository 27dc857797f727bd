"""Texts that represent a missing value."""

from __future__ import annotations

PANDAS_MISSING = frozenset({
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA",
    "NULL", "NaN", "None", "n/a", "nan", "null",
})  # fmt: skip
"""Texts that pandas treats as missing in every column, exactly as written."""

MORE_MISSING = frozenset({
    "-", "--", "---", "—", "——", "–", "―", "－", "..", "...", "…", "?", "？",
    "无", "缺失", "未知", "空", "暂无", "暂缺", "不详", "未披露", "不适用", "无数据", "暂无数据",
    "none", "NONE", "Null", "NAN", "Nan", "N.A.", "n.a.", "n.d.", "N.D.", "nd", "ND", "na", "Na", "N/a", "#VALUE!",
    "#REF!", "#DIV/0!", "#NAME?", "#NUM!", "#NULL!", "missing", "Missing", "unknown", "Unknown", "not available",
    "Not available", "TBD", "TBA", "tbd",
})  # fmt: skip
"""Texts that represent a missing value (ignoring surrounding blanks) only in a column of numbers, dates or times.

In a column of words, `无` and `-` may be values.
"""
