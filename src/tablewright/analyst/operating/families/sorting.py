"""Sorting of rows."""

from __future__ import annotations

import re
from collections.abc import Callable

from tablewright.analyst.operating.columns_named import named_columns, said_letters
from tablewright.analyst.operating.wish import Lacking, Read, Wish

SORT = (
    r"\b(?:sort(?:ed|ing)?|ordered|order(?:ed)? (?:the |by |all )|reorder(?=\s+(?:the|all|rows|by|columns|data|it|them"
    r"|this)\b)|arrange|rank (?:the )?rows)\b|\border\b[^.]*\bby\b|排序|排列|[升降]序|从[高大新]到[低小旧]"
    r"|从[低小旧早]到[高大新晚]|[由从]\S{1,2}到\S{1,2}排|排一[下排]|[由从][高大多]到[低小少]|[由从][低小少]到[高大多]"
    r"|由[低小]到[高大]"
)
_DOWN = (
    r"\bdesc(?:ending)?\b|high(?:est)? to low|large(?:st)? to small|big(?:gest)? to small|new(?:est)? (?:to old|first)"
    r"|latest (?:to|first)|most recent first|(?:highest|largest|biggest|greatest) first|z (?:to|-) a|reverse"
    r"|decreasing|降序|倒序|从[高大新晚]到|由[高大新多]到|从多到|从高|从大"
)
_UP = (
    r"\basc(?:ending)?\b|low(?:est)? to high|small(?:est)? to (?:large|big)|old(?:est)? (?:to new|first)"
    r"|earliest (?:to|first)|(?:lowest|smallest) first|a (?:to|-) z|alphabetical|increasing|chronological|升序|正序"
    r"|从[低小旧早]到|由[低小]到|从低|从小"
)


def sort(wish: Wish) -> Read:
    """Read a sort: `sort by date then amount descending`, `按地区升序、金额降序排序`. A direction applies to the key it
    stands beside."""
    if not wish.has(SORT) or wish.has(r"(?:排名|名次)[^，。]*列|\brank\b[^.]*\bcolumn\b"):
        return None
    keys = _keys(wish)
    if not keys:
        column = (
            wish.answered()
            or _implied(wish)
            or (wish.memory.made or (wish.memory.columns[-1] if wish.memory.columns else None))
        )
        if column is None:
            return Lacking(what="column", function="sort_rows")
        keys = [(0, column)]
    by = [
        {
            "column": name,
            "descending": _descends(
                wish.low, keys, at, lambda name: name in wish.place.names and wish.place.dated(name)
            ),
        }
        for at, (_, name) in enumerate(keys)
    ]
    cells = wish.cells()
    wish.memory.columns = [name for _, name in keys][::-1]
    return [wish.op("sort_rows", by=by, range=cells if cells and ":" in cells else None)]


def _implied(wish: Wish) -> str | None:
    """Return the date column if the order is one of time, or None: `from newest to oldest`."""
    dates = [name for name in wish.place.names if wish.place.dated(name)]
    return dates[0] if dates and wish.has(r"\b(?:new|old|late|early|earli|recent|chrono)\w*|新|旧|早|晚|时间") else None


def _keys(wish: Wish) -> list[tuple[int, str]]:
    found = [(start, name) for start, _, name in named_columns(wish.text, wish.place.facts)]
    found += [(start, wish.by_letters(one)) for start, _, one in said_letters(wish.text)]
    keys: dict[str, int] = {}
    for start, name in sorted(found):
        keys.setdefault(name, start)
    by = re.search(r"\bby\b|按照?|以|根据|依", wish.low)
    ordered = [(start, name) for name, start in keys.items()]
    after = [key for key in ordered if by and key[0] >= by.start()]
    return after or ordered


def _descends(low: str, keys: list[tuple[int, str]], at: int, dated: Callable[[str], bool]) -> bool:
    """Return whether a key descends: by the words up to the next key, else by those at the end, which apply to all
    keys unless another key has its own."""
    start = keys[at][0]
    end = keys[at + 1][0] if at + 1 < len(keys) else len(low)
    own = _direction(low[start:end])
    if own is not None and re.search(r"\bold(?:est|er)? first", low[start:end]) and not dated(keys[at][1]):
        return True
    if own is not None:
        return own
    if any(
        _direction(low[key[0] : keys[place + 1][0] if place + 1 < len(keys) else len(low)]) is not None
        for place, key in enumerate(keys)
    ):
        first_said = _direction(low[: keys[0][0]])
        return bool(first_said)
    return bool(_direction(low))


def _direction(low: str) -> bool | None:
    if re.search(_DOWN, low):
        return True
    return False if re.search(_UP, low) else None
