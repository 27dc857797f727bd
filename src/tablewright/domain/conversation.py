"""Conversations: the messages between a person and Tablewright, with their files."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from tablewright.domain.answer import Answer
from tablewright.domain.language import Language

Author = Literal["user", "assistant"]
Stage = Literal["IDLE", "WORKFLOW_RUNNING", "WORKFLOW_WAITING_INPUT"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A thread of messages that belongs to one owner."""

    id: str
    title: str
    language: Language
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationState:
    """Which workflow waits in a conversation for what a person says next, and in which run; else all is idle.

    `stage` is what is stored, which may be anything: see `contradictory`.
    """

    stage: str = "IDLE"
    workflow_id: str | None = None
    run_id: str | None = None

    @property
    def waits(self) -> bool:
        """Whether a run is said to wait here."""
        return self.stage == WAITING

    @property
    def contradictory(self) -> bool:
        """Whether it says something that cannot be: a wait without its run, a run without a wait, another word."""
        named = (self.workflow_id is not None, self.run_id is not None)
        return not ((self.stage == IDLE and not any(named)) or (self.stage == WAITING and all(named)))


NOTHING_WAITS = ConversationState()
IDLE: Final = "IDLE"
WAITING: Final = "WORKFLOW_WAITING_INPUT"
RUNNING: Final = "WORKFLOW_RUNNING"
"""Never stored: what is read while a run of the conversation works."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationMessage:
    """One entry of the history shown to a person; `ordinal` is its position in the conversation, from 1.

    `provider_name` and `base_name` say what wrote an answer, where that is not the model of its run.
    """

    id: str
    conversation_id: str
    ordinal: int
    author: Author
    text: str
    created_at: datetime
    run_id: str | None = None
    file_ids: tuple[str, ...] = ()
    answer: Answer | None = None
    provider_name: str | None = None
    base_name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierTurn:
    """Something that was said before a conversation began here, as its client tells it."""

    author: Author
    text: str
