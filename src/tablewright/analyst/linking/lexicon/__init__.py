"""Vocabulary as data: what phrases do in a question (`operations.json`), synonyms in column names (`concepts.json`),
words without content (`stopwords.json`), nouns for rows (`rows.json`), nouns for amounts or levels
(`additivity.json`), and words whose endings do not tell their family (`irregular.json`)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from tablewright.analyst.linking.tokens import lemmas


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What a phrase of the lexicon does: its operation `code`, the operation's `value`, and the concept it hints at."""

    code: str
    value: str
    hint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Additivity:
    """Lemmas of nouns for what may be added up (`sums`) and what may not (`levels`); a word of `forces_level`
    anywhere in a name outweighs the name's head. Of the sums, those that are `held` at a time add up over things, and
    not over time."""

    sums: frozenset[str]
    levels: frozenset[str]
    forces_level: frozenset[str]
    held: frozenset[str]


def read(name: str) -> Any:
    """Return what a file of the vocabulary holds."""
    return json.loads(files(__package__).joinpath(name).read_text(encoding="utf-8"))


@cache
def operations() -> dict[tuple[str, ...], Entry]:
    """Return the entries of all operation phrases, keyed by the lemmas of their tokens."""
    phrases: dict[tuple[str, ...], Entry] = {}
    for row in read("operations.json"):
        entry = Entry(code=row["code"], value=row.get("value", ""), hint=row.get("hint", ""))
        for phrase in [*row.get("en", ()), *row.get("zh", ())]:
            phrases[lemmas(phrase)] = entry
    return phrases


@cache
def concepts() -> dict[str, tuple[tuple[str, ...], ...]]:
    """Return the phrases of every concept, as lemmas, keyed by the concept's name."""
    return {name: tuple(lemmas(phrase) for phrase in phrases) for name, phrases in read("concepts.json").items()}


@cache
def stopwords() -> frozenset[str]:
    """Return the lemmas that carry no content of their own."""
    return frozenset(lemma for word in read("stopwords.json") for lemma in lemmas(word))


@cache
def row_nouns() -> frozenset[tuple[str, ...]]:
    """Return the nouns used for the rows of any table (`orders`, `记录`), as lemmas."""
    return frozenset(lemmas(noun) for noun in read("rows.json"))


@cache
def irregular() -> dict[str, str]:
    """Return the word of the same family for words whose endings do not tell it (`paid`: pay)."""
    found: dict[str, str] = read("irregular.json")
    return found


@cache
def additivity() -> Additivity:
    """Return the words that distinguish amounts from levels."""
    words = {
        name: frozenset("".join(lemmas(word)) for word in listed) for name, listed in read("additivity.json").items()
    }
    return Additivity(sums=words["sum"], levels=words["level"], forces_level=words["forces_level"], held=words["held"])
