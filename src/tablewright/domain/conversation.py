"""Conversations: the messages between a person and Tablewright, with their files."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from tablewright.domain.answer import Answer
from tablewright.domain.language import Language

Author = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A thread of messages that belongs to one owner."""

    id: str
    title: str
    language: Language
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationMessage:
    """One entry of the history shown to a person; `ordinal` is its position in the conversation, from 1."""

    id: str
    conversation_id: str
    ordinal: int
    author: Author
    text: str
    created_at: datetime
    run_id: str | None = None
    file_ids: tuple[str, ...] = ()
    answer: Answer | None = None
