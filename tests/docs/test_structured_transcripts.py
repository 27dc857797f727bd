"""docs/reference/structured-transcripts.md: what it shows is what is exchanged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support.structured_transcripts import FENCE, PAGE, compared, played
from tests.support.structured_wire import check_response


@pytest.mark.requirement("structured-scenarios")
async def test_the_transcripts_are_what_is_exchanged(tmp_path: Path) -> None:
    page = PAGE.read_text("utf-8")
    shown = compared(await played(page, tmp_path))
    assert shown == compared(page), "record it anew: python -m tests.support.structured_transcripts"


def test_every_response_of_the_transcripts_has_the_fields_of_the_wire() -> None:
    checked = 0
    for block in FENCE.finditer(PAGE.read_text("utf-8")):
        _, _, body = block["body"].partition("\n\n")
        if block["kind"] == "http response" and '"success"' in body:
            lines = body.splitlines() if body.startswith("data: ") else [f"data: {body}"]
            for line in filter(None, lines):
                check_response(json.loads(line.removeprefix("data: ")))
                checked += 1
    assert checked == 15
