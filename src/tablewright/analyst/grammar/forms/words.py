"""The words of answer forms and of statistical tasks as data, and where a text says them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

from tablewright.analyst.grammar.lexicon import LANGUAGES
from tablewright.analyst.grammar.lexicon import entries as general_entries
from tablewright.analyst.grammar.semantics import Word
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.linking.tokens import Token, form_of

GENERAL = frozenset({"aggregate", "compare", "between", "superlative", "count", "distinct", "or"})
"""Types of the grammar's own vocabulary that tasks are read by too."""
_JOINTS = frozenset({"-", "'", "’", "_"})
Form = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What a form of words means: its type and the variant of it."""

    type: str
    meaning: str


def _said(token: Token) -> bool:
    return token.kind != "mark" or token.norm in "%<>=≥≤≠!+:"


@cache
def vocabulary() -> dict[str, dict[Form, str]]:
    """Return, by type, the meaning of every form."""
    found: dict[str, dict[Form, str]] = {}
    for form, entries in general_entries().items():
        for entry in entries:
            if entry.type in GENERAL:
                found.setdefault(entry.type, {}).setdefault(form, entry.meaning)
    folder = files(__package__).joinpath("lexicon")
    for language in LANGUAGES:
        rows = json.loads(folder.joinpath(f"{language}.json").read_text(encoding="utf-8"))["entries"]
        for row in rows:
            known = found.setdefault(row["type"], {})
            for said in row["forms"]:
                known.setdefault(form_of(said, _said), row["meaning"])
    return found


@cache
def _first() -> dict[str, tuple[tuple[str, Form, str], ...]]:
    """Return every form as (type, form, meaning) by its first lemma, the longest first."""
    found: dict[str, list[tuple[str, Form, str]]] = {}
    for kind, forms in vocabulary().items():
        for form, meaning in forms.items():
            found.setdefault(form[0], []).append((kind, form, meaning))
    return {lemma: tuple(sorted(several, key=lambda one: -len(one[1]))) for lemma, several in found.items()}


def words_of(tokens: tuple[Token, ...]) -> tuple[Word, ...]:
    """Return the words of every type in a text, the longest at each place, in order."""
    places = [place for place, token in enumerate(tokens) if _said(token)]
    found: list[Word] = []
    ends: dict[str, int] = {}
    for first, start in enumerate(places):
        taken: set[str] = set()
        for kind, form, meaning in _first().get(tokens[start].lemma, ()):
            inside = places[first : first + len(form)]
            fits = tuple(tokens[place].lemma for place in inside) == form and _joined(tokens, inside)
            if fits and kind not in taken and ends.get(kind, 0) <= start:
                taken.add(kind)
                found.append(Word(start=start, end=inside[-1] + 1, type=kind, meaning=meaning))
        ends.update({word.type: word.end for word in found if word.start == start})
    return tuple(found)


def _joined(tokens: tuple[Token, ...], places: list[int]) -> bool:
    for left, right in pairwise(places):
        between = tokens[left + 1 : right]
        if is_han(tokens[left].norm[0]) and is_han(tokens[right].norm[0]) and between:
            return False
        if any(token.norm not in _JOINTS for token in between):
            return False
    return True
