"""What a run is given: the tables it may read and the conversation so far."""

from __future__ import annotations

from dataclasses import replace

from tablewright.domain.conversation import ConversationMessage
from tablewright.domain.dataset import DatasetFacts, StoredFile
from tablewright.domain.events import CodeFinished, StepFinished
from tablewright.domain.naming import free_name
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.domain.task import TurnFacts
from tablewright.sandbox.base import SHARED_FOLDER, Input
from tablewright.store.base import BlobStore, Store

TURNS = 10
"""How many earlier questions a run is told of."""


async def files_of(store: Store, scope: Scope, run: Run) -> tuple[StoredFile, ...]:
    """Return the message's files, then the other files that were uploaded to the conversation; what earlier runs
    made is used only when a message names it."""
    linked = await store.files.linked(scope, run.conversation_id)
    by_id = {file.id: file for file in linked}
    named = [by_id[file_id] for file_id in run.file_ids if file_id in by_id]
    return (*named, *(file for file in linked if file.run_id is None and file.id not in run.file_ids))


async def tables_of(
    store: Store, blobs: BlobStore, scope: Scope, run: Run
) -> tuple[tuple[DatasetFacts, ...], tuple[Input, ...]]:
    """Return the facts of the run's tables, and its files under the names by which a session reads them."""
    datasets: list[DatasetFacts] = []
    inputs: list[Input] = []
    taken: set[str] = set()
    for file in await files_of(store, scope, run):
        name = free_name(file.name, taken)
        taken.add(name)
        inputs.append(Input(path=await blobs.path(scope, file.sha256), name=name))
        datasets.extend(
            # A table's id tells it within its file; the file's name in the run makes it the run's own.
            replace(facts, id=f"{name}#{facts.id}", file_name=name, path=f"{SHARED_FOLDER}/{name}")
            for facts in file.datasets
        )
    return tuple(datasets), tuple(inputs)


async def history_of(store: Store, scope: Scope, run: Run) -> tuple[TurnFacts, ...]:
    """Return the conversation's last answered questions, the oldest first."""
    messages = await store.conversations.latest_messages(scope, run.conversation_id, 2 * TURNS + 2)
    questions: dict[str, ConversationMessage] = {}
    turns: list[TurnFacts] = []
    for message in messages:
        if message.run_id is None or message.run_id == run.id:
            continue
        if message.author == "user":
            questions[message.run_id] = message
        elif message.run_id in questions:
            code = await code_of(store, scope, message.run_id)
            turns.append(TurnFacts(question=questions[message.run_id].text, answer=message.text, code=code))
    return tuple(turns[-TURNS:])


async def code_of(store: Store, scope: Scope, run_id: str) -> str | None:
    """Return the code of the run's steps that ended well, joined."""
    events = await store.log.events(scope, run_id, types=("code.finished", "step.finished"))
    code: dict[str | None, str] = {}
    done: list[str] = []
    for event in events:
        if isinstance(event.body, CodeFinished):
            code[event.body.step_id] = event.body.code
        elif isinstance(event.body, StepFinished) and event.body.status == "ok" and event.body.step_id in code:
            done.append(code[event.body.step_id])
    return "\n\n".join(done) or None
