"""Numbers and dates what an agent says in the groups of Genie's page."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tablewright.api.genie.frames import TASK, AgentFrame, Outer
from tablewright.api.genie.groups import Group


@dataclass(slots=True, kw_only=True)
class Responses:
    """Makes the frames of one run. `at` is when what is told has happened."""

    run_id: str
    request_id: str
    agent_type: str
    at: datetime | None = None
    _messages: int = 0
    _places: list[str] = field(default_factory=list[str])

    def message_id(self, group: Group | None) -> str:
        """Return a new id."""
        self._messages += 1
        return f"{self.run_id if group is None else group.task_id}-{self._messages}"

    def frame(
        self,
        group: Group | None,
        kind: str,
        *,
        outer: Outer = TASK,
        more: dict[str, Any] | None = None,
        final: bool = True,
        finish: bool = False,
        message_id: str | None = None,
        **payload: Any,
    ) -> AgentFrame:
        """Return a frame of `group`, or beside all groups; `more` is put where the page looks for what tools give.

        `message_id` is that of the item that this is a piece of, if it has one.
        """
        message_id = message_id or (None if group is None else group.message_id)
        if group is not None:
            group.items += 1
            if group.task_id not in self._places:
                self._places.append(group.task_id)
        response = {
            "requestId": self.request_id,
            "messageId": message_id or self.message_id(group),
            "messageType": kind,
            "messageTime": str(0 if self.at is None else int(self.at.timestamp() * 1000)),
            "isFinal": final,
            "finish": finish,
            **payload,
            "resultMap": {"agentType": self.agent_type, **(more or {})},
        }
        return AgentFrame(
            outer=outer,
            task_id=None if group is None else group.task_id,
            task_order=1 if group is None else self._places.index(group.task_id) + 1,
            message_order=1 if group is None else group.items,
            response=response,
        )
