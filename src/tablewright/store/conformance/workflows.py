"""Tests of stored workflows."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from tablewright.domain.scope import Scope
from tablewright.domain.workflow import Edge, EndNode, StartNode, Workflow
from tablewright.domain.workflow.stored import StoredWorkflow, Visibility, WorkflowChoices, WorkflowVersion
from tablewright.errors import Conflict, NotFound
from tablewright.store.base import Store
from tablewright.store.conformance.examples import ANN, BOB, OTHER_TENANT, T0, after, refused

DEFINITION = Workflow(
    id="greeting",
    name="问候",
    description="Says hello",
    examples=("hello", "你好"),
    nodes=(StartNode(id="start"), EndNode(id="end", text="Hello")),
    edges=(Edge(source="start", target="end"),),
)


def stored(workflow_id: str = "w-1", *, name: str = "问候", visibility: Visibility = "private") -> StoredWorkflow:
    """Make a workflow of Ann's with a draft that is no definition."""
    return StoredWorkflow(
        id=workflow_id,
        owner="ann",
        visibility=visibility,
        draft={"id": "greeting", "nodes": [{"kind": "?"}], "数": 1.5},
        definition_id="greeting",
        name=name,
        description="Says hello",
        examples=("hello", "你好"),
        created_at=T0,
        updated_at=T0,
    )


def version(workflow_id: str = "w-1", *, name: str = "问候") -> WorkflowVersion:
    """Make a version whose number is to be given."""
    return WorkflowVersion(
        workflow_id=workflow_id,
        number=0,
        definition=replace(DEFINITION, id=workflow_id, name=name),
        definition_id="greeting",
        created_at=after(1),
        created_by="ann",
    )


async def published(
    store: Store, workflow_id: str, scope: Scope = ANN, *, visibility: Visibility = "private"
) -> WorkflowVersion:
    """Store a workflow and publish it."""
    await store.workflows.add(scope, stored(workflow_id, visibility=visibility))
    return await store.workflows.publish(scope, version(workflow_id), expected=1)


async def seen_by(store: Store, scope: Scope) -> Sequence[str]:
    """Return the ids of the candidates of a caller."""
    return [entry.id for entry in await store.workflows.candidates(scope)]


class WorkflowsConformance:
    """Drafts, versions, what callers see, settings."""

    async def test_a_draft_is_kept_as_it_is(self, store: Store) -> None:
        await store.workflows.add(ANN, stored())
        assert await store.workflows.get(ANN, "w-1") == stored()

    async def test_a_saved_draft_has_the_next_revision_and_an_old_one_is_refused(self, store: Store) -> None:
        await store.workflows.add(ANN, stored())
        wanted = replace(stored(name="Hello", visibility="public"), draft={}, examples=(), updated_at=after(2))
        saved = await store.workflows.save(ANN, replace(wanted, latest=7, published=7), expected=1)
        assert saved == await store.workflows.get(ANN, "w-1") == replace(wanted, revision=2)
        with refused(Conflict):
            await store.workflows.save(ANN, stored(), expected=1)
        with refused(Conflict):
            await store.workflows.publish(ANN, version(), expected=1)
        assert await store.workflows.get(ANN, "w-1") == replace(wanted, revision=2)

    async def test_versions_are_numbered_and_stay(self, store: Store) -> None:
        first = await published(store, "w-1")
        second = await store.workflows.publish(ANN, version(name="Next"), expected=1)
        assert (first.number, second.number) == (1, 2)
        assert await store.workflows.version(ANN, "w-1", 1) == first
        assert await store.workflows.version(ANN, "w-1") == second
        kept = await store.workflows.get(ANN, "w-1")
        assert (kept.latest, kept.published, kept.updated_at, kept.revision) == (2, 2, after(1), 1)
        notes = await store.workflows.versions(ANN, "w-1")
        assert [(note.number, note.created_by) for note in notes] == [(1, "ann"), (2, "ann")]
        for number in (0, 3):
            with refused(NotFound):
                await store.workflows.version(ANN, "w-1", number)

    async def test_what_was_not_published_has_no_version(self, store: Store) -> None:
        await store.workflows.add(ANN, stored())
        with refused(NotFound):
            await store.workflows.version(ANN, "w-1")
        assert await store.workflows.versions(ANN, "w-1") == ()
        assert await seen_by(store, ANN) == []

    async def test_candidates_are_the_callers_own_and_the_tenants_public_ones_each_once(self, store: Store) -> None:
        await published(store, "w-1")
        await published(store, "w-2", visibility="public")
        await published(store, "w-3", BOB)
        await published(store, "w-4", BOB, visibility="public")
        await published(store, "w-5", OTHER_TENANT, visibility="public")
        await store.workflows.add(ANN, stored("w-6", visibility="public"))
        assert await seen_by(store, ANN) == ["w-1", "w-2", "w-4"]
        assert await seen_by(store, BOB) == ["w-2", "w-3", "w-4"]
        assert await seen_by(store, OTHER_TENANT) == ["w-5"]

    async def test_a_candidate_is_named_as_it_was_published_and_listed_to_its_owner_as_drafted(
        self, store: Store
    ) -> None:
        await published(store, "w-1", visibility="public")
        await store.workflows.publish(ANN, version(name="Next"), expected=1)
        draft = replace(stored(name="Draft", visibility="public"), definition_id="d", description="", examples=())
        await store.workflows.save(ANN, draft, expected=1)
        (candidate,) = await store.workflows.candidates(ANN)
        assert (candidate.name, candidate.definition_id, candidate.published) == ("Next", "greeting", 2)
        assert (candidate.description, candidate.examples) == ("Says hello", ("hello", "你好"))
        listed = {scope: (await store.workflows.find(scope)).items[0] for scope in (ANN, BOB)}
        assert (listed[ANN].name, listed[ANN].definition_id, listed[ANN].examples) == ("Draft", "d", ())
        assert (listed[BOB].name, listed[BOB].owner) == ("Next", "ann")
        assert {scope: await store.workflows.entry(scope, "w-1") for scope in (ANN, BOB)} == listed

    async def test_the_list_is_paged_from_the_newest(self, store: Store) -> None:
        for number in range(1, 4):
            await store.workflows.add(ANN, stored(f"w-{number}"))
        await published(store, "w-4", BOB, visibility="public")
        await published(store, "w-5", BOB)
        page = await store.workflows.find(ANN, limit=3)
        rest = await store.workflows.find(ANN, limit=3, cursor=page.next_cursor)
        assert [entry.id for entry in (*page.items, *rest.items)] == ["w-4", "w-3", "w-2", "w-1"]
        assert rest.next_cursor is None

    async def test_a_name_stands_for_an_id_that_is_seen_or_for_ones_own(self, store: Store) -> None:
        await store.workflows.add(ANN, stored("w-1"))
        await store.workflows.add(ANN, replace(stored("w-2"), updated_at=after(9)))
        await store.workflows.add(ANN, stored("w-3"))
        await published(store, "w-4", BOB, visibility="public")
        assert await store.workflows.identify(ANN, "greeting") == "w-2"
        assert await store.workflows.identify(ANN, "w-3") == "w-3"
        assert await store.workflows.identify(ANN, "w-4") == "w-4"
        assert await store.workflows.identify(BOB, "greeting") == "w-4"
        for scope, name in ((BOB, "w-1"), (OTHER_TENANT, "w-4"), (OTHER_TENANT, "greeting"), (ANN, "")):
            with refused(NotFound):
                await store.workflows.identify(scope, name)

    async def test_nobody_else_reads_or_changes_a_workflow(self, store: Store) -> None:
        await published(store, "w-1")
        for scope in (BOB, OTHER_TENANT, replace(BOB, operator=True)):
            mine = store.workflows
            for attempt in (
                mine.get(scope, "w-1"),
                mine.version(scope, "w-1"),
                mine.version(scope, "w-1", 1),
                mine.versions(scope, "w-1"),
                mine.entry(scope, "w-1"),
                mine.save(scope, stored(), expected=1),
                mine.publish(scope, version(), expected=1),
                mine.remove(scope, "w-1"),
            ):
                with refused(NotFound):
                    await attempt
            assert (await mine.find(scope)).items == ()
        assert (await store.workflows.get(ANN, "w-1")).latest == 1

    async def test_of_anothers_public_workflow_only_the_published_version_is_seen(self, store: Store) -> None:
        await published(store, "w-1", visibility="public")
        await store.workflows.publish(ANN, version(name="Next"), expected=1)
        assert (await store.workflows.version(BOB, "w-1")).definition.name == "Next"
        assert (await store.workflows.version(BOB, "w-1", 2)).number == 2
        attempts = (
            store.workflows.version(BOB, "w-1", 1),
            store.workflows.get(BOB, "w-1"),
            store.workflows.remove(BOB, "w-1"),
            store.workflows.version(OTHER_TENANT, "w-1"),
        )
        for attempt in attempts:
            with refused(NotFound):
                await attempt

    async def test_a_removed_workflow_is_gone_with_its_versions(self, store: Store) -> None:
        await published(store, "w-1", visibility="public")
        await store.workflows.remove(ANN, "w-1")
        for attempt in (
            store.workflows.get(ANN, "w-1"),
            store.workflows.version(ANN, "w-1", 1),
            store.workflows.remove(ANN, "w-1"),
        ):
            with refused(NotFound):
                await attempt
        assert await seen_by(store, BOB) == []
        assert (await published(store, "w-1")).number == 1

    async def test_of_two_who_save_the_same_revision_one_is_refused(self, store: Store) -> None:
        await store.workflows.add(ANN, stored())
        ended = await asyncio.gather(
            *(store.workflows.save(ANN, stored(name=name), expected=1) for name in ("a", "b", "c")),
            return_exceptions=True,
        )
        assert sum(isinstance(each, Conflict) for each in ended) == 2
        assert (await store.workflows.get(ANN, "w-1")).revision == 2

    async def test_every_change_of_candidates_is_counted_for_the_tenant(self, store: Store) -> None:
        counted = [await store.workflows.changes(BOB)]
        await published(store, "w-1", visibility="public")
        counted.append(await store.workflows.changes(BOB))
        await store.workflows.save(ANN, stored(), expected=1)
        counted.append(await store.workflows.changes(BOB))
        await store.workflows.remove(ANN, "w-1")
        counted.append(await store.workflows.changes(BOB))
        assert counted == sorted(set(counted))
        assert await store.workflows.changes(OTHER_TENANT) == 0

    async def test_changes_of_many_at_the_same_time_are_all_counted(self, store: Store) -> None:
        for number in range(4):
            await store.workflows.add(ANN, stored(f"w-{number}"))
        await asyncio.gather(*(store.workflows.publish(ANN, version(f"w-{number}"), expected=1) for number in range(4)))
        assert await store.workflows.changes(ANN) == 4

    async def test_settings_are_those_of_the_caller_its_tenant_and_the_system(self, store: Store) -> None:
        nothing = WorkflowChoices()
        found = await store.workflows.settings(ANN)
        assert (found.user, found.tenant, found.system) == (nothing, nothing, nothing)
        mine, ours, all_of_us = (
            WorkflowChoices(workflow="w-1"),
            WorkflowChoices(enabled=False),
            WorkflowChoices(enabled=True, workflow="none"),
        )
        await store.workflows.choose(ANN, "user", WorkflowChoices(enabled=True))
        await store.workflows.choose(ANN, "user", mine)
        await store.workflows.choose(ANN, "tenant", ours)
        await store.workflows.choose(ANN, "system", nothing)
        await store.workflows.choose(ANN, "system", all_of_us)
        for scope, expected in (
            (ANN, (mine, ours, all_of_us)),
            (BOB, (nothing, ours, all_of_us)),
            (OTHER_TENANT, (nothing, nothing, all_of_us)),
        ):
            found = await store.workflows.settings(scope)
            assert (found.user, found.tenant, found.system) == expected


class WithdrawalsConformance:
    """What is taken back."""

    async def test_a_withdrawn_workflow_is_no_candidate_and_its_versions_stay(self, store: Store) -> None:
        first = await published(store, "w-1", visibility="public")
        counted = await store.workflows.changes(BOB)
        await store.workflows.withdraw(ANN, "w-1", at=after(5))
        kept = await store.workflows.get(ANN, "w-1")
        assert (kept.published, kept.latest, kept.updated_at, kept.revision) == (None, 1, after(5), 1)
        assert await seen_by(store, ANN) == await seen_by(store, BOB) == []
        assert await store.workflows.changes(BOB) > counted
        assert await store.workflows.version(ANN, "w-1", 1) == first
        for attempt in (
            store.workflows.version(ANN, "w-1"),
            store.workflows.version(BOB, "w-1"),
            store.workflows.withdraw(BOB, "w-1", at=after(6)),
            store.workflows.withdraw(OTHER_TENANT, "w-1", at=after(6)),
        ):
            with refused(NotFound):
                await attempt
        assert (await store.workflows.publish(ANN, version("w-1"), expected=1)).number == 2
        assert await seen_by(store, BOB) == ["w-1"]
