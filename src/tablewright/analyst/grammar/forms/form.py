"""The form that a question prescribes for its answer: `@name[value]`, decimals, and the words that a value may be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tablewright.analyst.grammar.forms.words import words_of
from tablewright.analyst.grammar.semantics import Word
from tablewright.analyst.linking.mentions import NumberMention
from tablewright.analyst.linking.numbers import numbers
from tablewright.analyst.linking.tokens import Token, tokenize

_TAG = re.compile(r"@\s*([^\W\d]\w*)\s*\[([^\]\n]*)\]?")
_QUOTED = re.compile(r"(?<!\w)[\"“'‘]([^\"”'’\n]{1,40})[\"”'’](?!\w)")
_ENDS = frozenset(".;。；\n")
_LINKS = frozenset({"and", "or", "&", ",", "和", "、", "，"})
_NEAR = 3
_LEAST_CHOICES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One tag: its name, what stands in its brackets, what the form says `about` it, the decimals of a number (0: a
    whole number, None: none prescribed), the words that it may be, and whether its value is shown in quotes. `exact`
    if the decimals are said of this tag and not of all."""

    name: str
    placeholder: str
    about: str
    decimals: int | None
    options: tuple[str, ...]
    quoted: bool = False
    exact: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerForm:
    """The task without its form, and the tags."""

    task: str
    wanted: tuple[Wanted, ...]


@dataclass(slots=True, kw_only=True)
class _Tag:
    name: str
    said: str
    about: list[str] = field(default_factory=list[str])
    others: list[str] = field(default_factory=list[str])


def answer_form(text: str) -> AnswerForm | None:
    """Return the form that a question prescribes; None if it leaves the answer free."""
    first = _TAG.search(text)
    if first is None:
        return None
    start = min([first.start(), *(place for place in _announced(text) if place < first.start())])
    task, prescribed = text[:start].strip(" \n{}"), text[start:]
    tags: dict[str, _Tag] = {}
    for match in _TAG.finditer(prescribed):
        tag = tags.setdefault(match[1], _Tag(name=match[1], said=match[2].strip()))
        tag.others += [bare(match[2])] if bare(match[2]) not in tag.others else []
    general = _told(prescribed, tags)
    return AnswerForm(task=task, wanted=tuple(_wanted(tag, general, task, tags) for tag in tags.values()))


def _announced(text: str) -> Iterator[int]:
    """Yield where words announce the form."""
    tokens = tokenize(text)
    for word in words_of(tokens):
        if word.type == "form":
            yield tokens[word.start].start


def _told(prescribed: str, tags: dict[str, _Tag]) -> list[str]:
    """Give each tag what is said about it: what follows its name, or its placeholder, up to the next one or the end of
    the sentence; names that follow each other share it. Return what is said of none."""
    general: list[str] = []
    group: list[_Tag] = []
    fresh = False
    shown = False
    for piece, meant, ends in _pieces(prescribed, tags):
        if meant is not None:
            group = [*group, *meant] if fresh and shown == piece.startswith("@") else meant
            fresh, shown = True, piece.startswith("@")
            continue
        if ends:
            group, fresh = [], False
            continue
        linked = all(token.kind == "mark" or token.norm in _LINKS for token in tokenize(piece))
        if linked and fresh:
            continue
        fresh = False
        for tag in group:
            tag.about.append(piece)
        if not group:
            general.append(piece)
    return general


def _pieces(text: str, tags: dict[str, _Tag]) -> Iterator[tuple[str, list[_Tag] | None, bool]]:
    """Yield pieces of text, the tags that a name means, and the ends of sentences."""
    spots = sorted([*_spots(text, tags), *_ends(text)], key=lambda spot: (spot[0], -spot[1]))
    place = 0
    for start, end, meant in spots:
        if start < place:
            continue
        if text[place:start].strip():
            yield text[place:start].strip(), None, False
        yield text[start:end], meant or None, not meant
        place = end
    if text[place:].strip():
        yield text[place:].strip(), None, False


def _spots(text: str, tags: dict[str, _Tag]) -> Iterator[tuple[int, int, list[_Tag]]]:
    inside = []
    for match in _TAG.finditer(text):
        inside.append(match.span())
        yield *match.span(), [tags[match[1]]]
    names: dict[str, list[_Tag]] = {}
    for tag in tags.values():
        for name in {tag.name, bare(tag.said)} - {""}:
            names.setdefault(name, []).append(tag)
    for name, meant in names.items():
        for match in re.finditer(re.escape(name), text):
            free = all(match.end() <= start or end <= match.start() for start, end in inside)
            if free and _names(text, match.start(), match.end()):
                yield match.start(), match.end(), meant


def _names(text: str, start: int, end: int) -> bool:
    """Return whether words name a tag: in quotes, or something is said about them."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if before and before in "\"'“‘" and after and after in "\"'”’":
        return True
    if (before and (_is_letter(before) or before in "_\"'“‘-")) or (after and (_is_letter(after) or after in "_\"'”’")):
        return False
    if "_" in text[start:end]:
        return True
    tokens = tokenize(text[end : end + 30])
    said = [word for word in words_of(tokens) if word.type == "being" and word.start == 0]
    return bool(said) or after == ","


def _is_letter(one: str) -> bool:
    """Return whether a character continues a name; a Chinese one begins what is said of it."""
    return one.isascii() and one.isalnum()


def _ends(text: str) -> Iterator[tuple[int, int, list[_Tag]]]:
    for place, letter in enumerate(text):
        if letter in _ENDS and not (letter == "." and text[place + 1 : place + 2].strip()):
            yield place, place + 1, []
    tokens = tokenize(text)
    for word in words_of(tokens):
        if word.type == "stops":
            yield tokens[word.start].start, tokens[word.end - 1].end, []


def bare(placeholder: str) -> str:
    """Return what stands in brackets, without quotes."""
    return placeholder.strip("\"'“”‘’ ")


def _wanted(tag: _Tag, general: Sequence[str], task: str, tags: dict[str, _Tag]) -> Wanted:
    own = [tag.said.replace("_", " "), *tag.about]
    names = {*tags, *(bare(one.said) for one in tags.values())}
    options = _choices(tag.said) or _repeated(tag) or _quoted(own, names) or _truths(own)
    decimals = next((found for text in own if (found := decimals_in(text)) is not None), None)
    if decimals and not (_choices(tag.said) or _repeated(tag)):
        options = _truths(own)
    if decimals is None and any(_is_whole(text) for text in own):
        decimals = 0
    exact = decimals is not None
    for text in () if decimals is not None else (*general, *task.split("\n")):
        if (found := decimals_in(text)) is not None or (text in general and _is_whole(text)):
            decimals = found or 0
            break
    return Wanted(
        name=tag.name, placeholder=bare(tag.said), about="\n".join(tag.about), decimals=decimals, options=options,
        exact=exact,
        quoted=len(tag.said) > 1 and tag.said[0] in "\"“" and tag.said[-1] in "\"”",
    )  # fmt: skip


def _repeated(tag: _Tag) -> tuple[str, ...]:
    """Return the values with which a form repeats a tag: `output @normal[False], else @normal[True]`."""
    return tuple(tag.others) if len(tag.others) >= _LEAST_CHOICES else ()


def _choices(placeholder: str) -> tuple[str, ...]:
    """Return the words between slashes: `[significant/not significant]`, `["Yes"/"No"]`, `[… (Yes/No)]`."""
    inner = placeholder.rsplit("(", 1)[-1].rstrip(") ") if placeholder.endswith(")") else placeholder
    parts = tuple(bare(part) for part in inner.split("/"))
    return parts if len(parts) >= _LEAST_CHOICES and all(len(part.split()) <= _NEAR for part in parts) else ()


def _quoted(texts: Sequence[str], names: set[str]) -> tuple[str, ...]:
    """Return the quoted words that a text says, if there is a choice of them."""
    found = dict.fromkeys(word for text in texts for word in _QUOTED.findall(text) if word not in names)
    return tuple(found) if len(found) >= _LEAST_CHOICES else ()


def _truths(texts: Sequence[str]) -> tuple[str, ...]:
    tokens = tokenize("\n".join(texts))
    said = words_of(tokens)
    if {word.meaning for word in said if word.type == "truth"} == {"True", "False"}:
        return ("True", "False")
    return ("True", "False") if any(word.type == "boolean" for word in said) else ()


def decimals_in(text: str) -> int | None:
    """Return the number of decimals that a text prescribes, or None."""
    tokens = tokenize(text)
    said = [word for word in words_of(tokens) if word.type == "decimals"]
    if not said:
        return None
    counts = numbers(tokens)
    for word in said:
        near = [one for one in counts if 0 <= word.start - one.end <= 1 or _only_two(tokens, one, word)]
        if near and float(near[-1].value).is_integer():
            return int(near[-1].value)
    return None


def _only_two(tokens: tuple[Token, ...], one: NumberMention, word: Word) -> bool:
    """Return whether marks alone stand between a number and the word for decimals."""
    between = tokens[one.end : word.start]
    return one.end <= word.start and all(token.kind == "mark" for token in between)


def _is_whole(text: str) -> bool:
    return decimals_in(text) is None and any(word.type == "whole" for word in words_of(tokenize(text)))
