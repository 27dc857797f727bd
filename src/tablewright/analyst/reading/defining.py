"""Measures defined in the question: `Density is calculated as population divided by area. Which …?`,
`毛利率最高的商品是哪个？毛利率=(售价-进价)/售价`, `整体利润率是多少（利润除以销售额）`."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tablewright.analyst.grammar.forms.arithmetic import formula, spoken
from tablewright.analyst.grammar.forms.phrases import Linker
from tablewright.analyst.linking.lexicon import operations
from tablewright.analyst.linking.text import fold
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import Case, Col, Cut, Expr, Lit, Math, Named
from tablewright.analyst.reading.columns_said import numeric_said, said_columns
from tablewright.domain.dataset import ColumnFacts, DatasetFacts

_DEFINITION = re.compile(
    r"[\"'“]?(?P<name>[A-Z][\w\- ]{2,40}?)[\"'”]?\s*(?:\([^)]*\)\s*)?(?:is|are)\s+(?:defined|calculated|computed"
    r"|measured)\s+(?:as|by)\s+(?P<how>.+?)\.\s+(?P<question>.+)",
    re.DOTALL,
)
_NESTED = r"(?:[^()（），。？?；;=＝]|[（(][^()（）]*[)）])+"
_WRITTEN = re.compile(
    rf"[，。；;,.?？（(]?\s*(?:其中)?(?P<name>[\u4e00-\u9fff]{{2,8}}"
    rf"|[A-Za-z][\w ]{{2,30}}?)\s*[=＝]\s*(?P<how>{_NESTED})[)）]?"
)
_SIGN = r"(?:除以|乘以|减去|加上|[-+*/×÷])"
_ASIDE = re.compile(
    rf"[（(](?P<aside>{_NESTED}{_SIGN}{_NESTED})[)）]|[？?，,。]\s*(?P<last>{_NESTED}{_SIGN}{_NESTED})[。？?]?$"
)
_ASKED = re.compile(
    r"(?P<noun>[\u4e00-\u9fff]{2,12}?)(?P<unit>[（(][^（）()]*[)）])?(?=最|是多少|为多少|有多少|分别|各是|前\d"
    r"|排名|超过|高于|低于|[？?]|$)"
)
_BEFORE_NAME = re.compile(r"^.*(?:的|各个?|每个?)|^(?:整体|总体|全部)")
_SIGNS = (("除以", "/"), ("乘以", "*"), ("减去", "-"), ("加上", "+"), ("（", "("), ("）", ")"))
_ROWS = ("count", "times")
_SHORTEST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Defined:
    """A column defined in a question, and the question without the definition."""

    column: Named
    question: str


def defined(text: str, facts: DatasetFacts) -> Defined | None:
    """Return the column that a text defines from those of the table; None if it defines none."""
    match = _DEFINITION.search(text)
    if match is None:
        return _written(text, facts) or _said_aside(text, facts)
    name = match.group("name").strip()
    name = re.sub(r"^.*\b(?:the|The)\s+", "", name)
    how = match.group("how").split(", indicating")[0].split(", which")[0]
    expression = spoken(how, said_columns(how, facts, least=0.5))
    if not isinstance(expression, Math):
        return None
    return Defined(column=Named(name=name, of=expression), question=match.group("question"))


def _written(text: str, facts: DatasetFacts) -> Defined | None:
    """Read a formula before or after the question: `毛利率=(售价-进价)/售价`."""
    for match in _WRITTEN.finditer(text):
        of, name = _arithmetic(match["how"], facts), match["name"].strip()
        question = (text[: match.start()] + "，" + text[match.end() :]).strip("，,。 ")
        if of is not None and name in question and all(name != column.name for column in facts.columns):
            return Defined(column=Named(name=name, of=of), question=question)
    return None


def _said_aside(text: str, facts: DatasetFacts) -> Defined | None:
    """Read how the measure asked for is computed from a remark beside it: `整体利润率是多少（利润除以销售额）`."""
    match = _ASIDE.search(text)
    of = _arithmetic(match["aside"] or match["last"], facts) if match is not None else None
    if match is None or of is None:
        return None
    question = text[: match.start()] + text[match.end() :]
    asked = _ASKED.search(question)
    name = _BEFORE_NAME.sub("", asked["noun"]) if asked is not None else ""
    if asked is None or len(name) < _SHORTEST or name in {column.name for column in facts.columns}:
        return None
    return Defined(column=Named(name=name, of=of), question=question[: asked.end("noun")] + question[asked.end() :])


def _arithmetic(text: str, facts: DatasetFacts) -> Expr | None:
    """Return the arithmetic of columns in a text; a column divided by the number of rows is that column itself, per
    row."""
    plain = text
    for word, sign in _SIGNS:
        plain = plain.replace(word, sign)
    above, _, below = plain.rpartition("/")
    entry = operations().get(lemmas(fold(below.strip())))
    if above and entry is not None and entry.code in _ROWS and not numeric_said(below, facts, least=0.9):
        columns = numeric_said(above, facts)
        return Col(name=columns[0]) if len(columns) == 1 else None
    linker = Linker(facts, {})
    return formula(linker.phrase(f"={plain}"), "", linker)


def with_column(facts: DatasetFacts, column: Named) -> DatasetFacts:
    """Return the facts with the defined column added: of text if it assigns labels, else of numbers."""
    names = _names(column)
    made = ColumnFacts(name=column.name, kind="text" if names else "number", samples=names, distinct=len(names) or None)
    return replace(facts, columns=(*facts.columns, made))


def _names(column: Named) -> tuple[str, ...]:
    """Return the labels that a column assigns; empty if it computes numbers."""
    if isinstance(column.of, Cut):
        return column.of.labels
    if not isinstance(column.of, Case):
        return ()
    told = [
        expr.value for expr in (*(of for _, of in column.of.branches), column.of.otherwise) if isinstance(expr, Lit)
    ]
    return tuple(name for name in told if isinstance(name, str))
