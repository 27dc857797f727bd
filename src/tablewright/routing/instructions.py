"""Distinguishes instructions that change a table as a whole from those that ask for another table, such as sums."""

from __future__ import annotations

import re
import unicodedata

from tablewright.analyst.operating.instructing.intent import asks_for_change

_EN = re.compile(
    r"(?:^|[.;:\n,]\s*|\b(?:and|then|also|please)\s+)"
    r"(sort|order|reorder|rename|fill|replace|remove|delete|drop|discard|exclude|keep|filter|add|append|insert|split"
    r"|convert|"
    r"clean|trim|strip|dedupe|de-?duplicate|round|format|set|change|swap|transpose|highlight)\b"
)
_ZH = re.compile(
    r"排序|排列|去重|去除重复|重复(行|项|值|数据)|保留|筛选|过滤|填充|填补|补全|替换|换成|改名|重命名|拆分|分列|删除"
    r"|删掉|去掉|去除|移除|清除|"
    r"剔除|新增|增加|添加|插入|转换|改为|改成|设为|转置|四舍五入"
)
_SUMS = re.compile(
    r"\b(top|bottom|total|totals|sum|sums|average|mean|median|count|how many|per|by each|grouped?|pivot|share"
    r"|percentage|rank(ing)?|join|merge)\b|"
    r"汇总|统计|合计|总和|总计|总额|平均|均值|中位数|各|每|占比|排名|前\s*[\d一二三四五六七八九十]+|最[高低大小多少]"
    r"|计数|透视|关联|合并"
)

_PLACES = re.compile(r"\b(columns?|rows?|cells?|sheets?)\b|[列行]|单元格|工作表")


def changes_table(said: str) -> bool:
    """Return whether an instruction for one table asks for that table with changes (rows sorted or removed, columns
    added or renamed) and everything else kept. False for instructions that aggregate: they ask for another table."""
    words = unicodedata.normalize("NFKC", said).lower().strip()
    if not (_EN.search(words) or _ZH.search(words)):
        return False
    return not _SUMS.search(words) or bool(_PLACES.search(words) and asks_for_change(said))
