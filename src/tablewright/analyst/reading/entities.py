"""Which column names the things that the rows are about, and which columns the question asks for."""

from __future__ import annotations

from tablewright.analyst.linking.columns import hinted
from tablewright.analyst.linking.mentions import ColumnMention, RowsMention, WordMention
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.reading.comparisons import identifying
from tablewright.analyst.reading.parse import Parse
from tablewright.domain.dataset import ColumnFacts

_NAMES = ("name", "title", "名称", "姓名", "名字", "名")
_NUMBERED = 0.75
"""Score of a number unique to each row, which names it better than a text that many rows share."""
_PEOPLE = frozenset({"人", "people", "persons"})
_DOERS = ("人", "员", "者", "姓名", "person", "employee", "salesperson", "applicant", "owner", "assignee")
_WHO = ("person", "player", "name", "winner", "driver", "artist", "director", "customer")
_WHERE = ("place", "venue", "city", "country", "region", "address")
_WHEN = ("date", "year", "time")


def entity(parse: Parse) -> str:
    """Return the column that names the rows: preferably text, nearly unique, called a name, and among the first."""
    columns = parse.table.facts.columns
    return max(enumerate(columns), key=lambda item: (_entity_score(parse, item[1]), -item[0]))[1].name


def _entity_score(parse: Parse, column: ColumnFacts) -> float:
    rows = max(parse.table.facts.rows, 1)
    if column.distinct == rows and identifying(column.name, None, None):
        return _NUMBERED
    if column.kind not in {"text", "mixed"}:
        return 0.2 if column.kind in {"date", "datetime"} or _is_year(column) else 0.0
    unique = (column.distinct or 0) / rows
    plain = column.name.lower()
    named = 0.35 if any(plain == name or plain.endswith(name) for name in _NAMES) else 0.0
    long_text = 0.3 if max((len(str(sample)) for sample in column.samples), default=0) > 80 else 0.0
    coded = (
        0.3
        if identifying(column.name, None, None) or "date" in plain or plain in {"notes", "note", "description", "备注"}
        else 0.0
    )
    return 0.5 + min(unique, 1.0) * 0.7 + named - long_text - coded


def _is_year(column: ColumnFacts) -> bool:
    return (
        identifying(column.name, column.minimum, column.maximum)
        and isinstance(column.minimum, int | float)
        and column.minimum > 1000
    )


def targets(parse: Parse) -> list[str]:
    """Return the columns that the question words point at, in order, and take them."""
    found: list[str] = []
    for word in parse.words("wh"):
        column = _beside(parse, word)
        if column is not None:
            found.append(column.column)
            parse.take(word, column)
            _take_repeats(parse, column)
            continue
        implied = _implied(parse, word)
        parse.take(word)
        if implied is not None:
            found.append(implied)
    return list(dict.fromkeys(found))


def _take_repeats(parse: Parse, column: ColumnMention) -> None:
    """Take repetitions of the noun asked for, which add nothing: `哪个小区 … 小区`."""
    text = parse.gap(column.start, column.end)
    for other in list(parse.free(ColumnMention)):
        if parse.gap(other.start, other.end) == text:
            parse.take(other)


def _beside(parse: Parse, word: WordMention) -> ColumnMention | None:
    """Return the column that a question word stands beside: `which country`, `哪个小区`, `小区有哪些`, `小区是哪个`."""
    if word.value not in {"which", "when", "who"} and not _after_han(parse, word):
        return None
    if word.value == "who" and _after_han(parse, word) and (named := _named_person(parse, word)) is not None:
        return named
    if word.value == "who" or parse.gap(word.end, word.end + 1) in _PEOPLE:
        somebody = _somebody(parse)
        if somebody is not None:
            return ColumnMention(start=word.start, end=word.end, score=word.score, column=somebody)
    rows = parse.after(word.end, RowsMention, 2)
    if rows is not None and _only_filler(parse, word.end, rows.start):
        parse.take(rows)
        return ColumnMention(start=rows.start, end=rows.end, score=rows.score, column=rows.column or entity(parse))
    after = parse.after(word.end, ColumnMention, 2)
    verb = word.value == "who" and after is not None and parse.numeric(after.column)
    if word.value == "when" and _after_han(parse, word) and after is not None and parse.numeric_reading(after):
        verb = not _is_year(parse.facts(after.column))  # `哪个月费用最高` asks for the month
    if after is not None and not verb and _only_filler(parse, word.end, after.start):
        return after
    if not _after_han(parse, word):
        return None
    before = parse.before(word.start, ColumnMention, 3)
    if before is not None and parse.clear(before.end, word.start) and _asked_by(parse, word, before):
        return before
    return None


def _named_person(parse: Parse, word: WordMention) -> ColumnMention | None:
    """Return the column that a word for persons stands directly before or after: `哪位医生`, `销售额最高的客户是谁`."""
    after = parse.after(word.end, ColumnMention, 0)
    if after is not None and not parse.numeric(after.column):
        return after
    goes_on = word.end < len(parse.tokens) and parse.tokens[word.end].kind != "mark"
    if goes_on and _somebody(parse) is not None:
        return None  # `那笔订单是谁卖的` asks who did it
    before = parse.before(word.start, ColumnMention, 1)
    told = before is not None and parse.gap(before.end, word.start) == "是" and not parse.numeric(before.column)
    return before if told else None


def _asked_by(parse: Parse, word: WordMention, column: ColumnMention) -> bool:
    """Return whether a question word asks for the column before it: `小区是哪个` does, `地块是在哪年成交的` does not
    ask for the plot."""
    facts = parse.facts(column.column)
    if word.value == "when":
        return facts.kind in {"date", "datetime"} or _is_year(facts)
    return word.value in {"which", "who", "where"}


def _after_han(parse: Parse, word: WordMention) -> bool:
    return is_han(parse.tokens[word.start].norm[0])


def _only_filler(parse: Parse, start: int, end: int) -> bool:
    filler = {
        "one",
        "of",
        "the",
        "a",
        "single",
        "individual",
        "specific",
        "other",
        "two",
        "三",
        "两",
        "五",
        "个",
        "家",
        "一",
        "块",
        "四",
        "十",
        "其他",
        "种",
        "是",
        "s",
        "'",
        "’",
    }
    return all(
        token.norm in filler or token.kind == "number" or token.norm in {"three", "five", "four", "different"}
        for token in parse.tokens[start:end]
    )


def _somebody(parse: Parse) -> str | None:
    """Return the only column that names persons by what they do (`申请人`, `负责人`, `销售员`), or None."""
    columns = [column.name for column in parse.table.facts.columns if column.kind == "text"]
    named = [column for column in columns if column.strip().endswith(_DOERS)]
    return named[0] if len(named) == 1 else None


def _implied(parse: Parse, word: WordMention) -> str | None:
    """Return the column of the kind that `who`, `where` or `when` asks for, or None."""
    kinds = {"who": _WHO, "where": _WHERE, "when": _WHEN}.get(word.value)
    if kinds is None:
        return None
    if word.value == "when":
        dated = [
            column.name
            for column in parse.table.facts.columns
            if column.kind in {"date", "datetime"} or _is_year(column)
        ]
        if dated:
            return dated[0]
    for concept in kinds:
        named = hinted(concept, parse.table.names)
        textual = [column for column in named if word.value == "when" or not parse.numeric(column)]
        if textual:
            return textual[0]
    return None
