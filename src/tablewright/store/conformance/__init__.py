"""Tests that every store must pass.

Derive a test class from these and provide the fixture `store` (an opened, empty `Store`) or `blobs` (an empty
`BlobStore`). They need only pytest with asyncio in automatic mode.
"""

from __future__ import annotations

from tablewright.store.conformance.answers import AnswersConformance
from tablewright.store.conformance.blobs import BlobsConformance
from tablewright.store.conformance.children import ChildrenConformance
from tablewright.store.conformance.connections import ConnectionsConformance
from tablewright.store.conformance.conversation_states import ConversationStatesConformance
from tablewright.store.conformance.conversations import ConversationsConformance
from tablewright.store.conformance.corrections import CorrectionsConformance
from tablewright.store.conformance.crowds import CrowdsConformance
from tablewright.store.conformance.ends import EndsConformance
from tablewright.store.conformance.faces import FacesConformance
from tablewright.store.conformance.files import StoreFilesConformance
from tablewright.store.conformance.instances import InstancesConformance
from tablewright.store.conformance.log import LogConformance
from tablewright.store.conformance.notes import NotesConformance
from tablewright.store.conformance.runs import RunsConformance
from tablewright.store.conformance.schedules import FiringsConformance, SchedulesConformance
from tablewright.store.conformance.shares import SharesConformance
from tablewright.store.conformance.takeovers import TakeoversConformance
from tablewright.store.conformance.vocabulary import VocabularyConformance
from tablewright.store.conformance.wakes import WakesConformance
from tablewright.store.conformance.workbooks import WorkbooksConformance
from tablewright.store.conformance.workflows import WithdrawalsConformance, WorkflowsConformance


class StoreConformance(
    ConversationsConformance,
    ConversationStatesConformance,
    StoreFilesConformance,
    RunsConformance,
    LogConformance,
    AnswersConformance,
    ChildrenConformance,
    EndsConformance,
    CrowdsConformance,
    TakeoversConformance,
    InstancesConformance,
    SchedulesConformance,
    FiringsConformance,
    WakesConformance,
    WorkbooksConformance,
    FacesConformance,
    ConnectionsConformance,
    WithdrawalsConformance,
    WorkflowsConformance,
    CorrectionsConformance,
    VocabularyConformance,
    NotesConformance,
    SharesConformance,
):
    """All of a `Store`."""


__all__ = ["BlobsConformance", "StoreConformance"]
