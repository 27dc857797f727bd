"""Links words to columns that they do not name: by their stem, by what is said of such columns, or by part of a
Chinese name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tablewright.analyst.linking.columns import ColumnName
from tablewright.analyst.linking.families import Form, Related, related, said_forms, stems
from tablewright.analyst.linking.lexicon import stopwords
from tablewright.analyst.linking.mentions import ColumnMention, LinkHow
from tablewright.analyst.linking.stems import stem
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.linking.tokens import Token

MOST_COLUMNS = 4
"""A span is linked to so many columns at most: what is said of more says nothing."""
_LONGEST = 4
_OF_STEM, _OF_RELATED, _OF_PART, _OF_HEAD = 0.5, 0.52, 0.5, 0.6
_MORE = 0.3
"""What a name that is covered whole adds to the score of a part."""
_DATED = ("日期", "时间", "年月", "日")
_COUNTED = frozenset("几哪各每按第个")
_PLAIN = frozenset("的了数量名号日月年时间期别类型一二三四五六七八九十")
"""Characters that tell nothing of a column by themselves."""


def loose_columns(
    tokens: Sequence[Token], names: Sequence[ColumnName], kinds: Mapping[str, str]
) -> Iterator[ColumnMention]:
    """Yield the columns that spans of a question may mean, less surely than by their names; `kinds` are the kinds of
    columns by name."""
    held = _held(names, kinds)
    for start, end in _spans(tokens):
        form = tuple(token.lemma for token in tokens[start:end])
        if is_han(form[0][0]):
            found = [*_parts(form, names), *_heads(tokens, start, form, names), *_related(form, held)]
        else:
            plain = len(form) == 1 and form[0] in stopwords()
            found = [] if plain else [*_stems(form, names), *_related(form, held)]
        best: dict[str, tuple[float, LinkHow]] = {}
        for column, score, how in found:
            best[column] = max(best.get(column, (0.0, how)), (score, how))
        ranked = sorted(best.items(), key=lambda item: -item[1][0])[:MOST_COLUMNS]
        for column, (score, how) in ranked:
            yield ColumnMention(start=start, end=end, score=score, column=column, how=how)


def _spans(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Yield runs of tokens of one script, without marks and numbers."""
    for start, first in enumerate(tokens):
        for end in range(start + 1, min(start + _LONGEST, len(tokens)) + 1):
            if tokens[end - 1].kind != first.kind or first.kind not in {"word", "han"}:
                break
            yield start, end


def _stems(form: Form, names: Sequence[ColumnName]) -> Iterator[tuple[str, float, LinkHow]]:
    """Yield columns with a word of the same family: `joined` is said of Joined, and `joiners` too."""
    if len(form) != 1:
        return
    said = stem(form[0])
    for name in names:
        words = [word for word in name.plain if word not in stopwords()]
        if form[0] not in words and any(stem(word) == said for word in words):
            yield name.column, _OF_STEM + _MORE / len(words), "stem"


def _parts(form: Form, names: Sequence[ColumnName]) -> Iterator[tuple[str, float, LinkHow]]:
    """Yield columns whose Chinese name begins or ends with what is said: `报修` of 报修时间 and 报修单号."""
    said = "".join(form)
    if len(said) < 2 or not set(said) - _PLAIN:
        return
    for name in names:
        whole = "".join(name.plain)
        if said != whole and said in whole:
            dated = 0.1 if whole.removeprefix(said) in _DATED else 0.0
            yield name.column, _OF_PART + dated + _MORE * len(said) / len(whole), "part"


def _heads(
    tokens: Sequence[Token], start: int, form: Form, names: Sequence[ColumnName]
) -> Iterator[tuple[str, float, LinkHow]]:
    """Yield columns of a name with a character that is counted or asked for: `几栋` of 楼栋, `哪个科` of 科室."""
    before = tokens[start - 1] if start else None
    counted = before is not None and (before.norm in _COUNTED or before.kind == "number")
    if len(form) != 1 or not counted or form[0] in _PLAIN:
        return
    for name in names:
        if len(name.plain) > 1 and (name.plain[-1] == form[0] or (len(name.plain) == 2 and form[0] in name.plain)):
            yield name.column, _OF_HEAD + _MORE / len(name.plain), "part"


def _held(names: Sequence[ColumnName], kinds: Mapping[str, str]) -> list[tuple[Related, list[tuple[str, float]]]]:
    """Return what is said of columns, with those of these columns that it may be said of and how well they fit."""
    found = []
    for one in related():
        fits = [
            (name.column, share)
            for name in names
            if (not one.kinds or kinds.get(name.column) in one.kinds) and (share := _share(one, name))
        ]
        if fits:
            found.append((one, fits))
    return found


def _share(one: Related, name: ColumnName) -> float:
    """Return how much of a column's name is a form of a family, 0 to 1."""
    joined = "".join(name.plain)
    shares = [0.0]
    for form in one.names:
        if is_han(form[0][0]):
            said = "".join(form)
            if said in joined and (len(said) > 1 or joined.endswith(said)):
                shares.append(len(said) / len(joined))
        elif form[0] in name.plain and _within(form, name.plain):
            shares.append(len(form) / len(name.plain))
    return max(shares)


def _within(form: Form, plain: Form) -> bool:
    return any(plain[place : place + len(form)] == form for place in range(len(plain) - len(form) + 1))


def _related(form: Form, held: list[tuple[Related, list[tuple[str, float]]]]) -> Iterator[tuple[str, float, LinkHow]]:
    exact = is_han(form[0][0]) or form in said_forms()
    family = stems(form)
    for one, fits in held:
        if form in one.said or (not exact and family in one.stems):
            for column, share in fits:
                yield column, _OF_RELATED + _MORE * share, "concept"
