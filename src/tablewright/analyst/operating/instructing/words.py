"""The vocabulary of instructions as data: forms of words in each language, their type and meaning."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from tablewright.analyst.grammar.semantics import Word
from tablewright.analyst.linking.tokens import Token, lemmas, tokenize

_LANGUAGES = ("en", "zh")
Form = tuple[str, ...]


@cache
def _forms() -> dict[Form, tuple[tuple[str, str], ...]]:
    """Return type and meaning of every form, keyed by the lemmas of its tokens, or by its signs if it has no others."""
    found: dict[Form, list[tuple[str, str]]] = {}
    for language in _LANGUAGES:
        rows = json.loads(files(__package__).joinpath("lexicon", f"{language}.json").read_text(encoding="utf-8"))
        for kind, meanings in rows.items():
            for meaning, forms in meanings.items():
                for form in forms:
                    known = found.setdefault(lemmas(form) or _signs(form), [])
                    if (kind, meaning) not in known:
                        known.append((kind, meaning))
    return {form: tuple(known) for form, known in found.items()}


def _signs(form: str) -> Form:
    return tuple(token.norm for token in tokenize(form))


@cache
def _longest() -> int:
    return max(map(len, _forms()))


def said_words(tokens: tuple[Token, ...]) -> tuple[Word, ...]:
    """Return every form of the vocabulary among the tokens; marks within a form are passed over."""
    found: list[Word] = []
    known = _forms()
    for start, first in enumerate(tokens):
        if first.kind == "mark":
            found += [Word(start=start, end=start + 1, type=kind, meaning=meaning)
                      for kind, meaning in known.get((first.norm,), ())]  # fmt: skip
            continue
        form: list[str] = []
        for end in range(start, len(tokens)):
            if tokens[end].kind == "mark":
                if tokens[end].norm not in "-'’:":
                    break
                continue
            form.append(tokens[end].lemma)
            if len(form) > _longest():
                break
            found += [Word(start=start, end=end + 1, type=kind, meaning=meaning)
                      for kind, meaning in known.get(tuple(form), ())]  # fmt: skip
    return tuple(found)
