"""Tables that a question names by what their rows are called, and readings that count the rows of another one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from tablewright.analyst.grammar.composed import parts_of
from tablewright.analyst.grammar.rows import numbered
from tablewright.analyst.grammar.scene import ColumnLink, Scene, gap
from tablewright.analyst.grammar.search import State
from tablewright.analyst.grammar.semantics import AnyPart, MeasurePart, OrderPart, Word, mask_of, union
from tablewright.analyst.grammar.subjects import Subject
from tablewright.analyst.linking.lexicon import concepts
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import Source
from tablewright.analyst.plan_walk import nodes
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.row_noun import CONTAINERS, row_noun

_HEAD = 2
"""So many Chinese characters are the head of a longer name."""
_WHOLE, _HEADED, _PART = 0, 1, 2
"""A phrase is the name of a table, its head, or another part of it: the first says most surely which is meant."""
Phrase = tuple[str, ...]
TableNames = dict[Phrase, frozenset[str]]
"""The tables, by their ids, that a phrase names."""
References = frozenset[tuple[str, str]]
"""Pairs of a table and one that its rows refer to, by their ids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableName:
    """Words of a question that name tables."""

    start: int
    end: int
    tables: frozenset[str]


def table_names(datasets: Sequence[DatasetFacts]) -> TableNames:
    """Return what tables are called, in both languages as far as the words are known; what all of them are called
    names none."""
    ranked: dict[Phrase, dict[str, int]] = {}
    for facts in datasets:
        for phrase, rank in _called(facts):
            for one in (phrase, *_translated(phrase)):
                ranks = ranked.setdefault(one, {})
                ranks[facts.id] = min(rank, ranks.get(facts.id, rank))
    named = {phrase: _surest(ranks) for phrase, ranks in ranked.items()}
    return {phrase: tables for phrase, tables in named.items() if len(tables) < len(datasets)}


def _surest(ranks: Mapping[str, int]) -> frozenset[str]:
    """Return the tables that a phrase names as surely as any."""
    best = min(ranks.values())
    return frozenset(table for table, rank in ranks.items() if rank == best)


def beside_tables(scene: Scene, subject: Subject, names: TableNames) -> Scene:
    """Return the scene with the words that name other tables: beside `orders` and `order_lines`, an order is no order
    line, and what names a table that the subject does not have says something that it does not know."""
    own = {node.dataset_id for node in nodes(subject.source) if isinstance(node, Source)}
    found = _named(scene, names)
    others, outside = (
        frozenset(place for one in found if not one.tables & known for place in range(one.start, one.end))
        for known in (subject.counted, own)
    )
    said = {scene.tokens[place].lemma for place in others}
    if not others:
        return scene
    return replace(
        scene,
        row_words=scene.row_words - said,
        words=tuple(
            one for one in scene.words if one.type != "order" or not others.issuperset(range(one.start, one.end))
        ),
        links=tuple(one for link in scene.links for one in _without(link, scene, others, subject)),
        others=others,
        outside=outside,
    )


def _without(link: ColumnLink, scene: Scene, others: frozenset[int], subject: Subject) -> Iterator[ColumnLink]:
    """Yield a link without the words that name another table and are none of the column's own, as it is no amount of
    that: of order lines, `order value` says an order, and its value; but the date of orders that are joined is the
    `order date`."""
    start, end = link.start, link.end
    if link.column.name not in subject.repeated and not link.column.identifies:
        own = {*lemmas(link.column.name)}
        foreign = {place for place in others if scene.tokens[place].lemma not in own}
        while start < end and start in foreign:
            start += 1
        while start < end and end - 1 in foreign:
            end -= 1
    if start < end:
        yield replace(link, start=start, end=end)


def counts_others(state: State, scene: Scene, subject: Subject, names: TableNames, references: References) -> bool:
    """Return whether a reading counts rows of its subject although the question names other tables and not its own:
    those nearest to a word that counts, else all whose names say nothing else in the reading.

    Rows that refer to what is named may stand for it (loans for the books that are out), unless the name itself is
    counted (`how many books`) and nothing is tested that only those rows say.
    """
    parts = parts_of(state)
    if not any(_counts_rows(measure) for measure in (parts.measure, parts.second)):
        return False
    meant = union(part.mask for part in (*state.conditions, *state.parts) if part is not None and not _silent(part))
    found = [one for one in _named(scene, names) if not mask_of(one.start, one.end) & meant]
    counted = _counted(found, scene)
    tables = frozenset[str]().union(*(one.tables for one in counted)) - subject.lacked
    if not tables or tables & subject.counted:
        return False
    if any((table, own) in references for table in tables for own in subject.counted):
        return True
    beside = any(one.end == word.start or word.end == one.start for one in counted for word in scene.of("count"))
    return beside and all(part.column in subject.repeated for part in state.conditions)


def _silent(part: AnyPart) -> bool:
    """Return whether a name of a table may be read as this part although it is meant as the name: as what is counted,
    or as the word for an order that is also called `order`."""
    return isinstance(part, MeasurePart) or (isinstance(part, OrderPart) and part.by is None)


def _counts_rows(measure: MeasurePart | None) -> bool:
    return measure is not None and measure.function == "count" and measure.kind in {"rows", "rate"}


def _counted(found: Sequence[TableName], scene: Scene) -> Sequence[TableName]:
    """Return the names that stand nearest to a word that counts; all where none counts."""
    counts = scene.of("count")
    if not counts or not found:
        return found
    gaps = [min(gap(one.start, one.end, word.start, word.end) for word in counts) for one in found]
    return [one for one, apart in zip(found, gaps, strict=True) if apart == min(gaps)]


def _named(scene: Scene, names: TableNames) -> list[TableName]:
    """Return the names of tables in a question, without those inside longer ones; one of the table `orders` in `order
    by` is none."""
    said = [token.lemma for token in scene.tokens]
    sorts = [word for word in scene.of("order") if word.end > word.start + 1]
    said = [lemma if not _inside(place, sorts) or _plural(scene, place) else "" for place, lemma in enumerate(said)]
    found: list[TableName] = []
    for size in sorted({len(phrase) for phrase in names}, reverse=True):
        for start in range(len(said) - size + 1):
            tables = names.get(tuple(said[start : start + size]))
            if tables and not any(one.start <= start and start + size <= one.end for one in found):
                found.append(TableName(start=start, end=start + size, tables=tables))
    return found


def _inside(place: int, words: Sequence[Word]) -> bool:
    return any(word.start <= place < word.end for word in words)


def _plural(scene: Scene, place: int) -> bool:
    return scene.tokens[place].norm != scene.tokens[place].lemma


def _called(facts: DatasetFacts) -> Iterator[tuple[Phrase, int]]:
    """Yield what the rows of a table are called, and how surely."""
    noun = lemmas(row_noun(facts) or "")
    words = tuple(word for word in lemmas(facts.name) if not word.isdigit() and word not in CONTAINERS)
    if (noun or words) and is_han((noun or words)[0][0]):
        name = noun or words
        yield name, _WHOLE
        if len(name) >= 2 * _HEAD:
            yield name[-_HEAD:], _HEADED
            yield name[:_HEAD], _PART
    elif noun or words:
        yield words or noun, _WHOLE
        yield noun or words[-1:], _HEADED
        yield from (((word,), _PART) for word in words)
    if own := tuple(numbered(facts)):
        yield own, _HEADED


@lru_cache(maxsize=512)
def _translated(phrase: Phrase) -> tuple[Phrase, ...]:
    """Return the other language's words for the same."""
    han = is_han(phrase[0][0])
    alike = (other for phrases in concepts().values() if phrase in phrases for other in phrases)
    return tuple(other for other in alike if is_han(other[0][0]) != han)
