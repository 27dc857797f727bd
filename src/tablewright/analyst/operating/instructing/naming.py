"""Candidates for new names, constants to write, and places where columns go."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.analyst.grammar.semantics import mask_of
from tablewright.analyst.operating.instructing.clause import Clause
from tablewright.analyst.operating.instructing.parts import Part, columns, links_of

_SURE = 0.85


def names(clause: Clause) -> Iterator[Part]:
    """Yield new names: in quotation marks, behind `called`, or beside the word for a column."""
    for start, end in clause.linked.quoted:
        yield Part(mask=mask_of(start, end), value=clause.said(start, end), cost=-0.4, start=start)
    for word in (*clause.of("name:called"), *clause.of("name:to")):
        for size in range(1, 6):
            yield from _run(clause, word.end, word.end + size, 0.1)
    for word in clause.of("noun:column"):
        for size in range(1, 6):
            yield from _run(clause, word.end, word.end + size, 0.5)
            yield from _run(clause, word.start - size, word.start, 0.4)
    for word in clause.of("act:add"):
        for size in range(1, 6):
            yield from _run(clause, word.end, word.end + size, 0.7)


def _run(clause: Clause, start: int, end: int, cost: float) -> Iterator[Part]:
    """Yield a run of words as a name, unless a mark stands in it or it begins or ends with a word that says nothing."""
    if start < 0 or end > len(clause.tokens):
        return
    tokens = clause.tokens[start:end]
    if any(token.kind == "mark" and token.norm not in "%$#&'" for token in tokens):
        return
    if clause.costs[start] <= 0.1 or (tokens[-1].kind != "mark" and clause.costs[end - 1] <= 0.1):
        return
    named = [token for token in tokens if token.text[:1].isupper()]
    linked = any(link.mask & mask_of(start, end) and link.score >= _SURE for link in links_of(clause))
    loss = cost + 0.6 * linked - 0.15 * len(named) - 0.05 * len(tokens)
    tail = end
    while tail < len(clause.tokens) and clause.tokens[tail].norm == "%":
        tail += 1
    said = clause.of("noun") + clause.of("act:add") + clause.of("name")
    if any(start <= one.start and one.end <= end and not clause.tokens[one.start].text[:1].isupper() for one in said):
        return
    mask = mask_of(start, tail)
    yield Part(mask=mask, value=clause.said(start, tail), cost=loss + 0.1, start=start)


def texts(clause: Clause) -> Iterator[Part]:
    """Yield constants to write: in quotation marks, numbers, cells, and words behind a word for writing."""
    for start, end in clause.linked.quoted:
        yield Part(mask=mask_of(start, end), value=clause.said(start, end), cost=-0.3, start=start)
    for number in clause.linked.numbers:
        yield Part(mask=mask_of(number.start, number.end), value=number.value, start=number.start)
    for cell in clause.linked.cells:
        yield Part(mask=mask_of(cell.start, cell.end), value=cell.places[0][1], cost=0.2, start=cell.start)
    markers = (*clause.of("act:fill"), *clause.of("name"), *clause.of("act:replace"))
    for word in markers:
        for size in range(1, 5):
            yield from _run_any(clause, word.end, word.end + size)


def _run_any(clause: Clause, start: int, end: int) -> Iterator[Part]:
    if end > len(clause.tokens) or any(token.kind == "mark" for token in clause.tokens[start:end]):
        return
    cost = 0.5 + (0.5 if clause.costs[start] <= 0.06 and clause.tokens[start].text.islower() else 0.0)
    mask = mask_of(start, end)
    if any(word.mask & mask for word in clause.of("colour")):
        return
    yield Part(mask=mask, value=clause.said(start, end), cost=cost, start=start)


def places(clause: Clause) -> Iterator[Part]:
    """Yield where columns go: (`before` or `after`, column), or (`first` or `last`, None)."""
    for word in clause.of("beside"):
        for part in columns(clause):
            end = part.mask.bit_length()
            ahead = part.start - word.end
            behind = word.start - end
            if (0 <= ahead <= 2 and clause.tokens[word.start].kind == "word") or 0 <= behind <= 1:
                yield Part(
                    mask=word.mask | part.mask, value=(word.meaning, part.value), cost=part.cost, start=word.start
                )
    for word in clause.of("front"):
        where = "first" if word.meaning == "front" else "last"
        mask = word.mask
        for noun in clause.of("noun:column"):
            if noun.start in {word.end, word.end + 1}:
                mask |= noun.mask
        yield Part(mask=mask, value=(where, None), cost=0.1, start=word.start)
    yield from _counted_places(clause)


def _counted_places(clause: Clause) -> Iterator[Part]:
    """Yield the first column by its number, and the end of the table."""
    for number in clause.linked.numbers:
        for noun in clause.of("noun:column"):
            if noun.start == number.end and number.value == 1:
                yield Part(mask=mask_of(number.start, noun.end), value=("first", None), start=number.start)
    for word in clause.of("beside"):
        for noun in clause.of("noun:table"):
            if 0 <= noun.start - word.end <= 2 or 0 <= word.start - noun.end <= 1:
                yield Part(mask=word.mask | noun.mask, value=("last", None), cost=0.1, start=word.start)


def new_sheets(clause: Clause) -> Iterator[Part]:
    """Yield a new sheet, with its name where it is said."""
    for word in clause.of("noun:newsheet"):
        yield Part(mask=word.mask, value="", cost=0.0, start=word.start)
        for name in names(clause):
            if not name.mask & word.mask and name.value not in clause.place.letters:
                yield Part(mask=word.mask | name.mask, value=name.value, cost=name.cost, start=word.start)
