"""What a question may be about: a table, one of months as rows, tables that are parts of one, two joined on a key or
three on a chain of two, or the rows of one to which no row of another refers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import count, islice

from tablewright.analyst.grammar.wide_months import long_table
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import (
    Aggregate,
    Col,
    Concat,
    Derive,
    Filter,
    Join,
    Lit,
    Missing,
    Named,
    Project,
    Relation,
    Source,
)
from tablewright.data.base import ValueLookup
from tablewright.domain.cleaning import clean_facts
from tablewright.domain.dataset import ColumnFacts, DatasetFacts, DistinctValues
from tablewright.domain.table_facts import TableForm, TableKey, TableRelation

_MATCH = "_match"
MOST_CHAINS = 8
"""So many chains of two keys at most are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """A table at an end of a chain: its columns but those that the chain is joined on, and the words that name it and
    no other table of the chain."""

    columns: frozenset[str]
    words: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Rows that a question may be about. `repeated` are columns that a join repeats, so that they must not be added
    up; `origins` say whose values a column has; `kind` is `table`, `months`, `form`, `join` or `lacking`."""

    facts: DatasetFacts
    source: Relation
    kind: str = "table"
    repeated: frozenset[str] = frozenset()
    origins: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    profiles: tuple[str, ...] = ()
    """Of tables that are parts of one: whose values a column has, together."""
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """The names of those tables, by the name of the column that holds them."""
    other: str = ""
    """The name of the table to which nothing refers, of `lacking`."""
    counted: frozenset[str] = frozenset()
    """The tables whose rows these are, by their ids: of tables that are joined, the one that is not repeated."""
    lacked: frozenset[str] = frozenset()
    """The table of which there is nothing, of `lacking`."""
    ends: tuple[End, ...] = ()
    """What a question must name something of, each, to be about a chain: what lies nearer has fewer tables."""


class SubjectValues:
    """A `ValueLookup` for the columns of a subject."""

    def __init__(self, values: ValueLookup, subject: Subject) -> None:
        self._values = values
        self._origins = subject.origins
        self._profiles = subject.profiles
        self._parts = subject.parts

    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        if column in self._parts:
            names = self._parts[column]
            return DistinctValues(values=names, counts=(1,) * len(names), complete=True)
        if not self._profiles or column in self._origins:
            return await self._values.values(*self._origins.get(column, (profile_ref, column)))
        found = [await self._values.values(profile, column) for profile in self._profiles]
        counts: Counter[str] = Counter()
        for one in found:
            if one is not None:
                counts.update(dict(zip(one.values, one.counts, strict=True)))
        whole = all(one is not None and one.complete for one in found)
        return DistinctValues(values=tuple(counts), counts=tuple(counts.values()), complete=whole) if counts else None


def subjects(datasets: Sequence[DatasetFacts], relations: Sequence[TableRelation]) -> Iterator[Subject]:
    """Yield what a question about these tables may be about."""
    clean = {dataset.id: clean_facts(dataset) for dataset in datasets}
    for facts in clean.values():
        yield _alone(facts)
        if (months := long_table(facts)) is not None:
            yield Subject(
                facts=months.facts, source=months.source, kind="months", repeated=months.repeated,
                parts={months.month: months.labels}, counted=frozenset({facts.id}),
            )  # fmt: skip
    keys = [one for one in relations if isinstance(one, TableKey) and {one.one, one.many} <= clean.keys()]
    for relation in relations:
        if isinstance(relation, TableForm) and clean.keys() >= set(relation.tables):
            whole = _whole(relation, [clean[table] for table in relation.tables])
            yield whole
            for key in _shared(relation, keys):
                yield _joined(key, clean[key.one], whole)
    for key in keys:
        yield _joined(key, clean[key.one], _alone(clean[key.many]))
        yield _lacking(key, clean[key.one], clean[key.many])
    for first, second in islice(_chains(keys), MOST_CHAINS):
        yield _chained(first, second, clean)


def _chains(keys: Sequence[TableKey]) -> Iterator[tuple[TableKey, TableKey]]:
    """Yield pairs of keys that lead from one table over another to a third, to which no key leads at once."""
    known = {(key.many, key.one) for key in keys}
    for first in keys:
        for second in keys:
            ends = (first.many, second.one)
            if second.many == first.one and first.many != second.one and ends not in known:
                known.add(ends)
                yield first, second


def _alone(facts: DatasetFacts) -> Subject:
    return Subject(facts=facts, source=Source(dataset_id=facts.id), counted=frozenset({facts.id}))


def _whole(form: TableForm, tables: Sequence[DatasetFacts]) -> Subject:
    """Return the rows of tables that are parts of one, with a column that says of which they are."""
    facts = tables[0]
    named = part_column(facts, form.parts)
    parts = tuple(
        Derive(source=Source(dataset_id=table.id), columns=(Named(name=named.name, of=Lit(value=part)),))
        for table, part in zip(tables, form.parts, strict=True)
    )
    names = " ".join(table.name for table in tables)
    return Subject(
        facts=replace(facts, rows=sum(table.rows for table in tables), name=names, columns=(*facts.columns, named)),
        source=Concat(sources=parts),
        kind="form",
        parts={named.name: form.parts},
        profiles=tuple(table.profile_ref for table in tables),
        counted=frozenset(form.tables),
    )


def _shared(form: TableForm, keys: Sequence[TableKey]) -> Iterator[TableKey]:
    """Yield the keys by which every part of a form refers to another table, as those of the first part."""
    first, *others = form.tables
    for key in keys:
        same = {other.many for other in keys if (other.one, other.on) == (key.one, key.on)}
        if key.many == first and same.issuperset(others) and key.one not in form.tables:
            yield replace(key, multiplicity="one_to_many")


def part_column(facts: DatasetFacts, parts: tuple[str, ...]) -> ColumnFacts:
    """Return the column that says of which of the tables a row is."""
    name = "表" if any(is_han(character) for part in parts for character in part) else "sheet"
    taken = {column.name for column in facts.columns}
    while name in taken:
        name = f"{name}_"
    return ColumnFacts(name=name, kind="text", distinct=len(parts), samples=parts)


def _joined(key: TableKey, one: DatasetFacts, many: Subject) -> Subject:
    """Return the rows of `many`, each with what the table `one` says of what it refers to."""
    origins = many.origins
    if not origins and not many.profiles:
        origins = {column.name: (many.facts.profile_ref, column.name) for column in many.facts.columns}
    names = _names_beside(key, one, many)
    added = [replace(column, name=names[column.name]) for column in one.columns if column.name in names]
    facts = replace(many.facts, columns=(*many.facts.columns, *added), name=f"{many.facts.name} {one.name}")
    unrepeated = key.multiplicity == "one_to_one" and not many.repeated
    return replace(
        many,
        facts=facts,
        source=Join(left=many.source, right=Source(dataset_id=one.id), on=key.on),
        kind="join",
        repeated=many.repeated | (frozenset() if unrepeated else frozenset(names.values())),
        origins={**origins, **{name: (one.profile_ref, own) for own, name in names.items()}},
    )


def _names_beside(key: TableKey, one: DatasetFacts, many: Subject) -> dict[str, str]:
    """Return what the columns of `one` are called in the rows of `many`, without keys that are there already."""
    taken = {column.name for column in many.facts.columns}
    shared = {own for reference, own in key.on if own == reference}
    names = [column.name for column in one.columns if column.name not in shared]
    return {name: f"{name}_2" if name in taken else name for name in names}


def _chained(first: TableKey, second: TableKey, tables: Mapping[str, DatasetFacts]) -> Subject:
    """Return the rows of a table, each with what the table says to which it refers, and what that refers to."""
    near, middle, far = tables[first.many], tables[first.one], tables[second.one]
    joined = _joined(first, middle, _alone(near))
    inside = _names_beside(first, middle, _alone(near))
    told = [(inside.get(reference, reference), key) for reference, key in second.on]
    shared = {key for reference, key in told if reference == key}
    taken = {column.name for column in joined.facts.columns} - shared
    renamed = _unlike([column.name for column in far.columns], taken)
    on = tuple((reference, renamed[key]) for reference, key in told)
    columns = tuple(replace(column, name=renamed[column.name]) for column in far.columns)
    apart = replace(far, columns=columns)
    chain = _joined(_on(second, on), apart, joined)
    if any(name != called for name, called in renamed.items()):
        kept = tuple(Named(name=called, of=Col(name=name)) for name, called in renamed.items())
        right = Project(source=Source(dataset_id=far.id), columns=kept)
        chain = replace(chain, source=Join(left=joined.source, right=right, on=on))
    origins = {called: (far.profile_ref, name) for name, called in renamed.items() if name not in shared}
    own = frozenset(column.name for column in near.columns) - {reference for reference, _ in first.on}
    words = frozenset(lemmas(near.name)) - {*lemmas(middle.name), *lemmas(far.name)}
    ends = (End(columns=own, words=words), End(columns=frozenset(renamed.values()) - {key for _, key in on}))
    return replace(chain, origins={**chain.origins, **origins}, ends=ends)


def _on(key: TableKey, pairs: Sequence[tuple[str, str]]) -> TableKey:
    """Return a key with its columns under other names."""
    (reference, own), *further = pairs
    return replace(key, reference=reference, key=own, further=tuple(further))


def _unlike(names: Sequence[str], taken: AbstractSet[str]) -> dict[str, str]:
    """Return names for columns that none of those beside them has."""
    used = {*names, *taken}
    found: dict[str, str] = {}
    for name in names:
        free = name
        if name in taken:
            free = next(other for number in count(2) if (other := f"{name}_{number}") not in used)
        used.add(free)
        found[name] = free
    return found


def _lacking(key: TableKey, one: DatasetFacts, many: DatasetFacts) -> Subject:
    matches = [_MATCH, *(f"{_MATCH}{number}" for number in range(2, len(key.on) + 1))]
    named = tuple(Named(name=match, of=Col(name=own)) for match, (own, _) in zip(matches, key.on, strict=True))
    known = Aggregate(source=Source(dataset_id=many.id), groups=named, measures=())
    on = tuple((own, match) for match, (_, own) in zip(matches, key.on, strict=True))
    joined = Join(left=Source(dataset_id=one.id), right=known, on=on, how="left")
    source = Filter(source=joined, where=Missing(of=Col(name=_MATCH)))
    own, lacked = frozenset({one.id}), frozenset({many.id})
    return Subject(facts=one, source=source, kind="lacking", other=many.name, counted=own, lacked=lacked)
