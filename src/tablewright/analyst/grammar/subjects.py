"""What a question may be about: a table, one of months as rows, tables that are parts of one, two joined on a key, or
the rows of one to which no row of another refers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tablewright.analyst.grammar.wide_months import long_table
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.plan import Aggregate, Col, Concat, Derive, Filter, Join, Lit, Missing, Named, Relation, Source
from tablewright.data.base import ValueLookup
from tablewright.domain.cleaning import clean_facts
from tablewright.domain.dataset import ColumnFacts, DatasetFacts, DistinctValues
from tablewright.domain.table_facts import TableForm, TableKey, TableRelation

_MATCH = "_match"


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
                parts={months.month: months.labels},
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


def _alone(facts: DatasetFacts) -> Subject:
    return Subject(facts=facts, source=Source(dataset_id=facts.id))


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
    )


def _shared(form: TableForm, keys: Sequence[TableKey]) -> Iterator[TableKey]:
    """Yield the keys by which every part of a form refers to another table, as those of the first part."""
    first, *others = form.tables
    for key in keys:
        same = {
            other.many for other in keys if (other.one, other.key, other.reference) == (key.one, key.key, key.reference)
        }
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
    taken = {column.name for column in many.facts.columns}
    columns = list(many.facts.columns)
    origins = {} if many.profiles else {column.name: (many.facts.profile_ref, column.name) for column in columns}
    repeated = set()
    for column in one.columns:
        if column.name == key.key == key.reference:
            continue
        name = f"{column.name}_2" if column.name in taken else column.name
        columns.append(replace(column, name=name))
        origins[name] = (one.profile_ref, column.name)
        repeated.add(name)
    facts = replace(many.facts, columns=tuple(columns), name=f"{many.facts.name} {one.name}")
    source = Join(left=many.source, right=Source(dataset_id=one.id), on=((key.reference, key.key),))
    unrepeated = key.multiplicity == "one_to_one"
    return replace(
        many, facts=facts, source=source, kind="join", repeated=frozenset() if unrepeated else frozenset(repeated),
        origins=origins,
    )  # fmt: skip


def _lacking(key: TableKey, one: DatasetFacts, many: DatasetFacts) -> Subject:
    named = Named(name=_MATCH, of=Col(name=key.reference))
    known = Aggregate(source=Source(dataset_id=many.id), groups=(named,), measures=())
    joined = Join(left=Source(dataset_id=one.id), right=known, on=((key.key, _MATCH),), how="left")
    source = Filter(source=joined, where=Missing(of=Col(name=_MATCH)))
    return Subject(facts=one, source=source, kind="lacking", other=many.name)
