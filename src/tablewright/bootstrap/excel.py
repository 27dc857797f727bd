"""Assembles the use cases of the workbook rounds."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.service.activation import EngineParts
from tablewright.service.channels import Channels
from tablewright.service.client_book import ClientBook
from tablewright.service.client_memory import ClientMemory
from tablewright.service.conversations import Conversations
from tablewright.service.excel_rounds import ExcelRounds
from tablewright.service.excel_undo import ExcelUndo
from tablewright.service.runs import Runs
from tablewright.service.workbook_states import WorkbookStates
from tablewright.service.workbooks import Workbooks


@dataclass(frozen=True, slots=True, kw_only=True)
class Excel:
    """The use cases of channels."""

    channels: Channels
    rounds: ExcelRounds
    undo: ExcelUndo


def excel_of(
    parts: EngineParts,
    states: WorkbookStates,
    conversations: Conversations,
    runs: Runs,
    workbooks: Workbooks,
    *,
    max_rounds: int,
) -> Excel:
    """Assemble the use cases of channels."""
    store, clock, ids = parts.store, parts.clock, parts.ids
    channels = Channels(store, conversations, runs, states)
    book = ClientBook(ClientMemory(store, clock), workbooks)
    rounds = ExcelRounds(
        store, channels, runs=runs, workbooks=workbooks, book=book, clock=clock, ids=ids, max_rounds=max_rounds
    )
    return Excel(channels=channels, rounds=rounds, undo=ExcelUndo(channels, workbooks))
