"""What a plain question does to its table before it asks: `after removing outliers`, `fill missing ages with the
median and …`, `normalise the price and give its mean`, `去掉异常值后…`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from tablewright.analyst.grammar.forms.making import transformed
from tablewright.analyst.grammar.forms.preparing import How, Step
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.plan import Relation, Source
from tablewright.analyst.reading.columns_said import numeric_said, said_columns
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.table import Cell

_OF = r"(?P<of>[\w .%/()-]{2,40}?)"
_NEXT = r"\s*(?:,\s*(?:and\s+)?(?:then\s+)?|;\s*|\.\s+|\band then\b\s*|\bthen\b\s*|\band\b\s*|(?=\?|\.?$))"
_THEN = r"(?:之后|以后|后)?(?:的)?[，,。]?(?:再|然后)?"
_OUTLIERS = re.compile(
    rf"(?:\b(?:after|when|by|once|if)\s+)?(?:\b(?:we|i|you)\s+)?\b(?:remov|exclud|drop|ignor|discard|eliminat|without"
    rf"|leav|filter)\w*\s+(?:out\s+)?(?:all\s+|the\s+|any\s+)*(?:(?P<before>[\w ]{{2,30}}?)\s+)?outliers\b(?:\s+(?:in"
    rf"|from|of|for)\s+(?:the\s+)?{_OF}(?:\s+column)?(?=\s*(?:[,.?;]|$|\b(?:and|then|by|per|what|for)\b)))?{_NEXT}?"
    rf"|(?:先)?(?:把|将)?(?:去掉|去除|剔除|排除|删除|删掉|除去|移除|不含|不算"
    rf"|不考虑)(?P<han>[^，,。的]{{1,12}}?)??(?:列)?(?:的|中的|里的)?(?:所有)?(?:异常值|离群值|离群点|异常点){_THEN}",
    re.IGNORECASE,
)
_FILLED = re.compile(
    rf"(?:\b(?:after|when|by|once|if)\s+)?\b(?:fill|imput|replac)(?:e|ing)?\s+(?:in\s+)?(?:the\s+"
    rf"|all\s+)*missing\s+(?:values\s+(?:in|of|for)\s+(?:the\s+)?)?{_OF}(?:\s+(?:column|values?))?\s+(?:with|by"
    rf"|using)\s+(?:the\s+|its\s+|their\s+|a\s+)*(?P<how>mean|average|median|mode|most common value"
    rf"|most frequent value|zero|-?\d+(?:\.\d+)?)s?(?:\s+(?:value|of the column))?{_NEXT}"
    rf"|(?:先)?(?:把|将|对)?(?P<han>[^，,。的]{{1,12}}?)(?:列)?(?:的|中的|里的)?(?:缺失值|空值)(?:都|全部)?(?:用|以"
    rf"|按)(?:其|该列)?的?(?P<way>均值|平均值|平均数|中位数|众数|0|\d+(?:\.\d+)?)(?:来)?(?:填充|填补|补全|补齐|代替"
    rf"|替换|填上){_THEN}"
    rf"|(?:先)?用(?P<first>均值|平均值|平均数|中位数|众数|0|\d+(?:\.\d+)?)(?:来)?(?:填充|填补|补全|补齐|代替"
    rf"|替换)(?P<later>[^，,。的]{{1,12}}?)(?:列)?的?(?:缺失值|空值){_THEN}",
    re.IGNORECASE,
)
_SCALED = re.compile(
    rf"(?:\b(?:after|when|by|once)\s+)?\b(?P<verb>min-?max (?:normali[sz]|scal)\w*|normali[sz](?:e|ing)"
    rf"|standardi[sz](?:e|ing)|z-?scor(?:e|ing)|rescal(?:e|ing)"
    rf"|log-?[ ]?transform(?:ing)?)\s+(?:the\s+)?{_OF}(?:\s+(?:column|values?))?(?:\s+(?:to|into|between"
    rf"|in)\s+(?:the\s+range\s+)?(?:of\s+)?[\[(]?0\s*(?:-|–|to|and|,)\s*1[\])]?)?(?:\s+(?:with|using|by)\s+(?:min-?max"
    rf"|z-?scores?)(?:\s+\w+)?)?{_NEXT}"
    rf"|(?:先)?(?:把|将|对)(?P<han>[^，,。的]{{1,12}}?)(?:列)?(?:的值)?(?:进行|做)?(?P<way>最小-?最大归一化|归一化"
    rf"|标准化|对数变换|取对数)(?:到0(?:-|~|到)1)?(?:之间)?(?:处理)?{_THEN}",
    re.IGNORECASE,
)
_HOWS: dict[str, How] = {
    "mean": "mean", "average": "mean", "均值": "mean", "平均值": "mean", "平均数": "mean", "median": "median",
    "中位数": "median",
    "mode": "mode", "most common value": "mode", "most frequent value": "mode", "众数": "mode",
}  # fmt: skip
_ITS = re.compile(r"\b(?:its|their)\b", re.IGNORECASE)
_LEAST = 3
"""Fewest characters of a question that must remain without its preparation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """The preparing steps of a question, and the question without them."""

    question: str
    steps: tuple[Step, ...]

    def rows(self, facts: DatasetFacts) -> Relation:
        """Return the table after these steps."""
        relation: Relation = Source(dataset_id=facts.id)
        for step in self.steps:
            relation = step.applied(relation)
        return relation


def prepared(question: str, facts: DatasetFacts) -> Prepared | None:
    """Return the preparation in a question; None if there is none, or it is unclear what it applies to."""
    steps: list[Step] = []
    for pattern, step in _STEPS:
        match = pattern.search(question)
        if match is None:
            continue
        rest = f"{question[: match.start()].rstrip(' ,，')} {question[match.end() :]}".strip()
        made = step(match, rest, facts)
        if made is None or len(rest) < _LEAST:
            return None
        steps.append(made)
        question = _named(rest, made.column, facts)
    return Prepared(question=question, steps=tuple(steps)) if steps else None


def _named(rest: str, column: str, facts: DatasetFacts) -> str:
    """Return the rest of a question, with the column of the preparation added if it names none (`and give its
    mean`)."""
    if said_columns(rest, facts):
        return rest
    if any(is_han(character) for character in rest):
        return f"{column}的{rest}"
    return f"{_ITS.sub('the', rest).rstrip('?. ')} of {column}?"


def _said(match: re.Match[str], *groups: str) -> str:
    return next((said for group in groups if (said := match.groupdict().get(group))), "")


def _outliers(match: re.Match[str], rest: str, facts: DatasetFacts) -> Step | None:
    said = _said(match, "of", "before", "han")
    columns = numeric_said(said, facts, least=0.7) if said else numeric_said(rest, facts, least=0.7)
    if len(columns) != 1:
        return None
    options: tuple[tuple[str, Cell], ...] = (("method", "iqr"), ("factor", 1.5))
    return Step(kind="outliers", column=columns[0], options=options)


def _filled(match: re.Match[str], _: str, facts: DatasetFacts) -> Step | None:
    columns = said_columns(_said(match, "of", "han", "later"), facts, least=0.7)
    how = _said(match, "how", "way", "first").lower()
    if len(columns) != 1:
        return None
    if how in _HOWS:
        return Step(kind="fill", column=columns[0], how=_HOWS[how])
    value = 0.0 if how == "zero" else float(how)
    return Step(kind="fill", column=columns[0], how="constant", value=value)


def _scaled(match: re.Match[str], _: str, facts: DatasetFacts) -> Step | None:
    columns = numeric_said(_said(match, "of", "han"), facts, least=0.7)
    if len(columns) != 1:
        return None
    text = match.group().lower()
    if re.search(r"log|对数", text):
        return Step(kind="transform", column=columns[0], of=transformed("log", columns[0]))
    if re.search(r"standardi|z-?scor|标准化", text):
        return Step(kind="transform", column=columns[0], of=transformed("zscore", columns[0]))
    return Step(kind="transform", column=columns[0], of=transformed("minmax", columns[0]))


_STEPS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], str, DatasetFacts], Step | None]], ...] = (
    (_FILLED, _filled),
    (_SCALED, _scaled),
    (_OUTLIERS, _outliers),
)
