"""Events: every kind has one wire word, and survives the wire unchanged."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import get_args

from tablewright.domain.codec import from_json, to_json
from tablewright.domain.events import Event, EventBody, OutputTable, RunFinished
from tablewright.domain.run import RunFailure
from tablewright.domain.table import Table

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def test_every_kind_of_event_has_a_dotted_word_of_its_own() -> None:
    words = [kind.__dataclass_fields__["type"].default for kind in get_args(EventBody)]
    assert len(set(words)) == len(words)
    assert all(word.count(".") == 1 for word in words)


def test_an_event_survives_the_wire() -> None:
    table = Table(columns=("a", "b"), rows=((1, "x"), (2.5, None), (True, "华东")), total_rows=3)
    event = Event(run_id="r", seq=7, at=AT, body=OutputTable(table=table, role="result", step_id="s"))
    again = from_json(Event, to_json(Event, event))
    assert again == event
    assert isinstance(again.body, OutputTable)
    assert [[type(cell) for cell in row] for row in again.body.table.rows] == [
        [int, str],
        [float, type(None)],
        [bool, str],
    ]


def test_the_end_of_a_run_says_why() -> None:
    body = RunFinished(outcome="limit", failure=RunFailure(code="run_limit", params={"limit": "steps", "value": 10}))
    assert from_json(Event, to_json(Event, Event(run_id="r", seq=1, at=AT, body=body))).body == body
