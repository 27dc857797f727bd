"""The stem of an English word, by Snowball's rules, so that all forms of a word are one."""

from __future__ import annotations

from functools import cache, lru_cache

from tantivy import Filter, TextAnalyzer, TextAnalyzerBuilder, Tokenizer


@lru_cache(maxsize=32768)
def stem(word: str) -> str:
    """Return the stem of a word in lower case; of what has none, the word."""
    found = _analyzer().analyze(word)
    return found[0] if found else word


@cache
def _analyzer() -> TextAnalyzer:
    return TextAnalyzerBuilder(Tokenizer.raw()).filter(Filter.stemmer("english")).build()
