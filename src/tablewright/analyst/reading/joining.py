"""Questions that need two tables: rows of one, each described by the row of the other with the same key."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from tablewright.analyst.linking.linker import LinkedTable, link
from tablewright.analyst.linking.mentions import AnyMention, ColumnMention, TableMention, WordMention
from tablewright.analyst.linking.tokens import Token
from tablewright.analyst.plan import Col, Join, Source
from tablewright.analyst.plan_walk import nodes
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.parse import Parse, is_code
from tablewright.data.base import ValueLookup
from tablewright.domain.dataset import ColumnFacts, DatasetFacts, DistinctValues
from tablewright.domain.table_facts import TableKey, TableRelation

_WHOLE = 0.95
_MOST = 4
"""Most pairs of tables that are tried; more would make reading slow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two tables joined by the column `key`, which is unique in `one`, and `reference`, which repeats in `many`."""

    many: DatasetFacts
    one: DatasetFacts
    key: str
    reference: str


@dataclass(frozen=True, slots=True)
class _JoinedValues:
    """A lookup of distinct values in both tables, under the profile of the joined table."""

    pair: Pair
    values_of: ValueLookup

    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        del profile_ref
        own = any(known.name == column for known in self.pair.many.columns)
        return await self.values_of.values((self.pair.many if own else self.pair.one).profile_ref, column)


def pairs(datasets: Sequence[DatasetFacts], relations: Sequence[TableRelation] = ()) -> list[Pair]:
    """Return the pairs of tables whose key their database declares, then those that share a column of texts or code
    numbers that is a key of one and repeats in the other, then those in which columns of different names are known to
    do so."""
    declared = [relation for relation in relations if isinstance(relation, TableKey) and relation.unused is None]
    found = _related(declared, datasets, frozenset())
    stated = {frozenset({pair.many.id, pair.one.id}) for pair in found}
    for many, one in itertools.permutations(datasets, 2):
        if frozenset({many.id, one.id}) in stated:
            continue
        own = {column.name: column for column in many.columns}
        keys = [
            column
            for column in one.columns
            if column.name in own and _identifies(column) and one.rows > 1 and column.distinct == one.rows
        ]
        repeated = [column.name for column in keys if _repeats(own[column.name], column, many)]
        found.extend(Pair(many=many, one=one, key=key, reference=key) for key in repeated[:1])
    found += _related(relations, datasets, {frozenset({pair.many.id, pair.one.id}) for pair in found})
    return found[:_MOST]


def _related(
    relations: Sequence[TableRelation], datasets: Sequence[DatasetFacts], joined: AbstractSet[frozenset[str]]
) -> list[Pair]:
    """Return the pairs of tables that are known to hang together, but for those that are `joined`."""
    known = {facts.id: facts for facts in datasets}
    found: dict[frozenset[str], Pair] = {}
    for relation in relations:
        if not isinstance(relation, TableKey) or relation.multiplicity == "one_to_one":
            continue
        both = frozenset({relation.one, relation.many})
        if both <= known.keys() and both not in joined and both not in found:
            sides = {"many": known[relation.many], "one": known[relation.one]}
            found[both] = Pair(**sides, key=relation.key, reference=relation.reference)
    return list(found.values())


def _repeats(column: ColumnFacts, key: ColumnFacts, table: DatasetFacts) -> bool:
    """Whether values of `key` occur several times in `column` of `table`: nobody has counted them in a large table of a
    database, of which a primary key repeats nothing, and one with other numbers refers to something else."""
    if column.distinct is not None or table.table is None:
        return (column.distinct or 0) < table.rows
    names = [name.name for name, facts in zip(table.table.columns, table.columns, strict=False) if facts == column]
    return table.table.primary_key != tuple(names) and _within(column, key)


def _within(column: ColumnFacts, key: ColumnFacts) -> bool:
    """Whether the numbers of `column` lie between those of `key`, as far as both are known."""
    ends = (key.minimum, column.minimum, column.maximum, key.maximum)
    numbers = [end for end in ends if isinstance(end, int | float)]
    return len(numbers) < len(ends) or numbers == sorted(numbers)


def _identifies(column: ColumnFacts) -> bool:
    return column.kind == "text" or (column.kind == "integer" and is_code(column.name))


async def link_pair(question: str, tokens: tuple[Token, ...], pair: Pair, values: ValueLookup) -> LinkedTable:
    """Link the question to the rows of `pair.many` with the columns of both tables."""
    own = {column.name for column in pair.many.columns}
    columns = (*pair.many.columns, *(column for column in pair.one.columns if column.name not in own))
    facts = replace(
        pair.many,
        id=f"{pair.many.id}+{pair.one.id}",
        columns=columns,
        profile_ref=f"{pair.many.profile_ref}+{pair.one.profile_ref}",
    )
    table = await link(question, tokens, facts, _JoinedValues(pair, values), ())
    sides = (Source(dataset_id=pair.many.id), Source(dataset_id=pair.one.id))
    return replace(table, relation=Join(left=sides[0], right=sides[1], on=((pair.reference, pair.key),)))


def better_elsewhere(offer: Offer, linked: Sequence[LinkedTable], tables: Sequence[TableMention]) -> bool:
    """Return whether another table is meant: a plan reads words that belong to it, such as its name (`shipments by
    mode` over the carriers) or the full name of one of its columns (`carrier name` read as Carrier ID), or the
    question names only other tables, or counts the rows of one."""
    parse, own = offer.parse, offer.parse.table.facts.id
    others = [table for table in linked if table.facts.id != own]
    columns = {column.name for column in parse.table.facts.columns}
    whole = [
        mention
        for table in others
        for mention in table.mentions
        if isinstance(mention, ColumnMention) and mention.score >= _WHOLE and mention.column not in columns
    ]
    taken = [parse.mentions[place] for place in parse.taken]
    misread = any(
        (mention.score < _WHOLE if isinstance(mention, ColumnMention) else _also_noun(mention))
        and any(
            other.start <= mention.start < other.end or mention.start <= other.start < mention.end for other in whole
        )
        for mention in taken
    )
    keys = {(mention.start, mention.end) for mention in taken if _whole_key(parse, mention)}
    told = [mention for mention in tables if len(mention.dataset_ids) == 1]
    named = {mention.dataset_ids[0] for mention in told if (mention.start, mention.end) not in keys}
    return misread or (bool(named) and own not in named) or _counted_elsewhere(parse, own, tables)


def _whole_key(parse: Parse, mention: AnyMention) -> bool:
    """Return whether a mention is the whole name of a column that groups the rows, and so need not name a table:
    `headcount by department`."""
    before = {word.end for word in parse.mentions if isinstance(word, WordMention) and word.code in {"by", "each"}}
    return isinstance(mention, ColumnMention) and mention.score >= _WHOLE and mention.start in before


def _counted_elsewhere(parse: Parse, own: str, tables: Sequence[TableMention]) -> bool:
    """Return whether the question counts the rows of another table: `几名员工` asked of the departments."""
    ends = {word.end for word in parse.mentions if isinstance(word, WordMention) and word.code == "count"}
    return any(
        mention.start in ends and len(mention.dataset_ids) == 1 and mention.dataset_ids[0] != own for mention in tables
    )


def _also_noun(mention: AnyMention) -> bool:
    """Return whether a word such as `mode` is an aggregate only if no table has such a column."""
    return isinstance(mention, WordMention) and mention.code == "aggregate" and mention.value in {"mode", "range"}


def needs_both(offer: Offer, pair: Pair, tables: Sequence[TableMention] = ()) -> bool:
    """Return whether a plan uses a column that only the first table has and one that only the second has. A question
    that names the rows of `pair.many` (`shipments by mode`) counts as using a column of it."""
    used = {node.name for node in nodes(offer.part) if isinstance(node, Col)}
    many, one = ({column.name for column in facts.columns} for facts in (pair.many, pair.one))
    rows = any(mention.dataset_ids == (pair.many.id,) for mention in tables)
    return (rows or bool(used & (many - one))) and bool(used & (one - many))
