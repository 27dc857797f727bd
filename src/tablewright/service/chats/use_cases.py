"""Puts the use cases of chats together."""

from __future__ import annotations

from collections.abc import Callable, Collection

from tablewright.domain.ids import Clock, Ids
from tablewright.service.chats.attachments import ChatAttachments
from tablewright.service.chats.chats import ChatParts, Chats
from tablewright.service.chats.places import ChatPlaces
from tablewright.service.conversations import Conversations
from tablewright.service.files.terms import TermsOfFiles
from tablewright.service.runs.runs import Runs
from tablewright.service.workflow_use_cases import WorkflowUseCases
from tablewright.store.base import Store


def chat_use_cases(
    store: Store,
    conversations: Conversations,
    runs: Runs,
    terms: TermsOfFiles,
    clock: Clock,
    ids: Ids,
    workflows: Callable[[], WorkflowUseCases],
    continue_words: Collection[str],
) -> Chats:
    """Return the use cases."""
    return Chats(
        ChatParts(
            store=store,
            conversations=conversations,
            runs=runs,
            attachments=ChatAttachments(terms),
            places=ChatPlaces(store, clock, ids),
            workflows=lambda: workflows().chat,
            continue_words=continue_words,
        )
    )
