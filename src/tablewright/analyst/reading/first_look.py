"""First questions about an unknown table: `show the first 5 rows`, `前10行`, `what columns are there`,
`总结一下这份数据`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from pathlib import PurePath

from tablewright.analyst.plan import Aggregate, Measure, Part, Plan, Position, Procedure, Source
from tablewright.domain.dataset import DatasetFacts

ROWS = 5
TABLES = 5
"""At most this many tables are shown if none is named."""

_NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_ZH_NUMBERS = "一二三四五六七八九十"
_COUNT_EN = rf"(?P<count>\d{{1,4}}|{'|'.join(_NUMBERS)})"
_COUNT_ZH = rf"(?P<count>\d{{1,4}}|[{_ZH_NUMBERS}两])"
_ROWS_EN = r"(?:(?:data )?(?:rows?|records?|lines?|entries)(?: of data)?)"
_TABLE_EN = r"(?:this|the|my|our)?(?: ?(?:data ?set|data|table|file|sheet|spreadsheet|content|contents))"
_WHERE_EN = rf"(?: (?:of|from|in|for) (?:(?:of )?{_TABLE_EN}|(?:the )?(?P<name>.+?)(?: (?:table|file|sheet))?))?"
_SHOW_EN = (
    r"(?:please )?(?:(?:can|could) (?:you|i) (?:please )?)?(?:(?:show|give|list|display|print|get|see|view|let)(?: me"
    r"| us)?(?: see)?"
    r"|what (?:are|is)|i want to see)"
)
_EN = (
    rf"(?:{_SHOW_EN} )?(?:only )?(?:the )?(?P<end>first|last|top|bottom) (?:{_COUNT_EN} )?{_ROWS_EN}{_WHERE_EN}",
    (
        rf"(?:{_SHOW_EN} )?(?:a |the )?(?:preview|head|(?:few )?sample rows|some rows|a few rows"
        rf"|first few rows){_WHERE_EN}"
    ),
    (
        rf"(?:please )?(?:preview|peek at|look at|have a look at|take a look at|show me|open|what(?: is"
        rf"|'s) in) {_TABLE_EN}"
    ),
    rf"what(?: is|'s) {_TABLE_EN} about|what does {_TABLE_EN} (?:look like|contain|have)",
)
_SHOW_ZH = (
    r"(?:请|麻烦|帮我|给我|我想|我要|想)*(?:看看|看一下|看下|看|显示|展示|列出|查看|预览|打印|输出|给出|取出?"
    r"|返回)?(?:一下)?"
)
_TABLE_ZH = r"(?:(?:这|该|本)?(?:个|张|份)?(?:数据表|数据集|表格?|文件|数据|工作表)(?:里|中|里面|的内容|内容)?)"
_ROWS_ZH = r"(?:行|条|笔)(?:数据|记录|内容)?"
_ZH = (
    (
        rf"{_SHOW_ZH}(?:{_TABLE_ZH}?(?:的)?|(?P<name>.+?)(?:表|文件)?的)(?P<end>前|最前面?|开头|最后|末尾"
        rf"|后)(?:的)?{_COUNT_ZH}{_ROWS_ZH}(?:是什么)?"
    ),
    rf"(?:预览|查看|看看|看一下|看下|打开|浏览)(?:一下)?{_TABLE_ZH}(?:前几行)?",
    rf"{_SHOW_ZH}{_TABLE_ZH}?的?前几{_ROWS_ZH}",
    rf"{_TABLE_ZH}(?:是|有)?(?:些|关于)?(?:什么|啥|哪些)(?:内容|数据|东西)?(?:的)?",
)
_NAMES_EN = r"(?:columns?|column names?|column headers?|headers?|fields?|field names?|variables|attributes|features)"
_THERE_EN = (
    rf"(?: (?:are )?there| (?:is|are) (?:in|available in) {_TABLE_EN}| does {_TABLE_EN} (?:have|contain))?{_WHERE_EN}"
)
_COLUMNS_EN = (
    rf"(?:what|which|how many) {_NAMES_EN}(?: are)?{_THERE_EN}",
    rf"(?:{_SHOW_EN} )?(?:all )?(?:of )?(?:the )?(?:names of )?(?:all )?(?:the )?{_NAMES_EN}{_WHERE_EN}",
)
_NAMES_ZH = r"(?:列名?|字段名?|变量|表头|列的名称)"
_COLUMNS_ZH = (
    rf"(?:请问)?{_TABLE_ZH}?(?:一共|总共|共|都)*(?:有|包含|包括)(?:哪些|什么|几|多少)个?{_NAMES_ZH}",
    rf"{_SHOW_ZH}{_TABLE_ZH}?(?:的)?(?:所有|全部)?的?{_NAMES_ZH}(?:有哪些|有多少个?|有几个|是什么)?",
)
_DESCRIBED = tuple(
    re.compile(pattern)
    for pattern in (
        (
            rf"(?:please )?(?:(?:can|could) you (?:please )?)?(?:help me )?(?:summari[sz]e|describe|analy[sz]e|profile"
            rf"|explore) {_TABLE_EN}(?: for me)?"
        ),
        (
            rf"{_SHOW_ZH}(?:对|把)?{_TABLE_ZH}?(?:做个?|进行)?(?:概括|总结|概述|描述|介绍|分析|汇总)(?:一下"
            rf"|下)?{_TABLE_ZH}?(?:的?(?:基本|整体|总体)?(?:情况|特征|信息))?"
        ),
    )
)
_SIZED = tuple(
    re.compile(pattern)
    for pattern in (
        (
            rf"how many rows and (?:how many )?columns(?: are there| does {_TABLE_EN} (?:have|contain)"
            rf"| (?:are )?in {_TABLE_EN})?"
        ),
        rf"(?:what is|what's) the (?:size|shape|dimensions?) of {_TABLE_EN}|how (?:big|large) is {_TABLE_EN}",
        (
            rf"{_TABLE_ZH}?(?:一共|总共|共)?(?:有|是)?(?:多少|几)行(?:和|、|,)?(?:多少|几)列|{_TABLE_ZH}(?:有多大"
            rf"|的(?:大小|规模|形状)(?:是多少)?)"
        ),
    )
)
_COLUMNS = tuple(re.compile(pattern) for pattern in (*_COLUMNS_EN, *_COLUMNS_ZH))
_PATTERNS = tuple(re.compile(pattern) for pattern in (*_EN, *_ZH))
_LAST = {"last", "bottom", "最后", "末尾", "后"}


def looked_at(question: str, datasets: Sequence[DatasetFacts]) -> Plan | None:
    """Return the plan that shows the first or last rows, the columns, or what they hold. None if the question asks for
    anything else, or names a table that does not exist."""
    said = _folded(question)
    if any(pattern.fullmatch(said) for pattern in _DESCRIBED):
        return Plan(parts=tuple(_described(facts, of=len(datasets)) for facts in datasets[:TABLES]))
    if any(pattern.fullmatch(said) for pattern in _SIZED):
        return Plan(parts=tuple(part for facts in datasets[:TABLES] for part in _sizes(facts, of=len(datasets))))
    found = next((match for pattern in (*_COLUMNS, *_PATTERNS) if (match := pattern.fullmatch(said))), None)
    if found is None:
        return None
    given = found.groupdict()
    tables = [facts for facts in datasets if not given.get("name") or _bare(str(given["name"])) in _names(facts)]
    count = _count(given.get("count")) * (-1 if given.get("end") in _LAST else 1)
    if not tables or not count:
        return None
    wanted = found.re in _COLUMNS
    return Plan(parts=tuple(_part(facts, None if wanted else count, of=len(tables)) for facts in tables[:TABLES]))


def _described(facts: DatasetFacts, *, of: int) -> Part:
    """Return a part with the statistics of a table's numbers; of a table without any, its columns."""
    numbers = tuple(column.name for column in facts.columns if column.kind in {"number", "integer"})
    if not numbers:
        return _part(facts, None, of=of)
    source = Source(dataset_id=facts.id)
    return Part(
        relation=Procedure(source=source, name="describe", columns=numbers), caption=facts.name if of > 1 else None
    )


def _sizes(facts: DatasetFacts, *, of: int) -> tuple[Part, Part]:
    """Return the number of rows of a table, and its columns."""
    rows = Aggregate(source=Source(dataset_id=facts.id), groups=(), measures=(Measure(name="count", function="count"),))
    return Part(relation=rows, caption=facts.name if of > 1 else None), _part(facts, None, of=of)


def _part(facts: DatasetFacts, count: int | None, *, of: int) -> Part:
    """Return a part that shows `count` rows of a table, or its columns if `count` is None; it has a caption if it is
    one `of` several."""
    source, caption = Source(dataset_id=facts.id), facts.name if of > 1 else None
    if count is None:
        return Part(relation=Procedure(source=source, name="columns", columns=()), caption=caption)
    return Part(relation=Position(source=source, count=count), caption=caption)


def _count(said: str | None) -> int:
    if said is None:
        return ROWS
    if said.isdigit():
        return int(said)
    return 2 if said == "两" else (_NUMBERS.index(said) if said in _NUMBERS else _ZH_NUMBERS.index(said)) + 1


def _names(facts: DatasetFacts) -> set[str]:
    return {_folded(name) for name in (facts.name, facts.file_name, PurePath(facts.file_name).stem)}


def _bare(name: str) -> str:
    return name.strip(" \"'“”")


def _folded(words: str) -> str:
    folded = " ".join(unicodedata.normalize("NFKC", words).lower().split())
    return folded.strip(" .!?。！？…")
