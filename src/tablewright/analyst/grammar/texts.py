"""Candidate tests of what texts contain, begin or end with: words, quoted texts, or letters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tablewright.analyst.grammar.scene import Scene, gap
from tablewright.analyst.grammar.semantics import ConditionPart, Features, mask_of
from tablewright.analyst.plan import AnyOf, Col, Condition, Matches

How = Literal["contains", "starts", "ends"]
NEAR = 3
MOST_LINKS = 3
MOST_IMPLIED = 2
LONGEST = 3
"""A text that is not quoted has at most so many words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A test that words tell of: texts of which one is looked for, where in a cell, and the words that say so."""

    how: How
    texts: tuple[str, ...]
    start: int
    end: int
    mask: int
    letters: bool
    quoted: bool


def texts(scene: Scene) -> Iterator[ConditionPart]:
    """Yield the tests, of the columns that are named near and of those that are likely without being named."""
    columns = [column for column in scene.columns if column.role == "text"]
    for told in _told(scene):
        links = [link for link in scene.links if link.column.role == "text" and not link.mask & told.mask]
        for link in scene.near(told.start, told.end, MOST_LINKS, links):
            if not _may_hold(scene, link.column.name, told):
                continue
            far = gap(link.start, link.end, told.start, told.end)
            found = (("link:loss", 1 - link.score), ("contains:distance", min(far, 8) / 4))
            yield _part(told, link.column.name, told.mask | link.mask, found)
        held = [column for column in columns if _holds(scene, column.name, told)]
        for column in (held or (columns if told.quoted else []))[:MOST_IMPLIED]:
            yield _part(told, column.name, told.mask, (("implied:column", 1.0),))


def _holds(scene: Scene, column: str, told: Told) -> bool:
    """Return whether a known text of a column passes the test."""
    wanted = [one.casefold() for one in told.texts]
    return any(_passes(cell.casefold(), one, told.how) for cell in scene.known.get(column, ()) for one in wanted)


def _passes(cell: str, wanted: str, how: How) -> bool:
    return cell.startswith(wanted) if how == "starts" else cell.endswith(wanted) if how == "ends" else wanted in cell


def _may_hold(scene: Scene, column: str, told: Told) -> bool:
    """Return whether a column may be tested: several words without quotation marks are a text only where one of its
    cells holds them, or where its cells are not all known."""
    if told.quoted or told.letters or all(" " not in one for one in told.texts):
        return True
    facts = next(one for one in scene.facts.columns if one.name == column)
    return facts.distinct != len(scene.known.get(column, ())) or _holds(scene, column, told)


def _part(told: Told, column: str, mask: int, features: Features) -> ConditionPart:
    tests: tuple[Condition, ...] = tuple(Matches(of=Col(name=column), how=told.how, text=one) for one in told.texts)
    where = tests[0] if len(tests) == 1 else AnyOf(parts=tests)
    found: Features = (("condition:contains", 1.0), ("contains:letters", float(told.letters)), *features)
    return ConditionPart(mask=mask, features=found, where=where, column=column, start=told.start)


def _told(scene: Scene) -> Iterator[Told]:
    for word in scene.of("contains"):
        how: How = "starts" if word.meaning == "starts" else "ends" if word.meaning == "ends" else "contains"
        place = _skipped(scene, word.end)
        letters = _lettered(scene, word.start, place)
        for said, end in _said(scene, place, letters=letters):
            mask = mask_of(word.start, end)
            yield Told(
                how=how,
                texts=said,
                start=word.start,
                end=end,
                mask=mask,
                letters=letters,
                quoted=_is_quoted(scene, end),
            )
    starts = {one.start for one in scene.of("contains")}
    for word in scene.of("letters"):
        if not any(start <= word.start and word.start - start <= NEAR for start in starts):
            for said, end in _said(scene, word.end, letters=True):
                mask = mask_of(word.start, end)
                quoted = _is_quoted(scene, end)
                yield Told(
                    how="contains", texts=said, start=word.start, end=end, mask=mask, letters=True, quoted=quoted
                )


def _is_quoted(scene: Scene, end: int) -> bool:
    return any(span[1] == end for span in scene.quoted)


def _skipped(scene: Scene, place: int) -> int:
    """Return the place behind words that only say that letters follow."""
    passed = {one.start: one.end for one in scene.of("letters")}
    while place in passed:
        place = passed[place]
    return place


def _lettered(scene: Scene, start: int, place: int) -> bool:
    return any(start <= one.start < place for one in scene.of("letters"))


def _said(scene: Scene, place: int, *, letters: bool) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield the texts that are said from a place on, and where they end: the next that is quoted, else one to three
    words, or letters with a word for `or` between them."""
    following = min([word.start for word in scene.of("contains") if word.start >= place], default=len(scene.tokens))
    quoted = [span for span in scene.quoted if place <= span[0] < following]
    if quoted:
        start, end = quoted[0]
        yield (_text(scene, start, end),), end
        return
    size = len(scene.tokens)
    if letters and (several := _alternatives(scene, place)) is not None:
        yield several
    for end in range(place + 1, min(place + (1 if letters else LONGEST), size) + 1):
        yield (_text(scene, place, end),), end


def _alternatives(scene: Scene, place: int) -> tuple[tuple[str, ...], int] | None:
    either = {word.start: word.end for word in scene.of("or")}
    found, size = [place], len(scene.tokens)
    while (after := either.get(found[-1] + 1)) is not None and after < size:
        found.append(after)
    if len(found) < len(("one", "other")):
        return None
    return tuple(_text(scene, one, one + 1) for one in found), found[-1] + 1


def _text(scene: Scene, start: int, end: int) -> str:
    return scene.question[scene.tokens[start].start : scene.tokens[end - 1].end]
