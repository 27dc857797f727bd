"""Assembles the use cases of channels."""

from __future__ import annotations

from tablewright.service.channels.channels import Channels
from tablewright.service.channels.client_memory import ClientMemory
from tablewright.service.channels.client_workbook import ClientWorkbook
from tablewright.service.channels.rounds import ChannelRounds
from tablewright.service.channels.undo import ChannelUndo
from tablewright.service.channels.use_cases import ChannelUseCases
from tablewright.service.conversations import Conversations
from tablewright.service.runs.parts import EngineParts
from tablewright.service.runs.runs import Runs
from tablewright.service.workbooks.states import WorkbookStates
from tablewright.service.workbooks.workbooks import Workbooks


def channel_use_cases(
    parts: EngineParts,
    conversations: Conversations,
    runs: Runs,
    states: WorkbookStates,
    workbooks: Workbooks,
    max_rounds: int,
) -> ChannelUseCases:
    """Assemble the use cases of channels."""
    store, clock, ids = parts.store, parts.clock, parts.ids
    channels = Channels(store, conversations, runs, states)
    book = ClientWorkbook(ClientMemory(store, clock), workbooks)
    rounds = ChannelRounds(
        store, channels, runs=runs, workbooks=workbooks, book=book, clock=clock, ids=ids, max_rounds=max_rounds
    )
    return ChannelUseCases(channels=channels, rounds=rounds, undo=ChannelUndo(channels, workbooks))
