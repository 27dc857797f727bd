"""Links words of a question to the columns of a table."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tablewright.analyst.linking.lexicon import concepts, stopwords
from tablewright.analyst.linking.mentions import ColumnMention
from tablewright.analyst.linking.near import near, short, whole
from tablewright.analyst.linking.short_forms import SHORT_UNITS, STANDINGS, UNITS
from tablewright.analyst.linking.text import BRACKETS, is_han
from tablewright.analyst.linking.tokens import Token, lemmas
from tablewright.domain.dataset import ColumnFacts

_GENERIC = frozenset(
    {
        "name", "名", "称", "number", "no", "code", "type", "value", "id", "total", "date", "总", "量", "额", "率",
        "数", "num", "情", "况", "号",
    }
)  # fmt: skip
_SUFFIX = frozenset("总额合计数量率值情况状等级别名称编号类型的")
_NUMBERED = "编号"
_HEADS = ("名称", "名字", "姓名", _NUMBERED)
"""Endings of columns that name a thing, best first: a name identifies it better than a number."""
_PLACES = frozenset({"region", "place", "city", "country", "address"})
_OF_MEDALS = "medal"
"""The concept of a column Total beside gold, silver and bronze."""
_AMOUNTS_OF = frozenset({"次数", "天数", "时长", "小时数", "小时", "金额", "人次", "件数", "人数"})
_DATES = ("日期", "时间")
_PARTS_OF_DATES = frozenset({"年份", "月份", "年", "月", "年度", "季度"})
_MEASURING = frozenset("均总高低")
_LONGER_UNITS = frozenset("钟之公店析布组别类")
"""Characters that make another word of 分 (`30分钟`, `三分之一`)."""
_SHORT_NAME = 2
_LONGEST_SPAN = 12
_LAST_GRADE = 13
_NUMBERS = frozenset({"number", "integer"})
_MEASURED = frozenset({"temperature", "length", "height", "weight", "speed", "area", "volume", "distance", "duration"})
_MEASURED_HEADS = frozenset(
    {"satisfaction", "rating", "score", "rate", "ratio", "index", "rank", "share", "percentage"}
)
_AMOUNT_SAID = frozenset(
    {"金额", "总金额", "订单金额", "交易金额", "销售金额", "成交金额", "销售", "spending", "expenditure"}
)
_REVENUE = "revenue"
_PIECES = "sales_volume"
_TAKEN_IN = frozenset({_REVENUE, "total_price"})
_AMOUNT = "amount"
_OF_AN_AMOUNT = frozenset({"quantity", "price"})
"""Concepts that `amount` may stand for, unless another column does."""
_AMOUNTS = frozenset(map(tuple, map(str.split, ("amount", "total", "total amount", "order amount", "order total"))))
_SOLD = frozenset({_REVENUE, "sales", "sales_volume", "units_sold"})
"""Concepts that a text, a date or a price has only if its name ends with their words: `Sales Rep` is no amount sold."""
_LIKELY = 0.75
_SURE = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnName:
    """A column's name in the forms in which it may be said; `concepts` are the synonym groups it belongs to, `aliases`
    what the tenant calls it besides."""

    column: str
    full: tuple[str, ...]
    plain: tuple[str, ...]
    concepts: frozenset[str]
    numeric: bool = False
    aliases: frozenset[tuple[str, ...]] = frozenset()


def column_names(columns: Sequence[ColumnFacts]) -> tuple[ColumnName, ...]:
    """Return the names of a table's columns, prepared for comparison with a question."""
    tails = Counter(_tail(column.name) for column in columns)
    lasts = {column.name: tail if tails[tail := _tail(column.name)] == 1 else column.name for column in columns}
    said = {name: lemmas(BRACKETS.sub(" ", last)) or _sign(last) for name, last in lasts.items()}
    if len([plain for plain in said.values() if "".join(plain) in STANDINGS]) > 1:
        said = {name: lemmas(STANDINGS.get("".join(plain), "")) or plain for name, plain in said.items()}
    bare = {column.name: _without_unit(said[column.name]) for column in columns if column.kind in _NUMBERS}
    alone = Counter([*bare.values(), *(said[column.name] for column in columns if column.name not in bare)])
    medals = {("gold",), ("silver",), ("bronze",)}
    names = []
    for column in columns:
        plain = said[column.name]
        if column.name in bare and alone[bare[column.name]] == 1:
            plain = bare[column.name]
        about = concepts_of(plain) - ({"score", "rating"} if _school_year(column) else set())
        numeric = column.kind in _NUMBERS
        if numeric:
            about -= _PLACES  # a numeric area is a measurement, not a place
        if not numeric or plain[-1:] == ("price",):
            about -= {concept for concept in _SOLD & about if not _ends_with(plain, concept)}
        if plain == ("total",) and medals <= set(said.values()):
            about |= {_OF_MEDALS}
        full = lemmas(column.name)
        aliases = frozenset(map(lemmas, column.aliases))
        names.append(
            ColumnName(
                column=column.name, full=full, plain=plain, concepts=about, numeric=numeric, aliases=aliases
            )
        )  # fmt: skip
    return _amounts_told_apart(names)


def _amounts_told_apart(names: Sequence[ColumnName]) -> tuple[ColumnName, ...]:
    """Return the names, of which an amount is no quantity and no price where another column is."""
    numeric = [name for name in names if name.numeric and _AMOUNT not in name.plain]
    taken = _OF_AN_AMOUNT & frozenset().union(*(name.concepts for name in numeric))
    return tuple(replace(name, concepts=name.concepts - taken) if _AMOUNT in name.plain else name for name in names)


def _tail(name: str) -> str:
    """Return the last part of a name that was made of several rows of a header."""
    return name.rsplit(" / ", 1)[-1]


def _sign(name: str) -> tuple[str, ...]:
    """Return the lemmas of a column name that consists of a sign alone (`%`)."""
    return lemmas(name) or (("percentage",) if name.strip() == "%" else ())


def _school_year(column: ColumnFacts) -> bool:
    """Return whether a column is a school year: a grade of at most 13 is not a score."""
    whole = column.kind == "integer" and isinstance(column.maximum, int | float) and column.maximum <= _LAST_GRADE
    return whole and column.name.strip().lower() in {"grade", "year group", "form", "年级"}


def _without_unit(plain: tuple[str, ...]) -> tuple[str, ...]:
    """Return a name without its unit (`wind_kmh` is the wind); a single letter is a unit only after a measured
    quantity (`temp_c`)."""
    measured, unit = plain[:-1], "".join(plain[-1:])
    if (
        measured
        and not any(word.isdigit() for word in plain)
        and (unit in UNITS or (unit in SHORT_UNITS and concepts_of(measured) & _MEASURED))
    ):
        return measured
    return plain


def concepts_of(plain: tuple[str, ...]) -> frozenset[str]:
    """Return the concepts that a name mentions; a single Chinese character counts only as the head of a short name."""
    found = set()
    for name, phrases in concepts().items():
        for phrase in phrases:
            if phrase == plain or (len(phrase) <= len(plain) and _holds(plain, phrase)):
                found.add(name)
                break
    return frozenset(found)


def _holds(plain: tuple[str, ...], phrase: tuple[str, ...]) -> bool:
    if len(phrase) == 1 and is_han(phrase[0][0]):
        return len(plain) <= _SHORT_NAME and plain[-1:] == phrase  # the head stands last: `月薪` is not a month
    return any(plain[start : start + len(phrase)] == phrase for start in range(len(plain) - len(phrase) + 1))


def columns(tokens: tuple[Token, ...], names: tuple[ColumnName, ...]) -> list[ColumnMention]:
    """Return a mention for every span that could name a column, with the likeliest column and the alternatives."""
    found: list[ColumnMention] = []
    whole = frozenset(name.plain[0] for name in names if len(name.plain) == 1)
    heads = frozenset(head for name in names for head in _heads(name))
    marks = frozenset(head for name in names if name.numeric for head in _heads(name))
    for start, end, said in _spans(tokens, whole, heads, marks):
        scored = sorted(
            ((score, -place, name.column) for place, name in enumerate(names) if (score := _score(said, name)) >= 0.5),
            reverse=True,
        )
        scored = _literal_first(said, scored, names)
        if not any(name.numeric for _, place, _ in scored for name in (names[-place],)):
            scored = _amount_meant(said, scored, names)
        if scored:
            others = tuple((column, score) for score, _, column in scored[1:5])
            found.append(ColumnMention(start=start, end=end, score=scored[0][0], column=scored[0][2], others=others))
    return found


def _heads(name: ColumnName) -> Iterator[str]:
    """Yield the single characters that may stand for a column of two (`分` for 分数)."""
    if len(name.plain) != 2:
        return
    if name.plain[1] in _SUFFIX:
        yield name.plain[0]
    yield from (phrase[0] for concept in name.concepts for phrase in concepts()[concept] if len(phrase) == 1)


def _literal_first(
    said: tuple[str, ...], scored: list[tuple[float, int, str]], names: tuple[ColumnName, ...]
) -> list[tuple[float, int, str]]:
    """Prefer columns whose name contains the word itself: `state` is state_province rather than country, which is
    only a synonym."""
    if len(said) > 1 or is_han(said[0][0]):
        return scored
    holding = {name.column for name in names if said[0] in name.plain}
    return sorted(scored, key=lambda one: one[2] not in holding) if scored and scored[0][0] < _SURE else scored


def _amount_meant(
    said: tuple[str, ...], scored: list[tuple[float, int, str]], names: tuple[ColumnName, ...]
) -> list[tuple[float, int, str]]:
    """Return the only column of amounts for words such as `订单金额` or `revenue` that name no numeric column; `scored`
    for other words, for those of pieces sold that name any, and if there are several such columns."""
    named = scored and (scored[0][0] >= _SURE or said in concepts()[_PIECES])
    if named or not ("".join(said) in _AMOUNT_SAID or said in concepts()[_REVENUE]):
        return scored
    amounts = [
        (_LIKELY, -place, name.column)
        for place, name in enumerate(names)
        if name.numeric and (name.concepts & _TAKEN_IN or name.plain in _AMOUNTS)
    ]
    return amounts if len(amounts) == 1 else scored


def _ends_with(plain: tuple[str, ...], concept: str) -> bool:
    """Return whether a name ends with a phrase of a concept."""
    return any(plain[-len(phrase) :] == phrase for phrase in concepts()[concept])


def _counted(tokens: tuple[Token, ...], place: int) -> bool:
    """Return whether the token is counted or asked for (`每个班`), so that a single character may be a noun."""
    return place > 0 and tokens[place - 1].norm in {"个", "各", "每", "哪", "按", "家", "名", "位"}


def _marked(tokens: tuple[Token, ...], place: int) -> bool:
    """Return whether the token is what a number or an aggregate measures: `90分以上`, `平均分`, `总分`."""
    before, after = (tokens[near] if 0 <= near < len(tokens) else None for near in (place - 1, place + 1))
    measured = before is not None and (before.kind == "number" or before.norm in _MEASURING)
    return measured and (after is None or after.norm not in _LONGER_UNITS)


def _spans(
    tokens: tuple[Token, ...], whole: frozenset[str], heads: frozenset[str], marks: frozenset[str]
) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield runs of tokens as (start, end, lemmas), skipping marks inside a name. A stopword or a number alone is
    yielded only if it is the `whole` name of a column; a Chinese character alone only if it is in `whole` or `heads`
    and is counted, or in `marks` and measured."""
    stop = stopwords()
    places = [place for place, token in enumerate(tokens) if token.kind != "mark"]
    for first, start in enumerate(places):
        for last in range(first, min(first + _LONGEST_SPAN, len(places))):
            end = places[last] + 1
            if end - start > _LONGEST_SPAN + 4 or not _joined(tokens, places[first : last + 1]):
                break
            said = tuple(tokens[place].lemma for place in places[first : last + 1])
            if len(said) == 1 and not (said[0] in marks and _marked(tokens, start)):
                if (said[0] in stop or said[0].isdigit()) and said[0] not in whole:
                    continue
                if is_han(said[0][0]) and not (said[0] in heads | whole and _counted(tokens, start)):
                    continue
            yield start, end, said


def _joined(tokens: tuple[Token, ...], places: list[int]) -> bool:
    return all(
        tokens[between].norm in {"-", "'", "’", ".", "/", "(", ")", "（", "）", "%", "#", "·"}
        for left, right in itertools.pairwise(places)
        for between in range(left + 1, right)
    )


def _score(said: tuple[str, ...], name: ColumnName) -> float:
    if said in {name.full, name.plain} or said in name.aliases:
        return 1.0
    if "".join(said) == "".join(name.plain) or "".join(said) == "".join(name.full):
        return 0.98
    if len(said) > 1 and sorted(map(whole, said)) == sorted(map(whole, name.plain)):
        return 0.95
    if is_han(said[0][0]):
        return max(_han_score("".join(said), name), _concept_score(said, name))
    return max(_word_score(said, name), _concept_score(said, name))


def _han_score(said: str, name: ColumnName) -> float:
    plain = "".join(name.plain)
    for head in _HEADS:
        if plain == said + head:
            return 0.9 if head != _NUMBERED else 0.89
    dated = next((plain[: -len(end)] for end in _DATES if plain.endswith(end)), None)
    if dated and said.startswith(dated) and said[len(dated) :] in _PARTS_OF_DATES:
        return 0.88
    place = plain.find(said)
    if place >= 0 and set(said) - _GENERIC:
        # The head of a Chinese compound stands last; a modifier alone does not name the column.
        rest = plain[place + len(said) :]
        heads = not rest or not set(rest) - _SUFFIX or rest in _AMOUNTS_OF
        return (0.55 if heads else 0.3) + 0.35 * len(said) / len(plain)
    if len(said) == len(plain) and len(plain) >= 4 and sorted(said) == sorted(plain):
        return 0.85
    return 0.0


def _word_score(said: tuple[str, ...], name: ColumnName) -> float:
    plain = name.plain
    if len(said) > len(plain):
        return 0.0
    if len(said) == 1 and len(plain) == 1:
        return near(said[0], plain[0])
    for start in range(len(plain) - len(said) + 1):
        if plain[start : start + len(said)] == said and not set(said) <= _GENERIC:
            head = 0.05 if start + len(said) == len(plain) or plain[start + len(said)] in _GENERIC else 0.0
            return 0.5 + 0.4 * len(said) / len(plain) + head
    if len(said) == len(plain):
        return min(max(near(left, right), short(left, right)) for left, right in zip(said, plain, strict=True))
    if len(said) == 1 and not is_han(plain[0][0]):
        best = max(near(said[0], part) for part in plain if part not in _GENERIC) if set(plain) - _GENERIC else 0.0
        return best * 0.65 if best >= 0.8 else 0.0
    return 0.0


def _concept_score(said: tuple[str, ...], name: ColumnName) -> float:
    """Return the score of words that share a concept with the column; the more of its name the concept covers, the
    higher."""
    best = 0.0
    for concept in name.concepts:
        if said in concepts()[concept]:
            about = (
                max(
                    len(phrase) / len(name.plain)
                    for phrase in concepts()[concept]
                    if len(phrase) <= len(name.plain) and (phrase == name.plain or _holds(name.plain, phrase))
                )
                if concept != _OF_MEDALS
                else 1.0
            )
            if not _about_another(concept, name):
                best = max(best, 0.52 + 0.3 * about)
    return best


def _about_another(concept: str, name: ColumnName) -> bool:
    """Return whether the head of the name is a different measurement: `Pay Satisfaction` is not pay."""
    last = name.plain[-1]
    if len(name.plain) < 2 or is_han(last[0]) or last not in _MEASURED_HEADS:
        return False
    return not _ends_with(name.plain, concept)


def hinted(hint: str, names: tuple[ColumnName, ...]) -> list[str]:
    """Return the columns that belong to the concept implied by a word (`cheapest`: price)."""
    return [name.column for name in names if hint in name.concepts]
