"""The use cases of chats, imported with the first use: they know workflows."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, cast

from tablewright.bootstrap.loader import CHAT_USE_CASES, KEYED_CHATS, load
from tablewright.bootstrap.workflows import WorkflowParts
from tablewright.service.conversations import Conversations
from tablewright.service.files.terms import TermsOfFiles
from tablewright.service.runs.keyed import KeyedRuns
from tablewright.service.runs.parts import EngineParts
from tablewright.service.runs.runs import Runs

if TYPE_CHECKING:
    from tablewright.service.chats.chats import Chats
    from tablewright.service.chats.keyed import KeyedChats
    from tablewright.service.workflow_use_cases import WorkflowUseCases


def chats_of(
    parts: EngineParts,
    conversations: Conversations,
    runs: Runs,
    terms: TermsOfFiles,
    workflows: Callable[[], WorkflowUseCases],
    given: WorkflowParts,
) -> Callable[[], Chats]:
    """Return what makes the use cases of chats, once."""

    @cache
    def chats() -> Chats:
        make = load(CHAT_USE_CASES)
        words = given.continue_words
        made = make(parts.store, conversations, runs, terms, parts.clock, parts.ids, workflows, words)
        return cast("Chats", made)

    return chats


def keyed_chats_of(
    parts: EngineParts,
    conversations: Conversations,
    runs: Runs,
    keyed: KeyedRuns,
    workflows: Callable[[], WorkflowUseCases],
    given: WorkflowParts,
) -> Callable[[], KeyedChats]:
    """Return what makes the use cases of chats whose clients name sessions and requests, once."""

    @cache
    def chats() -> KeyedChats:
        make = load(KEYED_CHATS)
        words, clock, ids = given.continue_words, parts.clock, parts.ids
        made = make(parts.store, conversations, runs, keyed, clock, ids, words, lambda: workflows().chat)
        return cast("KeyedChats", made)

    return chats
