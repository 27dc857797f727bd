"""How places and digests of long texts are told to a model and to a person. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.domain.language import Language
from tablewright.tools.digest.base import Digest, Span
from tablewright.tools.prompt_files import phrase

MOST_PLACES = 20
"""Places that were not read are named up to so many; the rest is counted."""


def place(span: Span, language: Language) -> str:
    """Name a place by its pages, else by its lines, or by its characters within one line."""
    if span.first_page is not None and span.last_page is not None and span.first_page < span.last_page:
        return phrase("digest_pages", language, first=span.first_page, last=span.last_page)
    within = (
        phrase("digest_lines", language, first=span.first_line, last=span.last_line)
        if span.first_line < span.last_line
        else phrase("digest_chars", language, line=span.first_line, first=span.start + 1, last=span.stop)
    )
    return within if span.first_page is None else phrase("digest_page", language, page=span.first_page, within=within)


def heading(span: Span, language: Language) -> str:
    """Return the line under which a place stands."""
    return f"[{place(span, language)}]"


def written(digest: Digest, language: Language) -> str:
    """Return a digest as text: what was noted by place, what could not be read, and what was left out."""
    read = [note for note in digest.notes if note.fault is None]
    lines = [phrase("digest_heading", language, chars=digest.chars, count=digest.pieces)]
    lines += [f"{heading(note.span, language)}\n{note.text}" for note in read]
    lines += [
        phrase("digest_fault", language, place=place(note.span, language), why=note.fault)
        for note in digest.notes
        if note.fault is not None
    ]
    if digest.left_out:
        lines.append(phrase("digest_left_out", language, places=_places(digest.left_out, language)))
    if digest.cut:
        lines.append(phrase("digest_cut", language))
    return "\n\n".join(lines)


def _places(spans: Sequence[Span], language: Language) -> str:
    """Name places, neighbouring ones as one."""
    merged: list[Span] = []
    for span in spans:
        if merged and merged[-1].stop == span.start:
            merged[-1] = merged[-1].joined(span)
        else:
            merged.append(span)
    named = phrase("list_comma", language).join(place(span, language) for span in merged[:MOST_PLACES])
    more = len(merged) - MOST_PLACES
    return named if more <= 0 else f"{named} {phrase('digest_more_places', language, count=more)}"
