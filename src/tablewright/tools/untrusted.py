"""Text from the web, marked so that a model can tell it from what it was told."""

from __future__ import annotations

from typing import get_args

from tablewright.domain.ids import Ids
from tablewright.domain.language import Language
from tablewright.tools.prompt_files import phrase

MARK_CHARS = 12


def untrusted(text: str, source: str, language: Language, ids: Ids) -> str:
    """Return `text` between marks that it cannot know in advance, so that it cannot end them."""
    mark = ids.new()[-MARK_CHARS:]
    source = " ".join(source.split())
    begin = phrase("web_untrusted", language, source=source, mark=mark)
    return f"{begin}\n{text}\n{phrase('web_untrusted_end', language, mark=mark)}"


def inside(words: str) -> str:
    """Return what stands between the marks of `untrusted`, or `words` where they are not marked."""
    first, _, rest = words.partition("\n")
    text, _, last = rest.rpartition("\n")
    for language in get_args(Language):
        before, _, after = phrase("web_untrusted_end", language, mark="\0").partition("\0")
        mark = last.removeprefix(before).removesuffix(after)
        if len(mark) == MARK_CHARS and last == f"{before}{mark}{after}" and mark in first:
            return text
    return words
