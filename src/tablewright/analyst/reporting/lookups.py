"""Groups of a table that stand in another one, to whose rows it refers: the segment of the customer of an order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tablewright.analyst.reporting.material import Material
from tablewright.analyst.writing.literals import listed, quoted
from tablewright.domain.cleaning import clean_facts
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.loading import load_lines
from tablewright.domain.table_facts import TableKey, TableRelation

MOST = 3
"""So many tables are looked up in."""
GROUPS = 3
MOST_GROUPS = 20
MOST_ROWS = 200_000
"""Tables with more rows are not loaded a second time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """Columns of `table` that group its rows, to which rows of another table refer: its column `reference` holds values
    of `key`, each of which one row of `table` has."""

    table: DatasetFacts
    key: str
    reference: str
    groups: tuple[str, ...]

    def load(self, variable: str) -> list[str]:
        """Return the lines that load the groups by the key, into `variable`: a row per value, so that looking one up
        multiplies nothing."""
        key, kept = quoted(self.key), listed([self.key, *self.groups])
        return [
            *load_lines(self.table, variable),
            f'{variable} = {variable}[{kept}].convert_dtypes().astype("string").apply(lambda cells: cells.str.strip())',
            f"{variable} = {variable}.dropna(subset={key}).drop_duplicates({key}, keep=False).set_index({key})",
        ]


def lookups(
    material: Material, datasets: Sequence[DatasetFacts], relations: Sequence[TableRelation]
) -> tuple[Lookup, ...]:
    """Return in which of `datasets` groups of the rows of a material stand."""
    tables = {facts.id: clean_facts(facts) for facts in datasets}
    found: dict[tuple[str, str], Lookup] = {}
    for key in relations:
        if isinstance(key, TableKey) and key.many in material.ids and key.one in tables.keys() - material.ids:
            one = tables[key.one]
            groups = tuple(_groups(one, key, {column.name for column in material.facts.columns}))
            if groups and not key.further and one.rows <= MOST_ROWS:
                looked = Lookup(table=one, key=key.key, reference=key.reference, groups=groups[:GROUPS])
                found.setdefault((one.id, key.reference), looked)
    return tuple(found.values())[:MOST]


def _groups(one: DatasetFacts, key: TableKey, own: set[str]) -> Iterator[str]:
    """Yield the columns of words that group the rows of a table, but those that the referring table has by itself."""
    most = min(MOST_GROUPS, max(2, one.rows // 5))
    for column in one.columns:
        told = column.kind in {"text", "boolean"} and 2 <= (column.distinct or 0) <= most
        if told and column.name != key.key and column.name not in own:
            yield column.name
