"""Rows of one table that no row of another belongs to: `customers who never ordered`, `没有下过单的客户`,
`没有成绩的学生`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tablewright.analyst.linking.text import is_han
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import Col, Filter, Join, Missing, Relation, Source
from tablewright.analyst.reading.joining import Pair, pairs
from tablewright.domain.dataset import ColumnFacts, DatasetFacts

_BOUGHT = frozenset({"order", "sale", "purchase", "transaction", "订单", "销售", "交易", "购买"})
"""Names of tables of trade, whose rows are also told by verbs: `never bought anything`, `没买过东西`."""
_VERBS = r"|(?:bought|purchased|sold)(?: anything)?|buy anything|purchase anything"
_VERBS_HAN = r"|(?:下过?|成过?)单|(?:购买?|买|卖出?|售出|成交)过?(?:任何)?(?:东西|商品|产品)?"
_ENDINGS_HAN = re.compile(r"(?:表|记录|信息|明细|数据|清单|单)$")
_FURTHER = re.compile(r"^\s*(?:$|[?？。.!！,，;；]|的|and (?:who|which|that|what|how)\b)")
_WHEN = re.compile(
    r"\d|\b(?:last|this|since|after|before|during) |今年|去年|本月|上个?月|最近|近期|月|季度|"
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b"
)
_SHORTEST = 3
"""Fewest letters of a table's name that can be told from other words."""
_WHICH = re.compile(r"^(?:which|what)\b(?! is| are)", re.IGNORECASE)
_AUXILIARIES = re.compile(
    r"(?:\s*\b(?:who|that|which|with|have|has|had|were|was|are|is|did|do|does|been))+\s*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmatched:
    """The question without its words for the missing rows, the table it then asks about, and that table's rows without
    a partner; `clear` is False if the missing rows are restricted further, which `relation` does not express."""

    question: str
    facts: DatasetFacts
    relation: Relation
    clear: bool


def unmatched(question: str, datasets: Sequence[DatasetFacts]) -> list[Unmatched]:
    """Return what a question for rows without a partner in another table asks, once for each pair of tables that it
    may mean; empty for any other question."""
    meant: list[Unmatched] = []
    for pair in pairs(datasets) if len(datasets) > 1 else []:
        found = _said(question, pair)
        column = _proof(pair)
        if found is None or column is None:
            continue
        before, after = _AUXILIARIES.sub("", question[: found.start()]), question[found.end() :]
        join = Join(
            left=Source(dataset_id=pair.one.id),
            right=Source(dataset_id=pair.many.id),
            on=((pair.key, pair.key),),
            how="left",
        )
        relation = Filter(source=join, where=Missing(of=Col(name=column)))
        clear = _FURTHER.match(after.lower()) is not None and _WHEN.search(f"{before} {after}".lower()) is None
        rest = _WHICH.sub("List the", f"{before}{after}")
        meant.append(Unmatched(question=rest, facts=pair.one, relation=relation, clear=clear))
    return meant


def _said(question: str, pair: Pair) -> re.Match[str] | None:
    """Return the words that say that no row of `pair.many` belongs to a row of `pair.one`."""
    name = pair.many.name.strip()
    own = {column.name.strip().lower() for column in pair.one.columns}
    if name.lower() in own:
        return None
    words = lemmas(name)
    if not words:
        return None
    trade = bool(_BOUGHT & {*words, "".join(words), _ENDINGS_HAN.sub("", name)})
    if is_han(name[0]):
        noun = rf"(?:{re.escape(_ENDINGS_HAN.sub('', name) or name)}|{re.escape(name)}{_VERBS_HAN if trade else ''})"
        return re.search(
            rf"(?:从来?|一直|还|都)*(?:没有?|未曾?|无)(?:任何|相关|对应|产生|参加|提交|登记|录入|下|有|过"
            rf"|的)*{noun}(?:记录|数据|过)*",
            question,
        )
    if len(words[-1]) < _SHORTEST:
        return None
    noun = rf"(?:{re.escape(words[-1])}(?:s|ed)?{_VERBS if trade else ''})"
    return re.search(
        rf"(?:\b(?:never|not|without|no|zero)|n't)\s+(?:(?:ever|yet|been|placed?|made?|had|have|received?|got"
        rf"|submitted|any|an?|the|matching|recorded)\s+)*{noun}\b(?:\s+(?:yet|at all|so far))?",
        question,
        re.IGNORECASE,
    )


def _proof(pair: Pair) -> str | None:
    """Return a column that only `pair.many` has and that is never empty there, so that it is empty exactly in rows
    without a partner."""
    own = {column.name for column in pair.one.columns}
    full: list[ColumnFacts] = [column for column in pair.many.columns if column.name not in own and not column.missing]
    return full[0].name if full else None
