"""Whether what a person types agrees to what they were asked to agree to, or says no. Pure.

Only words that are known through and through decide: whoever writes "yes, but not the last" has said neither.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Literal

Verdict = Literal["yes", "no"]
_Kind = Literal["yes", "no", "plain"]
_ENDS = str.maketrans(dict.fromkeys(",.;!、。~", "|") | {"’": "'"})
"""What ends a clause, once full-width marks are written narrow. A question mark does not: who asks has not decided."""


def consent_in(message: str, continue_words: Collection[str] = ()) -> Verdict | None:
    """Return what `message` says, or None where it is neither a clear yes nor a clear no.

    A clause with two words that say no is neither ("don't stop"). The `continue_words` agree.
    """
    known: Mapping[str, _Kind] = _vocabulary() | dict.fromkeys(map(_plain, continue_words), "yes")
    said: set[_Kind] = set()
    for clause in _plain(message).translate(_ENDS).split("|"):
        kinds = list(_kinds(clause, known))
        if None in kinds or kinds.count("no") > 1:
            return None
        said.update(kind for kind in kinds if kind is not None)
    said.discard("plain")
    return "yes" if said == {"yes"} else "no" if said == {"no"} else None


def _kinds(clause: str, known: Mapping[str, _Kind]) -> Iterator[_Kind | None]:
    """Yield what the words of a clause are, the longest that is known first; None for what is not known, and end."""
    left = clause.strip()
    while left:
        word = next((left[:size] for size in range(len(left), 0, -1) if left[:size] in known and _ends(left, size)), "")
        yield known.get(word)
        if not word:
            return
        left = left[len(word) :].lstrip()


def _ends(text: str, size: int) -> bool:
    """Return whether a word of this size may end there: one in letters of the alphabet ends with its last letter."""
    rest = text[size : size + 1]
    return not (rest.isascii() and (rest.isalnum() or rest == "'") and text[size - 1].isascii())


@lru_cache(maxsize=1)
def _vocabulary() -> dict[str, _Kind]:
    read: dict[_Kind, list[str]] = json.loads(files(__package__).joinpath("consent.json").read_text(encoding="utf-8"))
    return {word: kind for kind, words in read.items() for word in words}


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
