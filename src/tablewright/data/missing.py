"""Which texts stand for a missing value."""

from __future__ import annotations

PANDAS_MISSING = frozenset({
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA",
    "NULL", "NaN", "None", "n/a", "nan", "null",
})  # fmt: skip
"""What pandas takes for missing in every column, exactly so written."""

MORE_MISSING = frozenset({
    "-", "--", "---", "—", "——", "–", "―", "－", "..", "...", "…", "?", "？",
    "无", "缺失", "未知", "空", "暂无", "暂缺", "不详", "未披露", "不适用", "无数据", "暂无数据",
    "none", "NONE", "Null", "NAN", "Nan", "N.A.", "n.a.", "n.d.", "N.D.", "nd", "ND", "na", "Na", "N/a", "#VALUE!",
    "#REF!", "#DIV/0!", "#NAME?", "#NUM!", "#NULL!", "missing", "Missing", "unknown", "Unknown", "not available",
    "Not available", "TBD", "TBA", "tbd",
})  # fmt: skip
"""What stands for missing, blanks at its ends aside, in a column whose other values are numbers, dates or times, and
only there: in a column of words `无` and `-` may be values."""
