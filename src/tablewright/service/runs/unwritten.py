"""What a run has to write: pieces of text are joined as they come, so that they cost little however many they are."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from operator import attrgetter

from tablewright.domain.conversation import ConversationMessage
from tablewright.domain.events import DELTAS, CodeDelta, EventBody, RouteChosen, TextDelta, ThinkingDelta
from tablewright.domain.message import TranscriptEntry
from tablewright.domain.run import OpenRequest, Run
from tablewright.store.run_store import Batch, RunEnd, Stamped

Recordable = EventBody | TranscriptEntry | OpenRequest | ConversationMessage | RunEnd
Delta = ThinkingDelta | TextDelta | CodeDelta
PLACE = {kind: attrgetter(*(each.name for each in fields(kind) if each.name != "text")) for kind in DELTAS}
"""What a delta has beside its text, its type included, by its kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildOf:
    """The place of a child: every event of it names its parent and, unless it names a task of its own, its task."""

    top_id: str
    parent_id: str
    task_id: str

    @classmethod
    def place(cls, run: Run) -> ChildOf | None:
        """Return the place of `run`, or None if it has no parent."""
        if run.top_id is None or run.parent_id is None or run.task_id is None:
            return None
        return cls(top_id=run.top_id, parent_id=run.parent_id, task_id=run.task_id)

    def named(self, body: EventBody) -> EventBody:
        """Return `body` with this place."""
        return replace(body, task_id=body.task_id or self.task_id, parent_id=self.parent_id)


@dataclass(slots=True)
class Unwritten:
    """Items that become one batch. Adjacent deltas of the same kind and place are one event, at the time of the last.

    `items` is how many were added.
    """

    child: ChildOf | None = None
    items: int = 0
    _events: list[Stamped] = field(default_factory=list[Stamped])
    _transcript: list[TranscriptEntry] = field(default_factory=list[TranscriptEntry])
    _requests: list[OpenRequest] = field(default_factory=list[OpenRequest])
    _messages: list[ConversationMessage] = field(default_factory=list[ConversationMessage])
    _end: RunEnd | None = None
    _agent: str | None = None
    _texts: list[str] = field(default_factory=list[str])
    """The text of the delta that may go on, which is `_last`."""
    _last: Delta | None = None
    _last_at: datetime | None = None
    _place: object = None

    def add(self, item: Recordable, at: datetime) -> bool:
        """Take an item; return whether it is an event that is to be written at once."""
        self.items += 1
        place = PLACE.get(type(item))  # type: ignore[arg-type]
        if place is not None:
            self._delta(item, place(item), at)  # type: ignore[arg-type]
            return False
        return self._other(item, at)

    def _delta(self, body: Delta, place: object, at: datetime) -> None:
        if place != self._place:
            self._join()
            self._last, self._place = body, place
        self._texts.append(body.text)
        self._last_at = at

    def _other(self, item: Recordable, at: datetime) -> bool:
        match item:
            case TranscriptEntry():
                self._transcript.append(item)
            case OpenRequest():
                self._requests.append(item)
            case ConversationMessage():
                self._messages.append(item)
            case RunEnd():
                self._end = self._end or item
            case _:
                self._join()
                self._event(item, at)
                if isinstance(item, RouteChosen) and self._agent is None:
                    self._agent = item.agent
                return True
        return False

    def _join(self) -> None:
        """Make the delta that went on until now an event."""
        if self._last is None or self._last_at is None:
            return
        whole = self._last if len(self._texts) == 1 else replace(self._last, text="".join(self._texts))
        self._event(whole, self._last_at)
        self._texts, self._last, self._place = [], None, None

    def _event(self, body: EventBody, at: datetime) -> None:
        self._events.append(Stamped(at=at, body=body if self.child is None else self.child.named(body)))

    def batch(self, run_id: str, attempt: int) -> Batch:
        """Return all as a batch. Nothing may be added afterwards."""
        self._join()
        return Batch(
            run_id=run_id,
            attempt=attempt,
            top_id=None if self.child is None else self.child.top_id,
            agent=self._agent,
            events=tuple(self._events),
            transcript=tuple(self._transcript),
            requests=tuple(self._requests),
            messages=tuple(self._messages),
            end=self._end,
        )
