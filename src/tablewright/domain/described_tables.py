"""Tables that another program describes, of a database which only it reads: how a run is given them, and read back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablewright.domain.codec import from_json, to_json
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.message import Message, TextPart


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedTables:
    """The tables, each a data set with its `table`, and what else was said of them."""

    tables: tuple[DatasetFacts, ...] = ()
    notes: tuple[str, ...] = ()


def tables_message(described: DescribedTables) -> Message:
    """Return the message that opens the transcript of a run about such tables."""
    return Message(role="user", parts=(TextPart(text=to_json(DescribedTables, described).decode(), origin="file"),))


def described_tables(transcript: Sequence[Message]) -> DescribedTables:
    """Return the tables that the transcript opens with."""
    return from_json(DescribedTables, transcript[0].text)
