"""Words for aggregates, chart kinds and the like, as patterns over folded text."""

from __future__ import annotations

import re

AGGREGATES: tuple[tuple[str, str], ...] = (
    ("count_distinct", (
        r"\b(?:distinct|unique) (?:count|number|values)|(?:number|count) of (?:distinct|unique|different)|去重计数"
        r"|不重复(?:个数|数量|计数)"
    )),
    ("count", (
        r"\b(?:count|how many|number of|tally)\b|计数|个数(?!据)|多少[个条行笔家单名人次]|几[个条行笔家单名人次]|笔数"
        r"|条数|次数|人数|(?:订单|记录|客户|人员|员工|学生|产品|数据|商品)数量?"
    )),
    ("mean", r"\b(?:average|mean|avg)\b|平均|均值"),
    ("median", r"\bmedian\b|中位数"),
    ("std", r"\bstandard deviation\b|\bstd(?:dev|ev)?\b|标准差"),
    ("max", r"\b(?:max(?:imum)?|highest|largest|biggest)\b|最大值|最高值|最大|最高"),
    ("min", r"\b(?:min(?:imum)?|lowest|smallest)\b|最小值|最低值|最小|最低"),
    ("sum", r"\b(?:sum|total|totals|add up|subtotal|sums)\b|合计|总和|总额|求和|总计|汇总|之和|加总|总共|一共|小计|总"),
)  # fmt: skip
FUNCTIONS = {
    "sum": "SUM",
    "mean": "AVERAGE",
    "count": "COUNTA",
    "max": "MAX",
    "min": "MIN",
    "median": "MEDIAN",
    "std": "STDEV",
}
NEW_SHEET = (
    r"\b(?:new|another|separate|different) (?:work)?sheet|新(?:的)?(?:工作表|表|sheet|页)|另一(?:个|张)(?:工作)?表"
    r"|sheet (?:called|named)|(?:work)?sheet (?:called|named)|工作表"
)
QUESTION = (
    r"[?？]\s*$|^(?:what|which|who|whose|when|where|how many|how much|is there|are there|does|do any|tell me|list"
    r"|show me the (?:top|bottom|average|total|sum|highest|lowest))\b|多少|哪|什么|几个|吗$|吗[?？]|有没有|是否|谁"
)


def aggregation(low: str) -> str | None:
    """Return the aggregate that folded text names, or None."""
    return next((name for name, pattern in AGGREGATES if re.search(pattern, low)), None)


def asks(low: str) -> bool:
    """Return whether folded text is a question rather than a request for a change."""
    return re.search(QUESTION, low.strip()) is not None
