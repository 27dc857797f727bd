"""Rows that a program has read elsewhere, as a table of one call that statements can be written for."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace

from tablewright.data.base import DatasetProfile, FileProfile
from tablewright.domain.dataset import ColumnKind, DatabaseColumn, DatabaseTable, DatasetFacts, StoredFile
from tablewright.domain.scope import Scope
from tablewright.service.files.files import Files

NAME = "data"
TYPES: Mapping[ColumnKind, str] = {
    "integer": "BIGINT",
    "number": "DOUBLE",
    "date": "DATE",
    "datetime": "TIMESTAMP",
    "boolean": "BOOLEAN",
}
TEXT = "VARCHAR"


async def kept_rows(
    files: Files, scope: Scope, conversation_id: str, rows: Sequence[Mapping[str, object]]
) -> StoredFile:
    """Keep rows as a file of the conversation for one call: no other run has it.

    Raises what `Files.upload` raises: `FileEmpty` where there are none."""
    return await files.upload(
        scope, name=f"{NAME}.json", content=_encoded(rows), conversation_id=conversation_id, known=_known
    )


async def _encoded(rows: Sequence[Mapping[str, object]]) -> AsyncIterator[bytes]:
    yield json.dumps([dict(row) for row in rows], ensure_ascii=False).encode()


def _known(profile: FileProfile) -> FileProfile:
    """Return the profile with each table as one that statements name."""
    datasets = tuple(DatasetProfile(facts=_as_table(one.facts), values=one.values) for one in profile.datasets)
    return replace(profile, datasets=datasets)


def _as_table(facts: DatasetFacts) -> DatasetFacts:
    columns = tuple(DatabaseColumn(name=one.name, type=TYPES.get(one.kind, TEXT)) for one in facts.columns)
    table = DatabaseTable(
        connection="", dialect="duckdb", name=NAME, columns=columns, held=facts.rows, complete=facts.exact
    )
    return replace(facts, table=table)
