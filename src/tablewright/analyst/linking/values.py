"""Links words of a question to the cells of a table's text columns."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tablewright.analyst.linking.lexicon import operations, stopwords
from tablewright.analyst.linking.mentions import ValueMention
from tablewright.analyst.linking.text import compact, fold, is_han, spellings
from tablewright.analyst.linking.tokens import Token, lemmas

_LONGEST_PHRASE = 10
_SHORTEST_HAN = 2
_LONG_CELL = 30
_LISTED = re.compile(r"[,;/\n&、，；]|\band\b")
_BRACKETED = re.compile(r"\(.*?\)|（.*?）")
_TIES = frozenset({"为", "是", "=", ":", "：", "is", "be", "of", "'", '"', "“", "”"})
_GRADES = frozenset("级类等档型")
"""Words after a letter that is a cell: `A级客户`."""
_SEXES = {
    "female": frozenset({"woman", "girl", "lady", "female"}),
    "male": frozenset({"man", "boy", "gentleman", "male"}),
}
_CODES = {"male": "m", "man": "m", "boy": "m", "female": "f", "woman": "f", "girl": "f", "yes": "y", "no": "n"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TextColumn:
    """A text column and its known distinct cells."""

    column: str
    values: tuple[str, ...]


@dataclass(slots=True)
class _Found:
    """Linked cells by span, with the best score of each span."""

    spans: dict[tuple[int, int, bool], list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    scores: dict[tuple[int, int, bool], float] = field(default_factory=lambda: defaultdict(float))

    def add(self, span: tuple[int, int], score: float, column: str, value: str, *, exact: bool) -> None:
        """Add a link, keeping the best score of its span."""
        key = (*span, exact)
        if (column, value) not in self.spans[key]:
            self.spans[key].append((column, value))
        self.scores[key] = max(self.scores[key], score)


def values(
    tokens: tuple[Token, ...], columns: Sequence[TextColumn], quoted: Iterable[tuple[int, int]]
) -> list[ValueMention]:
    """Return the cells that the question names, in full or in part."""
    found = _Found()
    line, owners = _compact_line(tokens)
    phrases = _phrases(tokens, set(quoted))
    begins = _begins(phrases)
    grams = {line[start : start + 3] for start in range(len(line) - 2) if is_han(line[start])}
    for column in columns:
        for value in column.values:
            key = compact(value)
            if not key:
                continue
            if key in line and _whole(found, tokens, line, owners, column.column, value, key):
                continue
            if is_han(key[0]):
                _han_part(found, line, owners, column.column, value, key, grams)
            elif begins.search(fold(value)):
                _word_part(found, phrases, column.column, value)
    _coded(found, tokens, tuple(columns))
    return _mentions(found, columns)


def _coded(found: _Found, tokens: tuple[Token, ...], columns: tuple[TextColumn, ...]) -> None:
    """Link words for cells that are written as one letter (`male` for M)."""
    for column in columns:
        _sexes(found, tokens, column)
        codes = {value.strip().lower(): value for value in column.values}
        if not codes or len(codes) > 4 or any(len(code) > 1 for code in codes):
            continue
        for place, token in enumerate(tokens):
            code = _CODES.get(token.lemma)
            if code in codes:
                found.add((place, place + 1), 0.95, column.column, codes[code], exact=True)


def _sexes(found: _Found, tokens: tuple[Token, ...], column: TextColumn) -> None:
    """Link `women` to Female and the like, in a column that has both sexes."""
    known = {value.strip().lower(): value for value in column.values}
    if not {"female", "male"} <= known.keys():
        return
    for place, token in enumerate(tokens):
        for sex, words in _SEXES.items():
            if token.lemma in words and token.lemma != sex:
                found.add((place, place + 1), 0.95, column.column, known[sex], exact=True)


def _compact_line(tokens: tuple[Token, ...]) -> tuple[str, list[int]]:
    """Return the question's letters and digits, and for each the index of its token."""
    line: list[str] = []
    owners: list[int] = []
    for place, token in enumerate(tokens):
        for character in token.norm:
            if character.isalnum():
                line.append(character)
                owners.append(place)
    return "".join(line), owners


def _whole(
    found: _Found, tokens: tuple[Token, ...], line: str, owners: list[int], column: str, value: str, key: str
) -> bool:
    """Link every place where the cell stands as whole words, and return whether there is one (`managers` only
    contains `manager`)."""
    start = line.find(key)
    whole = False
    while start >= 0:
        end = start + len(key)
        aligned = (start == 0 or owners[start - 1] != owners[start]) and (
            end == len(line) or owners[end] != owners[end - 1]
        )
        span = (owners[start], owners[end - 1] + 1)
        graded = len(key) == 1 and tokens[span[0]].text.isupper() and _after(tokens, span[1]) in _GRADES
        span = (span[0], span[1] + 1) if graded else span
        named = graded or (tokens[span[0]].text.isupper() and _before(tokens, span[0]) in lemmas(column))
        if aligned and (named or _worth_linking(tokens[span[0] : span[1]], key)):
            found.add(span, 1.0, column, value, exact=True)
        whole = whole or aligned
        start = line.find(key, start + 1)
    return whole


def _before(tokens: tuple[Token, ...], place: int) -> str:
    """Return the lemma of the word before a place, skipping connecting words (`评级为A`); empty if there is none."""
    ties = [token.norm in _TIES for token in tokens[:place]]
    while ties and ties.pop():
        place -= 1
    return tokens[place - 1].lemma if place else ""


def _after(tokens: tuple[Token, ...], place: int) -> str:
    return tokens[place].norm if place < len(tokens) else ""


def _worth_linking(inside: tuple[Token, ...], key: str) -> bool:
    """Return whether a match is likely a cell: cells such as `the` or `no` are plain words unless written like a
    name."""
    if is_han(key[0]):
        return len(key) >= _SHORTEST_HAN or (key not in stopwords() and (key,) not in operations())
    if len(inside) > 1:
        return any(len(token.norm) > 2 or (token.lemma not in stopwords() and not _said(token)) for token in inside)
    token = inside[0]
    if token.kind == "number":
        return False
    if len(key) == 1:
        return token.text.isupper() and token.norm not in {"a", "i", "x", "y"}
    return (token.lemma not in stopwords() and (token.lemma,) not in operations()) or (
        token.text[:1].isupper() and token.lemma not in stopwords()
    )


def _said(token: Token) -> bool:
    """Return whether a token is an operation: runs of short ones (`by a`, `or`) are not cells."""
    return (token.lemma,) in operations()


def _han_part(found: _Found, line: str, owners: list[int], column: str, value: str, key: str, grams: set[str]) -> None:
    """Link the longest part of the cell that occurs in the question, if it covers half of the cell."""
    starts = [place for place in range(len(key) - 2) if key[place : place + 3] in grams]
    best = ""
    for start in starts:
        end = start + 3
        while end < len(key) and key[start : end + 1] in line:
            end += 1
        if key[start:end] in line and end - start > len(best):
            best = key[start:end]
    if len(best) >= max(3, 0.5 * len(key)):
        place = line.find(best)
        found.add(
            (owners[place], owners[place + len(best) - 1] + 1),
            0.45 + 0.5 * len(best) / len(key),
            column,
            value,
            exact=False,
        )


def _phrases(tokens: tuple[Token, ...], quoted: set[tuple[int, int]]) -> dict[tuple[str, ...], tuple[int, int, float]]:
    """Return the runs of words that could be part of a cell, keyed by lemmas, as (start, end, likelihood of being a
    name)."""
    stop = stopwords()
    found: dict[tuple[str, ...], tuple[int, int, float]] = {}
    for start in range(len(tokens)):
        for end in range(start + 1, min(start + _LONGEST_PHRASE, len(tokens)) + 1):
            inside = [token for token in tokens[start:end] if token.kind != "mark"]
            if (
                not inside
                or tokens[start].kind == "mark"
                or tokens[end - 1].kind == "mark"
                or is_han(inside[0].norm[0])
            ):
                continue
            if inside[0].lemma in stop or inside[-1].lemma in stop or all(token.kind == "number" for token in inside):
                continue
            named = (start, end) in quoted or all(token.text[:1].isupper() or token.kind != "word" for token in inside)
            found[tuple(token.lemma for token in inside)] = (start, end, 0.85 if named else 0.6)
    return found


def _begins(phrases: Iterable[tuple[str, ...]]) -> re.Pattern[str]:
    """Return what finds every cell in which one of the phrases may begin: most of thousands have none, and need not be
    split into words."""
    firsts = {spelling for phrase in phrases for spelling in spellings(phrase[0])}
    return re.compile("|".join(map(re.escape, sorted(firsts))) if firsts else r"(?!)")


def _word_part(found: _Found, phrases: dict[tuple[str, ...], tuple[int, int, float]], column: str, value: str) -> None:
    parts = lemmas(value)
    if len(parts) > _LONG_CELL:
        return
    for start in range(len(parts)):
        for end in range(start + 1, min(start + _LONGEST_PHRASE, len(parts)) + 1):
            span = phrases.get(parts[start:end])
            if span is None:
                continue
            share = (end - start) / len(parts)
            score = span[2] * (0.75 + 0.25 * share) if len(parts[start]) > 2 or end - start > 1 else 0.3
            found.add((span[0], span[1]), 0.97 if share == 1.0 else score, column, value, exact=share == 1.0)


def _mentions(found: _Found, columns: Sequence[TextColumn]) -> list[ValueMention]:
    mentions = []
    for (start, end, exact), places in found.spans.items():
        if not exact and (start, end, True) in found.spans:
            continue
        if exact:
            places = [*places, *_among_others(places, columns)]
        score = found.scores[start, end, exact]
        mentions.append(
            ValueMention(start=start, end=end, score=score, places=tuple(places), how="exact" if exact else "contained")
        )
    return mentions


def _among_others(whole: Sequence[tuple[str, str]], columns: Sequence[TextColumn]) -> list[tuple[str, str]]:
    """Return the cells of the same columns that list a named item among others (`Hateley, Durrant (2)`,
    `李强、王芳`)."""
    named: dict[str, set[str]] = defaultdict(set)
    for column, value in whole:
        named[column].add(compact(value))
    return [
        (column.column, value)
        for column in columns
        if column.column in named
        for value in column.values
        if (column.column, value) not in whole
        and (len(items := _LISTED.split(_BRACKETED.sub(" ", value))) > 1 or _BRACKETED.search(value))
        and any(compact(item) in named[column.column] for item in items)
    ]
