"""What the commands need of the service, wherever it runs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from tablewright.domain.conversation import Conversation
from tablewright.domain.dataset import StoredFile
from tablewright.domain.events import Event
from tablewright.domain.language import Language
from tablewright.domain.plan_file import FittedPlan, PlanFile
from tablewright.domain.rounds import PlanStep, Round
from tablewright.domain.run import Approvals, Mode, RequestAnswer

ExportKind = Literal["ipynb", "py"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked, of which files of the conversation; `model` None takes the configured one."""

    text: str
    file_ids: tuple[str, ...]
    language: Language
    model: str | None = None
    approvals: Approvals = "ask"
    mode: Mode = "auto"


class Client(Protocol):
    """The service as a command sees it. Every method raises errors of the tree in `tablewright.errors`."""

    async def check_model(self, name: str | None) -> None:
        """Raise `ModelUnknown` when no model is called `name`; None stands for the configured one."""
        ...

    async def conversation(self, conversation_id: str) -> Conversation:
        """Return a conversation; `NotFound`."""
        ...

    async def start_conversation(self, title: str, language: Language) -> Conversation:
        """Begin a conversation."""
        ...

    async def upload(self, path: Path, conversation_id: str, *, tables_needed: bool = True) -> StoredFile:
        """Give the file at `path` to a conversation; `FileUnreadable` and its kinds."""
        ...

    async def files(self) -> tuple[StoredFile, ...]:
        """List the caller's files, newest first."""
        ...

    async def delete_file(self, file_id: str) -> None:
        """Delete a file; `NotFound`."""
        ...

    def download(self, file_id: str) -> AsyncIterator[bytes]:
        """Yield a file's bytes."""
        ...

    async def ask(self, conversation_id: str, question: Question) -> str:
        """Start a run and return its id."""
        ...

    def follow(self, run_id: str) -> AsyncIterator[Event]:
        """Yield the run's events from the first to `run.finished`."""
        ...

    async def cancel(self, run_id: str) -> None:
        """Stop a run."""
        ...

    async def answer(self, run_id: str, request_id: str, answer: RequestAnswer) -> None:
        """Answer what a run asks; `PlanInvalid` where an edited plan cannot be executed."""
        ...

    async def export(self, own_id: str, kind: ExportKind) -> str:
        """Return a run as a notebook or a script; a conversation's id stands for its last run. `NotFound`."""
        ...

    async def plan_file(self, file_id: str, steps: Sequence[PlanStep], *, version: int, request: str) -> PlanFile:
        """Return steps with the shape that the workbook had at `version`."""
        ...

    async def fit(self, file_id: str, plan: PlanFile) -> FittedPlan:
        """Return what a saved plan would do to a workbook, or why it cannot be applied."""
        ...

    async def apply(self, file_id: str, plan: PlanFile, *, base_version: int) -> Round:
        """Execute a saved plan; `WorkbookDiffers`, `WorkbookChanged`."""
        ...


ClientContext = AbstractAsyncContextManager[Client]
"""A client while it is open."""
