"""What words of the office mean, in Chinese and English: a lexicon as data, `vocabulary.json`.

A meaning's phrases are synonyms in the wide sense: what one of them asks for, a workflow that is described by another
may do. A phrase with several meanings says less of each. Nothing here decides anything; how much a meaning counts is
learned.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from tablewright.analyst.linking.tokens import tokenize
from tablewright.routing.workflows.pinyin import sound
from tablewright.routing.workflows.stems import stem

MeaningKind = Literal["deeds", "problems", "things", "talk", "tables", "times"]
"""Deeds are what one wants done, problems what is wrong, things what it is about; the others speak for no workflow."""

ONE_CHARACTER = 0.7
"""What a phrase of a single Chinese character says of its meaning, against a longer one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """The meanings of phrases, each with the strength with which a phrase says it, 0 to 1.

    `by_parts` is keyed by the stems of a phrase, `by_sound` by the readings of one in Chinese characters; `words` are
    the single English words; `kinds` says of each meaning what it is.
    """

    by_parts: Mapping[tuple[str, ...], Mapping[str, float]]
    by_sound: Mapping[tuple[str, ...], Mapping[str, float]]
    words: tuple[str, ...]
    known: frozenset[str]
    kinds: Mapping[str, MeaningKind]
    longest: int


@cache
def phrases() -> Phrases:
    """Return the phrases that ship with the product."""
    rows: dict[MeaningKind, dict[str, list[str]]] = json.loads(
        files(__package__).joinpath("vocabulary.json").read_text(encoding="utf-8")
    )
    meant: dict[tuple[str, ...], dict[str, None]] = {}
    for meanings in rows.values():
        for meaning, every in meanings.items():
            for phrase in every:
                meant.setdefault(key_of(phrase), {})[meaning] = None
    heard: dict[tuple[str, ...], dict[str, None]] = {}
    for key, codes in meant.items():
        if len(key) > 1 and (readings := sound(key)):
            heard.setdefault(readings, {}).update(codes)
    return Phrases(
        by_parts={key: dict.fromkeys(codes, _strength(key, len(codes))) for key, codes in meant.items()},
        by_sound={key: dict.fromkeys(codes, 1.0 / math.sqrt(len(codes))) for key, codes in heard.items()},
        words=tuple(sorted(key[0] for key in meant if len(key) == 1 and key[0].isascii())),
        known=frozenset(part for key in meant for part in key),
        kinds={meaning: kind for kind, meanings in rows.items() for meaning in meanings},
        longest=max(map(len, meant)),
    )


def key_of(phrase: str) -> tuple[str, ...]:
    """Return the stems of words and the Chinese characters of a phrase."""
    tokens = tokenize(phrase)
    return tuple(stem(one.norm) if one.kind == "word" else one.norm for one in tokens if one.kind in {"word", "han"})


def _strength(key: Sequence[str], meanings: int) -> float:
    alone = len(key) == 1 and len(key[0]) == 1
    return (ONE_CHARACTER if alone else 1.0) / math.sqrt(meanings)
