"""Lines about the nodes of a workflow, as they begin, wait and end."""

from __future__ import annotations

import re
from typing import assert_never

from rich.text import Text

from tablewright.cli.show.clean import one_line
from tablewright.domain.events import (
    NodeChunk,
    NodeEvent,
    NodeFinished,
    NodeInput,
    NodeOutput,
    NodeStarted,
    NodeWaiting,
)
from tablewright.domain.language import Language
from tablewright.texts.catalogue import text
from tablewright.texts.errors import error_text

STYLES = {"ok": "green", "failed": "red", "retried": "yellow"}


def node_lines(body: NodeEvent, language: Language) -> list[Text]:
    """Return what a person is shown of an event of a node."""
    place = _place(body)
    match body:
        case NodeStarted(name=name):
            return [Text(text("cli_node_started", language, place=place, name=one_line(name)), style="dim")]
        case NodeWaiting(until=str(until)):
            return [Text(text("cli_node_waits", language, place=place, until=until), style="dim")]
        case NodeFinished(status=status, elapsed_s=elapsed_s, failure=failure):
            words = text(f"cli_node_{status}", language, place=place, seconds=f"{elapsed_s:.1f}")
            reason = "" if failure is None else f": {one_line(error_text(failure.code, language, failure.params))}"
            return [Text(f"{words}{reason}", style=STYLES[status])]
        case NodeInput() | NodeOutput() | NodeChunk() | NodeWaiting():
            return []
        case _:
            assert_never(body)


def _place(body: NodeEvent) -> str:
    """Return where a node is; a turn of a loop, for which the loop's id stands, is its path."""
    if re.search(rf"(^|/){re.escape(body.node_id)}\[\d+\]$", body.path):
        return body.path
    return f"{body.path}/{body.node_id}" if body.path else body.node_id
