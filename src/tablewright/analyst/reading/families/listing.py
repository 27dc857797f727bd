"""`What is the area of X?`, `容积率各是多少`, `list the names of the singers from Spain`."""

from __future__ import annotations

import re

from tablewright.analyst.linking.mentions import ColumnMention, RowsMention
from tablewright.analyst.plan import Part, Position, Relation, Sort
from tablewright.analyst.reading.entities import entity, targets
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.families.projection import remaining, show
from tablewright.analyst.reading.parse import Parse

_SELDOM = 0.2
_LIST = re.compile(r"(?:list|show|give)(?: me)?(?: all)?(?: the)? \w+[?.]?$", re.IGNORECASE)
_IN_ORDER = re.compile(
    r"(?:list|show|display|give)(?: me)?(?: all)?(?: the)? \w+,? (?:sort|order|rank|by\b)", re.IGNORECASE
)

_NEAR = 4
"""Most words between `who` and the person who is excluded."""


def listing(parse: Parse) -> Offer | None:
    """Offer columns of the selected rows."""
    used = {clause.column for clause in parse.clauses if clause.values and not clause.negated}
    pointed = _others(parse) or targets(parse)
    named = _nouns_dropped(parse, remaining(parse), used) or _things_listed(parse)
    asked = _asked(parse, pointed, named, used)
    if not asked and _rows_in_order(parse) and parse.order is not None and parse.order.column is not None:
        rows = Sort(source=parse.source(), keys=((parse.order.column, parse.order.descending),))
        return Offer(part=Part(relation=rows), parse=parse, family="listing", fit=0.95)
    if not asked or (not parse.clauses and not named and not pointed):
        return None
    distinct = bool(parse.words("distinct"))
    counted = bool(parse.words("count", "times", "aggregate", "superlative"))
    parse.take(*parse.words("distinct"), *parse.words("and"), *parse.words("yes"))
    beside = [clause.column for clause in parse.clauses if clause.values]
    relation: Relation = parse.source()
    if parse.order is not None and parse.order.column is not None:
        relation = Sort(source=relation, keys=((parse.order.column, parse.order.descending),))
    if _one_wanted(parse):
        relation = Position(source=relation, count=1)
    distinct = distinct or _one_kind(parse, asked)
    part = show(relation, asked, [] if distinct else beside, distinct=distinct)
    fit = 0.95 if parse.clauses or _whole_column(parse) else 0.5
    if counted:
        fit *= 0.7
    return Offer(part=part, parse=parse, family="listing", fit=fit)


def _things_listed(parse: Parse) -> list[str]:
    """Return the column that names the rows, if all of them are to be listed: `list the customers`."""
    nouns = [mention.column for mention in parse.free(RowsMention) if mention.column is not None]
    listed = _LIST.match(parse.question.strip()) or _IN_ORDER.match(parse.question.strip())
    return nouns[:1] if nouns and not parse.clauses and listed else []


def _rows_in_order(parse: Parse) -> bool:
    """Return whether all rows are to be listed by a column, called by a noun for rows: `show all orders sorted by
    sales`."""
    return bool(list(parse.free(RowsMention))) and not parse.clauses and _IN_ORDER.match(parse.question) is not None


def _others(parse: Parse) -> list[str]:
    """Return the column of a person who is excluded, since another one is asked for: `who other than A …`."""
    first = next(iter(parse.words("wh")), None)
    other = next((clause for clause in parse.clauses if clause.negated and clause.values), None)
    if first is None or first.value != "who" or other is None or other.start - first.end > _NEAR:
        return []
    parse.take(first)
    return [other.column]


def _one_wanted(parse: Parse) -> bool:
    """Return whether any one thing will do: `name a bridge`, `name one of the painters`."""
    return parse.question.lower().startswith(
        ("name a ", "name an ", "name one ", "give one ", "give an example", "tell me one")
    )


def _one_kind(parse: Parse, asked: list[str]) -> bool:
    """Return whether repeated texts are shown only once: `what manufacturer is listed for A and B`."""
    singly = parse.has("each") or any(word in parse.question for word in ("respectively", "分别", "各"))
    if singly or len(asked) != 1 or parse.facts(asked[0]).kind not in {"text", "mixed"}:
        return False
    return parse.language == "en" or _of_few(parse, asked[0])


def _of_few(parse: Parse, column: str) -> bool:
    """Return whether a column has few values in many rows, so that each is listed once: `单价超过100元的商品有哪些`."""
    distinct = parse.facts(column).distinct
    return distinct is not None and distinct <= _SELDOM * parse.table.facts.rows and parse.has("wh", "which")


def _whole_column(parse: Parse) -> bool:
    """Return whether the question asks for a list; otherwise a whole column without a condition is no answer."""
    start = parse.question.lower().lstrip("请 ,")
    return start.startswith(
        (
            "list",
            "show",
            "give",
            "find",
            "return",
            "what are",
            "which are",
            "name all",
            "display",
            "列出",
            "显示",
            "展示",
        )
    ) or any(word in parse.question for word in ("哪些", "所有", "全部", "每", "各"))


def _nouns_dropped(parse: Parse, named: list[str], used: set[str]) -> list[str]:
    """Drop columns that only say what a named cell is (`X小区的容积率`), unless nothing else remains."""
    kinds = used | ({entity(parse)} if used else set())
    without = [column for column in named if column not in kinds]
    return without or named


def _asked(parse: Parse, pointed: list[str], named: list[str], used: set[str]) -> list[str]:
    """Return the columns asked for, those that question words point at first; columns fixed by a condition are left
    out."""
    pointed = [column for column in pointed if column not in used]
    asked = pointed or [column for column in named if column not in used]
    if pointed and parse.language == "en":
        asked = pointed + [
            column for column in named if column not in {*pointed, *used} and _joined_by_and(parse, column)
        ]
    if asked:
        return asked
    name = entity(parse)
    return [name] if parse.clauses and name not in used else []


def _joined_by_and(parse: Parse, column: str) -> bool:
    """Return whether a column is listed together with the one pointed at: `what are the name and age`."""
    for mention in parse.mentions:
        if isinstance(mention, ColumnMention) and mention.column == column:
            return mention.start > 0 and parse.tokens[mention.start - 1].norm in {"and", ","}
    return False
