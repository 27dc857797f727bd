"""Numbers in a question: digits, Chinese numerals, English number words, with their multipliers."""

from __future__ import annotations

from tablewright.analyst.linking.mentions import NumberMention
from tablewright.analyst.linking.tokens import Token

_DIGITS = dict(zip("零一二三四五六七八九", range(10), strict=True)) | {"〇": 0, "两": 2}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_MULTIPLIERS = {"万": 1e4, "亿": 1e8, "千": 1e3, "百": 1e2}
_MULTIPLIER_WORDS = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "k": 1e3, "m": 1e6, "bn": 1e9}
_MYRIAD = 1e4
_TEN = 10
WORDS = {
    word: number
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ]
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "dozen": 12}
_ORDINALS = {
    word: number
    for number, word in enumerate(
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"], start=1
    )
}
# A Chinese numeral alone is a number only where it counts or ranks something.
_COUNTABLE = "个名家位块条项年月日号天次种类人款座套大强行列只张笔单万亿分季周以之"
_BEFORE = "前后第top低高少多"
_LONGEST = 200
"""Digits beyond which no number is meant that anything could be computed with."""


def numbers(tokens: tuple[Token, ...]) -> list[NumberMention]:
    """Return every number of the question, in order."""
    found: list[NumberMention] = []
    place = 0
    while place < len(tokens):
        mention = _digits(tokens, place) or _chinese(tokens, place) or _word(tokens, place)
        if mention is None:
            place += 1
            continue
        found.append(mention)
        place = mention.end
    return found


def _digits(tokens: tuple[Token, ...], place: int) -> NumberMention | None:
    token = tokens[place]
    if token.kind == "ordinal":
        return NumberMention(start=place, end=place + 1, score=0.9, value=int(token.norm[:-2]), ordinal=True)
    text = token.norm.replace(",", "")
    if token.kind != "number" or len(text) > _LONGEST:
        return None
    plain = float(text) if "." in text else int(text)
    value, end = _multiplied(tokens, plain, place + 1)
    start = place
    if _is_minus(tokens, place):
        value, start = -value, place - 1
    percent = end < len(tokens) and (tokens[end].norm == "%" or tokens[end].norm in {"percent", "percentage"})
    year = isinstance(plain, int) and 1800 <= plain <= 2100 and "," not in token.norm and end == place + 1
    ordinal = start > 0 and tokens[start - 1].norm == "第"
    return NumberMention(
        start=start - int(ordinal),
        end=end + int(percent),
        score=0.9,
        value=value,
        year=year,
        percent=percent,
        ordinal=ordinal,
    )


def _is_minus(tokens: tuple[Token, ...], place: int) -> bool:
    if place == 0 or tokens[place - 1].norm not in {"-", "−"} or tokens[place - 1].end != tokens[place].start:
        return False
    return place == 1 or (tokens[place - 2].end < tokens[place - 1].start and tokens[place - 2].kind != "number")


def _multiplied(tokens: tuple[Token, ...], value: float, end: int) -> tuple[int | float, int]:
    while end < len(tokens):
        token = tokens[end]
        factor = _MULTIPLIERS.get(token.norm) or _MULTIPLIER_WORDS.get(token.norm)
        if factor is None or (token.norm in {"k", "m"} and token.start != tokens[end - 1].end):
            break
        value, end = value * factor, end + 1
    return (int(value) if float(value).is_integer() else value), end


def _chinese(tokens: tuple[Token, ...], place: int) -> NumberMention | None:
    end = place
    while end < len(tokens) and (tokens[end].norm in _DIGITS or tokens[end].norm in _UNITS):
        end += 1
    if end == place:
        return None
    ordinal = place > 0 and tokens[place - 1].norm == "第"
    after = tokens[end].norm[0] if end < len(tokens) else ""
    before = tokens[place - 1].norm if place else ""
    if not ordinal and after not in _COUNTABLE and before not in _BEFORE:
        return None
    value, end = _multiplied(tokens, _chinese_value([token.norm for token in tokens[place:end]]), end)
    value, end = _continued(tokens, value, end)
    return NumberMention(start=place - int(ordinal), end=end, score=0.9, value=value, ordinal=ordinal)


def _continued(tokens: tuple[Token, ...], value: float, end: int) -> tuple[int | float, int]:
    """Add the digits that follow a multiplier: `一万五` and `一万五千` are both 15000, since a single digit counts in
    the next lower unit."""
    factor = _MULTIPLIERS.get(tokens[end - 1].norm, 0)
    last = end
    while last < len(tokens) and (tokens[last].norm in _DIGITS or tokens[last].norm in _UNITS):
        last += 1
    if factor < _MYRIAD or last == end:
        return value, end
    rest = [token.norm for token in tokens[end:last]]
    alone = len(rest) == 1 and rest[0] in _DIGITS
    return int(value + (_DIGITS[rest[0]] * factor / 10 if alone else _chinese_value(rest))), last


def _chinese_value(characters: list[str]) -> int:
    if all(character in _DIGITS for character in characters):
        return int("".join(str(_DIGITS[character]) for character in characters))
    total, digit, unit = 0, 0, 1
    for character in characters:
        if character in _DIGITS:
            digit = _DIGITS[character]
            unit = unit // 10 if unit > _TEN and digit else 1  # `两百五` is 250, `一百零五` 105
        else:
            total += (digit or 1) * _UNITS[character]
            digit, unit = 0, _UNITS[character]
    return total + digit * unit


def _word(tokens: tuple[Token, ...], place: int) -> NumberMention | None:
    word = tokens[place].norm
    if word in _ORDINALS:
        return NumberMention(start=place, end=place + 1, score=0.82, value=_ORDINALS[word], ordinal=True)
    if word not in WORDS and not (
        word == "a" and _next(tokens, place) in {"hundred", "thousand", "million", "billion", "dozen"}
    ):
        return None
    value, end = _multiplied(tokens, WORDS.get(word, 1), place + 1)
    if word == "a" and _next(tokens, place) == "dozen":
        value, end = 12, place + 2
    return NumberMention(start=place, end=end, score=0.6 if word == "one" else 0.85, value=value)


def _next(tokens: tuple[Token, ...], place: int) -> str:
    return tokens[place + 1].norm if place + 1 < len(tokens) else ""
