"""Candidate orders, projections and operators."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from tablewright.analyst.grammar.beside import beside
from tablewright.analyst.grammar.columns import ColumnView
from tablewright.analyst.grammar.joining import joins
from tablewright.analyst.grammar.looking import MOST_ROWS, looks
from tablewright.analyst.grammar.scene import ColumnLink, Scene, gap
from tablewright.analyst.grammar.semantics import (
    Features,
    OperatorPart,
    OrderPart,
    ProjectionPart,
    Word,
    mask_of,
    union,
)
from tablewright.analyst.linking.lexicon import concepts, row_nouns, stopwords
from tablewright.analyst.linking.mentions import NumberMention

_NEAR = 2
_LINKED = 5
MOST_LINKS = 4
MOST_IMPLIED = 4
OPERATORS = {
    "difference": "difference", "growth": "growth", "cumulative": "cumulative", "relation": "correlation",
    "row": "", "not": "never", "share": "share", "yes": "exists",
    "more_less": "more_less", "same": "same", "before": "previous", "after": "next",
}  # fmt: skip


def extremes(scene: Scene) -> list[OrderPart]:
    """Return the orders of which the first few rows are wanted."""
    found: list[OrderPart] = []
    for word in scene.of("superlative", "comparative", "top"):
        if _says_direction(scene, word):
            continue
        for count, offset, mask, said in _counts(scene, word):
            features: Features = ((f"order:{word.type}", 1.0), *said)
            plain = OrderPart(
                mask=mask, features=features, descending=word.meaning != "min", count=count, offset=offset
            )
            found.append(plain)
            found += _by_column(scene, word, plain)
    return [*found, *_first_sorted(scene)]


def _says_direction(scene: Scene, word: Word) -> bool:
    """Return whether a word is a part of one for a direction: `highest first` ranks nothing, it is an order."""
    return any(word.mask & one.mask == word.mask != one.mask for one in scene.of("direction"))


def _first_sorted(scene: Scene) -> Iterator[OrderPart]:
    """Yield the first few rows in an order that is said apart from them: `sort by fee, high to low, and list the first
    five`."""
    orders = union(word.mask for word in _orders(scene))
    tops = [word for word in scene.of("top") if word.meaning == "max"]
    for direction in scene.of("direction"):
        for count, offset, mask, said in (one for top in tops for one in _counts(scene, top)):
            if mask & direction.mask:
                continue
            features: Features = (("order:sorted", 1.0), *said)
            plain = OrderPart(
                mask=mask | direction.mask | orders, features=features, descending=direction.meaning == "desc",
                count=count, offset=offset,
            )  # fmt: skip
            yield from _by_column(scene, direction, plain)


def _counts(scene: Scene, word: Word) -> Iterator[tuple[int, int, int, Features]]:
    """Yield how many are wanted, how many are skipped, the words, and features."""
    for number in scene.numbers:
        asked = any(0 <= number.start - one.end <= 0 for one in scene.of("wh"))
        most = _LINKED * 2 if asked else _LINKED if _counts_rows(scene, number, word) else 1
        near = gap(number.start, number.end, word.start, word.end) <= most
        apart = not mask_of(number.start, number.end) & word.mask
        if near and apart and isinstance(number.value, int) and 0 < number.value <= MOST_ROWS:
            mask = word.mask | mask_of(number.start, number.end)
            if number.ordinal:
                yield 1, int(number.value) - 1, mask, (("order:nth", 1.0),)
            else:
                yield int(number.value), 0, mask, (("order:n", 1.0),)
    yield from _counted_apart(scene, word)
    if word.type != "top":
        yield 1, 0, word.mask, (("order:one", 1.0),)


def _counts_rows(scene: Scene, number: NumberMention, word: Word) -> bool:
    """Return whether nothing but what the rows are called stands between a number and a word that ranks: `3 visits with
    the highest`."""
    between = [token.lemma for token in scene.tokens[number.end : word.start]]
    nouns = [lemma in scene.row_words or (lemma,) in row_nouns() for lemma in between]
    return any(nouns) and all(noun or lemma in stopwords() for noun, lemma in zip(nouns, between, strict=True))


def _counted_apart(scene: Scene, word: Word) -> Iterator[tuple[int, int, int, Features]]:
    """Yield how many are wanted where that is said once more, apart from what they are ranked by."""
    for top in scene.of("top") if word.type == "superlative" else ():
        for number in scene.numbers:
            span = mask_of(number.start, number.end)
            apart = not top.mask & word.mask and not span & (word.mask | top.mask)
            beside = number.start == top.end and isinstance(number.value, int) and 0 < number.value <= MOST_ROWS
            if apart and beside and not number.ordinal and top.meaning == "max":
                yield int(number.value), 0, word.mask | top.mask | span, (("order:n", 1.0), ("order:apart", 1.0))


def _by_column(scene: Scene, word: Word, plain: OrderPart) -> Iterator[OrderPart]:
    ordered = [link for link in scene.links if link.column.role in {"number", "date"}]
    for link in scene.near(word.start, word.end, MOST_LINKS, ordered):
        if link.mask & plain.mask:
            continue
        near = gap(link.start, link.end, word.start, word.end)
        features: Features = (
            ("order:column", 1.0),
            ("link:loss", 1 - link.score),
            ("order:distance", min(near, _LINKED) / _LINKED),
            ("order:hint", float(word.about in link.column.concepts)),
        )
        yield OrderPart(
            mask=plain.mask | link.mask, features=(*plain.features, *features),
            descending=plain.descending != _born(word, link.column, _said(scene, link)), count=plain.count,
            offset=plain.offset, by=link.column.name,
        )  # fmt: skip
    numeric = [one for one in scene.columns if one.role in {"number", "date"} and not one.identifies]
    for column in numeric[:MOST_LINKS]:
        hinted = bool(word.about) and word.about in column.concepts
        dated = word.about == "time" and column.role == "date"
        features = (
            ("order:implied", 1.0),
            ("order:hinted", float(hinted or dated)),
            ("order:unhinted", float(bool(word.about) and not hinted and not dated)),
            ("implied:only", float(len(numeric) == 1)),
        )
        yield OrderPart(
            mask=plain.mask, features=(*plain.features, *features),
            descending=plain.descending != _born(word, column, ()), count=plain.count, offset=plain.offset,
            by=column.name,
        )  # fmt: skip


def _said(scene: Scene, link: ColumnLink) -> tuple[str, ...]:
    return tuple(token.lemma for token in scene.tokens[link.start : link.end])


def _born(word: Word, column: ColumnView, said: tuple[str, ...]) -> bool:
    """Return whether a day of birth is ordered by what is about age, the word or what is `said` of the column: the
    oldest was born first."""
    aged = word.about == "age" or (said in concepts()["age"] and said not in concepts()["birth"])
    return aged and column.role == "date"


def sortings(scene: Scene) -> list[OrderPart]:
    """Return the orders of all rows."""
    found: list[OrderPart] = []
    orders, directions, axes = _orders(scene), scene.of("direction"), scene.of("axis")
    for word in [*directions, *(word for word in orders if not _calls_rows(scene, word))]:
        descending = word.meaning == "desc"
        mask = word.mask
        for other in orders if word.type == "direction" else ():
            mask |= other.mask
        features: Features = (("sort:said", 1.0), ("sort:undirected", float(word.type == "order")))
        found.append(OrderPart(mask=mask, features=features, descending=descending))
        for axis in axes:
            side: Literal["x", "y"] = "x" if axis.meaning == "x" else "y"
            named = (*features, ("sort:axis", 1.0))
            found.append(OrderPart(mask=mask | axis.mask, features=named, descending=descending, axis=side))
        for link in scene.links:
            if not link.mask & mask and gap(link.start, link.end, word.start, word.end) <= _LINKED:
                named = (*features, ("sort:column", 1.0), ("link:loss", 1 - link.score))
                by = link.column.name
                found.append(OrderPart(mask=mask | link.mask, features=named, descending=descending, by=by))
    return found


def _orders(scene: Scene) -> list[Word]:
    """Return the words that ask for an order: where the rows are called orders, one alone says nothing of it."""
    return [
        word
        for word in scene.of("order")
        if word.end - word.start > 1 or scene.tokens[word.start].lemma not in scene.row_words
    ]


def _calls_rows(scene: Scene, word: Word) -> bool:
    """Return whether what looks like an order begins with several of the rows, `orders by status`: only a direction
    beside it makes it one."""
    first = scene.tokens[word.start]
    return first.lemma in scene.row_words and first.norm != first.lemma


def projections(scene: Scene) -> list[ProjectionPart]:
    """Return the columns that may be shown, in order of place; those that no word names come last."""
    found: list[ProjectionPart] = []
    for link in scene.links:
        features: Features = (
            ("project:named", 1.0),
            ("link:loss", 1 - link.score),
            ("project:numbers_rows", float(scene.numbers_rows(link.column))),
        )
        name = link.column.name
        plain = ProjectionPart(
            mask=link.mask, features=features, column=name, start=link.start, gaps=link.column.missing > 0
        )
        found.append(plain)
        for word in scene.of("wh", "list"):
            if 0 <= link.start - word.end <= _NEAR or 0 <= word.start - link.end <= _NEAR:
                said = (*features, ("project:asked", 1.0), ("project:distance", float(abs(link.start - word.end))))
                found.append(replace(plain, mask=link.mask | word.mask, features=said))
    found += _implied(scene)
    return found


def _implied(scene: Scene) -> Iterator[ProjectionPart]:
    words: list[Word | None] = [None, *scene.of("wh", "list")]
    named = sorted(scene.columns, key=lambda one: -one.naming)[:MOST_IMPLIED]
    asked = {"when": "date", "much": "number"}
    for word in words:
        wanted = asked.get(word.meaning) if word is not None else None
        others = [one for one in scene.columns if one.role == wanted][:2] if wanted else []
        for place, column in enumerate([*named, *others]):
            features: Features = (
                ("project:implied", 1.0),
                ("project:unasked", float(word is None)),
                ("project:naming", column.naming),
                ("project:first", float(column.place == 0)),
                ("project:fits", float(wanted == column.role)),
                ("project:place", float(place)),
                ("project:numbers_rows", float(scene.numbers_rows(column))),
            )
            mask = 0 if word is None else word.mask
            start = len(scene.tokens)
            yield ProjectionPart(mask=mask, features=features, column=column.name, start=start)


def operators(scene: Scene) -> list[OperatorPart]:
    """Return what may be done with what is computed; a word for percent may belong to a word for change."""
    found = []
    shares = scene.of("share")
    for word in scene.of(*OPERATORS):
        name = OPERATORS[word.type] or word.meaning
        loose = word.type in {"before", "after"}
        features: Features = ((f"operator:{name}", 1.0), ("operator:loose", float(loose)))
        part = OperatorPart(mask=word.mask, features=features, name=name, option=word.meaning)
        found.append(part)
        if word.type == "share" and word is shares[0] and len(shares) > 1:
            found.append(replace(part, mask=union(one.mask for one in shares)))
        if name in {"growth", "difference"} and (than := union(one.mask for one in scene.of("than")) & ~word.mask):
            found.append(replace(part, mask=part.mask | than, features=(*part.features, ("operator:than", 1.0))))
        apart = [share for share in shares if not share.mask & word.mask]
        if name == "growth" and apart:
            features = (*part.features, ("growth:percent", 1.0))
            found.append(replace(part, mask=word.mask | apart[0].mask, features=features))
    found += [
        OperatorPart(mask=word.mask, features=(("operator:average", 1.0),), name="average")
        for word in scene.of("aggregate")
        if word.meaning == "mean"
    ]
    return [*found, *joins(scene), *looks(scene), *beside(scene)]
