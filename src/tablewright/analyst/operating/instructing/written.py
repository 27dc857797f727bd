"""Candidates that are written as they are to stand: formulas, titles, names of fonts, and how cells are aligned."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.analyst.grammar.semantics import mask_of
from tablewright.analyst.operating.instructing.areas import cell_at, number_of, ranges
from tablewright.analyst.operating.instructing.clause import Clause
from tablewright.analyst.operating.instructing.naming import names, texts
from tablewright.analyst.operating.instructing.parts import Part

_SIGNS = frozenset("()+-*/:,;&<>=^%$\"'!.[]_（）")
_FACES = 3
_PLACED = 1.0
"""What it costs that a title names a cell: rather it is to stand there."""


def formula_texts(clause: Clause) -> Iterator[Part]:
    """Yield the formulas that are written with a leading `=`."""
    tokens = clause.tokens
    for start, token in enumerate(tokens):
        if token.norm != "=" or (start and tokens[start - 1].end == token.start and tokens[start - 1].norm in "<>!="):
            continue
        end = start + 1
        while end < len(tokens) and _of_formula(clause, end):
            end += 1
        while end > start + 1 and tokens[end - 1].norm in ",.;:":
            end -= 1
        said = clause.said(start, end)
        if end - start > 1 and said.count("(") == said.count(")"):
            yield Part(mask=mask_of(start, end), value=said, cost=-0.2, start=start)


def _of_formula(clause: Clause, at: int) -> bool:
    token = clause.tokens[at]
    gap = token.start > clause.tokens[at - 1].end
    if token.kind == "mark":
        return token.norm in _SIGNS
    if token.kind == "number":
        return True
    return token.kind == "word" and token.text.isupper() and not (gap and clause.tokens[at - 1].norm not in _SIGNS)


def titles(clause: Clause) -> Iterator[Part]:
    """Yield the texts behind a word such as `title`, and those in quotation marks."""
    for start, end in clause.linked.quoted:
        yield Part(mask=mask_of(start, end), value=clause.said(start, end), cost=-0.3, start=start)
    for word in [*clause.of("titled"), *clause.of("name:to"), *clause.of("name:called"), *clause.of("name:saying")]:
        first = word.end
        while first < len(clause.tokens) and clause.tokens[first].norm in ":：":
            first += 1
        for last in range(first + 1, min(first + 14, len(clause.tokens)) + 1):
            run = clause.tokens[first:last]
            if any(token.kind == "mark" for token in run):
                break
            if run[0].kind == "word" and clause.costs[first] <= 0.1 and run[0].text.islower():
                continue
            whole = last == len(clause.tokens) or clause.tokens[last].kind == "mark"
            cost = (
                (0.0 if word.type == "titled" or word.meaning == "called" else 0.3)
                - 0.05 * (last - word.start)
                + 0.6 * (not whole)
            )
            cost += _PLACED * any(cell_at(clause, at) is not None for at in range(first, last))
            yield Part(
                mask=word.mask | mask_of(first, last), value=clause.said(first, last), cost=cost, start=word.start
            )


def notes(clause: Clause) -> Iterator[Part]:
    """Yield what a comment says: in quotation marks, or behind a colon up to the end."""
    for start, end in clause.linked.quoted:
        yield Part(mask=mask_of(start, end), value=clause.said(start, end), cost=-0.3, start=start)
    for at, token in enumerate(clause.tokens[:-1]):
        if token.norm in ":：":
            end = len(clause.tokens)
            yield Part(mask=mask_of(at + 1, end), value=clause.said(at + 1, end), cost=-0.1, start=at + 1)
    for word in clause.of("name:saying"):
        end = len(clause.tokens)
        if word.end < end and clause.tokens[word.end].norm not in ":：":
            yield Part(
                mask=word.mask | mask_of(word.end, end), value=clause.said(word.end, end), cost=0.2, start=word.start
            )


def constants(clause: Clause) -> Iterator[Part]:
    """Yield constants to write into a cell: in quotation marks, numbers, or words; a share as the number it is."""
    yield from texts(clause)
    for number in clause.linked.numbers:
        if number.percent:
            mask = mask_of(number.start, min(number.end + 1, len(clause.tokens)))
            yield Part(mask=mask, value=number.value / 100, start=number.start)


def font_sizes(clause: Clause) -> Iterator[Part]:
    """Yield sizes of letters: numbers beside a word for the size, or behind the name of a font."""
    names_of_fonts = {word.end for word in clause.of("face")}
    for number in clause.linked.numbers:
        mask = mask_of(number.start, number.end)
        for word in clause.of("fontsize"):
            if 0 <= number.start - word.end <= 1 or 0 <= word.start - number.end <= 1:
                yield Part(mask=mask | word.mask, value=(number.value, number.percent), start=number.start)
        if number.start in names_of_fonts:
            yield Part(mask=mask, value=(number.value, number.percent), start=number.start)


def quotes(clause: Clause) -> Iterator[Part]:
    """Yield what stands in quotation marks, and signs that are called by their names: `the commas`."""
    for start, end in clause.linked.quoted:
        yield Part(mask=mask_of(start, end), value=clause.said(start, end), start=start)
    for word in clause.of("mark"):
        yield Part(mask=word.mask, value=word.meaning, start=word.start)


def derived(clause: Clause) -> Iterator[Part]:
    """Yield figures that have a name of their own, as (meaning, name)."""
    for word in clause.of("derived"):
        loss = -0.1 * (word.end - word.start)
        end = word.end
        while end < len(clause.tokens) and clause.tokens[end].norm == "%":
            end += 1
        name = clause.said(word.start, end)
        yield Part(mask=mask_of(word.start, end), value=(word.meaning, name), cost=loss, start=word.start)


def faces(clause: Clause) -> Iterator[Part]:
    """Yield the names of fonts."""
    for word in clause.of("face"):
        yield Part(mask=word.mask, value=word.meaning, start=word.start)


def alignments(clause: Clause) -> Iterator[Part]:
    """Yield how cells are aligned, as parameters."""
    for word in clause.of("halign"):
        yield Part(mask=word.mask, value={"horizontal": word.meaning}, start=word.start)
    for word in clause.of("valign"):
        yield Part(mask=word.mask, value={"vertical": word.meaning}, start=word.start)
    for word in clause.of("act:wrap"):
        yield Part(mask=word.mask, value={"wrap": True}, start=word.start)


def roundings(clause: Clause) -> Iterator[Part]:
    """Yield how many places a number keeps: `to 2 decimals`, `to the nearest thousand`, `取整`."""
    for word in clause.of("places"):
        yield Part(mask=word.mask, value=int(word.meaning), start=word.start)
    for word in clause.of("numformat"):
        if word.meaning == "0":
            yield Part(mask=word.mask, value=0, start=word.start)
        number = number_of(clause, word.start - 1)
        if word.meaning == "decimals" and number is not None:
            yield Part(mask=mask_of(word.start - 1, word.end), value=number, cost=-0.1, start=word.start - 1)


def defined_names(clause: Clause) -> Iterator[Part]:
    """Yield the names for ranges: quoted, behind `called` or `name`, or behind the range."""
    yield from names(clause)
    ends = [part.mask.bit_length() for part in ranges(clause)]
    for start in ends:
        if start < len(clause.tokens) and clause.said(start, start + 1).isidentifier():
            yield Part(mask=mask_of(start, start + 1), value=clause.said(start, start + 1), cost=0.3, start=start)
    for word in [*clause.of("act:definename"), *clause.of("name")]:
        if word.end < len(clause.tokens) and clause.tokens[word.end].kind != "mark":
            for end in range(word.end + 1, min(word.end + 5, len(clause.tokens)) + 1):
                said = clause.said(word.end, end)
                if said.replace(".", "_").isidentifier():
                    mask = mask_of(word.end, end)
                    yield Part(mask=mask, value=said, cost=0.3 - 0.05 * (end - word.end), start=word.end)
