"""What is handed on without the store is what the store would give back."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from tablewright.domain.events import CodeDelta, EventBody, OutputText, TextDelta, ThinkingDelta
from tablewright.store.codec import as_stored, decode_body, encode_body

BODIES: tuple[EventBody, ...] = (
    TextDelta(text="plain"),
    TextDelta(text='数 😀 "quoted" \\ \x00 \x1f \u2028\n'),
    TextDelta(text="half \ud83d a sign"),
    ThinkingDelta(text="a", task_id="half \ud83d"),
    CodeDelta(text="1", step_id="步", parent_id="p"),
    OutputText(text="half \ud83d a sign"),
)


@pytest.mark.parametrize("body", BODIES)
def test_a_body_as_stored_is_what_is_read_of_it(body: EventBody) -> None:
    assert as_stored(body) == decode_body(encode_body(body))


def test_a_body_of_no_known_type_is_not_read() -> None:
    with pytest.raises(ValidationError):
        decode_body('{"type": "telepathy"}')
