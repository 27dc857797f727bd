"""What is done with a column right after the words that add it: `…, only rows where it is above 50`,
`…，大于0的标红`."""

from __future__ import annotations

import re

_ADDS = re.compile(
    r"\b(?:add|insert|create|append|include|calculate|compute)\b[^;；]*(?:=|\bcolumn\s*\(|\b(?:minus|plus|times"
    r"|divided by|multiplied by)\b)"
    r"|(?:新增|增加|添加|加上?|插入|新建|计算|算出?)[^；]*(?:[=＝]|等于|[（(][^（）()]*[-+*/×÷]|[加减乘]以?|除以)",
    re.IGNORECASE,
)
"""A new column and its formula."""
_RANK = r"(?:top|bottom|largest|biggest|highest|smallest|lowest)"
_PAINT = r"\b(?:yellow|red|green|blue|orange|purple|pink|gr[ae]y|highlighted)\b"
_BOUND = (
    r"(?:大于|小于|不足|高于|低于|超过|超出|等于|[<>＞＜≥≤]|[为是][正负]|[前后]\s*[\d一二三四五六七八九十]+"
    r"|最[大小高低])"
)
_LOOK = r"(?:标|高亮|加粗|涂|染|变|填充|突出)"
_REWRITTEN: tuple[tuple[str, str], ...] = (
    (r"(?:filtered|filtering)\s+(?:to|by|for|on)\s+", "filter rows with "),
    (r"(?:sorted|sorting|ordered|ranked)\s+(?:it\s+)?(?:by\s+)?(?=desc|asc|high|low|large|small|big)", "sort it "),
    (r"(?:sorted|sorting|ordered)\b", "sort"),
    (
        r"(?:the\s+)?(?:largest|biggest|highest)\s+(?:ones\s+|values\s+)?(?:first|on top|at the top)$",
        "sort it descending"),
    (r"(?:the\s+)?(?:smallest|lowest)\s+(?:ones\s+|values\s+)?(?:first|on top|at the top)$", "sort it ascending"),
    (r"(?:highlighting|marking|shading)\b", "highlight"),
    (r"(?:removing|deleting|dropping)\b", "delete"),
    ((
        r"(?:excluding|without|leaving out|omitting|no)\s+(?!vat\b|tax)(?=.*\b(?:rows?|orders|ones|records|lines"
        r"|entries|items)\b)"
    ), "delete "),
    (r"(?:showing|show|displaying)\s+(?:only|just)\b", "show only"),
    (r"(?:and\s+)?(?:keeping|leaving|keep|leave)\s+(?:only|just)\b", "keep only"),
    (r"only\s+(?:keep|keeping|leave)\b", "keep only"),
    ((
        r"(?:only|just)\s+(?!for\b|if\b|when\b|where\b|in\b|on\b)(?:the\s+)?(?=.*\b(?:rows?|orders|ones|records|lines"
        r"|entries|items)\b)"
    ), "keep only "),
    (rf"(?:with\s+)?(?:the\s+)?(?={_RANK}\s+\d+\b.*{_PAINT})", "highlight the "),
    (rf"(?:with|show|and)\s+(?:the\s+|all\s+)?(?=.*\b(?:in|as)\s+(?:light |dark )?{_PAINT})", "highlight "),
    ((
        rf"(?=[^,]*\b(?:below|above|over|under|less|more|greater|negative|positive|[<>])\b[^,]*(?:in|go|turn|are"
        rf"|be)\s+(?:light |dark )?{_PAINT})"
    ), "highlight "),
    (
        r"(?:with|and)\s+(?:an?\s+)?(?:grand\s+)?(?:totals?|sums?)(?:\s+row)?\s+(?=(?:at the|in the|below|under))",
        "add a total row "),
    ((
        r"(?:with|and)?\s*(?:an?\s+)?(?=(?:bar|line|pie|column|area|scatter|doughnut)?\s*(?:chart|graph|plot)\s+(?:of"
        r"|by|with|showing)\b)"
    ), "create a "),
    (r"(?:rounded|rounding)\s+(?:it\s+)?(?=to\b)", "round it "),
    (r"(?:只|仅)(?:看|显示)", "只显示"),
    (r"(?:只|仅)(?:保留|留下?|剩下?)", "只保留"),
    (r"(?:只|仅)要(?!.*[就都便])(?=.*(?:的|行))", "只保留"),
    (r"(?:留下|保留)(?=[^，。]*(?:的|行))(?!\S{0,3}(?:位|小数|整数))", "只保留"),
    (r"(?:不要|剔除|排除)(?=[^，。]*(?:的|行))", "删除"),
    (rf"(?=[^，。]*(?:{_BOUND}[^，。]*(?:的|行|名|个|条)|的(?:行|记录|数据|单元格)?(?:都)?){_LOOK})", "高亮"),
    (r"筛[出选]", "筛选"),
    (r"(?=(?:列出|找出|查出))", ""),
    (r"(?=[^，。]*的(?:行|记录|数据)?(?:复制|移动|放|拷贝)[到在])", "把"),
    (r"(?=各?[^，。]*(?:做成|画成|做|画)[^，。]*图)", ""),
    (r"(?:最下面|最下方|最后一行|末尾|底部|下方|表格下面)(?:再|也)?(?=[^，。]*(?:合计|总计|求和))", "在底部"),
)  # fmt: skip
"""Beginnings of what follows, and the words for the same with a verb in front."""
_TURNED: tuple[tuple[str, str], ...] = (
    (
        rf"(?P<rows>[^，。]*{_BOUND}[^，。]*的?(?:行|记录|数据)?)(?:都)?(?:不要了?|去掉|删掉|删除|删了)$",
        "删除{rows}的行",
    ),
    (r"(?P<rows>[^，。]{0,12}?)(?:大|高|多)的?(?:排|放)在?(?:最)?(?:前面?|上面?)$", "按{rows}降序排序"),
    (r"(?P<rows>[^，。]{0,12}?)(?:小|低|少)的?(?:排|放)在?(?:最)?(?:前面?|上面?)$", "按{rows}升序排序"),
    (r"(?P<verb>复制|移动|拷贝)(?P<rows>[^，。]+的(?:行|记录|数据))(?P<to>到[^，。]+)$", "把{rows}的行{verb}{to}"),
)
"""Whole parts, and the same in the order in which they are read."""
_LEAD = r"^\s*(?:and\s+|then\s+|并|再|然后|且|同时)?(?:把|将)?\s*"
_STARTS = [(re.compile(_LEAD + pattern, re.IGNORECASE), words) for pattern, words in _REWRITTEN]
_WHOLE = [(re.compile(_LEAD + pattern, re.IGNORECASE), words) for pattern, words in _TURNED]
_UNNAMED = re.compile(
    r"^(?P<verb>高亮|删除|只保留|只显示|筛选)(?P<rest>(?:大于|小于|不足|高于|低于|超过|超出|[<>＞＜≥≤]"
    r"|[为是][正负]|最[大小高低]|前).*)$"
)
_IT = re.compile(
    r"\b(?:where|if|when) (?:it is |it's )?(?=(?:negative|positive|above|below|over|under|greater|less|more)\b)",
    re.IGNORECASE,
)
_SIGNED = re.compile(
    r"^highlight (?:the |all )?(?P<sign>negative|positive)(?: ones| values| numbers| figures)?\b", re.IGNORECASE
)


def adds_a_column(before: str) -> bool:
    """Return whether words add a column and say its formula."""
    return _ADDS.search(before) is not None


def goes_on(after: str) -> bool:
    """Return whether words that follow a new column and its formula begin something else to be done."""
    return not _TOLD.search(after) and any(pattern.match(after) for pattern, _ in (*_WHOLE, *_STARTS))


_TOLD = re.compile(r"否则|其余|其他|显示[为成]?[“\"「]|\b(?:otherwise|else)\b", re.IGNORECASE)
"""Words of a choice, which tell what the new column holds."""


def as_wish(part: str) -> str:
    """Return a part that follows a new column as a wish of its own, with its verb in front."""
    for pattern, words in _WHOLE:
        if match := pattern.match(part):
            said = {**match.groupdict(), "rows": re.sub(r"的(?:行|记录|数据)?$", "", match["rows"])}
            return words.format(**said)
    for pattern, words in _STARTS:
        if match := pattern.match(part):
            return words + part[match.end() :]
    return part


def of_the_column(part: str, column: str) -> str:
    """Return a part whose bound or sign is of no column it names, `高亮大于0的行`, as one of the new column."""
    part = _SIGNED.sub(lambda match: f"highlight cells where {column} is {match['sign']}", part)
    part = _IT.sub(rf"where {column} is ", part) if column.isascii() else part
    match = _UNNAMED.match(part)
    return f"{match['verb']}{column}{match['rest']}" if match else part
