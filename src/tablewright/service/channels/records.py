"""What is known of a client's request on a channel: how it was accepted, and what was answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tablewright.domain.events import Event
from tablewright.domain.language import Language
from tablewright.domain.notice import Notice
from tablewright.domain.run import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedRequest:
    """An accepted request.

    Its events are those of `run` after `after` until it rests, or `events` of an earlier request that this one repeats;
    there are none if the limit of rounds, `over`, is reached.
    """

    channel: str
    language: Language
    continuation: bool
    previous_rounds: int = 0
    workbook_id: str | None = None
    run: Run | None = None
    after: int = 0
    events: tuple[Event, ...] | None = None
    over: int | None = None
    warnings: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseRecord:
    """The outcome of a request as reported to the client: its events, and its response or error."""

    message_id: str
    channel: str
    uid: str
    events: tuple[dict[str, Any], ...] = ()
    response: dict[str, Any] | None = None
    error: str | None = None
    run_id: str | None = None
