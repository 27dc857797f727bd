"""The vocabulary of the grammar as data: forms of words in each language, their type, meaning and the concept that
they hint at."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from tablewright.analyst.grammar.semantics import Word
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.linking.tokens import Token, form_of

LANGUAGES = ("en", "zh")
FILES = tuple(f"{part}{language}.json" for language in LANGUAGES for part in ("", "everyday_"))
"""The words of questions, and of everyday talk and trades: what is said beside them."""
_SIGNS = frozenset("%÷<>=≥≤≠!")
_JOINTS = frozenset({"-", "'", "’"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What a form means: its `type`, the variant of it (`meaning`), and the concept it hints at (`about`)."""

    type: str
    meaning: str
    about: str


@cache
def entries() -> dict[tuple[str, ...], tuple[Entry, ...]]:
    """Return the entries of all forms, keyed by the lemmas of their tokens; a form may have several."""
    found: dict[tuple[str, ...], list[Entry]] = {}
    for name in FILES:
        rows = json.loads(files(__package__).joinpath(name).read_text(encoding="utf-8"))["entries"]
        for row in rows:
            entry = Entry(type=row["type"], meaning=row["meaning"], about=row.get("about", ""))
            for form in row["forms"]:
                known = found.setdefault(form_of(form, _speaks), [])
                if entry not in known:
                    known.append(entry)
    return {form: tuple(known) for form, known in found.items()}


@lru_cache(maxsize=4096)
def means_nothing(cell: str) -> bool:
    """Return whether a cell holds a word for nothing, such as `none`."""
    return any(entry.type == "nothing" for entry in entries().get(form_of(cell, _speaks), ()))


def _speaks(token: Token) -> bool:
    """Return whether a token is said like a word: `what %` is not `what`."""
    return token.kind != "mark" or token.norm in _SIGNS


@cache
def _longest() -> int:
    return max(map(len, entries()))


def words(tokens: tuple[Token, ...]) -> tuple[Word, ...]:
    """Return every form of the lexicon in the question, overlapping ones too, but no character within a longer one."""
    places = [place for place, token in enumerate(tokens) if _speaks(token)]
    known = entries()
    found: list[Word] = []
    for first, start in enumerate(places):
        for length in range(1, min(_longest(), len(places) - first) + 1):
            inside = places[first : first + length]
            if length > 1 and not _joined(tokens, inside[-2], inside[-1]):
                break
            form = tuple(tokens[place].lemma for place in inside)
            end = inside[-1] + 1
            found += [
                Word(start=start, end=end, type=entry.type, meaning=entry.meaning, about=entry.about)
                for entry in known.get(form, ())
            ]
    return tuple(_outer(found, tokens))


def _outer(found: list[Word], tokens: tuple[Token, ...]) -> list[Word]:
    """Return the words without single characters within longer ones: `多少` is neither much nor little; nor those for
    a count within longer ones that ask (`是多少`)."""
    asking = [word for word in found if word.type == "wh"]
    found = [word for word in found if word.type != "count" or not any(_within(word, one) for one in asking)]
    longer = {place for word in found if word.end - word.start > 1 for place in range(word.start, word.end)}
    return [
        word
        for word in found
        if word.end - word.start > 1 or word.start not in longer or not _is_character(tokens[word.start])
    ]


def _within(word: Word, other: Word) -> bool:
    """Return whether a word is part of a longer one."""
    return other.start <= word.start and word.end <= other.end and word.end - word.start < other.end - other.start


def _is_character(token: Token) -> bool:
    """Return whether a token is a Chinese character or a sign: `=` says nothing else in `>=`."""
    return is_han(token.norm[0]) or token.kind == "mark"


def _joined(tokens: tuple[Token, ...], left: int, right: int) -> bool:
    between = tokens[left + 1 : right]
    if is_han(tokens[left].norm[0]) and is_han(tokens[right].norm[0]):
        return not between
    return all(token.norm in _JOINTS for token in between)
