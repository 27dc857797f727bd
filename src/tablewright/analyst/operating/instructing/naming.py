"""Candidates for new names, constants to write, and places where columns go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tablewright.analyst.grammar.semantics import Word, mask_of
from tablewright.analyst.linking.tokens import Token
from tablewright.analyst.operating.instructing.clause import SURE, Clause
from tablewright.analyst.operating.instructing.lettering import columns_beyond
from tablewright.analyst.operating.instructing.parts import Part, columns, links_of
from tablewright.workbook.areas import column_number

_SMALL = 0.1
_ALONE = 0.05
"""What it costs to take a name for that of a new sheet whose word says what is to be done as well."""
_BEHIND = 0.0
_LONGEST_HAN = 6
_TELLING = frozenset({"act", "name", "noun", "compute", "beside", "front", "agg", "cases"})
"""Types of words that say what is to be done, so that they are no part of a name."""
"""What it costs to take what stands right behind the word for a new column for its name."""
_TAILS = frozenset("的了吧上里")
_STRANGE = 0.8
_WHOLE = 0.2
"""How much likelier a name written large goes on to the end of its clause."""
_TESTING = frozenset({"compare", "between", "contains"})


def names(clause: Clause) -> Iterator[Part]:
    """Yield new names: in quotation marks, behind `called`, or beside the word for a column."""
    for start, end in clause.linked.quoted:
        yield Part(mask=mask_of(start, end), value=clause.said(start, end), cost=-0.4, start=start)
    yield from _called(clause)
    for word in [one for one in clause.of("name:to") if not _within_another(clause, one)]:
        for size in range(1, 6):
            yield from _run(clause, word.end, word.end + size, 0.1)
    for word in clause.of("noun:column"):
        for size in range(1, 6):
            yield from _run(clause, word.end, word.end + size, 0.5)
            yield from _run(clause, word.start - size, word.start, 0.4)
    for word in clause.of("noun:newcolumn"):
        for size in range(1, 6):
            yield from _run(clause, word.end, word.end + size, _BEHIND)
    yield from _whole_stretch(clause)
    for word in clause.of("act:add"):
        for size in range(1, 6):
            yield from _run(clause, word.end, word.end + size, 0.7)


def _whole_stretch(clause: Clause) -> Iterator[Part]:
    """Yield the Chinese name that is all that stands between the word for a column and the next mark, whatever its
    characters mean by themselves: `插一列到期日，…`."""
    marks = [at for at, token in enumerate(clause.tokens) if token.kind == "mark"]
    told = [word.mask for word in clause.words if word.type in _TELLING and word.end - word.start > 1]
    told += [word.mask for word in (*clause.of("op"), *clause.of("name:called"))]
    told += [link.mask for link in links_of(clause) if link.score >= SURE]
    for word in (*clause.of("noun:newcolumn"), *clause.of("noun:column")):
        end = next((at for at in marks if at >= word.end), len(clause.tokens))
        mask = mask_of(word.end, end)
        within = any(not other & ~mask for other in told)
        if within or not 0 < end - word.end <= _LONGEST_HAN or not clause.of("act:add"):
            continue
        if all(token.kind == "han" for token in clause.tokens[word.end : end]):
            yield Part(mask=mask, value=clause.said(word.end, end), cost=_BEHIND, start=word.end)


def _called(clause: Clause) -> Iterator[Part]:
    """Yield the names behind a word such as `called`, with that word."""
    for word in clause.of("name:called"):
        for size in range(1, 6):
            yield from _run(clause, word.end, word.end + size, 0.1, word.mask)
        for start, end in clause.linked.quoted:
            if 0 <= start - word.end <= 1:
                mask = word.mask | mask_of(start, end)
                yield Part(mask=mask, value=clause.said(start, end), cost=-0.4, start=start)


def _within_another(clause: Clause, word: Word) -> bool:
    """Return whether a word is a part of a longer one, as `to` is of `from high to low`."""
    longer = (other for other in clause.words if other.type not in {"filler", "act", "name"})
    return any(word.mask & other.mask == word.mask != other.mask for other in longer)


def _begins_another(word: Word, words: Sequence[Word]) -> bool:
    """Return whether a longer one of the words begins with a word, as `填上` does with `填`."""
    return any(word.start == other.start and word.end < other.end for other in words)


def _run(clause: Clause, start: int, end: int, cost: float, called: int = 0) -> Iterator[Part]:
    """Yield a run of words as a name, unless a mark stands in it or it begins or ends with a word that says nothing;
    `called` are the words that say that a name follows."""
    if start < 0 or end > len(clause.tokens):
        return
    tokens = clause.tokens[start:end]
    if any(token.kind == "mark" and token.norm not in "%$#&'" for token in tokens):
        return
    if not called and all(token.kind == "number" for token in tokens):
        return
    last = end == len(clause.tokens) or clause.tokens[end].kind == "mark"
    alone = last and end - start == 1 and any(word.end == start for word in clause.of("name:to"))
    if alone and tokens[0].kind == "word" and not called:
        yield Part(mask=mask_of(start, end), value=clause.said(start, end), cost=cost + 0.2, start=start)
        return
    small = clause.costs[start] <= _SMALL and not (called and (tokens[0].kind == "han" or tokens[0].text[:1].isupper()))
    closing = last and (_closing(tokens[-1]) or _names_a_sheet(clause, start, end - 1))
    if small or (clause.costs[end - 1] <= _SMALL and tokens[-1].kind != "mark" and not closing):
        return
    named = [token for token in tokens if token.text[:1].isupper()]
    linked = any(link.mask & mask_of(start, end) and link.score >= SURE for link in links_of(clause))
    loss = cost + (0.2 if called else 0.6) * linked - 0.15 * len(named) - 0.05 * len(tokens)
    tail = end
    while tail < len(clause.tokens) and clause.tokens[tail].norm == "%":
        tail += 1
    said = clause.of("noun") + clause.of("act:add") + clause.of("name")
    loss += _foreign(clause, start, end)
    proper = clause.tokens[start].text[:1].isupper()
    plain = [one for one in said if _lower(clause, one) and not (proper and one.meaning == "sheet")]
    if any(start <= one.start and one.end <= end for one in plain):
        return
    loss -= _WHOLE * (proper and last)
    mask = mask_of(start, tail) | called
    yield Part(mask=mask, value=clause.said(start, tail), cost=loss + 0.1, start=start)


def _lower(clause: Clause, word: Word) -> bool:
    return not clause.tokens[word.start].text[:1].isupper()


def _closing(token: Token) -> bool:
    """Return whether a small word may be the last of a name."""
    return (token.kind == "han" and token.norm not in _TAILS) or token.text[:1].isupper()


def _names_a_sheet(clause: Clause, start: int, last: int) -> bool:
    """Return whether the last token of a name that is written large says what is named, as in `Staff list`."""
    nouns = (word for word in clause.of("noun:sheet") if word.start == last)
    return last > start and clause.tokens[start].text[:1].isupper() and any(nouns)


def _foreign(clause: Clause, start: int, end: int) -> float:
    """Return what it costs that a run of words holds what rather says something else: a number or a comparison, a
    sheet, a colour, or a small word in its midst."""
    loss = 0.0
    for at in range(start, end):
        small = clause.tokens[at].kind == "word" and clause.costs[at] <= _SMALL and clause.tokens[at].text.islower()
        small = small and not _names_a_sheet(clause, start, at)
        loss += _STRANGE * (small and at > start) + _STRANGE * (clause.classes[at] in _TESTING)
    inside = mask_of(start, end)
    loss += _STRANGE * any(not inside & ~word.mask for word in (*clause.of("beside"), *clause.of("front")))
    for word in (*clause.of("colour"), *clause.of("sep"), *clause.of("by"), *clause.of("act:delete")):
        lower = clause.tokens[word.start].text.islower() and clause.tokens[word.start].kind == "word"
        loss += _STRANGE * (lower and not word.mask & ~inside)
    shares = any(one.percent and mask_of(one.start, one.end) & inside for one in clause.linked.numbers)
    return loss + _STRANGE * any(mask & inside == inside for _, mask in clause.sheets) + 2 * _STRANGE * shares


def texts(clause: Clause) -> Iterator[Part]:
    """Yield constants to write: in quotation marks, signs by their names, numbers, cells, and words behind a word for
    writing."""
    for word in (*clause.of("mark"), *clause.of("nothing")):
        yield Part(mask=word.mask, value=word.meaning, cost=-0.2, start=word.start)
    for start, end in clause.linked.quoted:
        yield Part(mask=mask_of(start, end), value=clause.said(start, end), cost=-0.3, start=start)
    for number in clause.linked.numbers:
        mask = mask_of(number.start, number.end)
        if not number.percent and not any(mask & word.mask == mask != word.mask for word in clause.of("filler")):
            yield Part(mask=mask, value=number.value, start=number.start)
    for cell in clause.linked.cells:
        yield Part(mask=mask_of(cell.start, cell.end), value=cell.places[0][1], cost=0.2, start=cell.start)
    markers = (*clause.of("act:fill"), *clause.of("name"), *clause.of("act:replace"))
    for word in [one for one in markers if not _begins_another(one, [*markers, *clause.of("filler")])]:
        for size in range(1, 5):
            yield from _run_any(clause, word.end, word.end + size)


def _run_any(clause: Clause, start: int, end: int) -> Iterator[Part]:
    if end > len(clause.tokens) or any(token.kind == "mark" for token in clause.tokens[start:end]):
        return
    cost = 0.5 + (0.5 if clause.costs[start] <= 0.06 and clause.tokens[start].text.islower() else 0.0)
    cost += _foreign(clause, start, end)
    mask = mask_of(start, end)
    if any(word.mask & mask for word in clause.of("colour")):
        return
    cost += _STRANGE * any(word.mask & mask == word.mask for word in clause.of("agg"))
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
    for part in columns_beyond(clause):
        if column_number(part.value) == clause.place.area.last_column + 1:
            yield Part(mask=part.mask, value=("last", None), cost=0.05, start=part.start)


def _counted_places(clause: Clause) -> Iterator[Part]:
    """Yield the first column by its number, and the end of the table."""
    for number in clause.linked.numbers:
        for noun in clause.of("noun:column"):
            placed = number.start > 0 and clause.tokens[number.start - 1].norm == "第"
            if noun.start == number.end and number.value == 1 and placed:
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
                yield Part(mask=name.mask, value=name.value, cost=name.cost + _ALONE, start=name.start)
    for word in clause.of("noun:sheet"):
        for marker in clause.of("name:called"):
            if 0 <= marker.start - word.end <= 2:
                yield from _named_sheet(clause, word.mask | marker.mask, marker.end)


def _named_sheet(clause: Clause, mask: int, start: int) -> Iterator[Part]:
    for end in range(start + 1, min(start + 5, len(clause.tokens)) + 1):
        yield from _run(clause, start, end, 0.1, mask)
    for first, last in clause.linked.quoted:
        if 0 <= first - start <= 1:
            yield Part(mask=mask | mask_of(first, last), value=clause.said(first, last), cost=-0.3, start=start)
