"""Conversations: what a person and Tablewright said to each other, and the files between them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from tablewright.domain.answer import Answer
from tablewright.domain.language import Language

Author = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A thread of messages of one owner."""

    id: str
    title: str
    language: Language
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationMessage:
    """One entry of the history that a person reads; `ordinal` orders it within its conversation, from 1."""

    id: str
    conversation_id: str
    ordinal: int
    author: Author
    text: str
    created_at: datetime
    run_id: str | None = None
    file_ids: tuple[str, ...] = ()
    answer: Answer | None = None
