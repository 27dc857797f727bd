"""Number formats that a clause asks for: by name, with a number of decimals, or like a date that is written."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import pairwise
from operator import or_

from tablewright.analyst.grammar.semantics import Word, mask_of
from tablewright.analyst.operating.instructing.clause import SURE, Clause
from tablewright.analyst.operating.instructing.parts import Part, links_of

_MONEY = {"": "$", "¥": "¥", "€": "€", "£": "£"}
_LONGEST_DATE = 8
_PLACES = {"一": 1, "两": 2, "二": 2, "三": 3, "四": 4}
_DATED = re.compile(r"y{2}(?:yy)?|m{1,4}|d{1,4}")
_MONTHS = {name.lower(): "mmmm" for name in calendar.month_name[1:]}
_MONTHS |= {name.lower(): "mmm" for name in calendar.month_abbr[1:]}
_PARTING = frozenset("-/.,年月日")
_TRAILING = frozenset("-/.,")


def formats(clause: Clause) -> Iterator[Part]:
    """Yield Excel formats with the words that ask for them."""
    yield from _dates(clause)
    yield from _patterns(clause)
    decimals = list(_decimals(clause))
    named = [word for word in clause.of("numformat") if word.meaning != "decimals"]
    for word in named:
        yield Part(mask=word.mask, value=_format(word.meaning, None), cost=0.0, start=word.start)
        for mask, places in decimals:
            yield from _together(clause, (word.mask, mask), _format(word.meaning, places), cost=-0.2)
        if word.meaning[:5] == "money" or word.meaning in {"#,##0", "0%"}:
            for whole in clause.of("numformat:0"):
                yield from _together(clause, (word.mask, whole.mask), _format(word.meaning, 0), cost=-0.2)
        if word.meaning[:5] == "money":
            yield from _of_money(clause, word, [one for one in named if one.start > word.start], decimals)
    for mask, places in decimals:
        yield Part(mask=mask, value=_format("", places), cost=0.0, start=(mask & -mask).bit_length() - 1)


def _of_money(clause: Clause, word: Word, later: Sequence[Word], decimals: Sequence[tuple[int, int]]) -> Iterator[Part]:
    """Yield the formats of amounts for which several words stand: a currency said twice, with separators, decimals."""
    for other in later:
        if other.meaning[:5] == "money":
            meaning = max(word.meaning, other.meaning)
            yield from _together(clause, (word.mask, other.mask), _format(meaning, None), cost=-0.1)
            for mask, places in decimals:
                yield from _together(clause, (word.mask, other.mask, mask), _format(meaning, places), cost=-0.3)
    for separated in clause.of("numformat:#,##0"):
        for mask, places in (*decimals, (0, 2)):
            yield from _together(clause, (word.mask, separated.mask, mask), _format(word.meaning, places), cost=-0.3)


def _together(clause: Clause, masks: tuple[int, ...], value: str, *, cost: float) -> Iterator[Part]:
    """Yield a format for which several words stand, if no column is named between them."""
    if not any(_parted(clause, one, other) for one, other in pairwise(sorted(filter(None, masks)))):
        whole = reduce(or_, masks)
        yield Part(mask=whole, value=value, cost=cost, start=(whole & -whole).bit_length() - 1)


def _parted(clause: Clause, one: int, other: int) -> bool:
    """Return whether a column is named between the words of two formats: each is of a column of its own."""
    start, end = sorted((one, other))
    between = mask_of(start.bit_length(), (end & -end).bit_length() - 1) if end & -end > start else 0
    return any(link.score >= SURE and link.mask & between for link in links_of(clause))


def _decimals(clause: Clause) -> Iterator[tuple[int, int]]:
    for word in clause.of("numformat:decimals"):
        for number in clause.linked.numbers:
            if 0 <= word.start - number.end <= 1 and number.value <= 10:
                yield mask_of(number.start, word.end), int(number.value)
        yield from _places_behind(clause, word.start, word.end)
        for at, token in enumerate(clause.tokens):
            if at + 1 == word.start and token.norm in _PLACES:
                yield mask_of(at, word.end), _PLACES[token.norm]


def _places_behind(clause: Clause, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the number of places that stands behind its word: `小数点后两位`."""
    for number in clause.linked.numbers:
        if number.start == end and number.value <= 10:
            yield mask_of(start, min(number.end + 1, len(clause.tokens))), int(number.value)
    if end < len(clause.tokens) and clause.tokens[end].norm in _PLACES:
        yield mask_of(start, min(end + 2, len(clause.tokens))), _PLACES[clause.tokens[end].norm]


def _format(meaning: str, places: int | None) -> str:
    if meaning.startswith("money"):
        return _MONEY[meaning[5:]] + "#,##0" + _point(2 if places is None else places)
    if meaning == "0%":
        return "0" + _point(0 if places is None else places) + "%"
    if not meaning:
        return "0" + _point(places or 0)
    return meaning + (_point(places) if places and meaning == "#,##0" else "")


def _point(places: int) -> str:
    return "." + "0" * places if places else ""


def _dates(clause: Clause) -> Iterator[Part]:
    """Yield the format of a whole date that is written as an example."""
    tokens = clause.tokens
    for start, token in enumerate(tokens):
        if token.kind == "number" and len(token.norm) == 2:
            yield from _day_first(clause, start)
            yield from _with_month_name(clause, start)
        if token.kind != "number" or len(token.norm) != 4:
            continue
        for end in range(start + 5, min(start + _LONGEST_DATE, len(tokens)) + 1):
            found = _like([one.text for one in tokens[start:end]])
            if found is not None:
                yield Part(mask=mask_of(start, end), value=found, cost=-0.2, start=start)


def _day_first(clause: Clause, start: int) -> Iterator[Part]:
    """Yield the format of a date that is written with the year last."""
    run = clause.tokens[start : start + 5]
    if len(run) == 5 and [len(one.norm) for one in run] == [2, 1, 2, 1, 4] and run[1].norm == run[3].norm in "-/.":
        sign, first_is_month = run[1].norm, int(run[2].norm) > 12 if run[2].norm.isdecimal() else False
        said = sign.join(("mm", "dd", "yyyy") if first_is_month else ("dd", "mm", "yyyy"))
        yield Part(mask=mask_of(start, start + 5), value=said, cost=-0.2, start=start)


def _with_month_name(clause: Clause, start: int) -> Iterator[Part]:
    """Yield the format of a date like `05-Jun-25`."""
    run = clause.tokens[start : start + 5]
    if len(run) < 5 or run[1].norm != run[3].norm or not run[4].norm.isdecimal():
        return
    month, year = _MONTHS.get(run[2].norm), len(run[4].norm)
    if month is not None and year in {2, 4} and run[1].norm in _PARTING:
        said = run[1].norm.join(("dd", month, "y" * year))
        yield Part(mask=mask_of(start, start + 5), value=said, cost=-0.2, start=start)


def _patterns(clause: Clause) -> Iterator[Part]:
    """Yield the formats of dates that are written in letters, such as `dd/mm/yyyy`."""
    tokens = clause.tokens
    for start, token in enumerate(tokens):
        end = start
        while end < len(tokens) and _in_pattern(tokens[end].norm, first=end == start):
            end += 1
        while end > start and tokens[end - 1].norm in _TRAILING:
            end -= 1
        letters = [one.norm for one in tokens[start:end] if _DATED.fullmatch(one.norm)]
        if len(letters) < 2 or not any(one.startswith("y") for one in letters) or not token.norm:
            continue
        said = clause.said(start, end)
        yield Part(mask=mask_of(start, end), value=_quoted(said), cost=-0.4, start=start)


def _in_pattern(sign: str, *, first: bool) -> bool:
    return _DATED.fullmatch(sign) is not None or (not first and sign in _PARTING)


def _quoted(said: str) -> str:
    return "".join(f'"{sign}"' if sign in "年月日" else sign for sign in said)


def _like(signs: list[str]) -> str | None:
    """Return the format of a date taken apart into numbers and what stands between them, or None."""
    numbers = [sign for sign in signs if sign.isdecimal()]
    shape = [sign if not sign.isdecimal() else "#" for sign in signs]
    if len(numbers) != 3 or shape[0] != "#" or any(number != "#" and number not in "-/.年月日" for number in shape):
        return None
    if shape[:5:2] != ["#"] * 3 or (len(shape) > 5 and shape[5:] != ["日"]) or ("年" in shape and len(shape) < 6):
        return None
    month = "mm" if numbers[1].startswith("0") else "m"
    day = "dd" if numbers[2].startswith("0") else "d"
    parts = ["yyyy", shape[1], month, shape[3], day, *shape[5:]]
    return "".join(f'"{part}"' if part in {"年", "月", "日"} else part for part in parts)
