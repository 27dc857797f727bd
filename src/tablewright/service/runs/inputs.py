"""What a run is given: the tables it may read and the conversation so far."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tablewright.data.facts.references import Counts, with_references
from tablewright.data.facts.relations import MOST_TABLES, compared_columns, relations
from tablewright.domain.conversation import ConversationMessage
from tablewright.domain.dataset import DatasetFacts, StoredFile
from tablewright.domain.events import PlanUpdated
from tablewright.domain.naming import free_name
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.domain.table_facts import TableRelation
from tablewright.domain.task import TurnFacts
from tablewright.domain.task_plan import TaskPlan
from tablewright.sandbox.base import SHARED_FOLDER, Input
from tablewright.service.files.conversation_files import DOWNLOADS
from tablewright.service.files.files import StoredValues
from tablewright.service.history import asked_before, code_of
from tablewright.service.runs.unfinished_work import unfinished_work
from tablewright.store.base import BlobStore, Store

TURNS = 10
"""How many earlier questions a run is told of."""


async def tables_of(
    store: Store, blobs: BlobStore, scope: Scope, run: Run, linked: Sequence[StoredFile] | None = None
) -> tuple[tuple[DatasetFacts, ...], tuple[Input, ...]]:
    """Return the facts of the run's tables, and the files that a session reads, under their names.

    The tables are those of the message's files, then of the other files that were uploaded to the conversation, but
    for what came with another call, and for `superseded` files; those and what runs made, which is used when a message
    names it, stay readable for the code of later questions. A file has one name and one place in all runs of its
    conversation. `linked` are the conversation's files, where they are known."""
    if linked is None:
        linked = await store.files.linked(scope, run.conversation_id)
    names = _names(linked)
    by_id = {file.id: file for file in linked}
    named = [by_id[file_id] for file_id in run.file_ids if file_id in by_id]
    uploaded = [file for file in linked if file.run_id is None and not file.of_one_call]
    uploaded = [file for file in uploaded if file.id not in run.file_ids]
    made = [file for file in linked if file.run_id is not None and file.id not in run.file_ids]
    if made:
        _, earlier = await asked_before(store, scope, run)
        made = [file for file in made if file.id in earlier]
    places = places_of(linked)
    inputs = [
        Input(path=await blobs.path(scope, file.read_from), name=places[file.id]) for file in (*named, *uploaded, *made)
    ]
    older = await superseded(store, scope, run, linked)
    # A table's id tells it within its file; the file's name in the run makes it the run's own.
    datasets = [
        replace(
            facts,
            id=f"{names[file.id]}#{facts.id}",
            file_name=names[file.id],
            path=f"{SHARED_FOLDER}/{places[file.id]}",
            content=file.read_from,
        )
        for file in (*named, *uploaded)
        if file.id not in older
        for facts in file.datasets
    ]
    return tuple(datasets), tuple(inputs)


async def superseded(store: Store, scope: Scope, run: Run, linked: Sequence[StoredFile]) -> frozenset[str]:
    """Return the uploaded files beside which there is a newer one of their name, or one that the message names, by
    their ids; files that came with one message are meant beside each other."""
    chosen: dict[tuple[str, bool], set[str]] = {}
    uploaded = [file for file in linked if file.run_id is None and not file.of_one_call]
    for file in sorted(uploaded, key=lambda one: one.id in run.file_ids):
        named = chosen.get((file.name, file.downloaded), set()) & set(run.file_ids)
        chosen[file.name, file.downloaded] = {*named, file.id}
    older = {file.id for file in uploaded} - set[str]().union(*chosen.values())
    if not older:
        return frozenset()
    asked = await store.conversations.questions(scope, run.conversation_id)
    for one in chosen.values():
        older.difference_update(*(message.file_ids for message in asked if one & set(message.file_ids)))
    return frozenset(older)


async def superseded_places(store: Store, scope: Scope, run: Run, linked: Sequence[StoredFile]) -> frozenset[str]:
    """Return where code finds the files that are `superseded`."""
    places = places_of(linked)
    return frozenset(places[file_id] for file_id in await superseded(store, scope, run, linked))


def places_of(linked: Sequence[StoredFile]) -> dict[str, str]:
    """Return where code finds the files of a conversation, below the folder of a session's inputs, by their ids."""
    names = _names(linked)
    return {file.id: f"{DOWNLOADS}/{names[file.id]}" if file.downloaded else names[file.id] for file in linked}


async def related(
    blobs: BlobStore, scope: Scope, datasets: Sequence[DatasetFacts]
) -> tuple[tuple[DatasetFacts, ...], tuple[TableRelation, ...]]:
    """Return the tables, with what is written otherwise than what it refers to, and what connects them, as far as all
    the values of their columns are known."""
    if len(datasets) < 2:
        return tuple(datasets), ()
    stored = StoredValues(blobs, scope)
    counts: dict[tuple[str, str], dict[str, int]] = {}
    for table in datasets[:MOST_TABLES]:
        for column in compared_columns(table):
            known = await stored.values(table.profile_ref, column.name)
            if known is not None and known.complete:
                counts[table.id, column.name] = dict(zip(known.values, known.counts, strict=True))
    return await asyncio.to_thread(_related, datasets, counts)


def _related(
    datasets: Sequence[DatasetFacts], counts: Counts
) -> tuple[tuple[DatasetFacts, ...], tuple[TableRelation, ...]]:
    told = with_references(datasets, counts)
    return told, relations(told, counts)


async def plan_before(store: Store, scope: Scope, run: Run) -> TaskPlan | None:
    """Return the plan of tasks of the request before in the conversation, as it was in the end."""
    if run.mode != "plan" or run.parent_id is not None:
        return None
    messages = await store.conversations.latest_messages(scope, run.conversation_id, 2 * TURNS + 2)
    earlier = [message.run_id for message in messages if message.author == "user" and message.run_id != run.id]
    if not earlier or earlier[-1] is None:
        return None
    events = await store.log.events(scope, earlier[-1], types=("plan.updated",), own=True)
    bodies = [event.body for event in events]
    return next((body.plan for body in reversed(bodies) if isinstance(body, PlanUpdated)), None)


def _names(files: Iterable[StoredFile]) -> dict[str, str]:
    names: dict[str, str] = {}
    taken: set[str] = set()
    for file in files:
        names[file.id] = free_name(file.name, taken)
        taken.add(names[file.id])
    return names


async def history_of(store: Store, scope: Scope, run: Run) -> tuple[TurnFacts, ...]:
    """Return the conversation's last answered questions, the oldest first."""
    messages = await store.conversations.latest_messages(scope, run.conversation_id, 2 * TURNS + 2)
    questions: dict[str, ConversationMessage] = {}
    turns: list[TurnFacts] = []
    elsewhere: ConversationMessage | None = None
    for message in messages:
        if message.run_id is None:  # said before the conversation began here, or in answer to a run
            if message.author == "assistant" and elsewhere is not None:
                turns.append(TurnFacts(question=elsewhere.text, answer=message.text))
            elsewhere = message if message.author == "user" else None
            continue
        elsewhere = None
        if message.run_id == run.stream_id:
            continue
        if message.author == "user":
            questions[message.run_id] = message
            if (left := await unfinished_work(store, scope, message.run_id)) is not None:
                turns.append(TurnFacts(question=message.text, answer=left))
        elif message.run_id in questions:
            code = await code_of(store, scope, message.run_id)
            turns.append(TurnFacts(question=questions[message.run_id].text, answer=message.text, code=code))
    return tuple(turns[-TURNS:])
