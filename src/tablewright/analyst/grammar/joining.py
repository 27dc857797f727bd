"""Words that ask for tables to be joined: "join orders and managers on City"."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.analyst.grammar.scene import Scene, gap
from tablewright.analyst.grammar.semantics import OperatorPart, mask_of
from tablewright.analyst.grammar.subjects import End
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import Join, Relation

_NEAR = 8
"""So many words may stand between the word that joins and the column to join on."""


def joins(scene: Scene) -> Iterator[OperatorPart]:
    """Yield the joins that are asked for; `option` is the column to join on, where one is named."""
    for word in scene.of("join"):
        mask = word.mask | _tables(scene)
        features = (("operator:join", 1.0),)
        yield OperatorPart(mask=mask, features=features, name="join")
        for link in scene.links:
            if not link.mask & mask and gap(link.start, link.end, word.start, word.end) <= _NEAR:
                said = (*features, ("link:loss", 1 - link.score))
                yield OperatorPart(mask=mask | link.mask, features=said, name="join", option=link.column.name)


def joined_on(source: Relation) -> str | None:
    """Return the column that rows of two tables were joined on; None for other rows."""
    return source.on[0][0] if isinstance(source, Join) else None


def joining_words(scene: Scene, source: Relation) -> int:
    """Return the words that say what the rows are made of, tables joined on a column, if any word joins."""
    said, key = scene.of("join"), joined_on(source)
    if not said or key is None:
        return 0
    mask = _tables(scene)
    for word in said:
        mask |= word.mask
        near = [link for link in scene.links if gap(link.start, link.end, word.start, word.end) <= _NEAR]
        mask |= next((link.mask for link in near if link.column.name == key), 0)
    return mask


def names_end(scene: Scene, end: End) -> bool:
    """Return whether a question names a table at an end of a chain, a column of it or one of its cells; words that are
    rather the name of another table's column do not count."""
    if any(token.lemma in end.words for token in scene.tokens):
        return True
    if any(column in end.columns for cell in scene.cells for column, _ in cell.places):
        return True
    return any(
        link.column.name in end.columns
        and all(link.score >= other.score for other in scene.links if other.mask & link.mask)
        for link in scene.links
    )


def _tables(scene: Scene) -> int:
    """Return the words that name the tables, or both of them at once."""
    names = frozenset(lemmas(f"{scene.facts.name} {scene.facts.file_name}"))
    mask = 0
    for word in scene.of("tables"):
        mask |= word.mask
    for place, token in enumerate(scene.tokens):
        if token.kind == "word" and token.lemma in names:
            mask |= mask_of(place, place + 1)
    return mask
